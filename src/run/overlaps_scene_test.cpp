#include "base/sanitized.h"
#include "build/overlaps.h"
#include "run/test_contact_scenes.h"

namespace ls::overlaps_scene_test {

using V = Vec3<double>;
using namespace test::touching_scenes;

// The lowest point of a body at the end of what is read.
double height(const Plan& p, int node) {
  return p.start.nodes.frame(node).x.z;
}

TEST(Overlaps, AreToldWithNamesAndDepths) {
  const std::string said = error_of(implicit_second + steel + beam + "origin = [0, 0, \"0.7 mm\"]\n" + "[contact]\n" +
                                    floor_at_0 + ball + "position = [0, 0, \"20 mm\"]\n[[rigid]]\nname = \"other\"\n" +
                                    "mass = 1\nshape = \"sphere\"\nradius = \"5 mm\"\nposition = [0, 0, \"28 mm\"]\n");
  EXPECT_NE(said.find(": overlapping at the start: \n  ball and other by 2 mm\n  beam[0] and floor by 0.3 mm (and in "),
            std::string::npos)
      << said;
  EXPECT_TRUE(said.starts_with("scene.toml:")) << said;
  EXPECT_NE(said.find(" rigid.other: "), std::string::npos) << "where it stands\n" << said;
  EXPECT_NE(said.find("resolve_overlaps = true"), std::string::npos) << said;
}

TEST(Overlaps, WithAWallAroundEverythingHintAtObstacles) {
  const std::string box = "[contact]\n[[wall]]\nbox = { from = [1, 1, 1], to = [2, 2, 2] }\n";
  const std::string said = error_of(implicit_second + steel + beam + box);
  EXPECT_NE(said.find("beam"), std::string::npos) << said;
  EXPECT_NE(said.find("`wall1` holds bodies inside it; an obstacle that they stay outside of needs inside = false"),
            std::string::npos)
      << said;
  EXPECT_EQ(error_of(implicit_second + steel + beam + box + "inside = false\n"), "no error");
  EXPECT_EQ(error_of(implicit_second + steel + beam + box + "inside = true\n").find("needs inside = false"),
            std::string::npos);
}

TEST(Overlaps, OfEdgesNameBothNodes) {
  const std::string said =
      error_of(implicit_second + steel + beam +
               "[[rod]]\nname = \"other\"\nmaterial = \"steel\"\nsection = { diameter = \"2 mm\" }\n"
               "line = { from = [0.055, -0.045, 0.0015], to = [0.055, 0.055, 0.0015] }\nbonds = 10\n"
               "[contact]\n");
  EXPECT_NE(said.find("beam[5]-beam[6] and other[4]-other[5] by 0.5 mm"), std::string::npos) << said;
}

TEST(Overlaps, OfBodiesWithinBodies) {
  const std::string crate = "[[rigid]]\nname = \"crate\"\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\nmass = 1\n";
  const std::string inside = error_of(implicit_second + steel + crate + ball + "position = [0.02, 0, 0]\n[contact]\n");
  EXPECT_NE(inside.find("ball and crate by 35 mm"), std::string::npos) << inside;
  // A long thin box through the crate: none of its corners is inside, and none of the crate's is in it.
  const std::string through =
      error_of(implicit_second + steel + crate +
               "[[rigid]]\nname = \"bar\"\nshape = \"box\"\nsize = [0.5, 0.01, 0.01]\nmass = 1\n"
               "[contact]\n");
  EXPECT_NE(through.find("bar and crate by"), std::string::npos) << through;
}

// A cylinder of many points that goes into the crate, lies in it as a whole, or beside it where the boxes still
// overlap.
TEST(Overlaps, OfFineBodiesInsideWhole) {
  const auto with = [](const char* x, const char* turn) {
    return error_of(implicit_second + steel +
                    "[[rigid]]\nname = \"crate\"\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\nmass = 1\n" + turn +
                    "[[rigid]]\nname = \"pin\"\nshape = \"cylinder\"\nradius = \"5 mm\"\nlength = \"20 mm\"\n"
                    "sides = 64\nmass = 1\nposition = " +
                    x + "\n[contact]\n");
  };
  EXPECT_NE(with("[0.02, 0, 0]", "").find("crate and pin by"), std::string::npos);
  EXPECT_NE(with("[0.05, 0, 0]", "").find("crate and pin by"), std::string::npos);
  EXPECT_EQ(with("[0.06, 0, 0]", ""), "no error");
  const char* const turned = "orientation = { axis = [0, 0, 1], angle = \"45 deg\" }\n";
  EXPECT_EQ(with("[0.06, 0.06, 0]", turned), "no error");
}

// Bodies of many long triangles, whose boxes all overlap those of their own body: only others count.
TEST(Overlaps, OfFineBodiesAreFoundWithoutComparingEachWithItself) {
  const std::string drums =
      "[[rigid]]\nname = \"drum\"\nshape = \"cylinder\"\nradius = 0.01\nlength = 0.01\n"
      "sides = 600\nmass = 1\nspacing = [0.03, 0, 0]\ncount = " +
      std::to_string(is_sanitized ? 9 : 40) + "\n";
  const std::string wedged =
      "[[rigid]]\nname = \"wedge\"\nshape = \"cylinder\"\nradius = 0.012\nlength = 0.002\n"
      "sides = 300\nmass = 1\nposition = [0.195, 0, 0]\n";
  EXPECT_EQ(error_of(implicit_second + drums + "[contact]\n"), "no error");
  const std::string said = error_of(implicit_second + drums + wedged + "[contact]\n");
  EXPECT_NE(said.find("drum[6] and wedge by"), std::string::npos) << said;
  EXPECT_NE(said.find("drum[7] and wedge by"), std::string::npos) << said;
  EXPECT_EQ(said.find("drum[5]"), std::string::npos) << said;
}

TEST(Overlaps, TouchingIsFineForHertzButNotForTheBarrier) {
  const std::string rest = steel + ball + "position = [0, 0, \"5 mm\"]\n" + floor_at_0 + "[contact]\n";
  EXPECT_EQ(error_of(one_second + rest), "no error");
  EXPECT_NE(error_of("[solver]\nkind = \"implicit\"\nduration = 1\n" + rest).find("ball and floor by 0 mm"),
            std::string::npos);
}

TEST(Overlaps, DoNotMatterBeforeContactBegins) {
  EXPECT_EQ(error_of(steel + ball + floor_at_0 + "[contact]\n[[stage]]\nduration = 1\ncontact = false\n"), "no error");
}

TEST(Overlaps, AreResolvedByMovingWholeBodies) {
  const std::string scene = "[solver]\nkind = \"implicit\"\nduration = 1\n" + steel + beam +
                            "origin = [0, 0, \"0.5 mm\"]\n" + ball +
                            "position = [0, 0, \"3 mm\"]\ngrid = { n = [3, 3, 3], spacing = [0.008, 0.008, 0.008] }\n" +
                            floor_at_0 + "[contact]\nresolve_overlaps = true\n";
  const Plan p = read(scene);
  const double thickness = p.model.shapes->settings.thickness;
  EXPECT_TRUE(find_overlaps(p.model, p.start.nodes, 0.499 * thickness).empty());
  // The rod was moved as it is.
  const V along = p.start.nodes.frame(10).x - p.start.nodes.frame(0).x;
  EXPECT_LT(norm(along - V{0.1, 0, 0}), 1e-15);
  EXPECT_GT(height(p, 0), 1e-3);
}

TEST(Overlaps, WhatStandsStillStaysAndTheOtherGoes) {
  const Plan p = read(one_second + steel + ball + "fixed = true\n[[rigid]]\nname = \"other\"\nmass = 1\n" +
                      "shape = \"sphere\"\nradius = \"5 mm\"\nposition = [0, 0, \"8 mm\"]\n" +
                      "[contact]\nresolve_overlaps = true\n");
  EXPECT_EQ(norm(p.start.nodes.frame(0).x), 0);
  EXPECT_NEAR(height(p, 1), 10e-3 + 0.2 * p.model.shapes->settings.thickness, 1e-12);
}

TEST(Overlaps, ThatCannotBeResolvedAreRefused) {
  const std::string both =
      error_of(one_second + steel + ball + "fixed = true\n[[rigid]]\nname = \"other\"\n" +
               "shape = \"sphere\"\nradius = \"5 mm\"\nposition = [0, 0, \"8 mm\"]\nfixed = true\n" +
               "[contact]\nresolve_overlaps = true\n");
  EXPECT_NE(both.find("resolve_overlaps can't move them apart: ball and other by 2 mm"), std::string::npos) << both;
  const std::string coil =
      error_of(one_second + steel +
               "[[rod]]\nname = \"coil\"\nmaterial = \"steel\"\nsection = { diameter = \"2 mm\" }\n"
               "helix = { radius = \"20 mm\", pitch_angle = \"89.5 deg\", length = \"300 mm\" }\n"
               "bonds = 60\n[contact]\nresolve_overlaps = true\n");
  EXPECT_NE(coil.find("can't move them apart: coil["), std::string::npos) << coil;
}

}  // namespace ls::overlaps_scene_test
