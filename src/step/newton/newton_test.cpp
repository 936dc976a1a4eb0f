#include "step/newton/newton.h"

#include "build/joints/join.h"
#include "step/energy.h"
#include "step/newton/spinners.h"
#include "step/newton/static_step.h"
#include "step/test_rods.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace ls::newton_test {

using namespace test;
using V = Vec3<double>;

// A rod that is bent, stretched and twisted a little, and moves.
Builder::Result crumpled(const std::string& model, bool damped) {
  RodSpec rod = soft_rod(model, 11);
  if (damped) rod.damping = [](const ElasticBond& b) { return damping_time(b, 1e-3); };
  auto r = built(rod);
  for (int i = 0; i < r.model.nodes; ++i) {
    auto f = r.state.nodes.frame(i);
    const double a = 1.3 * i;
    f.x += V{1e-4 * std::sin(a), 2e-4 * std::cos(2 * a), 1e-4 * std::sin(3 * a)};
    f.q = turn({0.05 * std::cos(a), 0.04 * std::sin(a), 0.06 * std::cos(3 * a)}) * f.q;
    r.state.nodes.set(i, f);
    r.state.nodes.set(i, Twist<double>{{0.1 * std::cos(a), 0.2 * std::sin(a), 0.1}, {std::sin(a), 2, std::cos(a)}});
  }
  return r;
}

std::vector<double> residual(const Builder::Result& r, const Inputs& in, const Nodes& nodes) {
  State s = r.state;
  s.nodes = nodes;
  Work work(r.model, 1);
  sum_wrenches(r.model, in, s, work);
  std::vector<double> out;
  for (int i = 0; i < r.model.nodes; ++i) {
    const auto w = s.nodes.wrench(i);
    for (const double a : {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z}) out.push_back(a);
  }
  return out;
}

// Moves node i by eps in direction c, its velocity following at the given rate.
Nodes nudged(Nodes n, int i, int c, double eps, double rate) {
  const V e{c % 3 == 0 ? eps : 0, c % 3 == 1 ? eps : 0, c % 3 == 2 ? eps : 0};
  auto f = n.frame(i);
  auto t = n.twist(i);
  if (c < 3)
    f.x += e, t.v += rate * e;
  else
    f.q = normalized(turn(e) * f.q), t.w += rate * e;
  n.set(i, f);
  n.set(i, t);
  return n;
}

// The symmetric part of minus the derivative of the wrenches, column by column, against the assembled stiffness.
double stiffness_error(const Builder::Result& r, const BlockMatrix& k, double rate) {
  const int n = 6 * r.model.nodes;
  const Inputs in;
  std::vector<std::vector<double>> d(static_cast<std::size_t>(n));
  for (int c = 0; c < n; ++c) {
    const double eps = c % 6 < 3 ? 1e-8 : 1e-6;
    const auto a = residual(r, in, nudged(r.state.nodes, c / 6, c % 6, eps, rate));
    const auto b = residual(r, in, nudged(r.state.nodes, c / 6, c % 6, -eps, rate));
    d[c].resize(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) d[c][i] = (b[i] - a[i]) / (2 * eps);
  }
  double worst = 0, largest = 0;
  for (int c = 0; c < n; ++c) {
    std::vector<double> unit(static_cast<std::size_t>(n), 0.0), column(unit);
    unit[c] = 1;
    k.add_product(unit.data(), column.data());
    for (int i = 0; i < n; ++i) {  // turns are measured in units of the bond length, to make entries comparable
      const double l = 0.1 / 11, scale = (i % 6 < 3 ? 1 : 1 / l) * (c % 6 < 3 ? 1 : 1 / l);
      worst = std::max(worst, scale * std::abs(column[i] - 0.5 * (d[c][i] + d[i][c])));
      largest = std::max(largest, scale * std::abs(column[i]));
    }
  }
  return worst / largest;
}

