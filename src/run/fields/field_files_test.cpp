#include "output/checkpoint.h"
#include "output/files.h"
#include "output/hdf5_file.h"
#include "run/run.h"
#include "scene/read/test_bad_scenes.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

// The magnetic field in the files of a run.
namespace ls::field_files_test {

namespace fs = std::filesystem;
using V = Vec3<double>;
using test::BadScene;
using test::expect_refused;

const std::string drifting = R"(
[solver]
kind = "implicit"
dt = "10 ms"
[[stage]]
name = "one"
duration = "50 ms"
[[stage]]
name = "two"
duration = "50 ms"
[[rigid]]
name = "magnet"
shape = "sphere"
radius = "5 mm"
mass = "1 g"
velocity = ["0.1 m/s", 0, 0]
moment = [0, "0.5 A m^2", "2 A m^2"]
)";
const std::string grids =
    "lines = [{ from = [0, 0, \"20 mm\"], to = [0, 0, \"80 mm\"], points = 7 }]\n"
    "planes = [{ corner = [\"-30 mm\", \"10 mm\", \"-30 mm\"], sides = [[\"60 mm\", 0, 0], [0, 0, \"60 mm\"]], "
    "points = [5, 4] }]\n";

V dipole(const V& m, const V& r) {
  const double r2 = dot(r, r), r5 = r2 * r2 * std::sqrt(r2);
  return (1e-7 / r5) * (3 * dot(m, r) * r - r2 * m);
}

class FieldOfScenes : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              fmt::format("lodestone_field_{}", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void go(const std::string& text, const RunOptions& given = {}) {
    const Plan plan = read_text(text, "scene.toml");
    RunOptions o = given;
    o.out = folder_;
    ASSERT_EQ(run(plan, o).status, RunStatus::done);
  }
  std::vector<V> read(const std::string& name, const std::string& set) const {
    const auto values = Hdf5File::open(folder_ / "field" / name).read<double>(set);
    std::vector<V> all;
    for (std::size_t i = 0; i < values.size(); i += 3) all.push_back({values[i], values[i + 1], values[i + 2]});
    return all;
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_ / "field")) found.insert(entry.path().filename().string());
    return found;
  }
  fs::path folder_;
};

TEST_F(FieldOfScenes, IsThatOfADipoleAndOfTheFields) {
  go(drifting + "[[field]]\nuniform = [\"1 mT\", \"2 mT * t / (1 s)\", 0]\n[output.field]\n" + grids);
  EXPECT_EQ(names(),
            (std::set<std::string>{"000000.line0.h5", "000000.line0.vts", "000000.plane0.h5", "000000.plane0.vts"}));
  const V uniform{1e-3, 2e-3 * 0.1, 0};  // as it is at the end; it has turned the magnet
  const Frame<double> pose = read_checkpoint(folder_ / "checkpoint.h5").state.nodes.frame(0);
  for (const char* name : {"000000.line0.h5", "000000.plane0.h5"}) {
    const std::vector<V> at = read(name, "point/position"), b = read(name, "point/B");
    ASSERT_EQ(at.size(), std::string(name).find("line") == std::string::npos ? 20u : 7u);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const V sum = uniform + dipole(rotate(pose.q, V{0, 0.5, 2}), at[i] - pose.x);
      EXPECT_LT(norm(b[i] - sum), 1e-12 * norm(sum)) << name << " " << i;
    }
  }
}

TEST_F(FieldOfScenes, ComesAsOftenAsAsked) {
  go(drifting + "[output]\nhdf5 = false\n[output.field]\nevery = 3\n" + grids);
  const std::string index = read_file(folder_ / "field_plane0.pvd");
  for (const char* time : {"\"0\"", "\"0.03\"", "\"0.0600", "\"0.09\"", "\"0.1\""})
    EXPECT_NE(index.find(std::string("timestep=") + time), std::string::npos) << time << "\n" << index;
  EXPECT_EQ(names().size(), 10u);  // of a line and a plane
}

// Of frames, too: not the end of the last stage alone.
TEST_F(FieldOfScenes, ComesAtTheEndOfEveryStage) {
  go(drifting + "[output]\nevery = \"stage\"\nhdf5 = false\n[output.field]\nevery = \"stage\"\n" + grids);
  for (const char* name : {"field_line0.pvd", "states.pvd"}) {
    const std::string index = read_file(folder_ / name);
    for (const char* time : {"\"0\"", "\"0.05\"", "\"0.1\""})
      EXPECT_NE(index.find(std::string("timestep=") + time), std::string::npos) << time << "\n" << index;
  }
}

// In the place of a dipole there is none, and nothing ends because of that.
TEST_F(FieldOfScenes, HasNoNumberWhereADipoleSits) {
  std::string still = drifting;
  still.replace(still.find("\"0.1 m/s\""), 9, "0");
  go(still + "[output.field]\nlines = [{ from = [\"-10 mm\", 0, 0], to = [\"10 mm\", 0, 0], points = 3 }]\n");
  const std::vector<V> b = read("000000.line0.h5", "point/B");
  EXPECT_TRUE(std::isnan(b[1].x) && std::isnan(b[1].y) && std::isnan(b[1].z));
  EXPECT_GT(norm(b[0]), 0.1);
}

