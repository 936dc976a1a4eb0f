#include "math/rotation.h"
#include "model/node_name.h"
#include "run/probe_values.h"
#include "run/stepper.h"
#include "run/test_contact_scenes.h"
#include "scene/schedule.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace ls::contact_scene_test {

using V = Vec3<double>;
using namespace test::touching_scenes;

TEST(ContactScene, AnEmptyTableTurnsItOn) {
  EXPECT_FALSE(read(one_second + steel + beam).model.shapes);
  const Plan p = read(one_second + steel + beam + "[contact]\n");
  ASSERT_TRUE(p.model.shapes);
  EXPECT_EQ(p.model.shapes->edges.size(), 10U);
  EXPECT_NEAR(p.model.shapes->points[0].radius, 1e-3, 1e-18);
  EXPECT_EQ(p.model.shapes->surfaces.at(0).friction, 0.4);
  EXPECT_EQ(p.model.shapes->surfaces.at(0).restitution, 0.9);
  EXPECT_EQ(p.model.shapes->surfaces.at(0).young, 200e9);
  EXPECT_NEAR(p.model.shapes->surfaces.at(0).poisson, 0.3, 1e-14);
}

TEST(ContactScene, ReadsItsKeys) {
  const Plan p = read(one_second + steel + beam + "contact_radius = \"2 mm\"\n" +
                      "[contact]\ngeometry = \"sphere\"\nfriction = 0.1\nrestitution = 0.5\nthickness = \"0.3 mm\"\n"
                      "stiffness = \"7 N/m\"\nslip_speed = \"2 mm/s\"\nrolling = 0.02\nexclude_bonds = 3\n");
  const Shapes& s = *p.model.shapes;
  EXPECT_TRUE(s.edges.empty());
  EXPECT_EQ(s.spheres.size(), 11U);
  EXPECT_EQ(s.points[0].radius, 2e-3);
  EXPECT_EQ(s.surfaces[0].friction, 0.1);
  EXPECT_EQ(s.surfaces[0].restitution, 0.5);
  EXPECT_EQ(s.settings.thickness, 3e-4);
  EXPECT_EQ(s.settings.stiffness, 7);
  EXPECT_EQ(s.settings.slip_speed, 2e-3);
  EXPECT_EQ(s.settings.rolling, 0.02);
  EXPECT_EQ(s.settings.exclude_bonds, 3);
  EXPECT_EQ(s.settings.exclude, -1);
}

TEST(ContactScene, TheSolverOfAStageChoosesTheLaw) {
  const Plan p = read(steel + beam +
                      "[contact]\n"
                      "[[stage]]\nduration = 1\n"
                      "[[stage]]\nduration = 1\nsolver = { kind = \"implicit\" }\n"
                      "[[stage]]\nsteps = 3\nsolver = { kind = \"static\" }\n"
                      "[[stage]]\nduration = 1\ncontact = false\n");
  EXPECT_EQ(p.stages[0].contact, ContactLaw::hertz_mindlin);
  EXPECT_EQ(p.stages[1].contact, ContactLaw::barrier);
  EXPECT_EQ(p.stages[2].contact, ContactLaw::barrier);
  EXPECT_EQ(p.stages[3].contact, ContactLaw::none);
  EXPECT_EQ(p.solver.scheme, ImplicitRule::touching);
  Schedule schedule(p, 1e-3);
  State s = p.start;
  for (int k = 0; k < 4; ++k) {
    s.clock.stage = k;
    schedule.begin_stage(s);
    EXPECT_EQ(schedule.now(s.clock).contact, p.stages[k].contact) << k;
  }
}

TEST(ContactScene, TheSchemeIsThatOfTouchingBodiesOnlyWhereImplicitStepsTouch) {
  const std::string implicit = "[solver]\nkind = \"implicit\"\nduration = 1\n";
  EXPECT_EQ(read(implicit + steel + beam).solver.scheme, ImplicitRule::midpoint);
  EXPECT_EQ(read(implicit + steel + beam + "[contact]\n").solver.scheme, ImplicitRule::touching);
  const Plan off = read("[solver]\nkind = \"implicit\"\nscheme = \"midpoint\"\n" + steel + beam +
                        "[contact]\n[[stage]]\nduration = 1\ncontact = false\n");
  EXPECT_EQ(off.solver.scheme, ImplicitRule::midpoint);
}

