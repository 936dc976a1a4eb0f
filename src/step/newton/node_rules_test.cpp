#include "step/newton/node_rules.h"

#include "build/builder.h"
#include "math/rotation.h"
#include "step/energy.h"
#include "step/newton/implicit_step.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ls::node_rules_test {

using V = Vec3<double>;

RigidSpec ball(const std::string& name, const V& at, double friction) {
  RigidSpec r;
  r.name = name;
  r.shape = ball_shape(0.05);
  r.pose = {at, turn(V{0.3, -0.2, 0.5})};
  r.fill(1000);
  r.surface.friction = friction;
  return r;
}

// Balls under gravity, in steps of 1 ms.
struct Balls {
  Builder::Result b;
  Inputs in;
  Work work;
  NewtonWork newton;
  ImplicitSettings set;

  Balls(Builder& builder, bool flies) : b(builder.finish()), work(b.model, 1), newton(b.model, work.terms) {
    in.dt = 1e-3;
    in.gravity = {0, 0, -9.81};
    in.contact = ContactLaw::barrier;
    for (int i = 0; i < b.model.nodes; ++i)
      if (b.model.held[i]) in.held.push_back({i, b.model.held[i], b.state.nodes.frame(i), {}});
    set.a = 1, set.flies = flies;
    b.state.memory.ledger.start = energy();
  }
  double energy() { return total_energy(b.model, in, b.state, work); }
  double energy_of_ball(int i) const {
    const auto f = b.state.nodes.frame(i);
    const auto t = b.state.nodes.twist(i);
    const double m = b.model.mass[i], spin = b.model.inertia[0][i];
    return 0.5 * m * dot(t.v, t.v) + 0.5 * spin * dot(t.w, t.w) + 9.81 * m * f.x.z;
  }
  void steps(int n) {
    const InputsAt at = [this](double) { return in; };
    for (int k = 0; k < n; ++k) ASSERT_EQ(step_implicit(b.model, at, b.state, work, newton, set), Outcome::done) << k;
  }
};

ContactSettings thick() {
  ContactSettings c;
  c.thickness = 1e-3;
  return c;
}

TEST(FreeFlight, ABallKeepsItsEnergyWhileAnotherRests) {
  Builder builder;
  builder.set_contact(thick(), false);
  builder.add(ball("rests", {0, 0, 0.0505}, 0.3));
  RigidSpec flying = ball("flies", {1, 0, 3}, 0.3);
  flying.velocity = {0.5, 1, 2}, flying.spin = {30, -20, 10};
  builder.add(flying);
  builder.add(plane_wall({0, 0, 0}, {0, 0, 1}));
  Balls run(builder, true);
  const double before = run.energy_of_ball(1);
  run.steps(200);
  const auto f = run.b.state.nodes.frame(1);
  EXPECT_NEAR(f.x.z, 3 + 2 * 0.2 - 0.5 * 9.81 * 0.04, 1e-9);
  EXPECT_NEAR(run.energy_of_ball(1) / before, 1, 1e-9);
}

// With all in flight the whole step is the midpoint's; on the floor it is backward Euler's again, and nothing passes.
TEST(FreeFlight, EndsWhereSomethingIsInTheWay) {
  Builder builder;
  builder.set_contact(thick(), false);
  RigidSpec r = ball("falls", {0, 0, 0.3}, 0.3);
  r.velocity = {0, 0, -30};
  builder.add(r);
  builder.add(plane_wall({0, 0, 0}, {0, 0, 1}));
  Balls run(builder, true);
  run.in.dt = 5e-3;
  run.steps(1);
  EXPECT_EQ(run.newton.rules.a[0], 2);
  run.steps(1);
  EXPECT_EQ(run.newton.rules.a[0], 1);
  run.steps(2);
  EXPECT_GT(run.b.state.nodes.frame(0).x.z, 0.05);
  EXPECT_LT(norm(run.b.state.nodes.twist(0).v), 3);
}

WallSpec floor(double friction) {
  WallSpec w = plane_wall({0, 0, 0}, {0, 0, 1});
  w.surface.friction = friction;
  return w;
}

// What slides or rolls down an incline is damped only as far as contact resists its motion.
TEST(FreeFlight, WhatSlidesOrRollsKeepsItsEnergy) {
  constexpr double slope = 0.2;  // rad
  for (const double friction : {0.0, 0.5}) {
    const auto run_down = [&](bool flies) {
      Builder builder;
      builder.set_contact(thick(), false);
      builder.add(ball("ball", {0, 0, 0.0502}, friction));
      builder.add(floor(friction));
      Balls run(builder, flies);
      run.in.gravity = 9.81 * V{std::sin(slope), 0, -std::cos(slope)};
      run.in.damping_rate = run.in.spin_damping_rate = 200;
      run.steps(100);  // settles in the barrier
      run.in.damping_rate = run.in.spin_damping_rate = 0;
      const double before = run.b.state.memory.ledger.numerical;
      const double speed = run.b.state.nodes.twist(0).v.x;
      run.steps(300);
      const double share = friction > 0 ? 5.0 / 7 : 1.0;
      EXPECT_NEAR((run.b.state.nodes.twist(0).v.x - speed) / (0.3 * 9.81 * std::sin(slope) * share), 1, 2e-3)
          << friction;
      return run.b.state.memory.ledger.numerical - before;
    };
    const double kept = run_down(true), damped = run_down(false);
    EXPECT_GT(damped, 0) << friction;
    EXPECT_LT(std::abs(kept), 0.1 * damped) << friction;
  }
}

// What the scheme loses is computed by itself, so that the books balance, in flight, in a blow and in rest: but for
// what Newton's method leaves.
TEST(FreeFlight, WhatTheSchemeLosesIsInTheLedger) {
  for (const bool flies : {false, true}) {
    Builder builder;
    builder.set_contact(thick(), false);
    RigidSpec r = ball("a", {0, 0, 0.08}, 0.5);
    r.velocity = {0.4, 0, -1}, r.spin = {0, -20, 5};
    builder.add(r);
    builder.add(ball("b", {0.16, 0.02, 0.06}, 0.5));
    builder.add(floor(0.5));
    Balls run(builder, flies);
    run.in.damping_rate = 1;
    const double start = run.energy();
    run.steps(150);
    const Ledger& l = run.b.state.memory.ledger;
    EXPECT_GT(l.numerical, 0.01 * start) << flies;
    EXPECT_GT(l.friction, 0) << flies;
    EXPECT_NEAR(run.energy(), l.expected(), 1e-4 * start) << flies;
  }
}

}  // namespace ls::node_rules_test
