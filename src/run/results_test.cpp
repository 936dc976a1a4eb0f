#include "run/results.h"

#include "output/files.h"
#include "output/take_snapshot.h"
#include "run/run.h"
#include "scene/read/reader.h"

#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <sys/stat.h>

namespace ls::results_test {

namespace fs = std::filesystem;

// Nodes, bonds, surfaces, tracers and a fluid: all that a format may have a file for.
const std::string scene = R"(
[solver]
kind = "implicit"
duration = "4 ms"
[fluid]
spacing = "0.1 mm"
size = ["0.8 mm", "1 mm", "0.4 mm"]
viscosity = "1 mm^2/s"
density = 1000
faces = { y = "no-slip" }
tracers = { count = 5, cycle = "2 ms" }
[material.rubber]
young = "1 MPa"
poisson = 0.5
density = 1100
[[rod]]
name = "hair"
material = "rubber"
section = { diameter = "60 um" }
line = { from = ["0.4 mm", 0, "0.2 mm"], to = ["0.4 mm", "0.7 mm", "0.2 mm"] }
bonds = 7
clamp = ["start"]
[contact]
[[wall]]
name = "floor"
plane = { normal = [0, 1, 0], point = [0, "-1 mm", 0] }
)";
const std::string every_format =
    "[output]\nevery = \"1 ms\"\ndump = true\n"
    "fluid = { every = \"2 ms\", volume = true, slices = [{ axis = \"z\", at = \"0.2 mm\" }] }\n"
    "field = { lines = [{ from = [0, 0, 0], to = [0, 0, 1] }], "
    "planes = [{ corner = [0, 0, 0], sides = [[1, 0, 0], [0, 1, 0]], points = [3, 3] }] }\n";

class RunResults : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("results_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  RunReport go(const std::string& text, bool force) const {
    Plan plan = read_text(text, "scene.toml");
    RunOptions o;
    o.out = folder_;
    o.force = force;
    return run(plan, o);
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) found.insert(entry.path().filename().string());
    return found;
  }

  fs::path folder_;
};

TEST_F(RunResults, ForceClearsWhatEveryFormatLeft) {
  ASSERT_EQ(go(scene + every_format, false).status, RunStatus::done);
  const std::set<std::string> all{
      "checkpoint.h5",     "field",      "field_line0.pvd", "field_plane0.pvd", "fluid",        "fluid.pvd",
      "fluid_slice0.pvd",  "frames",     "log.jsonl",       "picture.svg",      "probes.csv",   "scene.toml",
      "states.lammpstrj",  "states.pvd", "states.xdmf",     "summary.json",     "surfaces.pvd", "tracers.csv",
      "tracer_cycles.csv", "tracers.pvd"};
  EXPECT_EQ(names(), all);
  write_atomically(folder_ / "notes.txt", "kept");
  const Plan plan = read_text(scene, "scene.toml");
  const Results afresh(plan, folder_, true);
  EXPECT_EQ(names(), (std::set<std::string>{"log.jsonl", "notes.txt", "scene.toml"}));
}

TEST_F(RunResults, GoOnFromWhatTheCheckpointKnew) {
  const Plan plan = read_text(scene + every_format, "scene.toml");
  const Snapshot shot = take_snapshot(plan.model, plan.start, "");
  Checkpoint c;
  {
    Results results(plan, folder_, false);
    results.add_probes("time\n");
    results.add_frame(shot);
    results.save(c);
    results.add_probes("0\n");
    results.add_frame(shot);
  }
  const auto dump = fs::file_size(folder_ / "states.lammpstrj");
  Results results(plan, folder_, read_checkpoint(folder_ / "checkpoint.h5"));
  EXPECT_EQ(read_file(folder_ / "probes.csv"), "time\n");
  EXPECT_EQ(fs::file_size(folder_ / "states.lammpstrj"), dump / 2);
  for (const char* ending : {"vtp", "surfaces.vtp", "h5"}) {
    EXPECT_TRUE(fs::exists(folder_ / frame_name(frames_place, 0, ending))) << ending;
    EXPECT_FALSE(fs::exists(folder_ / frame_name(frames_place, 1, ending))) << ending;
  }
  for (const char* index : {"states.pvd", "surfaces.pvd", "states.xdmf"})
    EXPECT_EQ(read_file(folder_ / index).find("000001"), std::string::npos) << index;
  results.add_frame(shot);
  EXPECT_EQ(fs::file_size(folder_ / "states.lammpstrj"), dump);
}

