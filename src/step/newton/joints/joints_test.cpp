#include "base/rng.h"
#include "step/newton/joints/test_linkage.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace ls::joints_test {

using namespace ls::test_linkage;
constexpr double pi = std::numbers::pi;

constexpr double double_pendulum_at_1s = -1.46337496174;

// A uniform bar on a hinge at its end, released level: its period by the elliptic integral.
TEST(Joints, ABarOnAHingeSwingsWithItsPeriod) {
  constexpr double period = 1.93333485437;
  Builder builder;
  builder.add(bar("bar", {0, 0, 0}, {1, 0, 0}, 1, 1e-4));
  Linkage l(builder, period / 400);
  join(l.joint(JointKind::hinge, -1, 0, {0, 0, 0}, {0, 1, 0}), l.b);
  l.start();
  const double before = l.energy();
  l.step(400);
  EXPECT_NEAR(l.report(0).travel, 0, 2e-3);
  EXPECT_NEAR(l.energy(), before, 1e-8);
  EXPECT_LT(l.error(), 1e-8);
}

// Of two bars on parallel hinges, both released level; by an integrator of high order to 1e-12.
TEST(Joints, ADoublePendulumGoesItsWay) {
  const auto run = [](double dt) {
    Builder builder;
    builder.add(bar("upper", {0, 0, 0}, {1, 0, 0}, 1, 1e-4));
    builder.add(bar("lower", {1, 0, 0}, {1.6, 0, 0}, 0.5, 1e-4));
    Linkage l(builder, dt);
    join(l.joint(JointKind::hinge, -1, 0, {0, 0, 0}, {0, 1, 0}), l.b);
    join(l.joint(JointKind::hinge, 0, 1, {1, 0, 0}, {0, 1, 0}), l.b);
    l.start();
    l.step(static_cast<int>(std::lround(1 / dt)));
    EXPECT_LT(l.error(), 1e-8);
    return pi / 2 - l.report(0).travel - double_pendulum_at_1s;
  };
  const double coarse = run(4e-3), fine = run(2e-3);
  EXPECT_LT(std::abs(fine), 1e-2);
  EXPECT_NEAR(coarse / fine, 4, 0.5);
}

// A crank under a torque, a rod and a slider: a closed loop. In the plane z = 0, without weight.
TEST(Joints, ASliderCrankGoesItsWay) {
  Builder builder;
  builder.add(bar("crank", {0, 0, 0}, {0, 0.1, 0}, 0.2, 1e-4));
  const double x = std::sqrt(0.09 - 0.01);
  builder.add(bar("rod", {0, 0.1, 0}, {x, 0, 0}, 0.3, 1e-4));
  builder.add(bar("slider", {x - 0.01, 0, 0}, {x + 0.01, 0, 0}, 0.5, 0.02));
  Linkage l(builder);
  l.in.gravity = {};
  join(l.joint(JointKind::hinge, -1, 0, {0, 0, 0}, {0, 0, 1}), l.b);
  join(l.joint(JointKind::hinge, 0, 1, {0, 0.1, 0}, {0, 0, 1}), l.b);
  join(l.joint(JointKind::hinge, 1, 2, {x, 0, 0}, {0, 0, 1}), l.b);
  join(l.joint(JointKind::slider, -1, 2, {x, 0, 0}, {1, 0, 0}), l.b);
  l.b.model.joints.motors.push_back({"push", 0, MotorKind::torque});
  l.in.motors = {0.2};
  l.start();
  l.step(500);
  EXPECT_NEAR(pi / 2 + l.report(0).travel, 6.60466001068, 1e-3);  // after 0.5 s, by an integrator to 1e-8
  EXPECT_NEAR(x + l.report(3).travel, 0.3932085001, 1e-4);
  EXPECT_LT(l.error(), 1e-9);
  EXPECT_NEAR(l.energy(), l.b.state.memory.ledger.expected(), 1e-9);
  EXPECT_NEAR(l.b.state.memory.ledger.motors, 0.2 * l.report(0).travel, 1e-6);
}