TEST(ContactScene, WallsAreNodesThatCanBeDriven) {
  const Plan p = read(one_second + steel + beam + "[contact]\n" +
                      "[[wall]]\nname = \"floor\"\nplane = { point = [0, 0, -0.1], normal = [0, 0, 2] }\n"
                      "[[wall]]\nname = \"lid\"\nmaterial = \"steel\"\nsphere = { centre = [0, 0, 1], radius = 0.1 }\n"
                      "inside = false\n"
                      "[[drive]]\non = \"floor\"\nmove = [0, 0, \"2 mm * s\"]\n");
  const Shapes& s = *p.model.shapes;
  ASSERT_EQ(p.model.nodes, 13);
  ASSERT_EQ(s.hollows.size(), 1U);
  EXPECT_EQ(s.hollows[0].node, 11);
  EXPECT_EQ(s.hollows[0].axis.z, 1);
  EXPECT_EQ(s.spheres.size(), 1U);
  EXPECT_EQ(s.surfaces[1].friction, std::numeric_limits<double>::infinity()) << "the other body says";
  EXPECT_EQ(s.surfaces[2].friction, 0.4);
  EXPECT_EQ(node_name(p.model, 11), "floor");
  Schedule schedule(p, 1e-3);
  State state = p.start;
  schedule.begin_stage(state);
  const Inputs in = schedule.within(state.clock, 500);
  bool found = false;
  for (const HeldNode& h : in.held)
    if (h.node == 11) {
      found = true;
      EXPECT_EQ(h.mask, hold_all);
      EXPECT_NEAR(h.pose.x.z, -0.1 + 1e-3, 1e-15);
      EXPECT_NEAR(h.twist.v.z, 2e-3, 1e-15);
    }
  EXPECT_TRUE(found);
}

TEST(RigidScene, HasMassesPosesAndMoments) {
  const Plan p = read(one_second + steel + ball +
                      "position = [1, 2, 3]\nvelocity = [0, \"3 m/s\", 0]\nangular_velocity = [4, 0, 0]\n"
                      "moment = [0, 0, 5]\norientation = [0, \"90 deg\", 0]\n"
                      "[[rigid]]\nname = \"cube\"\nshape = \"box\"\nsize = [1, 2, 3]\nmass = 12\nfixed = true\n"
                      "orientation = { axis = [0, 0, 3], angle = \"30 deg\" }\n"
                      "[[rigid]]\nname = \"given\"\nshape = \"capsule\"\nradius = 1\nlength = 2\nmass = 2\n"
                      "inertia = [3, 4, 5]\n");
  const double mass = 8000 * 4.0 / 3 * M_PI * 125e-9;
  EXPECT_NEAR(p.model.mass[0], mass, 1e-15);
  EXPECT_NEAR(p.model.inertia[1][0], 0.4 * mass * 25e-6, 1e-20);
  EXPECT_EQ(p.start.nodes.frame(0).x.y, 2);
  EXPECT_EQ(p.start.nodes.twist(0).v.y, 3);
  EXPECT_EQ(p.start.nodes.twist(0).w.x, 4);
  EXPECT_NEAR(p.model.moment[2][0], 5, 1e-14);
  EXPECT_LT(norm(axis_z(p.start.nodes.frame(0).q) - V{1, 0, 0}), 1e-15);
  EXPECT_EQ(p.model.held[1], hold_all);
  EXPECT_NEAR(p.model.inertia[0][1], 13, 1e-12);
  EXPECT_LT(norm(axis_x(p.start.nodes.frame(1).q) - V{std::cos(M_PI / 6), 0.5, 0}), 1e-15);
  EXPECT_EQ(p.model.inertia[2][2], 5);
  EXPECT_FALSE(p.model.shapes);
}

TEST(RigidScene, ManyHaveNumbers) {
  const Plan p = read(one_second + steel + ball +
                      "position = [1, 0, 0]\ngrid = { n = [2, 3, 4], spacing = [1, 2, 3], jitter = 0.01 }\n" +
                      "[[rigid]]\nname = \"bead\"\nmass = 1\nshape = \"sphere\"\nradius = 1\ncount = 3\n"
                      "spacing = [0, 5, 5]\n[[probe]]\nof = \"ball[23]\"\nrecord = \"position\"\n");
  ASSERT_EQ(p.model.nodes, 27);
  EXPECT_EQ(p.model.bodies[23].name, "ball[23]");
  EXPECT_EQ(p.probes[0].index, 23);
  EXPECT_EQ(p.probes[0].name, "ball_23");
  const V last = p.start.nodes.frame(23).x, next = p.start.nodes.frame(1).x;
  EXPECT_LT(norm(last - V{2, 4, 9}), 0.018);
  EXPECT_GT(norm(last - V{2, 4, 9}), 1e-6);
  EXPECT_LT(norm(next - V{1, 0, 3}), 0.018);
  EXPECT_EQ(p.start.nodes.frame(26).x.y, 10);
  EXPECT_EQ(p.start.nodes.frame(26).x.z, 10);
}

// A body of one node answers for a node and for a body.
TEST(RigidScene, ProbesOfABodyWithOneNode) {
  const Plan p = read(one_second + steel + ball +
                      "velocity = [0, \"3 m/s\", 0]\n[[probe]]\nof = \"ball\"\n"
                      "record = [\"velocity\", \"energy\", \"contact_force\", \"net_contact_force\"]\n"
                      "[[probe]]\nof = \"system\"\nrecord = [\"contacts\", \"min_gap\"]\n");
  Work alone(p.model, 1);
  const auto values = probe_values(p, p.probes[0], p.start, {}, alone);
  EXPECT_EQ(values[1].column, "velocity.y");
  EXPECT_EQ(values[1].value, 3);
  EXPECT_EQ(values[3].column, "energy.kinetic");
  EXPECT_NEAR(values[3].value, 4.5 * p.model.mass[0], 1e-15);
  EXPECT_EQ(values.back().column, "net_contact_force.z");
  const auto system = probe_values(p, p.probes[1], p.start, {}, alone);
  EXPECT_EQ(system[0].value, 0);
  EXPECT_EQ(system[1].value, std::numeric_limits<double>::infinity());
}