// Where nothing is due an explicit run takes several steps at once. What it writes is that of step by step, whatever is
// due in between.
TEST_F(RunResults, StepsThatNobodySeesChangeNothing) {
  const auto text = [](const std::string& often) {
    return R"toml(
[solver]
kind = "explicit"
dt = "1 us"
duration = "1234 us"
[material.rubber]
young = "1 MPa"
poisson = 0.4
density = 1000
[[rod]]
name = "rod"
material = "rubber"
section = { diameter = "2 mm" }
line = { from = [0, 0, 0], to = ["60 mm", 0, 0] }
bonds = 50
clamp = ["start"]
[gravity]
g = [0, "-9.81 m/s^2 * cos(t / 100 us)", 0]
[[drive]]
on = "rod.start"
move = [0, 0, "1 mm * sin(t / 1 ms)"]
[[probe]]
of = "rod.end"
record = ["position", "velocity", "orientation"]
every = 13
[output]
every = "300 us"
picture = false
)toml" + often;
  };
  const auto rows = [&](const std::string& often) {  // of those steps where the first probe is due
    go(text(often), true);
    std::istringstream file(read_file(folder_ / "probes.csv"));
    std::vector<std::string> found;
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("stage 1,")) continue;
      const long long step = std::stoll(line.substr(line.find(',') + 1));
      if (step % 13 == 0 || step == 1234) found.push_back(line);
    }
    return found;
  };
  const auto state = [&] { return read_checkpoint(folder_ / "checkpoint.h5").state.nodes; };
  const auto seldom = rows("");
  const Nodes some = state();
  const auto often = rows("[[probe]]\nname = \"each\"\nof = \"rod[25]\"\nrecord = \"position\"\nevery = 1\n");
  ASSERT_EQ(seldom.size(), 96U);
  ASSERT_EQ(often.size(), 96U);
  for (std::size_t i = 0; i < often.size(); ++i) EXPECT_TRUE(often[i].starts_with(seldom[i])) << seldom[i];
  const Nodes each = state();
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(some.x[k], each.x[k]);
    EXPECT_EQ(some.w[k], each.w[k]);
    EXPECT_EQ(some.f[k], each.f[k]);
  }
}

// 1000 frames would else take more than five times as long as 200.
TEST_F(RunResults, IndicesGrowAtTheirEnd) {
  const Plan plan = read_text(scene + every_format, "scene.toml");
  Snapshot shot = take_snapshot(plan.model, plan.start, "");
  const auto file_of = [&](const char* index) {
    struct stat s {};
    EXPECT_EQ(::stat((folder_ / index).c_str(), &s), 0);
    return s.st_ino;
  };
  const std::vector<const char*> indices{"states.pvd", "surfaces.pvd", "states.xdmf"};
  std::vector<ino_t> first;
  Checkpoint c;
  {
    Results results(plan, folder_, false);
    for (int n = 0; n < 4; ++n) {
      shot.time = 0.1 * n;
      results.add_frame(shot);
      for (std::size_t k = 0; k < indices.size(); ++k) {
        if (n == 0) first.push_back(file_of(indices[k]));
        EXPECT_EQ(file_of(indices[k]), first[k]) << indices[k];
      }
    }
    results.save(c);
  }
  std::vector<std::string> grown;
  grown.reserve(std::size(indices));
  for (const char* index : indices) grown.push_back(read_file(folder_ / index));
  const Results again(plan, folder_, c);  // writes them whole
  for (std::size_t k = 0; k < indices.size(); ++k) EXPECT_EQ(read_file(folder_ / indices[k]), grown[k]) << indices[k];
}

// A run that ended between its last step and its end would be drawn without what its last step knew. One explicit step
// hears no signal in its midst.
TEST_F(RunResults, ASignalAfterTheLastStepComesTooLate) {
  const std::string one_step = R"(
[solver]
kind = "explicit"
steps = 1
[material.rubber]
young = "1 MPa"
poisson = 0.5
density = 1100
[[rod]]
material = "rubber"
section = { diameter = "1 mm" }
line = { from = [0, 0, 0], to = ["30 mm", 0, 0] }
bonds = 7
)";
  const std::atomic<int> stop{15};
  RunOptions o;
  o.out = folder_;
  o.stop = &stop;
  EXPECT_EQ(run(read_text(one_step, "scene.toml"), o).status, RunStatus::done);
  EXPECT_TRUE(read_checkpoint(folder_ / "checkpoint.h5").finished);
}

TEST_F(RunResults, FluidsComeInBothFormats) {
  ASSERT_EQ(go(scene, false).status, RunStatus::done);
  EXPECT_TRUE(fs::exists(folder_ / "fluid/000000.vti"));
  EXPECT_TRUE(fs::exists(folder_ / "fluid/000000.h5"));
}

// A format that leaves a file which it does not name would neither be cleared nor cut back.
TEST_F(RunResults, FormatsNameTheirFilesAndKnowTheirSize) {
  const Plan plan = read_text(scene, "scene.toml");
  Snapshot shot = take_snapshot(plan.model, plan.start, "");
  shot.tracer.assign(5, {1, 2, 3});
  shot.tracer_velocity.assign(5, {0, 0, 0});
  for (const FrameFormat& format : frame_formats(plan)) {
    RunFolder folder(folder_);
    make_folder(folder_);
    format.writer->write_frame(folder, 0, shot);
    double bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
    EXPECT_GT(format.writer->bytes_per_frame() / bytes, 0.3);
    EXPECT_LT(format.writer->bytes_per_frame() / bytes, 3);
    format.writer->write_index(folder, std::vector<double>{0.0});
    const FrameFiles files = format.writer->files();
    for (const std::string& ending : files.endings)
      EXPECT_TRUE(fs::remove(folder / frame_name(frames_place, 0, ending))) << ending;
    for (const auto& list : {files.indices, files.appended})
      for (const std::string& name : list) EXPECT_TRUE(fs::remove(folder / name)) << name;
    fs::remove(folder / frames_place);
    EXPECT_TRUE(fs::is_empty(folder_));
  }
}

}  // namespace ls::results_test
