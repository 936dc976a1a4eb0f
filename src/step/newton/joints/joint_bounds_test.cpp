// Stops, strings, friction and motors.
#include "base/sanitized.h"
#include "step/newton/joints/test_linkage.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace ls::joint_bounds_test {

using namespace ls::test_linkage;

// A stop takes the blow: no rebound, and no more energy than there was.
TEST(Joints, AStopHolds) {
  Builder builder;
  builder.add(bar("bar", {0, 0, 0}, {1, 0, 0}, 1));
  Linkage l(builder, 2e-3);
  JointSpec j = l.joint(JointKind::hinge, -1, 0, {0, 0, 0}, {0, 1, 0});
  j.settings.high = 1;
  join(j, l.b);
  l.start();
  l.step(1000);
  EXPECT_NEAR(l.report(0).travel, 1, 1e-6);
  EXPECT_NEAR(l.report(0).rate, 0, 1e-6);
  EXPECT_NEAR(l.report(0).torque.y, -9.81 * 0.5 * std::cos(1.0), 1e-4);
  EXPECT_NEAR(l.energy(), l.b.state.memory.ledger.expected(), 1e-6);
}

TEST(Joints, AStringComesTaut) {
  Builder builder;
  builder.add(bar("weight", {0, 0, -0.6}, {0, 0, -0.5}, 2, 0.1));
  Linkage l(builder, 2e-3);
  JointSpec j = l.joint(JointKind::distance, -1, 0, {0, 0, 0});
  j.other = V{0, 0, -0.5}, j.length = 0.8, j.settings.one_sided = true;
  join(j, l.b);
  l.start();
  for (int k = 0; k < 500; ++k) {
    l.step();
    ASSERT_LT(l.report(0).error, 1e-6);
  }
  EXPECT_NEAR(l.report(0).travel, 0.8, 1e-6);
  EXPECT_NEAR(l.report(0).force.z, 2 * 9.81, 1e-3);
}

// Dry friction holds below its bound, and takes force times way above it.
TEST(Joints, FrictionHoldsAndTakes) {
  for (const double push : {1.9, 3.0}) {
    Builder builder;
    builder.add(bar("block", {-0.05, 0, 0}, {0.05, 0, 0}, 1, 0.1));
    Linkage l(builder);
    l.in.gravity = {};
    JointSpec j = l.joint(JointKind::slider, -1, 0, {0, 0, 0}, {1, 0, 0});
    j.settings.friction = 2;
    join(j, l.b);
    l.in.loads.push_back({{0}, {1.0}, {push, 0, 0}, {}});
    l.start();
    l.step(1000);
    const double way = push < 2 ? 0 : 0.5 * (push - 2);
    EXPECT_NEAR(l.report(0).travel, way, 1e-6) << push;
    EXPECT_NEAR(l.b.state.memory.ledger.friction, 2 * way, 1e-6);
    EXPECT_NEAR(l.energy(), l.b.state.memory.ledger.expected(), 1e-6);
  }
}

TEST(Joints, MotorsTurnAndStall) {
  constexpr double way_lost = 0.5 * 0.5 * 0.5 / (3 * (20 - 9.81 / 2));  // while 20 N m bring it to its rate
  for (const double weight : {1.0, 10.0}) {
    Builder builder;
    builder.add(bar("arm", {0, 0, 0}, {1, 0, 0}, weight));
    Linkage l(builder, 2e-3);
    JointSpec j = l.joint(JointKind::hinge, -1, 0, {0, 0, 0}, {0, -1, 0});
    j.settings.low = -0.1;
    join(j, l.b);
    l.b.model.joints.motors.push_back({"lift", 0, MotorKind::velocity, 20});
    l.in.motors = {0.5};
    l.start();
    l.step(1000);
    if (weight == 1) {
      EXPECT_NEAR(l.report(0).travel, 1 - way_lost, 1e-4);  // 2 s at 0.5 rad/s
      EXPECT_NEAR(l.report(0).motor, 9.81 * 0.5 * std::cos(1.0), 0.05);
    } else {
      EXPECT_NEAR(l.report(0).travel, -0.1, 1e-6);
      EXPECT_EQ(l.report(0).motor, 20);
    }
    EXPECT_NEAR(l.energy(), l.b.state.memory.ledger.expected(), 1e-5 * weight);
  }
}

// Without a bound motor and stop would ask for two things at once: the stop has the last word, and steps stay whole.
TEST(Joints, AMotorWithoutABoundStandsStillAtAStop) {
  for (const JointKind kind : {JointKind::hinge, JointKind::slider})
    for (const int a : {1, 2})
      for (const double sign : {-1.0, 1.0}) {
        Builder builder;
        builder.add(bar("arm", {0, 0, 0}, {1, 0, 0}, 1));
        Linkage l(builder, 2e-3);
        l.set.a = a;
        JointSpec j = l.joint(kind, -1, 0, {0, 0, 0}, {0, 1, 0});
        j.settings.low = -0.3, j.settings.high = 0.3;
        join(j, l.b);
        l.b.model.joints.motors.push_back({"turn", 0, MotorKind::velocity});
        l.in.motors = {2 * sign};
        l.start();
        l.step(200);
        EXPECT_NEAR(l.report(0).travel, 0.3 * sign, 1e-6) << a;
        EXPECT_NEAR(l.report(0).rate, 0, 1e-6) << a;
        EXPECT_EQ(l.b.state.memory.parts.taken, 200);
        EXPECT_LT(l.b.state.memory.iterations, 200 * 5);
        if (a == 2) {
          EXPECT_NEAR(l.energy(), l.b.state.memory.ledger.expected(), 1e-5);
        }
        l.in.motors = {-sign};
        l.step(100);
        EXPECT_NEAR(l.report(0).travel, 0.1 * sign, 2.1e-3) << a;  // it has to come to its rate in a step
        EXPECT_NEAR(l.report(0).rate, -sign, 1e-6) << a;
      }
}

