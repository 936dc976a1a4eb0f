#include "base/sanitized.h"
#include "build/shell.h"
#include "model/inertia.h"
#include "step/energy.h"
#include "step/newton/implicit_step.h"
#include "step/test_rods.h"

#include <cmath>
#include <gtest/gtest.h>

// Rods that are flung about in long midpoint steps keep energy and momentum.
namespace ls::conservation_test {

using namespace test;
using V = Vec3<double>;

// A soft ribbon of 15 bonds; explicit steps may be 134 us long.
constexpr double critical = 134e-6;
Builder::Result flung(const std::string& model, double speed, bool magnetic = false) {
  RodSpec r = soft_rod(model, 15);
  const Elasticity e{2e6, 2e6 / 2.7};
  r.line = line({0, 0, 0}, {0.15, 0, 0}, 15, {0, 0, 1});
  r.section = [](double) { return rectangular_section(6e-3, 2e-3, 0.35); };
  r.material = [e](double) { return e; };
  r.density = [](double) { return 1100.0; };
  if (magnetic) r.magnetisation = [](double) { return V{0, 0, 4e4}; };
  auto made = built(r);
  for (int i = 0; i <= 15; ++i) {
    const double u = i / 15.0, pi = 3.141592653589793;
    made.state.nodes.set(i, Twist<double>{speed * V{std::sin(5 * u), std::cos(2 * pi * u), (2 * u - 1) * (2 * u - 1)},
                                          50 * speed * V{1 - u, std::cos(9 * u), std::sin(4 * u)}});
  }
  return made;
}

class Uniform final : public Field {
 public:
  explicit Uniform(const V& b) : b_(b) {}
  void add(const V*, int points, int, FieldSample* out) const override {
    for (int i = 0; i < points; ++i) out[i].b += b_;
  }
  bool is_uniform() const override { return true; }

 private:
  V b_;
};

struct Sums {
  double kinetic = 0, total = 0;
  V momentum{}, angular{};
};
Sums sums(const Model& m, const Inputs& in, const State& s, Work& work) {
  Sums r;
  const auto e = energies(m, in, s, work);
  r.kinetic = energy_of(e, "kinetic") + energy_of(e, "spin"), r.total = energy_of(e, "total");
  for (int i = 0; i < m.nodes; ++i) {
    const auto f = s.nodes.frame(i);
    const auto t = s.nodes.twist(i);
    r.momentum += m.mass[i] * t.v;
    r.angular += cross(f.x, m.mass[i] * t.v) + angular_momentum(m, i, f.q, t.w);
  }
  return r;
}

struct Kept {
  double energy = 0;                 // largest error, of the first kinetic energy
  double momentum = 0, angular = 0;  // at the end, of the first
};
Kept keeps(Builder::Result r, Inputs in, double duration) {
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  const Sums first = sums(r.model, in, r.state, work);
  Kept kept;
  const int steps = static_cast<int>(duration / in.dt);
  Sums now = first;
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(step_implicit(r.model, [&](double) { return in; }, r.state, work, newton, {}), Outcome::done);
    now = sums(r.model, in, r.state, work);
    kept.energy = std::max(kept.energy, std::abs(now.total - first.total) / first.kinetic);
  }
  kept.momentum = norm(now.momentum - first.momentum) / norm(first.momentum);
  kept.angular = norm(now.angular - first.angular) / norm(first.angular);
  return kept;
}

struct Throw {
  const char* model;
  double speed;   // m/s
  double length;  // of a step, beside the critical one
  double energy;  // allowed
};
class Flung : public testing::TestWithParam<Throw> {};

