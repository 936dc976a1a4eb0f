#include "step/rattle.h"

#include "build/joints/join.h"
#include "math/rotation.h"
#include "step/energy.h"
#include "step/explicit_step.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ls::rattle_test {

using V = Vec3<double>;

RigidSpec level_bar(const std::string& name, double from, double to, double mass) {
  RigidSpec r;
  r.name = name;
  r.shape = box_shape({to - from, 1e-3, 1e-3});
  r.pose.x = {0.5 * (from + to), 0, 0};
  r.fill(mass / ((to - from) * 1e-6));
  return r;
}

// Two bars on parallel hinges, released level.
struct Pendulums {
  Builder::Result b;
  Inputs in;
  std::unique_ptr<Work> work;

  explicit Pendulums(double dt) {
    Builder builder;
    builder.add(level_bar("upper", 0, 1, 1));
    builder.add(level_bar("lower", 1, 1.6, 0.5));
    b = builder.finish();
    JointSpec j;
    j.kind = JointKind::hinge, j.axis = {0, 1, 0};
    j.name = "first", j.node[0] = -1, j.node[1] = 0;
    join(j, b);
    j.name = "second", j.node[0] = 0, j.node[1] = 1, j.at = {1, 0, 0};
    join(j, b);
    in.dt = dt, in.gravity = {0, 0, -9.81}, in.rule.by_impulses = true;
    work = std::make_unique<Work>(b.model, 1);
    start_explicit(b.model, in, b.state, *work);
  }
  void steps(int n) {
    for (int k = 0; k < n; ++k) ASSERT_EQ(step_explicit(b.model, in, b.state, *work), Outcome::done) << k;
  }
  JointReport report(int joint) const { return work->terms.joints->report(joint, b.state, in); }
};

TEST(Rattle, ADoublePendulumGoesItsWay) {
  constexpr double angle = -1.46337496174;  // rad from hanging after 1 s, by an integrator of high order
  const auto off = [&](int steps) {
    Pendulums p(1.0 / steps);
    const double before = total_energy(p.b.model, p.in, p.b.state, *p.work);
    p.steps(steps);
    EXPECT_LT(p.report(0).error, 1e-9);
    EXPECT_LT(p.report(1).error, 1e-9);
    EXPECT_NEAR(total_energy(p.b.model, p.in, p.b.state, *p.work), before, 1e-2);
    return std::acos(-1.0) / 2 - p.report(0).travel - angle;
  };
  const double coarse = off(500), fine = off(1000);
  EXPECT_LT(std::abs(fine), 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.5);
}

// Hanging still, the hinges carry what hangs on them.
TEST(Rattle, ReportsForces) {
  Pendulums p(1e-3);
  for (int i = 0; i < 2; ++i) {
    const V down{0, 0, i == 0 ? -0.5 : -1.3};
    p.b.state.nodes.set(i, Frame<double>{down, turn(V{0, std::acos(-1.0) / 2, 0})});
  }
  p.b.state.memory.joint_angle = {std::acos(-1.0) / 2, 0};
  p.steps(10);
  EXPECT_NEAR(p.report(0).force.z, 1.5 * 9.81, 1e-6);
  EXPECT_NEAR(p.report(1).force.z, 0.5 * 9.81, 1e-6);
}

}  // namespace ls::rattle_test