// What a motor can't get because another joint of its linkage is at a stop is no matter of ever shorter steps.
TEST(Joints, AMotorWithoutABoundFailsAgainstTheStopOfAnother) {
  Builder builder;
  builder.add(bar("arm", {0, 0, 0}, {1, 0, 0}, 1));
  Linkage l(builder, 2e-3);
  l.in.gravity = {};
  join(l.joint(JointKind::hinge, -1, 0, {0, 0, 0}, {0, 1, 0}), l.b);
  JointSpec stop = l.joint(JointKind::hinge, -1, 0, {0, 0, 0}, {0, 1, 0});
  stop.settings.high = 0.3;
  join(stop, l.b);
  l.b.model.joints.motors.push_back({"turn", 0, MotorKind::velocity});
  l.in.motors = {2};
  l.start();
  const InputsAt at = [&](double) { return l.in; };
  Outcome outcome = Outcome::done;
  for (int k = 0; k < 100 && outcome == Outcome::done; ++k)
    outcome = step_implicit(l.b.model, at, l.b.state, *l.work, *l.newton, l.set);
  EXPECT_EQ(outcome, Outcome::diverged);
  EXPECT_NEAR(l.report(1).travel, 0.3, 1e-2);
  EXPECT_LT(l.b.state.memory.iterations, 2000);
}

// A force at its bound stays there: as a bound and rounding it would let its row go in every other iteration.
TEST(Joints, BoundsTakeFewIterations) {
  for (const double friction : {0.01, 0.03, 0.07}) {
    Builder builder;
    builder.add(bar("wheel", {-0.1, 0, 0}, {0.1, 0, 0}, 0.5));
    Linkage l(builder);
    l.in.gravity = {};
    JointSpec j = l.joint(JointKind::hinge, -1, 0, {0, 0, 0}, {0, 0, 1});
    j.settings.friction = friction;
    join(j, l.b);
    l.b.model.joints.motors.push_back({"drive", 0, MotorKind::velocity, 0.1});
    l.in.motors = {5};
    l.start();
    l.step(400);
    EXPECT_NEAR(l.report(0).rate, 5, 1e-6) << friction;
    l.in.motors = {0};
    l.step(400);
    EXPECT_NEAR(l.report(0).rate, 0, 1e-6) << friction;
    EXPECT_LT(l.b.state.memory.iterations, 800 * 4) << friction;
  }
}

// Also where they have stops that the first of them run into one by one.
TEST(Joints, LongChainsWithStopsCloseInFewIterations) {
  constexpr int links = 100;
  constexpr double length = 0.1;
  Builder build;
  for (int i = 0; i < links; ++i)
    build.add(bar("link" + std::to_string(i), {length * i, 0, 0}, {length * (i + 1), 0, 0}, 0.1));
  Linkage l(build);
  for (int i = 0; i < links; ++i) {
    JointSpec j = l.joint(JointKind::hinge, i - 1, i, {length * i, 0, 0}, {0, 1, 0});
    j.settings.low = -0.01, j.settings.high = 0.01;
    join(j, l.b);
  }
  l.start();
  l.step(30);
  EXPECT_EQ(l.b.state.memory.parts.taken, 30);
  EXPECT_LE(l.b.state.memory.iterations, 30 * 5);
  EXPECT_NEAR(std::abs(l.report(0).travel), 0.01, 1e-6);
  EXPECT_LT(l.error(), 1e-6 * length);
  EXPECT_NEAR(l.energy(), l.b.state.memory.ledger.expected(), 1e-6);
}

// Which hinges of a chain stick and which slide hangs on all the others: found by the signs of their own errors, a
// chain of 30 took 27 iterations a step, and one of 100 no step at all.
TEST(Joints, LongChainsWithFrictionTakeFewIterations) {
  constexpr double length = 0.05;
  for (const int links : is_sanitized ? std::vector{12} : std::vector{30, 100})
    for (const int a : {1, 2})
      for (const double friction : {1e-4, 1e-2}) {
        Builder build;
        for (int i = 0; i < links; ++i)
          build.add(bar("link" + std::to_string(i), {length * i, 0, 0}, {length * (i + 1), 0, 0}, 0.02, 0.01));
        Linkage l(build, 2e-3);
        l.set.a = a;
        for (int i = 0; i < links; ++i) {
          JointSpec j = l.joint(JointKind::hinge, i - 1, i, {length * i, 0, 0}, {0, 1, 0});
          j.settings.friction = friction;
          join(j, l.b);
        }
        l.start();
        l.step(30);
        EXPECT_EQ(l.b.state.memory.parts.taken, 30);
        EXPECT_LE(l.b.state.memory.iterations, 30 * 6) << links << " " << a << " " << friction;
        EXPECT_LT(l.error(), 1e-6 * length);
        EXPECT_GT(l.b.state.memory.ledger.friction, 0);
        if (a == 2) {
          EXPECT_NEAR(l.energy(), l.b.state.memory.ledger.expected(), 1e-6);
        }
        for (int i = 0; i < links; ++i) EXPECT_LE(std::abs(l.b.state.memory.joint_force[6 * i + 5]), friction);
      }
}

}  // namespace ls::joint_bounds_test