TEST(Stiffness, IsTheSymmetricDerivativeOfTheWrenches) {
  for (const char* model : {"exact", "vector", "corotational"})
    for (const bool damped : {false, true}) {
      const auto r = crumpled(model, damped);
      const double rate = damped ? 300 : 0;
      const Terms terms = make_terms(r.model);
      NewtonWork newton(r.model, terms);
      for (const auto& t : terms.all) t->add_stiffness(r.state, {}, {rate, nullptr}, newton.stiffness);
      EXPECT_LT(stiffness_error(r, newton.stiffness, rate), 2e-7) << model << (damped ? " damped" : "");
    }
}

// Where nothing moves, the foreseen stress is the present one, and mixed stiffness is exact stiffness.
TEST(Stiffness, MixedIsExactWhereTheForecastHolds) {
  for (const char* model : {"exact", "vector", "corotational"}) {
    const auto r = crumpled(model, false);
    const Terms terms = make_terms(r.model);
    NewtonWork newton(r.model, terms), b(r.model, terms);
    const LinearStep none{r.state.nodes, newton.move};
    for (const auto& t : terms.all) {
      t->add_stiffness(r.state, {}, {0, nullptr}, newton.stiffness);
      t->add_stiffness(r.state, {}, {0, &none}, b.stiffness);
    }
    double worst = 0, largest = 0;
    for (int i = 0; i < 36 * newton.stiffness.pattern().blocks(); ++i) {
      worst = std::max(worst, std::abs(newton.stiffness.values()[i] - b.stiffness.values()[i]));
      largest = std::max(largest, std::abs(newton.stiffness.values()[i]));
    }
    EXPECT_LT(worst, 1e-11 * largest) << model;
  }
}

// A cantilever with a dead load at its tip: the elastica to second order, from straight to strongly bent in one go.
TEST(Newton, BendsACantileverInAFewIterations) {
  for (const char* model : {"exact", "vector", "corotational"}) {
    auto r = built(soft_rod(model, 64));
    Inputs in = clamped_at(r, 0, 0);
    const double ei = 1e6 * std::numbers::pi * std::pow(4e-3, 4) / 64;
    in.loads = {{{64}, {1.0}, {0, 2 * ei / 0.01, 0}, {}, false}};  // P L^2/EI = 2
    Work work(r.model, 1);
    NewtonWork newton(r.model, work.terms);
    const auto result = solve_newton({r.model, in, in.held, r.state.nodes, {}}, r.state, work, newton);
    ASSERT_TRUE(result.ok()) << model;
    EXPECT_LE(result.iterations, 10) << model;
    EXPECT_NEAR(r.state.nodes.frame(64).x.y / 0.1, 0.4935, 1.5e-3) << model;  // Bisshopp & Drucker: 0.4935 at 2
    EXPECT_TRUE(factor_stiffness(r.model, in, in.held, r.state, newton));
    EXPECT_EQ(newton.ldlt.negative_pivots(), 0);
  }
}

TEST(Newton, TellsThatABodyFloats) {
  auto r = built(soft_rod("exact", 20));
  Inputs in = clamped_at(r, -1, 0);
  in.loads = {{{10}, {1.0}, {0, 1e-3, 0}, {}, false}};
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  const auto result = find_equilibrium(r.model, [&](double) { return in; }, r.state, work, newton, {});
  EXPECT_EQ(result.outcome, Outcome::diverged);
  EXPECT_EQ(result.reason, NewtonStop::singular);
}

// A column clamped at its foot buckles at pi^2 EI/4L^2; the dead load grows by a hundredth a step.
struct LoadedColumn {
  Builder::Result r = built(soft_rod("exact", 40));
  double critical = std::numbers::pi * std::numbers::pi * 1e6 * std::numbers::pi * std::pow(4e-3, 4) / 64 / 0.04;
  Inputs in = clamped_at(r, 0, 0);
  Work work{r.model, 1};
  NewtonWork newton{r.model, work.terms};
  const Inputs& at(double force) {
    in.loads = {{{40}, {1.0}, {-force * critical, 0, 0}, {}, false}};
    return in;
  }
};

