#include "tests/program.h"

// Scenes that say something other than what was meant: refused, stopped or warned of by name, or else right.
namespace ls::program::refused_scenes_test {

std::string fault(const std::string& name) {
  return (fs::path(LODESTONE_SOURCE_DIR) / "tests/faults" / (name + ".toml")).string();
}

struct Refusal {
  const char* scene;
  const char* message;
};

TEST(RefusedScenes, AreRefusedWithTheirPlace) {
  for (const Refusal& r : {
           Refusal{"break-coarse-helix", ":13:9: rod.r.bonds: found 10, expected at least 32"},
           Refusal{"break-rest-curvature", ":13:18: rod.r.rest_curvature: found a rest shape that turns by 360 deg"},
           Refusal{"break-duration-overflow", ":3:12: solver.duration: 3e+14 s are "},
           Refusal{"newcomer-hertz-is-not-turns", "field.0.rotating.rate: found \"5 Hz\": Hz counts cycles"},
           Refusal{"newcomer-static-time-stands-still",
                   ":4:9: solver.steps: stage stage 1 is static and has no duration"},
           Refusal{"newcomer-wall-inside-default", "wall.0: overlapping at the start: "},
           Refusal{"newcomer-length-1e300", "rod.a.line.to[0]: found 1e+300, expected less than 1e100"},
       }) {
    Scratch s;
    for (const std::string& command :
         {"check " + fault(r.scene), "run " + fault(r.scene) + " --out " + s.text("out")}) {
      const auto a = lodestone(command);
      EXPECT_EQ(a.code, 2) << command << "\n" << a.text;
      EXPECT_NE(a.text.find(r.message), std::string::npos) << command << "\n" << a.text;
      EXPECT_NE(a.text.find(fault(r.scene) + ":"), std::string::npos) << "its file\n" << a.text;
    }
    EXPECT_FALSE(fs::exists(s / "out")) << r.scene;
  }
}

// Before memory is taken: within a limit that the markers would break.
TEST(RefusedScenes, WhatDoesNotFitIsToldInTime) {
  const std::string limit = "ulimit -v 2000000;";
  const auto fat = lodestone("check " + fault("break-fat-rod-in-fluid"), limit);
  EXPECT_EQ(fat.code, 2) << fat.text;
  EXPECT_NE(fat.text.find(":8:1: rod.r: `r` is 1e+03 m thick, more than the box"), std::string::npos) << fat.text;
  const auto wide = lodestone("check " + fault("break-fat-rod-in-fluid") +
                                  " --set rod.r.line.to.0='\"1e6 km\"' --set " + "rod.r.section.diameter='\"1 mm\"'",
                              limit);
  EXPECT_EQ(wide.code, 2) << wide.text;
  EXPECT_NE(wide.text.find("markers in this fluid"), std::string::npos) << wide.text;
  const auto many = lodestone("check " + fault("newcomer-hertz-is-not-turns") +
                                  " --set field.0.rotating.rate='\"5 turn/s\"' --set rod.a.bonds=5000000",
                              limit);
  EXPECT_EQ(many.code, 2) << many.text;
  EXPECT_NE(many.text.find("rod.a.bonds: with it there are 5e+06 nodes"), std::string::npos) << many.text;
}

TEST(RefusedScenes, WhatIsSoftIsCounted) {
  const auto a = lodestone("check " + fault("newcomer-susceptibility"));
  EXPECT_EQ(a.code, 0) << a.text;
  EXPECT_NE(a.text.find("21 pieces are magnetised by fields"), std::string::npos) << a.text;
  EXPECT_EQ(a.text.find("no effect"), std::string::npos) << a.text;
}

TEST(RefusedScenes, TheFirstWallIsWall1) {
  EXPECT_EQ(lodestone("check " + fault("newcomer-default-names")).code, 0);
}

// With whatever solver, and whether the bond is looked at before a full turn or Newton's method fails there.
TEST(RefusedScenes, TwistBeyondHalfATurnABondEndsTheRun) {
  Scratch s;
  const auto twisted = [&](const std::string& options) {
    const auto a =
        lodestone("run " + fault("break-twist-per-bond") + " --force --out " + s.text("out") + " " + options);
    EXPECT_EQ(a.code, 3) << options << "\n" << a.text;
    EXPECT_NE(a.text.find("is twisted by more than half a turn"), std::string::npos) << options << "\n" << a.text;
    EXPECT_NE(a.text.find("Give `r` more bonds"), std::string::npos) << options << "\n" << a.text;
  };
  twisted("");
  twisted("--set solver.kind=static");
  twisted("--set solver.kind=implicit --set solver.dt='\"200 us\"'");
  twisted("--set solver.kind=static --set rod.r.bonds=1 --set solver.duration=1");
  twisted("--set rod.r.model=corotational");
  const auto enough = lodestone("run " + fault("break-twist-per-bond") + " --force --out " + s.text("out") +
                                " --set solver.kind=static --set rod.r.bonds=12");
  EXPECT_EQ(enough.code, 0) << enough.text;
}

double last_value(const fs::path& probes, const std::string& column) {
  std::ifstream in(probes);
  std::string header, line, last;
  std::getline(in, header);
  while (std::getline(in, line)) last = line;
  std::istringstream names(header), values(last);
  for (std::string name, value; std::getline(names, name, ',') && std::getline(values, value, ',');)
    if (name == column) return std::stod(value);
  ADD_FAILURE() << "no " << column << " in " << header;
  return 0;
}

TEST(RefusedScenes, AConcavePolygonHasItsMass) {
  Scratch s;
  const auto a = lodestone("run " + fault("break-concave") + " --out " + s.text("out"));
  ASSERT_EQ(a.code, 0) << a.text;
  EXPECT_NEAR(last_value(s / "out/probes.csv", "b.energy.kinetic"), 0.5, 1e-6);
}

// Halving the bonds quarters the error: to the limit that shooting gives.
TEST(RefusedScenes, AMagnetisedTipConvergesToSecondOrder) {
  Scratch s;
  const auto turn = [&](int bonds) {
    const auto a =
        lodestone("run " + fault("newcomer-magnetisation-step") + " --force --out " + s.text("out") +
                  " --set stage.turn.steps=11 --set stage.turn.set.a='\"88 deg * s\"' --set rod.cath.bonds=" +
                  std::to_string(bonds));
    EXPECT_EQ(a.code, 0) << a.text;
    return last_value(s / "out/probes.csv", "tip.turn.z");
  };
  const double coarse = turn(25), middle = turn(50), fine = turn(100);
  EXPECT_NEAR((coarse - middle) / (middle - fine), 4, 0.2);
  EXPECT_NEAR(fine + (fine - middle) / 3, 1.2341, 1e-4);
}

}  // namespace ls::program::refused_scenes_test
