#include "scene/read/test_reader.h"

// Events, rules of pairs, what expressions read of the state, and what belongs to single bodies.
namespace ls::control_test {

using test::error_of;
using test::one_second;
using test::read;
using test::read_beam;

const std::string ball =
    "[[rigid]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.01\nmass = 1\nposition = [0, 0, 0.5]\n";
const std::string touching_second = "[solver]\nkind = \"implicit\"\nduration = \"1 s\"\n[contact]\n" + ball;

// No constant: those of a header may be made after those of a file.
std::string scene() {
  return one_second + ball;
}
std::string cubes(int count) {
  return "[[rigid]]\nname = \"cube\"\nshape = \"box\"\nsize = [1, 1, 1]\nmass = 1\nposition = [0, 9, 0]\ncount = " +
         std::to_string(count) + "\nspacing = [3, 0, 0]\n";
}
std::string pair(const std::string& of, const std::string& says) {
  return "[[pair]]\nof = " + of + "\n" + says + "\n";
}

TEST(StateNames, EachGetsASlotOfItsOwn) {
  const Plan p = read("[define]\nk = 3\n" + scene() + R"(
[[load]]
on = "ball"
force = ["-2 N/m*ball.position.x", "-2 N/m*ball.position.z - 1 N s/m*ball.velocity.z", "k*1 N/m*ball.position.x"]
[[event]]
when = "system.energy.kinetic > 2 J or system.max_speed > 3 m/s or ball.energy.total < 0"
set = { k = "k + ball.position.x/1 m" }
)");
  std::vector<std::string> names;
  for (const Watch& w : p.watches) names.push_back(w.name);
  EXPECT_EQ(names, (std::vector<std::string>{"ball.position.x", "ball.position.z", "ball.velocity.z",
                                             "system.energy.kinetic", "system.max_speed", "ball.energy.total"}));
  EXPECT_EQ(p.variables, (std::vector<std::string>{"t", "s", "k"}));
  ASSERT_EQ(p.first_values.size(), 3u + 3u + 6u);
  EXPECT_EQ(p.first_values[static_cast<std::size_t>(p.first_watch()) + 1], 0.5);  // as drawn
  std::vector<double> values = p.first_values;
  values[static_cast<std::size_t>(p.first_watch())] = 4;
  EXPECT_EQ((*p.stages[0].loads[0].force[0])(values), -8);
  EXPECT_EQ((*p.stages[0].loads[0].force[2])(values), 12);
  EXPECT_EQ(p.watches[3].columns, std::vector<std::string>{"energy.kinetic"});
  EXPECT_EQ(p.watches[5].probe.single, 0);
}

// x, y and z of a field keep their slots, whatever is read of the state before and after.
TEST(StateNames, StandBesidePlaces) {
  const Plan p = read(scene() + "moment = [1, 0, 0]\n" + R"(
[[field]]
expression = ["1 T/m^2*ball.position.z*x", "-1 T/m^2*ball.position.z*y", 0]
[[field]]
potential = "1 T/m*(x^2 - y^2)*ball.velocity.x * 1 s/m"
)");
  std::vector<double> values = p.first_values;
  values[static_cast<std::size_t>(p.first_watch()) + 1] = 10;  // the velocity
  const Vec3<double> x{2, 3, 7};
  FieldSample f, g;
  field_at(p.fields[0], values, {})->add(&x, 1, 1, &f);
  EXPECT_NEAR(f.b.x, 0.5 * 2, 1e-14);
  EXPECT_NEAR(f.b.y, -0.5 * 3, 1e-14);
  EXPECT_NEAR(f.gradient.c1.x, 0.5, 1e-14);
  field_at(p.fields[1], values, {})->add(&x, 1, 0, &g);
  EXPECT_NEAR(g.b.x, -2 * 2 * 10, 1e-12);
}

TEST(StateNames, ReachPartsNodesAndProbes) {
  const Plan p = read_beam("", R"(
[[probe]]
name = "tip"
of = "beam.end"
record = ["velocity"]
[[probe]]
of = "beam[3]"
record = ["velocity"]
[[probe]]
name = "middle"
of = "field"
at = [0.05, 0, 0]
record = ["B"]
[[event]]
when = "beam.end.displacement.y < 0 and beam[4].turn.z > 1 and tip.position.x > 0 and beam_3.force.x > 0"
[[event]]
when = "beam.position[7].y < 0 and beam.length > 0 and middle.B.z > 1 mT and beam.energy.bend > 1 mJ"
)");
  ASSERT_EQ(p.watches.size(), 8u);
  EXPECT_EQ(p.watches[0].probe.index, 10);
  EXPECT_EQ(p.watches[1].probe.index, 4);
  EXPECT_EQ(p.watches[2].probe.index, 10);
  EXPECT_EQ(p.watches[3].probe.index, 3);
  EXPECT_EQ(p.watches[4].probe.index, 7);
  EXPECT_EQ(p.watches[5].probe.of, ProbeOf::body);
  EXPECT_EQ(p.watches[6].probe.of, ProbeOf::field);
}

// What is free is an angle of a hinge, and a way of a slider.
TEST(StateNames, ReachJoints) {
  const auto with = [](const std::string& condition) {
    return "[solver]\nkind = \"implicit\"\nduration = 1\ndt = 0.01\n" + ball +
           "[[rigid]]\nname = \"cart\"\nshape = \"sphere\"\nradius = 0.01\nmass = 1\nposition = [1, 0, 0]\n" +
           "[[joint]]\nname = \"door\"\nkind = \"hinge\"\na = \"ball\"\nat = [0, 0, 0]\naxis = [1, 0, 0]\n" +
           "[[joint]]\nname = \"rail\"\nkind = \"slider\"\na = \"cart\"\nat = [1, 0, 0]\naxis = [1, 0, 0]\n" +
           "[[event]]\nwhen = \"" + condition + "\"\n";
  };
  const Plan p = read(with("door.angle > 30 deg and rail.travel > 2 cm and rail.rate < 1 m/s and door.force > 1 N"));
  ASSERT_EQ(p.watches.size(), 4u);
  EXPECT_EQ(p.watches[1].probe.of, ProbeOf::joint);
  EXPECT_EQ(p.watches[1].probe.index, 1);
  EXPECT_NE(error_of(with("rail.travel > 30 deg")), "no error");
  EXPECT_NE(error_of(with("door.position.x > 1 m")).find("`door` has no quantity `position`"), std::string::npos);
}

TEST(StateNames, VectorsHaveALength) {
  const Plan p = read(scene() + "velocity = [3, 4, 0]\n[[event]]\nwhen = \"ball.velocity > 5 m/s\"\n");
  ASSERT_EQ(p.watches.size(), 1u);
  EXPECT_EQ(p.watches[0].columns, (std::vector<std::string>{"velocity.x", "velocity.y", "velocity.z"}));
  EXPECT_EQ(p.first_values.back(), 5);
}

TEST(Events, AreReadWithTheirMargin) {
  const Plan p = read("[define]\nk = \"1 N\"\n" + scene() + R"(
[[event]]
name = "far"
when = "ball.position.x > 0.4 m"
hysteresis = "1 cm"
once = true
end_stage = true
set = { k = "2*k" }
[[event]]
when = "t > 1 s and k > 1 N"
)");
  ASSERT_EQ(p.events.size(), 2u);
  const PlannedEvent &e = p.events[0], &f = p.events[1];
  EXPECT_EQ(e.name, "far");
  EXPECT_EQ(e.hysteresis, 0.01);
  EXPECT_TRUE(e.once && e.ends_stage && e.margin);
  ASSERT_EQ(e.set.size(), 1u);
  EXPECT_EQ(e.set[0].first, first_stage_variable);
  EXPECT_EQ(f.name, "event2");
  EXPECT_FALSE(f.once || f.ends_stage || f.margin);
  EXPECT_TRUE(f.set.empty());
}

// A rule for two heaps of a thousand is one rule.
TEST(Pairs, AreRulesOfGroups) {
  const Plan p =
      read(touching_second + cubes(1000) + pair("[\"cube[*]\", \"cube\"]", "contact = false") +
           pair("[\"ball\", \"*\"]", "friction = 0.1") + pair("[\"ball\", \"cube[7*]\"]", "restitution = 0.5"));
  const Shapes& s = *p.model.shapes;
  EXPECT_LE(s.rules.size(), 8u);
  const auto body = [&](const std::string& name) {
    return static_cast<int>(std::ranges::find(p.model.bodies, name, &Body::name) - p.model.bodies.begin());
  };
  const PairRule* rule = s.rule(body("cube[3]"), body("cube[999]"));
  ASSERT_TRUE(rule);
  EXPECT_FALSE(rule->touch);
  rule = s.rule(body("cube[3]"), body("ball"));
  ASSERT_TRUE(rule);
  EXPECT_TRUE(rule->touch);
  EXPECT_EQ(rule->friction, 0.1);
  EXPECT_FALSE(rule->restitution);
  rule = s.rule(body("ball"), body("cube[71]"));
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->friction, 0.1);
  EXPECT_EQ(rule->restitution, 0.5);
}