TEST(StaticStep, FindsTheBucklingLoadOfAColumn) {
  LoadedColumn c;
  double load = 0.9;
  StaticResult last;
  for (; load < 1.2; load += 0.02) {
    last = step_static(c.r.model, [&](double u) { return c.at(load + 0.02 * u); }, c.r.state, c.work, c.newton, {});
    if (last.event != StaticEvent::none) break;
  }
  ASSERT_EQ(last.event, StaticEvent::fold);
  const double found = load + 0.02 * last.share, shortening = c.critical / (1e6 * std::numbers::pi * 4e-6);
  EXPECT_NEAR(found, 1.0 + shortening, 1e-3);  // a compressed column is shorter and thus stiffer
  ASSERT_TRUE(last.mode);
  EXPECT_LE(last.mode->omega_squared, 0.0);
  const auto& shape = last.mode->shape;
  const double tip = std::hypot(shape[40].v.y, shape[40].v.z);
  for (const int i : {10, 20, 30})  // 1 - cos(pi x/2L)
    EXPECT_NEAR(std::hypot(shape[i].v.y, shape[i].v.z) / tip, 1 - std::cos(std::numbers::pi * i / 80.0), 2e-3);
}

TEST(StaticStep, JumpsToTheBentState) {
  LoadedColumn c;
  StaticSettings jump{OnInstability::jump, {}};
  int jumps = 0;
  for (int i = 0; i < 10; ++i) {
    const auto r = step_static(
        c.r.model, [&](double u) { return c.at(0.9 + 0.02 * (i + u)); }, c.r.state, c.work, c.newton, jump);
    ASSERT_EQ(r.outcome, Outcome::done);
    jumps += r.event == StaticEvent::jump ? 1 : 0;
  }
  EXPECT_EQ(jumps, 1);
  const auto x = c.r.state.nodes.frame(40).x;
  EXPECT_GT(std::hypot(x.y, x.z), 0.03);  // at 1.1 of the critical load the tip is out by a third of the length
  EXPECT_TRUE(is_stable(c.r.model, c.in, c.r.state, c.newton));  // though it may turn about the column's axis
}

// A round beam on two pins spins about itself freely; that must not keep it from bending: P L^3/48 EI.
TEST(StaticStep, BendsABeamOnTwoPins) {
  RodSpec rod = soft_rod("exact", 40);
  rod.hold_start = rod.hold_end = hold_position;
  auto r = built(rod);
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  find_spinners(r.model, r.state, r.model.held, newton);
  EXPECT_EQ(newton.spinners.size(), 1u);
  Inputs in;
  for (const int i : {0, 40}) in.held.push_back({i, hold_position, r.state.nodes.frame(i), {}});
  const double force = 1e-6, ei = 1e6 * std::numbers::pi * std::pow(4e-3, 4) / 64;
  for (int i = 0; i < 5; ++i) {
    const InputsAt at = [&](double u) {
      in.loads = {{{20}, {1.0}, {0, force * (i + u) / 5, 0}, {}, false}};
      return in;
    };
    const auto result = step_static(r.model, at, r.state, work, newton, {});
    ASSERT_EQ(result.outcome, Outcome::done);
    ASSERT_EQ(result.event, StaticEvent::none);
  }
  EXPECT_NEAR(r.state.nodes.frame(20).x.y, force * 1e-3 / (48 * ei), 2e-3 * force * 1e-3 / (48 * ei));
}

