#include "scene/read/test_bad_scenes.h"

// What is wrong with joints and motors, and what the user is told about it.
namespace ls::bad_joints_test {

using test::BadGroup;
using test::BadScene;
using test::expect_refused;

const std::string bodies = R"(
[solver]
kind = "implicit"
duration = "1 s"
dt = "1 ms"
[material.rubber]
young = "1.2 MPa"
poisson = 0.5
density = 1100
[[rod]]
name = "beam"
material = "rubber"
section = { diameter = "3 mm" }
line = { from = [1.1, 0, 0], to = [2, 0, 0] }
bonds = 10
[[rigid]]
name = "arm"
shape = "box"
size = [1, 0.1, 0.1]
mass = 1
position = [0.5, 0, 0]
[[rigid]]
name = "post"
shape = "sphere"
radius = 0.1
position = [0, 0, 1]
fixed = true
)";

std::string joint(const std::string& keys) {
  return bodies + "[[joint]]\nname = \"j\"\n" + keys + "\n";
}
std::string hinge(const std::string& keys) {
  return joint("kind = \"hinge\"\na = \"arm\"\nat = [0, 0, 0]\naxis = [0, 1, 0]\n" + keys);
}

std::vector<BadScene> joints() {
  return {
      {"kind", joint("kind = \"hing\"\na = \"arm\""), "joint.j.kind: found \"hing\""},
      {"reel", joint("kind = \"ball\"\na = \"arm\"\nat = [0, 0, 0]\nreel = \"1 cm\""),
       "found `reel`, which is a rope's; expected kind = \"rope\""},
      {"unknown", joint("kind = \"ball\"\na = \"leg\"\nat = [0, 0, 0]"), "there is no body called `leg`"},
      {"world",
       joint("kind = \"ball\"\na = \"arm\"\nb = \"world\"\nat = [0, 0, 0]\n[[rigid]]\nname = \"world\"\nshape = "
             "\"sphere\"\nradius = 0.1\nmass = 1\nposition = [0, 0, 5]"),
       "found \"world\", which is a body here as well as what stands still"},
      {"where", joint("kind = \"ball\"\na = \"arm\""), "where the joint is"},
      {"axis", joint("kind = \"hinge\"\na = \"arm\"\nat = [0, 0, 0]"), "axis"},
      {"itself", joint("kind = \"ball\"\na = \"arm\"\nb = \"arm\"\nat = [0, 0, 0]"), "it joins \"arm\" to itself"},
      {"held", joint("kind = \"ball\"\na = \"post\"\nat = [0, 0, 0]"),
       "both the world and \"post\" are held: nothing is left to join"},
      {"apart", joint("kind = \"ball\"\na = \"arm\"\nb = \"beam.start\"\nat = [0.9, 0, 0]"),
       "the joint is 0.2 m away from \"beam.start\""},
      {"length", joint("kind = \"distance\"\na = \"arm\"\nat = [0.5, 0, 2]\nlength = 1"),
       "its ends are 2 m apart, which is not the length of 1 m"},
      {"string", joint("kind = \"distance\"\na = \"arm\"\nat = [0.5, 0, 2]\nlength = 1\nstring = true"),
       "its ends are 2 m apart"},
      {"nothing", joint("kind = \"distance\"\na = \"arm\"\nat = [0.5, 0, 0]"), "expected a distance above 0"},
      {"start", hinge("limits = [\"10 deg\", \"20 deg\"]"), "leaves the start out"},
      {"limits", hinge("limits = [\"-1 mm\", \"1 mm\"]"), "limits"},
      {"spring", joint("kind = \"spring\"\na = \"arm\"\nat = [0, 0, 0]"), "stiffness"},
      {"cross", joint("kind = \"universal\"\na = \"arm\"\nat = [0, 0, 0]\naxis = [0, 1, 0]\ncross = [1, 1, 0]"),
       "expected a right angle"},
      {"twice", hinge("[[joint]]\nname = \"j\"\nkind = \"ball\"\na = \"arm\"\nat = [0, 0, 0]"),
       "there are two joints `j`"},
      {"angle",
       joint("kind = \"slider\"\na = \"arm\"\nat = [0, 0, 0]\naxis = [1, 0, 0]") +
           "[[probe]]\nof = \"joint j\"\nrecord = \"angle\"\n",
       "expected a quantity of a joint"},
      {"probe", hinge("[[probe]]\nof = \"joint k\"\nrecord = \"travel\""), "there is no joint called `k`"},
      {"explicit",
       "[[rigid]]\nshape = \"sphere\"\nradius = 1\nmass = 1\nname = \"b\"\n[solver]\nduration = 1\n"
       "[[joint]]\nname = \"j\"\nkind = \"hinge\"\na = \"b\"\nat = [0, 0, 0]\naxis = [0, 0, 1]\nfriction = 1\n",
       "joint.j: stage 1 is explicit, where joints have no `friction`"},
  };
}

std::vector<BadScene> motors() {
  const auto motor = [](const std::string& keys) { return hinge("[[motor]]\nname = \"m\"\n" + keys); };
  return {
      {"on", motor("torque = 1"), "motor.m: `on` is missing, expected the name of a joint"},
      {"unknown", motor("on = \"k\"\ntorque = 1"), "there is no joint called `k`; there are j"},
      {"two", motor("on = \"j\"\ntorque = 1\n[[motor]]\non = \"j\"\nvelocity = 1"), "which `m` drives already"},
      {"none", motor("on = \"j\""), "expected one of"},
      {"both", motor("on = \"j\"\ntorque = 1\nvelocity = 1"), "velocity"},
      {"unit", motor("on = \"j\"\ntorque = \"1 N\""), "motor.m.torque"},
      {"ball", joint("kind = \"ball\"\na = \"arm\"\nat = [0, 0, 0]\n[[motor]]\non = \"j\"\ntorque = 1"),
       "a joint of kind \"ball\""},
  };
}

