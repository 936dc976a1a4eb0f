#include "step/newton/joints/test_linkage.h"

#include <cmath>

namespace ls::joint_forces_test {

using namespace ls::test_linkage;

// A thin bar about its end: what a motor needs to turn it ever faster is all that its joint has about the axis.
TEST(JointForces, AMotorThatGivesAPositionTellsItsTorque) {
  constexpr double mass = 0.2, length = 0.4, thick = 0.02, rise = 60;  // rad/s^2
  constexpr double inertia = mass * (length * length / 3 + thick * thick / 12);
  for (const double dt : {1e-3, 4e-3}) {
    Builder builder;
    builder.add(bar("arm", {0, 0, 0}, {length, 0, 0}, mass, thick));
    Linkage l(builder, dt);
    l.in.gravity = {};
    join(l.joint(JointKind::hinge, -1, 0, {0, 0, 0}, {0, 1, 0}), l.b);
    l.b.model.joints.motors.push_back({"drive", 0, MotorKind::position, HUGE_VAL});
    l.in.motors = {0};
    l.start();
    double work = 0;
    for (int k = 1; k * dt < 1; ++k) {
      const double t0 = (k - 1) * dt, t1 = k * dt;
      const InputsAt at = [&](double share) {
        Inputs in = l.in;
        const double t = t0 + share * dt;
        in.motors = {0.5 * rise * t * t}, in.motor_rates = {rise * t};
        return in;
      };
      ASSERT_EQ(step_implicit(l.b.model, at, l.b.state, *l.work, *l.newton, l.set), Outcome::done);
      work += l.report(0).motor * 0.5 * rise * (t1 * t1 - t0 * t0);
      const double turn = rise * t1 * dt;  // in a step
      EXPECT_NEAR(l.report(0).motor, inertia * rise, 1.5 * inertia * rise * turn * turn + 1e-4) << dt << " " << k;
    }
    const double energy = l.energy();
    EXPECT_NEAR(l.report(0).rate, rise, 1.1 * rise * dt);
    EXPECT_NEAR(work, energy, 0.02 * energy) << dt;
  }
}

// Nor do stops that nothing comes near change how what moves is held.
TEST(JointForces, StopsThatAreNotMetChangeNothing) {
  double rate[2], angle[2], energy[2];
  for (const bool stops : {false, true}) {
    Builder builder;
    builder.add(bar("arm", {0, 0, 0}, {0.4, 0, 0}, 0.2));
    Linkage l(builder, 5e-3);
    l.in.gravity = {};
    JointSpec j = l.joint(JointKind::hinge, -1, 0, {0, 0, 0}, {0, 1, 0});
    if (stops) j.settings.low = -1, j.settings.high = 100;
    join(j, l.b);
    l.b.model.joints.motors.push_back({"drive", 0, MotorKind::velocity, 10});
    l.in.motors = {30};
    l.start();
    l.step(200);
    rate[stops] = l.report(0).rate, angle[stops] = l.report(0).travel, energy[stops] = l.energy();
  }
  EXPECT_NEAR(rate[0], 30, 1e-5);
  EXPECT_EQ(rate[1], rate[0]);
  EXPECT_EQ(angle[1], angle[0]);
  EXPECT_EQ(energy[1], energy[0]);
}

// What a string that comes taut takes from a weight is in its force: over time it is all that the weight has lost.
TEST(JointForces, ABlowIsInTheForceOfTheStepThatItFallsInto) {
  constexpr double mass = 2, g = 9.81, dt = 2e-3;
  Builder builder;
  builder.add(bar("weight", {0, 0, -0.6}, {0, 0, -0.5}, mass, 0.1));
  Linkage l(builder, dt);
  JointSpec j = l.joint(JointKind::distance, -1, 0, {0, 0, 0});
  j.other = V{0, 0, -0.5}, j.length = 0.8, j.settings.one_sided = true;
  join(j, l.b);
  l.start();
  double impulse = 0;
  constexpr int steps = 400;
  for (int k = 0; k < steps; ++k) l.step(), impulse += dt * l.report(0).force.z;
  EXPECT_NEAR(impulse, mass * g * steps * dt, 1e-3 * mass * g * steps * dt);
}

}  // namespace ls::joint_forces_test
