#include "step/newton/implicit_step.h"

#include "base/sanitized.h"
#include "step/energy.h"
#include "step/test_rods.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ls::implicit_step_test {

using namespace test;
using V = Vec3<double>;

// A rod that swings about its clamp, without damping; the tip after a while.
V swung(const std::string& model, int a, int steps, double end, State* last = nullptr) {
  auto r = built(soft_rod(model, 8));
  Inputs in = clamped_at(r, 0, end / steps);
  in.gravity = {0, -9.81, 0};
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  ImplicitSettings set;
  set.a = a;
  for (int i = 0; i < steps; ++i)
    EXPECT_EQ(step_implicit(
                  r.model, [&](double) { return in; }, r.state, work, newton, set),
              Outcome::done);
  if (last) *last = r.state;
  return r.state.nodes.frame(8).x;
}
V swung_explicitly(double end) {
  auto r = built(soft_rod("exact", 8));
  const int steps = 200000;
  Inputs in = clamped_at(r, 0, end / steps);
  in.gravity = {0, -9.81, 0};
  Work work(r.model, 1);
  start_explicit(r.model, in, r.state, work);
  advance(r.model, in, r.state, work, steps);
  return r.state.nodes.frame(8).x;
}

TEST(ImplicitStep, ConvergesAtTheOrderOfTheScheme) {
  if (is_sanitized) GTEST_SKIP() << "long, and goes the ways of the others";
  const double end = 0.05;
  const V truth = swung_explicitly(end);
  const auto error = [&](int a, int steps) { return norm(swung("exact", a, steps, end) - truth); };
  EXPECT_NEAR(std::log2(error(2, 400) / error(2, 800)), 2, 0.15);
  EXPECT_NEAR(std::log2(error(1, 800) / error(1, 1600)), 1, 0.15);
  EXPECT_LT(error(2, 800), 1e-5);
}

TEST(ImplicitStep, WorksWithEveryBond) {
  const V exact = swung("exact", 2, 100, 0.05);
  for (const char* model : {"vector", "corotational"})
    EXPECT_LT(norm(swung(model, 2, 100, 0.05) - exact), 2e-3) << model;
}

// Torque-free tumbling of an unsymmetric body: momentum to rounding, energy within a band.
TEST(ImplicitStep, TumblesWithItsGyroscopicTorque) {
  RodSpec rod = soft_rod("exact", 1);
  auto r = built(rod);
  for (int i = 0; i < 2; ++i) r.model.inertia[0][i] = 1e-8, r.model.inertia[1][i] = 2e-8, r.model.inertia[2][i] = 3e-8;
  r.model.bond_tables.clear();
  r.state.nodes.set(0, Twist<double>{{}, {0.1, 10, 0.2}});
  const auto momentum = [&] {
    const auto q = r.state.nodes.frame(0).q;
    const V w = rotate(conj(q), r.state.nodes.twist(0).w);
    return rotate(q, V{1e-8 * w.x, 2e-8 * w.y, 3e-8 * w.z});
  };
  const auto energy = [&] {
    const auto q = r.state.nodes.frame(0).q;
    const V w = rotate(conj(q), r.state.nodes.twist(0).w);
    return 0.5e-8 * (w.x * w.x + 2 * w.y * w.y + 3 * w.z * w.z);
  };
  Inputs in = clamped_at(r, -1, 5e-3);
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  newton.size = 0.1;
  ImplicitSettings set;
  set.newton.tolerance = 1e-13;
  const V l0 = momentum();
  const double e0 = energy();
  double flipped = 1;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(step_implicit(
                  r.model, [&](double) { return in; }, r.state, work, newton, set),
              Outcome::done);
    flipped = std::min(flipped, rotate(conj(r.state.nodes.frame(0).q), r.state.nodes.twist(0).w).y / 10);
    ASSERT_NEAR(energy(), e0, 2e-3 * e0);
  }
  EXPECT_LT(norm(momentum() - l0), 1e-9 * norm(l0));
  EXPECT_LT(flipped, -0.9);  // about its middle axis a body turns over again and again
}