// As shells do it; and at once, however many stars there are.
TEST(Pairs, StarsStandForAnyLetters) {
  const Plan p = read(touching_second + cubes(12));
  const auto found = [&](const std::string& name) { return bodies_called(name, p.model.bodies).size(); };
  EXPECT_EQ(found("*"), p.model.bodies.size());
  EXPECT_EQ(found("cube[*"), 12u);
  EXPECT_EQ(found("*[1*]"), 3u);
  EXPECT_EQ(found("c*b*[*1]"), 2u);
  EXPECT_EQ(found("**cube**[5]**"), 1u);
  EXPECT_EQ(found("cube*cube*"), 0u);
  EXPECT_EQ(found("cube[1]*[1]"), 0u);
  EXPECT_EQ(found("cube[*]]"), 0u);
  std::string stars;
  for (int k = 0; k < 200; ++k) stars += "*";
  std::vector<Body> one(1);
  one[0].name = std::string(200, 'a');
  EXPECT_EQ(bodies_called(stars + "a" + stars + "b", one).size(), 0u);
}

TEST(Pairs, LeaveOthersAlone) {
  const Plan p = read(touching_second + cubes(3) + pair("[\"cube[0]\", \"ball\"]", "contact = false"));
  const Shapes& s = *p.model.shapes;
  const int node_of_ball = p.model.bodies[0].nodes[0], first = p.model.bodies[1].nodes[0];
  EXPECT_FALSE(s.may_touch(node_of_ball, first));
  EXPECT_TRUE(s.may_touch(node_of_ball, first + 1));
  EXPECT_TRUE(s.may_touch(first, first + 1));
}