TEST(Joints, AHeavyTopNutates) {
  Builder builder;
  RigidSpec top;
  top.name = "top";
  top.shape = cylinder_shape(0.05, 0.02, 32);
  top.fill(1);
  const double factor = 0.5 / top.mass;
  top.mass = 0.5;
  for (auto& row : top.inertia)
    for (double& i : row) i *= factor;
  const double lean = pi / 6;
  const V axis{std::sin(lean), 0, std::cos(lean)};
  top.pose = {0.06 * axis, turn(V{0, lean, 0})};
  top.spin = 150.0 * axis;
  builder.add(top);
  Linkage l(builder);
  join(l.joint(JointKind::ball, -1, 0, {0, 0, 0}), l.b);
  l.start();
  l.step(500);
  const V x = l.b.state.nodes.frame(0).x;
  EXPECT_NEAR(std::acos(x.z / norm(x)), 0.526953777445, 5e-4);  // after 0.5 s, by Lagrange's equations
  EXPECT_NEAR(std::atan2(x.y, x.x), 1.64169726702, 2e-3);
  EXPECT_LT(l.error(), 1e-9);
}

// Its own weight on two hinges: twice what is needed, and no one can say how they share it but that they do.
TEST(Joints, ADoorHangsOnTwoHinges) {
  Builder builder;
  RigidSpec door;
  door.name = "door";
  door.shape = box_shape({0.8, 0.04, 2});
  door.pose = {{0.4, 0, 1}, {}};
  door.fill(500);
  door.velocity = {0, 0.4, 0}, door.spin = {0, 0, 1};
  builder.add(door);
  Linkage l(builder, 0.01);
  join(l.joint(JointKind::hinge, -1, 0, {0, 0, 0.3}, {0, 0, 1}), l.b);
  join(l.joint(JointKind::hinge, -1, 0, {0, 0, 1.7}, {0, 0, 1}), l.b);
  l.start();
  l.step(100);
  EXPECT_NEAR(l.report(0).travel, 1, 1e-5);  // the square of the turn in a step, by 12
  EXPECT_NEAR(l.report(1).rate, 1, 1e-5);
  EXPECT_NEAR(l.report(0).force.z + l.report(1).force.z, l.b.model.mass[0] * 9.81, 1e-6);
  EXPECT_LT(l.error(), 1e-9);
}

// 1 kN on a body of 1 kg.
TEST(Joints, AForceDoesNotOpenThem) {
  for (const JointKind kind : {JointKind::fixed, JointKind::ball, JointKind::universal, JointKind::hinge}) {
    Builder builder;
    builder.add(bar("bar", {0, 0, 0}, {0.3, 0, 0}, 1));
    Linkage l(builder);
    join(l.joint(kind, -1, 0, {0, 0, 0}, {0, 1, 0}), l.b);
    l.in.loads.push_back({{0}, {1.0}, {600, 640, 480}, {}});
    l.start();
    for (int k = 0; k < 200; ++k) {
      l.step();
      ASSERT_LT(l.error(), 1e-6 * 0.3) << joint_kinds[static_cast<std::size_t>(kind)] << " " << k;
    }
  }
}

// Links of all kinds, thrown with any velocities, in steps up to a thousand times too long for what moves.
void throw_linkages(int first, int last) {
  for (int throwing = first; throwing < last; ++throwing) {
    const auto random = [&](int k) { return 2 * uniform(7, throwing, k, 0) - 1; };
    Builder builder;
    constexpr int links = 4;
    const auto corner = [&](int n) { return V{0.2 * n, 0.05 * random(n), 0.05 * random(40 + n)}; };
    for (int n = 0; n < links; ++n) {
      RigidSpec r = bar("b" + std::to_string(n), corner(n), corner(n + 1), 0.1 + 0.09 * random(80 + n));
      r.velocity = {3 * random(120 + n), 3 * random(130 + n), 3 * random(140 + n)};
      r.spin = {9 * random(150 + n), 9 * random(160 + n), 9 * random(170 + n)};
      builder.add(r);
    }
    Linkage l(builder, std::pow(10.0, -2 + 1.5 * uniform(7, throwing, 200, 0)));
    constexpr JointKind kinds[] = {JointKind::fixed,       JointKind::ball,      JointKind::hinge, JointKind::slider,
                                   JointKind::cylindrical, JointKind::universal, JointKind::planar};
    for (int n = 0; n < links; ++n) {
      const auto kind = kinds[static_cast<int>(7 * uniform(7, throwing, 210 + n, 0))];
      const V axis = normalized(V{random(220 + n), random(230 + n), 1.5 + random(240 + n)});
      join(l.joint(n == 0 ? JointKind::hinge : kind, n - 1, n, corner(n), axis), l.b);
    }
    l.start();
    for (int k = 0; k < 20; ++k) {
      l.step();
      ASSERT_LT(l.error(), 2e-6) << throwing << " " << k;
      ASSERT_TRUE(std::isfinite(l.energy()));
    }
    EXPECT_LT(l.energy(), l.b.state.memory.ledger.start + 1e-3) << throwing;
  }
}

