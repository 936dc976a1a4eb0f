#include "scene/read/test_bad_scenes.h"

// What is wrong with joints and motors, and what the user is told about it.
namespace ls {
namespace {

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
      {"rope", joint("kind = \"rope\"\na = \"arm\""), "found \"rope\", which this version does not know"},
      {"unknown", joint("kind = \"ball\"\na = \"leg\"\nat = [0, 0, 0]"), "there is no body called `leg`"},
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

class BadJoints : public testing::TestWithParam<BadGroup> {};
TEST_P(BadJoints, SayWhatIsWrong) {
  expect_refused(GetParam());
}
INSTANTIATE_TEST_SUITE_P(All, BadJoints, testing::Values(BadGroup{"joints", joints}, BadGroup{"motors", motors}),
                         [](const auto& group) { return std::string(group.param.name); });

TEST(JointScene, WhatIsJoinedDoesNotTouch) {
  const Plan plan = read_text(hinge("b = \"post\"\n[contact]\n"), "scene.toml");
  ASSERT_TRUE(plan.model.shapes);
  EXPECT_EQ(plan.model.shapes->joined.size(), 1u);
  const Plan touching = read_text(hinge("b = \"post\"\ncontact = true\n[contact]\n"), "scene.toml");
  EXPECT_TRUE(touching.model.shapes->joined.empty());
}

}  // namespace
}  // namespace ls