TEST_P(Flung, KeepsEnergyAndMomentum) {
  const Throw& p = GetParam();
  Inputs in;
  in.dt = p.length * critical;
  const Kept k = keeps(flung(p.model, p.speed), in, is_sanitized ? 0.03 : 0.15);
  EXPECT_LT(k.energy, p.energy);
  EXPECT_LT(k.momentum, 1e-12);
  EXPECT_LT(k.angular, 1e-11);
}
INSTANTIATE_TEST_SUITE_P(All, Flung,
                         testing::Values(Throw{"exact", 1, 0.4, 1e-6}, Throw{"exact", 1, 1.5, 1e-6},
                                         Throw{"exact", 1, 5, 1e-5}, Throw{"exact", 4, 5, 1e-3},
                                         Throw{"corotational", 1, 1.5, 1e-3}, Throw{"corotational", 1, 5, 1e-3},
                                         Throw{"vector", 0.25, 1.5, 1e-3}),
                         [](const auto& p) { return std::string(p.param.model) + "_" + std::to_string(p.index); });

TEST(FlungMagnet, KeepsEnergyInAUniformField) {
  Inputs in;
  in.dt = 1.5 * critical;
  in.fields = {std::make_shared<Uniform>(V{0, 0.02, 0})};
  EXPECT_LT(keeps(flung("exact", 0.5, true), in, is_sanitized ? 0.03 : 0.15).energy, 1e-6);
}

// A magnet of one node goes by the angle itself: see turn_scale in terms/field_term.cpp.
TEST(FlungMagnet, OneNodeKeepsEnergyInAUniformField) {
  auto r = flung("exact", 0, true);
  r.model.bond_tables.clear();
  for (int i = 0; i < r.model.nodes; ++i) r.state.nodes.set(i, Twist<double>{{}, {30, 100, 20}});
  Inputs in;
  in.dt = 1e-3;
  in.fields = {std::make_shared<Uniform>(V{0, 2e-5, 1e-5})};
  EXPECT_LT(keeps(std::move(r), in, 0.5).energy, 1e-6);
}

// A sheet that folds and spins, in steps of five times the critical one.
Builder::Result flung_sheet(double speed) {
  ShellSpec shell;
  shell.name = "sheet";
  shell.surface = triangular_sheet(0.1, 0.06, 0.02);
  shell.thickness = 2e-3;
  shell.material = {2e6, 2e6 / 2.6};
  shell.density = 1100;
  Builder b;
  b.add(assembled(shell));
  auto made = b.finish();
  for (int i = 0; i < made.model.nodes; ++i) {
    const V x = made.state.nodes.frame(i).x;
    made.state.nodes.set(i, Twist<double>{speed * V{std::sin(50 * x.y), std::cos(60 * x.x), 30 * x.x - 20 * x.y},
                                          50 * speed * V{std::cos(90 * x.x), std::sin(70 * x.y), std::cos(40 * x.x)}});
  }
  return made;
}
constexpr double sheet_step = 0.65e-3;

struct Spent {
  double iterations = 0;  // a step
  int halvings = 0;       // in the end
};
Spent spent(Builder::Result r, double dt, int steps, int halvings) {
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  Inputs in;
  in.dt = dt;
  r.state.memory.halvings = halvings;
  for (int i = 0; i < steps; ++i)
    EXPECT_EQ(step_implicit(r.model, [&](double) { return in; }, r.state, work, newton, {}), Outcome::done);
  return {static_cast<double>(r.state.memory.iterations) / steps, r.state.memory.halvings};
}

// What the symmetric matrix leaves out makes moves shrink by a third each there.
TEST(FlungSheet, TakesFewIterations) {
  const int steps = is_sanitized ? 10 : 60;
  EXPECT_LT(spent(flung_sheet(0.4), sheet_step, steps, 0).iterations, 15);
  EXPECT_LT(spent(flung_sheet(0.7), sheet_step, steps, 0).iterations, 20);
  EXPECT_LT(spent(flung("exact", 4), 5 * critical, steps, 0).iterations, 32);
}

// One hard step must not keep all that follow short.
TEST(FlungSheet, GoesBackToWholeSteps) {
  EXPECT_EQ(spent(flung_sheet(0.7), sheet_step, 50, 3).halvings, 0);
}

}  // namespace ls::conservation_test