TEST(HertzMindlinScene, RefusesWhatItCantHoldApart) {
  const std::string crates =
      "[[rigid]]\nname = \"a\"\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\nmaterial = \"steel\"\n"
      "[[rigid]]\nname = \"b\"\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\nmaterial = \"steel\"\nposition = [0, 0, 1]\n";
  EXPECT_NE(error_of(one_second + steel + crates + "[contact]\n").find("neither `a` nor `b` has rounded edges"),
            std::string::npos);
  EXPECT_EQ(error_of(one_second + steel + crates + "rounding = \"1 mm\"\n[contact]\n"), "no error");
  EXPECT_EQ(error_of(implicit_second + steel + crates + "[contact]\n"), "no error");
  const std::string stones =
      "[[rigid]]\nname = \"a\"\nshape = \"sphere\"\nradius = 0.1\nmass = 1\n"
      "[[rigid]]\nname = \"b\"\nshape = \"sphere\"\nradius = 0.1\nmass = 1\nposition = [0, 0, 1]\n[contact]\n";
  EXPECT_NE(error_of(one_second + stones).find("neither `a` nor `b` has a material with `young`"), std::string::npos);
}

// A rod is pushed against a ball until it slips: what the hand feels is what the ball feels, also where stability is
// lost and the last state in balance is recorded again.
TEST(ContactScene, RecordedFrictionIsWhatBalanced) {
  const std::string scene = R"([solver]
kind = "static"
[material.m]
young = "20 MPa"
poisson = 0.45
density = "1.1 g/cm^3"
friction = 0.2
[contact]
[[wall]]
name = "ball"
sphere = { centre = ["45 mm", "-1 mm", 0], radius = "10 mm" }
inside = false
[[rod]]
name = "rod"
material = "m"
section = { diameter = "1.5 mm" }
line = { from = ["-40 mm", 0, 0], to = ["33 mm", 0, 0] }
bonds = 30
clamp = ["start"]
[[stage]]
name = "push"
steps = 40
[[stage.drive]]
on = "rod.start"
move = ["20 mm * s", 0, 0]
)";
  const Plan p = read(scene);
  Schedule schedule(p, 0);
  Work work(p.model, 1);
  State s = p.start;
  schedule.begin_stage(s);
  const auto stepper = make_stepper(SolverKind::statics, p, schedule, work);
  ASSERT_EQ(stepper->begin_stage(s).outcome, Outcome::done);
  const int hand = p.model.bodies[0].nodes.front(), ball_node = p.model.bodies[1].nodes.front();
  ASSERT_EQ(p.model.bodies[1].name, "ball");
  int rubbed = 0;
  for (bool over = false; !over && !schedule.stage_is_over(s.clock);) {
    const StepReport r = stepper->step(s);
    ASSERT_EQ(r.outcome, Outcome::done);
    over = r.lost_stability;
    const V reaction = -1.0 * s.nodes.wrench(hand).force;
    const V push = contact_report(p.model, work.terms, s, schedule.now(s.clock)).force[ball_node];
    EXPECT_LT(norm(reaction - push), 1e-5 * norm(push) + 1e-12) << s.clock.step;
    rubbed += s.memory.friction.empty() ? 0 : 1;
  }
  EXPECT_GT(rubbed, 30);
}

// A coil whose turns lie a quarter of the thickness from each other as it is drawn: at rest, and so it stays.
TEST(ContactScene, ACoilWithinItsOwnBarrierStaysAtRest) {
  const Plan p = read("[solver]\nkind = \"implicit\"\nduration = \"1 s\"\ndt = \"1 ms\"\n" + steel + R"(
[contact]
thickness = "0.2 mm"
[[rod]]
name = "coil"
material = "steel"
section = { diameter = "2 mm" }
helix = { radius = "10 mm", pitch_angle = "88.1313 deg", length = "190 mm" }
bonds = 120
)");
  Schedule schedule(p, 0);
  Work work(p.model, 1);
  State s = p.start;
  schedule.begin_stage(s);
  const auto stepper = make_stepper(SolverKind::implicit_dynamics, p, schedule, work);
  ASSERT_EQ(stepper->begin_stage(s).outcome, Outcome::done);
  EXPECT_LT(contact_report(p.model, work.terms, s, schedule.now(s.clock)).min_gap, 0.1e-3);
  for (int k = 0; k < 5; ++k) ASSERT_EQ(stepper->step(s).outcome, Outcome::done);
  double fastest = 0;
  for (int i = 0; i < p.model.nodes; ++i) fastest = std::max(fastest, norm(s.nodes.twist(i).v));
  EXPECT_LT(fastest, 1e-9);
}

}  // namespace ls::contact_scene_test
