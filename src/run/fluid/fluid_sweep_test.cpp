#include "output/files.h"
#include "run/run.h"
#include "scene/read/read_text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

namespace ls::fluid_sweep_test {

namespace fs = std::filesystem;

class FluidSweep : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  RunStatus go(const std::string& text, const std::string& name, int threads = 1, double max_wall = 0,
               bool resume = false) {
    Plan plan = read_text(text, "scene.toml");
    RunOptions o;
    o.out = folder_ / name;
    o.threads = threads;
    o.resume = resume;
    o.max_wall = max_wall;
    return run(plan, o).status;
  }
  std::string file(const std::string& name) const { return read_file(folder_ / name); }
  fs::path folder_ = fs::temp_directory_path() / "lodestone_fluid_sweep";
};

// Steps that nobody looks at in between go in sweeps where a fluid is alone in a box that is large enough. Who watches
// every step sees the same end, and so does who was killed on the way.
TEST_F(FluidSweep, LeavesTheSameBytes) {
  const std::string scene =
      "[solver]\nduration = \"40 ms\"\n[fluid]\nspacing = \"0.1 mm\"\nviscosity = \"1 mm^2/s\"\ndensity = 1000\n"
      "size = [\"5 mm\", \"5 mm\", \"2.6 mm\"]\nfaces = { y = \"no-slip\" }\n"
      "body_force = [\"30 N/m^3 * sin(2*pi*t/(10 ms))\", \"1 N/m^3\", 0]\n"
      "tracers = { count = 20, cycle = \"10 ms\" }\n[output]\nevery = \"20 ms\"\n"
      "[[probe]]\nname = \"all\"\nof = \"fluid\"\nrecord = [\"momentum\", \"wall_force\"]\n";
  const std::string seldom = scene + "every = 11\n", always = scene + "every = 1\n";
  ASSERT_GT(read_text(seldom, "scene.toml").fluid.box->lattice().most_in_sweep(1), 1);
  ASSERT_EQ(go(seldom, "whole"), RunStatus::done);
  ASSERT_EQ(go(always, "watched"), RunStatus::done);
  int parts = 0;
  while (go(seldom, "cut", 1 + parts % 2, 1e-9, true) == RunStatus::out_of_time && parts < 5) ++parts;
  EXPECT_GE(parts, 2);
  EXPECT_EQ(go(seldom, "cut", 2, 0, true), RunStatus::done);
  EXPECT_EQ(file("whole/probes.csv"), file("cut/probes.csv"));
  for (const char* name : {"tracers.csv", "tracer_cycles.csv", "frames/000002.tracers.vtp"})
    for (const char* other : {"watched/", "cut/"})
      EXPECT_EQ(file(std::string("whole/") + name), file(other + std::string(name)));
  const std::string all = file("watched/probes.csv");
  std::istringstream seen(file("whole/probes.csv"));
  int lines = 0;
  for (std::string line; std::getline(seen, line); ++lines) EXPECT_NE(all.find(line + "\n"), std::string::npos) << line;
  EXPECT_GE(lines, 3);
  EXPECT_GT(std::count(all.begin(), all.end(), '\n'), 2 * lines);
}

}  // namespace ls::fluid_sweep_test