TEST(ImplicitStep, LongStepsStayStable) {
  State last;
  auto r = built(soft_rod("exact", 8));
  swung("exact", 2, 50, 1.0, &last);  // 20 ms: thousands of explicit steps each
  Work work(r.model, 1);
  Inputs in;
  in.gravity = {0, -9.81, 0};
  const double e = total_energy(r.model, in, last, work), e0 = total_energy(r.model, in, r.state, work);
  EXPECT_LT(e, e0 + 1e-4);
}

// Where nothing moves there is only rounding to judge steps by; that must not halve them.
TEST(ImplicitStep, StandsStillInWholeSteps) {
  auto r = built(soft_rod("exact", 20));
  Inputs in = clamped_at(r, 0, 1e-2);
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  for (int i = 0; i < 50; ++i)
    ASSERT_EQ(step_implicit(r.model, [&](double) { return in; }, r.state, work, newton, {}), Outcome::done);
  EXPECT_EQ(r.state.memory.halvings, 0);
  EXPECT_LT(r.state.memory.iterations, 300);
}

TEST(ImplicitStep, NotesThePartsThatItsStepsWereTakenIn) {
  constexpr int steps = 20;
  constexpr double dt = 2.5e-3;
  const auto parts = [&](double accuracy) {
    auto r = built(soft_rod("exact", 8));
    Inputs in = clamped_at(r, 0, dt);
    in.gravity = {0, -9.81, 0};
    Work work(r.model, 1);
    NewtonWork newton(r.model, work.terms);
    newton.size = 0.1;
    ImplicitSettings set;
    set.accuracy = accuracy;
    for (int i = 0; i < steps; ++i)
      EXPECT_EQ(step_implicit(
                    r.model, [&](double) { return in; }, r.state, work, newton, set),
                Outcome::done);
    return r.state.memory.parts;
  };
  const StepParts whole = parts(0), fine = parts(1e-7);
  EXPECT_EQ(whole.taken, steps);
  EXPECT_EQ(whole.shortest, dt);
  EXPECT_NEAR(whole.time, steps * dt, 1e-12);
  EXPECT_GT(fine.taken, 4 * steps);  // two halves of every part are what stands
  EXPECT_LE(fine.shortest, dt / 4);
  EXPECT_NEAR(fine.time, steps * dt, 1e-12);
}

TEST(ImplicitStep, LedgerBalances) {
  RodSpec rod = soft_rod("exact", 8);
  rod.damping = [](const ElasticBond& b) { return damping_time(b, 2e-3); };
  const auto imbalance = [&](int steps) {
    auto r = built(rod);
    Inputs in = clamped_at(r, 0, 0.1 / steps);
    const auto pose = r.state.nodes.frame(0);
    in.gravity = {0, -9.81, 0};
    in.damping_rate = in.spin_damping_rate = 3;
    Work work(r.model, 1);
    NewtonWork newton(r.model, work.terms);
    in.held[0].twist.v = {0, 0.4, 0};
    start_explicit(r.model, in, r.state, work);
    const double e0 = total_energy(r.model, in, r.state, work);
    for (int i = 0; i < steps; ++i) {
      const InputsAt at = [&](double u) {
        const double t = (i + u) * in.dt;
        in.held[0].pose.x = pose.x + V{0, 0.01 * std::sin(40 * t), 0};
        in.held[0].twist.v = {0, 0.4 * std::cos(40 * t), 0};
        in.loads = {{{8}, {1.0}, {0, 0, 1e-3 * std::sin(30 * t)}, {}, false}};
        return in;
      };
      EXPECT_EQ(step_implicit(r.model, at, r.state, work, newton, {}), Outcome::done);
    }
    const auto& l = r.state.memory.ledger;
    EXPECT_GT(l.dissipated, 1e-5);
    EXPECT_GT(std::abs(l.drives), 1e-6);
    EXPECT_NE(l.loads, 0.0);
    const double balance = total_energy(r.model, in, r.state, work) - e0 - l.drives - l.loads + l.dissipated;
    return balance / l.dissipated;
  };
  EXPECT_LT(std::abs(imbalance(200)), 1e-5);
  EXPECT_LT(std::abs(imbalance(800)), 1e-5);
}

}  // namespace ls::implicit_step_test