// What may pass through each other may also overlap at the start, and two rigid bodies need no stiffness then.
TEST(Pairs, MayOverlapAndBeRigid) {
  const std::string two = one_second + "[contact]\n" + ball + "[[rigid]]\nname = \"other\"\nshape = \"sphere\"\n" +
                          "radius = 0.01\nmass = 1\nposition = [0, 0.001, 0.5]\n";
  EXPECT_NE(error_of(two), "no error");
  EXPECT_EQ(error_of(two + pair("[\"ball\", \"other\"]", "contact = false")), "no error");
}

TEST(RigidBodies, StandAtPoints) {
  const Plan p = read(scene() + "points = [[0, 0, 0], [1, \"20 cm\", 0], [\"-1 m\", 0, 3]]\n");
  ASSERT_EQ(p.model.nodes, 3);
  EXPECT_EQ(p.model.bodies[2].name, "ball[2]");
  const Vec3<double> x = p.start.nodes.frame(2).x, y = p.start.nodes.frame(1).x;
  EXPECT_EQ(x.x, -1);
  EXPECT_EQ(x.z, 3.5);
  EXPECT_EQ(y.y, 0.2);
  EXPECT_EQ(read(scene() + "points = [[0, 0, 0]]\n").model.bodies[0].name, "ball[0]");
}

TEST(Bodies, HaveDampingOfTheirOwn) {
  const Plan p =
      read(scene() + "damping = { time = \"0.5 s\", rotational = \"3/s\" }\ncount = 2\nspacing = [1, 0, 0]\n" +
           "[[rigid]]\nname = \"free\"\nshape = \"sphere\"\nradius = 1\nmass = 1\n");
  ASSERT_EQ(p.model.damping.size(), 2u);
  EXPECT_EQ(p.model.damping[1].node, 1);
  EXPECT_EQ(p.model.damping[1].rate, 2);
  EXPECT_EQ(p.model.damping[1].spin_rate, 3);
  const Plan rod = read_beam("damping = { per_mass = \"4/s\" }\n");
  ASSERT_EQ(rod.model.damping.size(), 11u);
  EXPECT_EQ(rod.model.damping[10].spin_rate, 4);
  EXPECT_TRUE(read(scene()).model.damping.empty());
}

TEST(MomentFactor, IsAnExpressionOfTheSchedule) {
  const Plan p =
      read("[define]\non = 0\n" + scene() + "moment = [1, 0, 0]\nmoment_factor = \"on*ball[1].position.x/1 m\"\n" +
           "points = [[0, 0, 0], [2, 0, 0]]\n[[event]]\nwhen = \"t > 0.5 s\"\nset = { on = 1 }\n");
  ASSERT_EQ(p.moment_factors.size(), 2u);
  EXPECT_EQ(p.moment_factors[1].first, 1);
  std::vector<double> values = p.first_values;
  values[first_stage_variable] = 3;
  EXPECT_EQ(p.moment_factors[0].second(values), 6);
}

}  // namespace ls::control_test
