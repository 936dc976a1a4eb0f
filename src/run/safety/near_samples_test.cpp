#include "run/safety/near_samples.h"

#include "output/files.h"
#include "run/run.h"
#include "scene/read/reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ls::near_samples_test {

namespace fs = std::filesystem;

// Two cubes of 4^3 samples, 2.5 mm apart; gap in mm. shape: of the second.
std::string cubes(double gap, const std::string& second = "sampling = \"2.5 mm\"\n") {
  const std::string cube = "shape = \"box\"\nsize = [\"10 mm\", \"10 mm\", \"10 mm\"]\nmass = \"1 kg\"\n";
  return "[[rigid]]\nname = \"left\"\n" + cube + "moment = [\"1 mA m^2\", 0, 0]\nsampling = \"2.5 mm\"\n" +
         "[[rigid]]\nname = \"right\"\n" + cube +
         fmt::format("moment = [\"1 mA m^2\", 0, 0]\nposition = [\"{} mm\", 0, 0]\n", 10 + gap) + second;
}
const std::string solver = "[solver]\nkind = \"implicit\"\ndt = \"1 ms\"\nduration = \"20 ms\"\n";

std::size_t found_in(const std::string& scene) {
  const Plan plan = read_text(solver + scene, "scene.toml");
  NearSamples::Pairs known;
  return NearSamples(plan.model).look(plan.start, known).size() / 2;
}

TEST(NearSamples, AreThoseBelowAPartOfTheSpacing) {
  EXPECT_EQ(found_in("[dipoles]\n" + cubes(0.8 * 2.5 + 1e-6)), 0u);
  EXPECT_EQ(found_in("[dipoles]\n" + cubes(0.8 * 2.5 - 1e-6)), 1u);
  EXPECT_EQ(found_in("[dipoles]\n" + cubes(0.01)), 1u);
  EXPECT_EQ(found_in(cubes(0.01)), 0u);  // nothing acts between them
  EXPECT_EQ(found_in("[dipoles]\ninteract = false\n" + cubes(0.01)), 0u);
}

// The coarser of the two counts; two points without samples are what they are.
TEST(NearSamples, GoByTheCoarserSpacing) {
  EXPECT_EQ(found_in("[dipoles]\n" + cubes(3.5, "sampling = \"5 mm\"\n")), 1u);
  EXPECT_EQ(found_in("[dipoles]\n" + cubes(0.8 * 5 + 1e-6, "sampling = \"5 mm\"\n")), 0u);
  std::string points = cubes(0.01, "");
  points.erase(points.find("sampling"), 20);
  EXPECT_EQ(found_in("[dipoles]\n" + points), 0u);
}

TEST(NearSamples, AreCopiesInAPeriodicBox) {
  const std::string box = "[dipoles]\nmethod = \"ewald\"\nbox = [\"{} mm\", \"60 mm\", \"60 mm\"]\n";
  EXPECT_EQ(found_in(fmt::format(fmt::runtime(box), 60) + cubes(39)), 1u);
  EXPECT_EQ(found_in(fmt::format(fmt::runtime(box), 60) + cubes(35)), 0u);
}

// Told once for each pair, in the log, to the caller and in the summary.
TEST(NearSamples, AreWarnedOfOnce) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("lodestone_near_samples_{}", getpid());
  const std::string third =
      "[[rigid]]\nname = \"ball\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmass = \"1 kg\"\nmoment = [0, 0, \"1 mA "
      "m^2\"]\n"
      "position = [0, \"50 mm\", 0]\nvelocity = [0, \"-2 m/s\", 0]\n";
  std::vector<std::string> told;
  RunOptions o;
  o.out = folder;
  o.force = true;
  o.tell = [&](const char*, const std::string& w) { told.push_back(w); };
  const RunReport r = run(read_text(solver + "[dipoles]\n" + cubes(1) + third, "scene.toml"), o);
  ASSERT_EQ(r.status, RunStatus::done);
  const auto summary = nlohmann::json::parse(read_file(folder / "summary.json"));
  EXPECT_EQ(told.size(), 2u);
  ASSERT_EQ(r.warnings.size(), 2u);
  EXPECT_NE(r.warnings[0].find("left and right come nearer"), std::string::npos) << r.warnings[0];
  EXPECT_NE(r.warnings[1].find("left and ball come nearer"), std::string::npos) << r.warnings[1];
  EXPECT_EQ(summary["warnings"].size(), 2u);
  fs::remove_all(folder);
}

}  // namespace ls::near_samples_test
