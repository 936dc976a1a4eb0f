#include "build/drag_layout.h"
#include "step/energy.h"
#include "step/ledger.h"
#include "step/newton/implicit_step.h"
#include "step/test_rods.h"
#include "terms/drag_term.h"

#include <cmath>
#include <gtest/gtest.h>

// Drag in the explicit and the implicit step.
namespace ls::drag_test {

using V = Vec3<double>;

class Uniform final : public Field {
 public:
  void add(const V*, int points, int, FieldSample* out) const override {
    for (int i = 0; i < points; ++i) out[i].b += V{0.02, 0, 0};
  }
};

Builder::Result ball_in_oil(double viscosity) {
  Builder b;
  RigidSpec ball;
  ball.name = "ball";
  ball.shape = ball_shape(1e-3);
  ball.fill(2000);
  ball.velocity = {0, 0, 0.1};
  ball.spin = {50, 0, 0};
  b.add(ball);
  auto r = b.finish();
  r.model.drag = lay_drag(r.model, r.state.nodes, viscosity);
  return r;
}

// v = u + (v0 - u) exp(-t/tau), tau = 2 rho a^2/(9 mu); the spin goes with 2 rho a^2/(30 mu).
struct Slowed {
  double tau, spin_tau;
  explicit Slowed(double mu) : tau(2 * 2000 * 1e-6 / (9 * mu)), spin_tau(2000 * 1e-6 / (15 * mu)) {}
};

TEST(DragStep, ABallSlowsDownExplicitly) {
  const Slowed expected(0.1);
  auto r = ball_in_oil(0.1);
  Inputs in;
  Work work(r.model, 1);
  in.dt = 0.01 * make_drag_term(r.model)->limits(r.state, in).step;
  EXPECT_NEAR(in.dt, 0.01 * expected.spin_tau, 1e-12);
  start_explicit(r.model, in, r.state, work);
  const int steps = 500;
  test::advance(r.model, in, r.state, work, steps);
  const double t = steps * in.dt;
  EXPECT_NEAR(r.state.nodes.v[2][0], 0.1 * std::exp(-t / expected.tau), 1e-2 * 0.1 * std::exp(-t / expected.tau));
  EXPECT_NEAR(r.state.nodes.w[0][0], 50 * std::exp(-t / expected.spin_tau),
              3e-2 * 50 * std::exp(-t / expected.spin_tau));
}

// Steps of many relaxation times: the implicit step goes on to the speed of the stream.
TEST(DragStep, ABallGoesWithTheStreamInLongImplicitSteps) {
  auto r = ball_in_oil(10);
  Inputs in;
  in.dt = 0.1;
  in.stream = std::make_shared<Uniform>();
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  ImplicitSettings settings;
  settings.a = 1;
  double t = 0;
  const InputsAt at = [&](double share) {
    in.t = t + share * in.dt;
    return in;
  };
  for (int i = 0; i < 5; ++i, t += 0.1)
    ASSERT_EQ(step_implicit(r.model, at, r.state, work, newton, settings), Outcome::done);
  EXPECT_NEAR(r.state.nodes.v[0][0], 0.02, 1e-12);
  EXPECT_NEAR(r.state.nodes.v[2][0], 0, 1e-12);
  EXPECT_NEAR(r.state.nodes.w[0][0], 0, 1e-9);
}

// Midpoint steps have no damping of their own: what is gone is in the ledger, and what the stream gave as well.
TEST(DragStep, TheLedgerExplainsWhatTheFluidTakes) {
  auto r = ball_in_oil(0.1);
  Inputs in;
  in.dt = 0.05 * Slowed(0.1).spin_tau;
  in.stream = std::make_shared<Uniform>();
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  const double before = total_energy(r.model, in, r.state, work);
  const InputsAt at = [&](double) { return in; };
  for (int i = 0; i < 200; ++i) ASSERT_EQ(step_implicit(r.model, at, r.state, work, newton, {}), Outcome::done);
  const double after = total_energy(r.model, in, r.state, work);
  EXPECT_GT(r.state.memory.ledger.dissipated, 0.5 * before);
  EXPECT_NEAR(after + r.state.memory.ledger.dissipated, before, 1e-9 * before);
}

}  // namespace ls::drag_test