// A rope of 0.9 m from (1.1, 0, 0) to (2, 0, 0), and a weight at its end.
std::string rope(const std::string& keys) {
  return bodies + "[[rigid]]\nname = \"weight\"\nshape = \"sphere\"\nradius = 0.1\nmass = 1\nposition = [2, 0, 0]\n" +
         "[[joint]]\nname = \"r\"\nkind = \"rope\"\na = \"weight\"\n" + keys + "\n";
}

std::vector<BadScene> ropes() {
  const std::string of_beam = "rod = \"beam\"\n";
  return {
      {"rod", rope(""), "joint.r: `rod` is missing, expected the name of a [[rod]]"},
      {"kind", rope("rod = \"arm\""), "found \"arm\", expected a whole [[rod]]"},
      {"node", rope("rod = \"beam.end\""), "found \"beam.end\", expected a whole [[rod]]"},
      {"way", rope(of_beam + "at = [1, 0, 0]\nsnap = true"), "the rope is 0.9 m long and its ends are 1 m apart"},
      {"length", rope(of_beam + "length = \"80 cm\""),
       "joint.r.length: the rope is 0.8 m long and its ends are 0.9 m apart"},
      {"apart", rope(of_beam + "to = [1.9, 0, 0]"), "the joint is 0.1 m away from \"beam.end\""},
      {"itself", rope(of_beam + "b = \"beam.start\""), "it joins \"beam.start\" to itself"},
      {"twice", rope(of_beam + "[[joint]]\nkind = \"rope\"\na = \"arm\"\nsnap = true\n" + of_beam),
       "found \"beam\", of which there is a rope already"},
      {"unit", rope(of_beam + "reel = \"2 s\""), "joint.r.reel"},
      {"velocity", rope(of_beam + "[[motor]]\non = \"r\"\nvelocity = \"1 m/s\""),
       "found `velocity`, but a reel is told how much longer a rope is: expected `position`"},
      {"both", rope(of_beam + "reel = \"1 cm\"\n[[motor]]\non = \"r\"\nposition = \"1 cm\""),
       "which `r.reel` drives already"},
      {"motor", rope(of_beam + "[[probe]]\nof = \"joint r\"\nrecord = \"motor\""), "expected a quantity of a joint"},
      {"explicit", std::string(rope(of_beam + "reel = \"1 cm\"")).replace(0, bodies.find("duration"), "[solver]\n"),
       "joint.r: stage 1 is explicit, where joints have no ropes that are reeled"},
  };
}

class BadJoints : public testing::TestWithParam<BadGroup> {};
TEST_P(BadJoints, SayWhatIsWrong) {
  expect_refused(GetParam());
}
INSTANTIATE_TEST_SUITE_P(All, BadJoints,
                         testing::Values(BadGroup{"joints", joints}, BadGroup{"motors", motors},
                                         BadGroup{"ropes", ropes}),
                         [](const auto& group) { return std::string(group.param.name); });

TEST(JointScene, WhatIsJoinedDoesNotTouch) {
  const Plan plan = read_text(hinge("b = \"post\"\n[contact]\n"), "scene.toml");
  ASSERT_TRUE(plan.model.shapes);
  EXPECT_EQ(plan.model.shapes->joined.size(), 1u);
  const Plan touching = read_text(hinge("b = \"post\"\ncontact = true\n[contact]\n"), "scene.toml");
  EXPECT_TRUE(touching.model.shapes->joined.empty());
}

// A bond that ends on a face, a node within a body, plates that cross: where nothing touches nothing overlaps.
TEST(JointScene, WhatDoesNotTouchMayOverlap) {
  const std::string box =
      "[contact]\n[[rigid]]\nname = \"box\"\nshape = \"box\"\nsize = [0.2, 0.2, 0.2]\nmass = 1\nposition = ";
  const auto on_rope = [&](const std::string& place, const std::string& keys) {
    return bodies + box + place + "\n[[joint]]\nkind = \"rope\"\nrod = \"beam\"\na = \"box\"\n" + keys;
  };
  for (const std::string place : {"[2.1, 0, 0]", "[2, 0.01, 0.02]"}) {
    EXPECT_NO_THROW(read_text(on_rope(place, ""), "scene.toml")) << place;
    EXPECT_THROW(read_text(on_rope(place, "contact = true\n"), "scene.toml"), Error) << place;
  }
  const std::string plate = "[[rigid]]\nname = \"plate\"\nshape = \"box\"\nsize = [0.01, 0.1, 0.5]\nmass = 1\n";
  const std::string crossed = bodies + box + "[0, 0, -2]\n" + plate + "position = [0.05, 0, -2]\n";
  EXPECT_THROW(read_text(crossed, "scene.toml"), Error);
  EXPECT_NO_THROW(read_text(crossed + "[[pair]]\nof = [\"box\", \"plate\"]\ncontact = false\n", "scene.toml"));
}

}  // namespace ls::bad_joints_test