// A bent rope on a nail: drawn to one side, it falls and hangs, free to turn about the vertical.
TEST(StaticStep, LetsARopeHang) {
  RodSpec rod = soft_rod("exact", 30);
  std::vector<Vec3<double>> bow;
  for (int i = 0; i <= 30; ++i) bow.push_back({0.1 * i / 30, 0.02 * std::sin(0.2 * i), 0});
  rod.line = through_points(bow, 30, {0, 0, 1});
  rod.hold_start = hold_position;
  auto r = built(rod);
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  find_spinners(r.model, r.state, r.model.held, newton);
  Inputs in = clamped_at(r, -1, 0);
  in.held = {{0, hold_position, r.state.nodes.frame(0), {}}};
  in.gravity = {0, -9.81, 0};
  const auto result = find_equilibrium(r.model, [&](double) { return in; }, r.state, work, newton, {});
  EXPECT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.event, StaticEvent::none);
  double lowest = 0;
  Vec3<double> centre;
  for (int i = 0; i <= 30; ++i) {
    lowest = std::min(lowest, r.state.nodes.frame(i).x.y);
    centre += (1.0 / 31) * r.state.nodes.frame(i).x;
  }
  EXPECT_LT(lowest, -0.09);
  EXPECT_LT(std::hypot(centre.x, centre.z), 1e-3);  // below the nail
}

// A torque of 2 pi EI/L at its end rolls a cantilever into a circle, whatever the number of load steps. A torque has no
// potential: the unsymmetric part of the derivative is what makes this converge.
TEST(StaticStep, RollsUpACantilever) {
  for (const int steps : {1, 7, 40}) {
    auto r = built(soft_rod("exact", 50));
    Inputs in = clamped_at(r, 0, 0);
    const double ei = 1e6 * std::numbers::pi * std::pow(4e-3, 4) / 64, torque = 2 * std::numbers::pi * ei / 0.1;
    Work work(r.model, 1);
    NewtonWork newton(r.model, work.terms);
    for (int i = 0; i < steps; ++i) {
      const InputsAt at = [&](double u) {
        in.loads = {{{50}, {1.0}, {}, {0, 0, torque * (i + u) / steps}, false}};
        return in;
      };
      const auto result = step_static(r.model, at, r.state, work, newton, {});
      ASSERT_EQ(result.outcome, Outcome::done) << steps;
      ASSERT_EQ(result.event, StaticEvent::none) << steps;
    }
    EXPECT_LT(norm(r.state.nodes.frame(50).x), 1e-6) << steps;
  }
}

// One and a half turns in one load step are just that: the torque of G J 3 pi/L.
TEST(StaticStep, TurnsAllTheWay) {
  RodSpec rod = soft_rod("exact", 20);
  rod.line = line({0, 0, 0}, {0.02, 0, 0}, 20, {0, 0, 1});  // short, lest it buckle
  auto r = built(rod);
  const auto start = r.state.nodes.frame(0), end = r.state.nodes.frame(20);
  Inputs in;
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  const InputsAt at = [&](double u) {
    in.held = {{0, hold_all, start, {}}, {20, hold_all, {end.x, turn({3 * std::numbers::pi * u, 0, 0}) * end.q}, {}}};
    return in;
  };
  const auto result = step_static(r.model, at, r.state, work, newton, {});
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.event, StaticEvent::none);
  const double torque = 4e5 * std::numbers::pi * std::pow(4e-3, 4) / 32 * 3 * std::numbers::pi / 0.02;
  EXPECT_NEAR(std::abs(r.state.nodes.t[0][0]), torque, 1e-3 * torque);
}

// After a jump a load step ends where it should.
TEST(StaticStep, EndsItsLoadStepAfterAJump) {
  RodSpec rod = soft_rod("exact", 40);
  auto r = built(rod);
  const auto start = r.state.nodes.frame(0), end = r.state.nodes.frame(40);
  Inputs in;
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  int jumps = 0;
  for (int i = 0; i < 3; ++i) {
    const InputsAt at = [&](double u) {
      in.held = {{0, hold_all, start, {}}, {40, hold_all, {end.x - V{2e-3 * (i + u), 0, 0}, end.q}, {}}};
      return in;
    };
    const auto result = step_static(r.model, at, r.state, work, newton, {OnInstability::jump, {}});
    ASSERT_EQ(result.outcome, Outcome::done);
    jumps += result.event == StaticEvent::jump ? 1 : 0;
    EXPECT_NEAR(r.state.nodes.frame(40).x.x, 0.1 - 2e-3 * (i + 1), 1e-12);
  }
  EXPECT_EQ(jumps, 1);
}