TEST(Joints, RandomLinkagesStayClosed) {
  throw_linkages(0, 1);
}
TEST(SlowJoints, RandomLinkagesStayClosed) {
  throw_linkages(1, 24);
}

// What a long chain gives way by as a whole is thousands of times what resists its links one by one: pulling at each by
// the latter alone closes it by a few percent an iteration.
TEST(Joints, LongChainsCloseInFewIterations) {
  constexpr int links = 100;
  constexpr double length = 0.1;
  for (const JointKind kind : {JointKind::hinge, JointKind::ball}) {
    Builder build;
    for (int i = 0; i < links; ++i)
      build.add(bar("link" + std::to_string(i), {length * i, 0, 0}, {length * (i + 1), 0, 0}, 0.1));
    Linkage l(build);
    for (int i = 0; i < links; ++i) join(l.joint(kind, i - 1, i, {length * i, 0, 0}, {0, 1, 0}), l.b);
    l.start();
    l.step(20);
    const long long before = l.b.state.memory.iterations;
    l.step(20);
    EXPECT_LE(l.b.state.memory.iterations - before, 20 * 4);
    EXPECT_LT(l.error(), 1e-6 * length);
    EXPECT_NEAR(l.energy(), l.b.state.memory.ledger.start, 1e-5 * 0.1 * 9.81 * links * length);
  }
}

TEST(Joints, SpringsKeepTheirEnergy) {
  Builder builder;
  builder.add(bar("a", {0.1, 0, 0}, {0.3, 0, 0}, 1, 0.1));
  builder.add(bar("b", {0.7, 0, 0}, {0.9, 0, 0}, 2, 0.1));
  Linkage l(builder, 5e-3);
  l.in.gravity = {};
  JointSpec j = l.joint(JointKind::spring, 0, 1, {0.3, 0.05, 0});
  j.other = V{0.7, -0.05, 0.05}, j.length = 0.35, j.settings.stiffness = 300;
  join(j, l.b);
  l.start();
  const double before = l.energy();
  l.step(400);
  EXPECT_NEAR(l.energy(), before, 1e-5 * before);  // what Newton's tolerance leaves in 400 steps
}

// A string that comes back fast would be held back by its damper: it is slack.
TEST(Joints, StringsOfSpringsNeverPush) {
  Builder builder;
  builder.add(bar("weight", {0, 0, -0.55}, {0, 0, -0.45}, 2, 0.1));
  Linkage l(builder);
  l.in.gravity = {};
  JointSpec j = l.joint(JointKind::spring, -1, 0, {0, 0, 0.5});
  j.other = V{0, 0, -0.5}, j.length = 0.9;
  j.settings.stiffness = 100, j.settings.damping = 20, j.settings.one_sided = true;
  join(j, l.b);
  l.b.state.nodes.set(0, Twist<double>{{0, 0, 3}, {}});
  l.start();
  const double before = l.energy();
  for (int k = 0; k < 300; ++k) {
    l.step();
    ASSERT_GE(l.report(0).force.z, 0) << k;
  }
  EXPECT_NEAR(l.b.state.nodes.twist(0).v.z, 3, 1e-9);  // 10 N of spring against 60 N of damper: nothing pulls
  // What the spring had is its damper's.
  EXPECT_NEAR(l.b.state.memory.ledger.dissipated, 0.5 * 100 * 0.01, 1e-9);
  EXPECT_NEAR(l.energy(), before - 0.5, 1e-9);
}

}  // namespace ls::joints_test
