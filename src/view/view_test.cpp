#include "base/error.h"
#include "output/test_snapshots.h"
#include "output/xdmf.h"
#include "view/grid_blobs.h"
#include "view/http_message.h"
#include "view/probe_blob.h"
#include "view/run_view.h"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace ls::view_test {

namespace fs = std::filesystem;

// A blob as the page reads it.
struct Decoded {
  explicit Decoded(const std::string& bytes) : bytes_(bytes) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 4, 4);
    head = nlohmann::json::parse(bytes.substr(8, length));
    first_ = 8 + length;
  }
  template <class T>
  std::vector<T> array(const std::string& name) const {
    const auto& a = head["arrays"].at(name);
    std::vector<T> values(a["length"].get<std::size_t>());
    EXPECT_EQ((first_ + a["offset"].get<std::size_t>()) % 8, 0U);
    std::memcpy(values.data(), bytes_.data() + first_ + a["offset"].get<std::size_t>(), values.size() * sizeof(T));
    return values;
  }
  nlohmann::json head;

 private:
  std::string bytes_;
  std::size_t first_ = 0;
};

class ViewTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "lodestone-view-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  fs::path folder_;
};

// Two bonds of 0.1 m in a row, far from the origin, the second one broken; a wall beside them.
Snapshot chain(double time) {
  Snapshot s;
  s.time = time;
  s.stage = "fall";
  s.position = {{1000, 0, 0}, {1000.1, 0, 0}, {1000.2, 0, 0}, {1000, 5, 0}};
  s.orientation.assign(4, {1, 0, 0, 0});
  s.velocity = {{3, 4, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  s.spin = s.force = s.torque = s.moment = std::vector<Snapshot::Triple>(4);
  s.moment[1] = {0, 0, 2};
  s.mass = {1, 1, 1, 1e-30};
  s.radius = {0.01, 0.01, 0.01, 0};
  s.body = {0, 0, 0, 1};
  s.bodies = {"rod", "wall"};
  s.bond = {{0, 1}, {1, 2}};
  s.strain = {{0, 0, 0.3, 0}, {0, 0, 0.1, 0}};
  s.energy = {{1, 2, 3, 4}, {0, 0, 0, 0}};
  s.broken = {0, 1};
  s.is_wall = {0, 0, 0, 1};
  s.is_ball = {0, 0, 0, 0};
  s.skin = {{1000, 5, 0}, {1001, 5, 0}, {1000, 6, 0}};
  s.skin_node = {3, 3, 3};
  s.triangle = {{0, 1, 2}};
  s.magnet_line = {{{{1000, 0, 1}, {1000, 0, 2}}}};
  s.magnet_centre = {{1000, 0, 1.5}};
  s.magnet_north = {{0, 0, 1}};
  return s;
}

TEST(HttpMessage, ReadsARequestAndRefusesWhatIsNone) {
  const auto r = parse_http_head("GET /a%20b?n=3&colour=x%3dy HTTP/1.1\r\nHost: here\r\nX-Token:  t \r\n");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->path, "/a b");
  EXPECT_EQ(r->parameter("n"), "3");
  EXPECT_EQ(r->parameter("colour"), "x=y");
  EXPECT_EQ(r->header("x-token"), "t");
  for (const char* bad :
       {"", "GET", "GET x HTTP/1.1\r\n", "GET / HTTP/2\r\n", "GET /%4 HTTP/1.1\r\n", "GET /%00 HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n", "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n", "GET / HTTP/1.1\r\nA b: c\r\n"})
    EXPECT_FALSE(parse_http_head(bad)) << bad;
}

TEST_F(ViewTest, AFrameBecomesArraysNearItsOwnOrigin) {
  write_frame_h5(folder_ / "f.h5", chain(0.5));
  const Hdf5File f = Hdf5File::open(folder_ / "f.h5");
  const ViewOrigin origin = view_origin(f);
  EXPECT_DOUBLE_EQ(origin[0], 1000.1);  // of the rod alone: walls may reach anywhere
  const Decoded d(frame_blob(f, origin, "energy").bytes());
  EXPECT_EQ(d.head["time"], 0.5);
  const auto place = d.array<float>("place");
  ASSERT_EQ(place.size(), 4 * view_row);
  EXPECT_NEAR(place[0], -0.1, 1e-7);
  EXPECT_NEAR(place[3], 100, 1e-3);     // J/m of its only bond
  EXPECT_NEAR(place[7], 50, 1e-3);      // mean of two bonds
  EXPECT_EQ(place[15], no_view_value);  // a wall has none
  EXPECT_NEAR(d.head["range"][1].get<double>(), 100, 1e-3);
  EXPECT_EQ(d.array<std::uint8_t>("broken"), (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(d.array<float>("moments").size(), 6U);
  EXPECT_EQ(d.array<float>("magnet_north"), (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(d.array<float>("magnet_lines").size(), 6U);
  EXPECT_NEAR(Decoded(frame_blob(f, origin, "speed").bytes()).array<float>("place")[3], 5, 1e-6);
  EXPECT_NEAR(Decoded(frame_blob(f, origin, "curvature").bytes()).array<float>("place")[3], 3, 1e-6);
  EXPECT_THROW(frame_blob(f, origin, "colour"), Error);
  const Decoded model(model_blob(f).bytes());
  EXPECT_EQ(model.head["bodies"], (nlohmann::json{"rod", "wall"}));
  EXPECT_EQ(model.array<std::int32_t>("surface_walls"), (std::vector<std::int32_t>{3}));
  EXPECT_EQ(model.array<std::uint8_t>("fixed"), (std::vector<std::uint8_t>{0, 0, 0, 1}));
  EXPECT_EQ(model.array<std::uint8_t>("axis")[0], 1);  // x lies along the rod, y across
  EXPECT_EQ(node_values(f, 0)["velocity"]["value"][1], 4.0);
  EXPECT_THROW(node_values(f, 4), Error);
}

TEST_F(ViewTest, RowsOfADatasetAreReadAlone) {
  {
    Hdf5File f = Hdf5File::create(folder_ / "d.h5");
    f.write("v", std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {6, 2});
    f.close();
  }
  const Hdf5File f = Hdf5File::open(folder_ / "d.h5");
  EXPECT_EQ(f.read<double>("v", {.first = 1}), (std::vector<double>{2, 3}));
  EXPECT_EQ(f.read<double>("v", {.first = 1, .count = 2, .stride = 3}), (std::vector<double>{2, 3, 8, 9}));
  EXPECT_EQ(f.read<double>("v", {.count = 2, .stride = 3, .block = 2}), (std::vector<double>{0, 1, 2, 3, 6, 7, 8, 9}));
  EXPECT_THROW(f.read<double>("v", {.first = 6}), Error);
  EXPECT_THROW(f.read<double>("v", {.first = 2, .count = 2, .stride = 3, .block = 2}), Error);
}

TEST_F(ViewTest, SlicesOfAFluidAreLayersAcrossEachAxis) {
  constexpr int nx = 2, ny = 3, nz = 4;
  {
    Hdf5File f = Hdf5File::create(folder_ / "b.h5");
    f.set_attribute("", "time", 1.0);
    f.set_attribute("", "spacing", 0.5);
    f.write("grid/origin", std::vector<double>{10, 20, 30});
    f.write("grid/cells", std::vector<std::int32_t>{nx, ny, nz});
    std::vector<float> velocity, pressure;
    for (int z = 0; z < nz; ++z)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
          velocity.insert(velocity.end(), {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
          pressure.push_back(static_cast<float>(100 * x + 10 * y + z));
        }
    f.write("cell/velocity", velocity, {pressure.size(), 3});
    f.write("cell/pressure", pressure);
    f.close();
  }
  const Hdf5File f = Hdf5File::open(folder_ / "b.h5");
  const int size[3] = {nx, ny, nz};
  for (int axis = 0; axis < 3; ++axis) {
    const Decoded d(fluid_slice(f, {}, axis, 1).bytes());
    const auto p = d.array<float>("pressure");
    const int across = axis == 0 ? 1 : 0, up = axis == 2 ? 1 : 2;
    ASSERT_EQ(p.size(), static_cast<std::size_t>(size[across] * size[up]));
    constexpr float weight[3] = {100, 10, 1};
    for (int j = 0; j < size[up]; ++j)
      for (int i = 0; i < size[across]; ++i)
        EXPECT_EQ(p[j * size[across] + i], weight[axis] + weight[across] * i + weight[up] * j) << axis;
    EXPECT_EQ(d.head["corner"][axis], (axis + 1) * 10 + 0.75);
  }
  EXPECT_THROW(fluid_slice(f, {}, 2, nz), Error);
  EXPECT_THROW(fluid_slice(f, {}, 3, 0), Error);
}

TEST_F(ViewTest, AFieldBesideADipoleHasTheRangeOfAllElse) {
  constexpr int side = 11;
  for (const double peak : {0.9, 1e40}) {
    {
      Hdf5File f = Hdf5File::create(folder_ / "b.h5");
      f.set_attribute("", "time", 1.0);
      f.write("grid/points", std::vector<std::int32_t>{side, side});
      std::vector<double> field(3 * side * side);
      for (std::size_t i = 0; i < field.size(); i += 3) field[i] = 0.5 * static_cast<double>(i) / 360;  // to 0.5 T
      field[90] = peak;
      field[93] = NAN;
      f.write("point/position", std::vector<double>(field.size()), {field.size() / 3, 3});
      f.write("point/B", field, {field.size() / 3, 3});
      f.close();
    }
    const Decoded d(field_slice(Hdf5File::open(folder_ / "b.h5"), {}).bytes());
    EXPECT_NEAR(d.head["strongest"].get<double>(), peak < 1 ? peak : 0.48, 0.01);
    EXPECT_EQ(d.head["beyond"].get<bool>(), peak > 1);
  }
}

TEST_F(ViewTest, ProbesComeAsColumnsFromARowOn) {
  write("probes.csv",
        "stage,step,time,s,\"a,b.velocity[3].x\",event\nfall,0,0,0,1.5,\nfall,1,0.1,0,,\"fold, here\"\nfall,2,0.2");
  const Decoded d(probe_blob(folder_ / "probes.csv", 1).bytes());
  EXPECT_EQ(d.head["columns"], (nlohmann::json{"step", "time", "s", "a,b.velocity[3].x"}));
  EXPECT_EQ(d.head["units"], (nlohmann::json{"", "", "", "m/s"}));
  EXPECT_EQ(d.array<double>("time"), (std::vector<double>{0.1}));  // the last line is not whole yet
  EXPECT_TRUE(std::isnan(d.array<double>("a,b.velocity[3].x")[0]));
}

TEST_F(ViewTest, ARunIsSeenAsItGrowsAndWhenItBeginsAnew) {
  EXPECT_THROW(RunView{folder_}, Error);
  write("log.jsonl", R"({"event":"started","title":"A chain","duration":2.0,"gravity":[0,0,-9.81]})"
                     "\n"
                     R"({"event":"fold","time":0.25,"text":"it folds"})"
                     "\n");
  fs::create_directories(folder_ / "frames");
  write_frame_h5(folder_ / "frames/000000.h5", chain(0));
  RunView view(folder_);
  EXPECT_EQ(view.frames(), 1U);
  EXPECT_FALSE(view.look());
  write_frame_h5(folder_ / "frames/000001.h5", chain(0.5));
  EXPECT_TRUE(view.look());
  nlohmann::json about = view.about();
  EXPECT_EQ(about["title"], "A chain");
  EXPECT_EQ(about["times"], (nlohmann::json{0.0, 0.5}));
  EXPECT_EQ(about["status"], "stopped");
  EXPECT_EQ(about["events"][0]["kind"], "fold");
  EXPECT_EQ(about["events"][1]["kind"], "fracture");
  EXPECT_EQ(about["events"][1]["at"], 0.0);
  EXPECT_EQ(about["clock"], "time");
  EXPECT_EQ(Decoded(view.track(0)).array<double>("speed"), (std::vector<double>{5, 5}));
  std::ofstream(folder_ / "log.jsonl", std::ios::app) << R"({"event":"stage","name":"two","time":0.3,"step":3})"
                                                      << "\n";
  EXPECT_TRUE(view.look());
  about = view.about();  // what frames have told stays when the log has grown
  ASSERT_EQ(about["events"].size(), 3U);
  EXPECT_EQ(about["events"][1]["kind"], "stage");
  EXPECT_EQ(about["events"][2]["kind"], "fracture");

  fs::remove(folder_ / "frames/000001.h5");  // --force has begun it anew
  EXPECT_TRUE(view.look());
  about = view.about();
  EXPECT_EQ(about["times"].size(), 1U);
  EXPECT_EQ(about["generation"], 1);

  write("frames/000001.h5", "not a frame");
  EXPECT_TRUE(view.look());
  EXPECT_EQ(view.frames(), 2U);
  EXPECT_THROW(view.frame(1, "energy"), Error);
  EXPECT_NO_THROW(view.frame(0, "energy"));
}

TEST_F(ViewTest, EquilibriaThatTakeNoTimeGoByTheirSteps) {
  write("log.jsonl", R"({"event":"started","title":"Loads","duration":0.0})"
                     "\n"
                     R"({"event":"fold","time":0.0,"step":7,"text":"it folds"})"
                     "\n");
  Snapshot s = chain(0);
  for (const int n : {0, 1}) {
    s.step = 7 * n;
    fs::create_directories(folder_ / "frames");
    write_frame_h5(folder_ / "frames" / fmt::format("{:06}.h5", n), s);
  }
  RunView view(folder_);
  const nlohmann::json about = view.about();
  EXPECT_EQ(about["clock"], "step");
  EXPECT_EQ(about["times"], (nlohmann::json{0.0, 7.0}));
  EXPECT_EQ(about["events"][0]["at"], 7.0);
  EXPECT_EQ(Decoded(view.track(0)).array<double>("clock"), (std::vector<double>{0, 7}));
}

}  // namespace ls::view_test