// A weight on a rail and a slanted spring, which snap through under a load that goes along all the way. Near the fold
// the rail's own give would be more than what is left of the stiffness.
TEST(StaticStep, SnapsThroughAndLosesWhatTheLoadBroughtIn) {
  for (const int steps : {20, 80}) {
    Builder builder;
    RigidSpec ball;
    ball.name = "ball", ball.shape = ball_shape(0.05), ball.pose.x = {0, 0, 0.3};
    ball.fill(1000);
    builder.add(ball);
    auto r = builder.finish();
    JointSpec rail;
    rail.name = "rail", rail.kind = JointKind::slider, rail.node[1] = 0, rail.at = {0, 0, 0.3};
    join(rail, r);
    JointSpec spring;
    spring.name = "spring", spring.kind = JointKind::spring, spring.node[1] = 0, spring.at = {1, 0, 0};
    spring.other = V{0, 0, 0.3}, spring.settings.stiffness = 1000;
    join(spring, r);
    Inputs in;
    in.loads.push_back({{0}, {1.0}, {}, {}});
    Work work(r.model, 1);
    NewtonWork newton(r.model, work.terms);
    int jumps = 0;
    for (int k = 0; k < steps / 2; ++k) {
      const InputsAt at = [&](double share) {
        in.loads[0].force.z = -20 * (k + share) / steps;
        return in;
      };
      const double before = r.state.nodes.frame(0).x.z;
      const auto result = step_static(r.model, at, r.state, work, newton, {OnInstability::jump, {}});
      ASSERT_EQ(result.outcome, Outcome::done) << k << " of " << steps;
      const Ledger& ledger = r.state.memory.ledger;
      const double energy = total_energy(r.model, at(1), r.state, work);
      EXPECT_NEAR(energy, ledger.supplied(), 3e-3);
      if (result.event != StaticEvent::jump) continue;
      ++jumps;
      const double way = before - r.state.nodes.frame(0).x.z;
      EXPECT_NEAR(ledger.loads, 4.97 * way, 0.5);  // J
      EXPECT_NEAR(ledger.dissipated, ledger.loads - energy, 3e-3);
      EXPECT_NEAR(work.terms.joints->report(1, r.state, in).force.z, -at(1).loads[0].force.z, 1e-6);
    }
    EXPECT_EQ(jumps, 1) << steps;
  }
}

// A free beam with nothing on it is in equilibrium, neither stable nor not.
TEST(StaticStep, LeavesAFreeBeamAlone) {
  for (const int bonds : {30, 60, 100}) {
    auto r = built(soft_rod("exact", bonds));
    Inputs in = clamped_at(r, -1, 0);
    Work work(r.model, 1);
    NewtonWork newton(r.model, work.terms);
    const auto result = find_equilibrium(r.model, [&](double) { return in; }, r.state, work, newton, {});
    EXPECT_EQ(result.outcome, Outcome::done) << bonds;
    EXPECT_EQ(result.event, StaticEvent::none) << bonds;
  }
}

TEST(NewtonThreads, DoNotChangeABit) {
  Nodes first;
  for (const int threads : {1, 2, 3}) {
    auto r = built(soft_rod("exact", 9000));
    Inputs in = clamped_at(r, 0, 0);
    in.gravity = {0, -1e-7, 0};
    Work work(r.model, threads);
    NewtonWork newton(r.model, work.terms);
    (void)solve_newton({r.model, in, in.held, r.state.nodes, {}}, r.state, work, newton);
    if (threads == 1) first = r.state.nodes;
    for (int c = 0; c < 3; ++c) EXPECT_TRUE(first.x[c] == r.state.nodes.x[c]);
  }
}

}  // namespace ls::newton_test