// Samples, what they induce, a box that repeats: the file has what a probe records there.
TEST_F(FieldOfScenes, IsWhatProbesRecord) {
  const std::string iron =
      "[material.iron]\ndensity = 7800\nsusceptibility = 20\n[[rigid]]\nname = \"cube\"\nshape = \"box\"\n"
      "size = [\"8 mm\", \"8 mm\", \"8 mm\"]\nmaterial = \"iron\"\nsampling = \"4 mm\"\nposition = [0, \"80 mm\", 0]\n"
      "[dipoles]\n";
  const std::string box = "[dipoles]\nmethod = \"ewald\"\nbox = [\"60 mm\", \"60 mm\", \"60 mm\"]\n";
  for (const std::string& more : {iron, box}) {
    fs::remove_all(folder_);
    std::string scene = drifting;
    scene.append(more).append("[[probe]]\nof = \"field\"\nat = [\"-30 mm\", \"10 mm\", \"-10 mm\"]\nrecord = \"B\"\n");
    go(scene.append("[output.field]\n").append(grids));
    const std::vector<V> b = read("000000.plane0.h5", "point/B");
    std::ifstream table(folder_ / "probes.csv");
    std::string row, last;
    while (std::getline(table, row)) last = row;
    std::istringstream cells(last);
    std::vector<std::string> cell;
    for (std::string c; std::getline(cells, c, ',');) cell.push_back(c);
    ASSERT_GE(cell.size(), 7u);
    const V probe{std::stod(cell[4]), std::stod(cell[5]), std::stod(cell[6])};
    EXPECT_LT(norm(b[5] - probe), 1e-4 * norm(probe)) << more;  // of the box to its accuracy
    // A side of the plane is as long as the box: its ends are copies of each other.
    if (more == box) {
      EXPECT_LT(norm(b[5] - b[9]), 1e-9 * norm(probe));
    }
    for (const V& v : b) EXPECT_TRUE(std::isfinite(norm(v)));
  }
}

TEST_F(FieldOfScenes, ThreadsChangeNoBit) {
  const std::string plane =
      "[output.field]\nplanes = [{ corner = [\"-30 mm\", \"10 mm\", \"-30 mm\"], sides = [[\"60 mm\", 0, 0], [0, 0, "
      "\"60 mm\"]] }]\n";
  std::vector<std::string> bytes;
  for (const int threads : {1, 3}) {
    fs::remove_all(folder_);
    RunOptions o;
    o.threads = threads;
    go(drifting + plane, o);
    bytes.push_back(read_file(folder_ / "field/000000.plane0.h5"));
  }
  EXPECT_TRUE(bytes[0] == bytes[1]);
}

std::vector<BadScene> bad_grids() {
  const auto field = [](const std::string& keys) { return drifting + "[output.field]\n" + keys + "\n"; };
  const auto plane = [&](const std::string& keys) { return field("planes = [{ corner = [0, 0, 0], " + keys + " }]"); };
  return {
      {"nothing", field(""), "output.field: there is nothing to write; expected `lines` or `planes`"},
      {"no_end", field("lines = [{ from = [0, 0, 0] }]"), "`to` is missing"},
      {"no_length", field("lines = [{ from = [0, 0, 1], to = [0, 0, 1] }]"), "found the place where the line begins"},
      {"unit", field("lines = [{ from = [0, 0, 0], to = [0, 0, \"1 T\"] }]"), "found a magnetic field (T)"},
      {"one_point", field("lines = [{ from = [0, 0, 0], to = [0, 0, 1], points = 1 }]"), "points"},
      {"one_side", plane("sides = [[1, 0, 0]]"), "expected two vectors"},
      {"flat", plane("sides = [[1, 0, 0], [2, 0, 0]]"), "the two sides are along one line"},
      {"no_side", plane("sides = [[1, 0, 0], [0, 0, 0]]"), "one of them has no length"},
      {"points", plane("sides = [[1, 0, 0], [0, 1, 0]], points = [10]"), "expected two whole numbers"},
      {"many", plane("sides = [[1, 0, 0], [0, 1, 0]], points = [10000, 10000]"), "points[1]"},
      {"unknown", plane("sides = [[1, 0, 0], [0, 1, 0]], size = 3"), "unknown key `size`"},
      {"lines_in_box", drifting + "[dipoles]\nmethod = \"ewald\"\nbox = [1, 1, 1]\n[output]\nfield_lines = 3\n",
       "lines of the field of a periodic box are not drawn"},
      {"few_lines", drifting + "[output]\nfield_lines = -3\n", "output.field_lines"},
  };
}

TEST(BadFieldOutput, IsRefused) {
  expect_refused({"grids", bad_grids});
}

}  // namespace ls::field_files_test
