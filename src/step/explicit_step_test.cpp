#include "step/explicit_step.h"

#include "base/sanitized.h"
#include "math/rotation.h"
#include "step/critical_step.h"
#include "step/energy.h"
#include "step/stiffest_part.h"
#include "step/test_rods.h"

#include <gtest/gtest.h>

namespace ls::explicit_step_test {

using namespace test;

double energy(const Builder::Result& r, const Inputs& in = {}) {
  Work work(r.model, 1);
  return total_energy(r.model, in, r.state, work);
}

TEST(ExplicitStep, AFreeRodFallsAsOne) {
  auto r = built(soft_rod("exact", 20));
  Inputs in = clamped_at(r, -1, 1e-6);
  in.gravity = {0, -9.81, 0};
  Work work(r.model, 1);
  const double x0 = r.state.nodes.x[0][7];
  start_explicit(r.model, in, r.state, work);
  advance(r.model, in, r.state, work, 1000);
  for (int i = 0; i <= 20; ++i) EXPECT_NEAR(r.state.nodes.x[1][i], -0.5 * 9.81 * 1e-6, 1e-15);
  EXPECT_NEAR(r.state.nodes.x[0][7], x0, 1e-16);
}

TEST(ExplicitStep, DampingHasItsTime) {
  auto spec = soft_rod("exact", 8);
  spec.velocity = {0, 0, 2};
  auto r = built(spec);
  Inputs in = clamped_at(r, -1, 1e-6);
  in.damping_rate = in.spin_damping_rate = 1 / 3e-3;
  Work work(r.model, 1);
  start_explicit(r.model, in, r.state, work);
  advance(r.model, in, r.state, work, 3000);
  EXPECT_NEAR(r.state.nodes.v[2][4], 2 * std::exp(-1.0), 1e-9);
}

class AllModels : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Bonds, AllModels, testing::Values("exact", "vector"));

TEST_P(AllModels, EnergyErrorIsBoundedAndOfSecondOrder) {
  const auto band = [&](double share) {
    auto spec = soft_rod(GetParam(), 10);
    spec.random = {0.3, 30, true, true, true, 4};
    auto r = built(spec);
    const double dt = share * critical_step(largest_frequency(r.model, make_terms(r.model), r.state, r.model.held), 0);
    const Inputs in = clamped_at(r, -1, dt);
    Work work(r.model, 1);
    start_explicit(r.model, in, r.state, work);
    const double e0 = energy(r);
    double low = e0, high = e0;
    for (int i = 0; i < 4000; ++i) {
      advance(r.model, in, r.state, work, 1);
      low = std::min(low, energy(r)), high = std::max(high, energy(r));
    }
    return (high - low) / e0;
  };
  const double coarse = band(0.1), fine = band(0.05);
  EXPECT_LT(coarse, 3e-3);
  EXPECT_NEAR(coarse / fine, 4, 1.2);
}

TEST_P(AllModels, MomentumIsConserved) {
  auto spec = soft_rod(GetParam(), 30);
  spec.random = {0.3, 30, true, true, true, 4};
  spec.damping = [](const ElasticBond& b) { return damping_time(b, 1e-5); };
  auto r = built(spec);
  const Inputs in = clamped_at(r, -1, 1e-6);
  const auto momenta = [&] {
    Vec3<double> p, l;
    for (int i = 0; i < r.model.nodes; ++i) {
      const auto f = r.state.nodes.frame(i);
      const auto t = r.state.nodes.twist(i);
      const auto w = rotate(conj(f.q), t.w);
      p += r.model.mass[i] * t.v;
      l += cross(f.x, r.model.mass[i] * t.v) +
           rotate(f.q,
                  Vec3<double>{r.model.inertia[0][i] * w.x, r.model.inertia[1][i] * w.y, r.model.inertia[2][i] * w.z});
    }
    return std::pair(p, l);
  };
  Work work(r.model, 1);
  start_explicit(r.model, in, r.state, work);
  const auto before = momenta();
  const double e0 = energy(r);
  advance(r.model, in, r.state, work, 5000);
  const auto after = momenta();
  EXPECT_LT(norm(after.first - before.first), 1e-12 * norm(before.first));
  EXPECT_LT(norm(after.second - before.second), 1e-11 * norm(before.second));
  EXPECT_LT(energy(r), 0.9 * e0);
}

// At small strain and small steps the paper's finite differences damp as the analytic rates do.
TEST(PaperDamping, AgreesWithTheAnalyticRates) {
  const auto energy_left = [](bool paper) {
    auto spec = soft_rod("corotational", 12);
    spec.velocity = {0, 0, 0};
    spec.random = {1e-3, 0.05, true, true, true, 6};
    spec.damping = [](const ElasticBond& b) { return damping_time(b, 2e-5); };
    spec.paper_rate = paper;
    auto r = built(spec);
    const Inputs in = clamped_at(r, -1, 1e-6);
    Work work(r.model, 1);
    start_explicit(r.model, in, r.state, work);
    const double e0 = energy(r);
    advance(r.model, in, r.state, work, 1000);
    return energy(r) / e0;
  };
  const double analytic = energy_left(false), paper = energy_left(true);
  EXPECT_LT(analytic, 0.8);  // what is left is mostly the motion as a whole
  EXPECT_NEAR(paper, analytic, 0.05);
}

TEST(ExplicitStep, FlatSectionsTurnAsAsymmetricTops) {
  auto spec = soft_rod("exact", 6);
  spec.section = [](double) { return rectangular_section(6e-3, 2e-3, 0.25); };
  spec.random = {0.2, 40, true, true, true, 8};
  auto r = built(spec);
  const Inputs in = clamped_at(
      r, -1, 0.05 * critical_step(largest_frequency(r.model, make_terms(r.model), r.state, r.model.held), 0));
  Work work(r.model, 1);
  EXPECT_FALSE(work.symmetric);
  start_explicit(r.model, in, r.state, work);
  const double e0 = energy(r);
  for (int i = 0; i < 3000; ++i) {
    advance(r.model, in, r.state, work, 1);
    ASSERT_NEAR(energy(r), e0, 2e-3 * e0);
  }
}

TEST(ThreadedStep, SameBitsForAnyNumberOfThreads) {
  const int bonds = 12000;
  auto serial = long_rod(bonds);
  Inputs in = clamped_at(serial, 0, 2e-5);
  in.gravity = {0, 0, -9.81};
  in.damping_rate = 1;
  Work one(serial.model, 1);
  start_explicit(serial.model, in, serial.state, one);
  advance(serial.model, in, serial.state, one, 40);
  for (const int threads : {2, 3}) {
    auto r = long_rod(bonds);
    Work work(r.model, threads);
    start_explicit(r.model, in, r.state, work);
    advance(r.model, in, r.state, work, 40);
    EXPECT_TRUE(same_bits(serial.state.nodes, r.state.nodes)) << threads;
    const auto a = energies(r.model, in, r.state, work), b = energies(r.model, in, r.state, one);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].value, b[i].value);
  }
}

TEST(ExplicitStep, HeldDirectionsStayAndTheirReactionsAreKept) {
  auto spec = soft_rod("exact", 10);
  auto r = built(spec);
  Inputs in = clamped_at(r, -1, 2e-5);
  in.gravity = {0, -9.81, -2};
  in.held = {{0, hold_y | hold_z, r.state.nodes.frame(0), {}}, {10, hold_y | hold_z | 8, r.state.nodes.frame(10), {}}};
  in.damping_rate = in.spin_damping_rate = 60;  // twice the first frequency
  Work work(r.model, 1);
  start_explicit(r.model, in, r.state, work);
  advance(r.model, in, r.state, work, 60000);
  double weight = 0;
  for (int i = 0; i <= 10; ++i) weight += r.model.mass[i] * 9.81;
  EXPECT_EQ(r.state.nodes.x[1][0], 0);
  EXPECT_EQ(r.state.nodes.x[2][10], 0);
  EXPECT_NEAR(-r.state.nodes.f[1][0] - r.state.nodes.f[1][10], weight, 1e-4 * weight);
  EXPECT_LT(r.state.nodes.x[1][5], -1e-5);
}

TEST(ExplicitStep, DivergenceNamesTheNode) {
  auto spec = soft_rod("exact", 10);
  spec.random = {0.1, 1, true, true, true, 1};
  auto r = built(spec);
  const Inputs in =
      clamped_at(r, -1, 3 * critical_step(largest_frequency(r.model, make_terms(r.model), r.state, r.model.held), 0));
  Work work(r.model, 1);
  start_explicit(r.model, in, r.state, work);
  Outcome o = Outcome::done;
  for (int i = 0; i < 5000 && o == Outcome::done; ++i) o = step_explicit(r.model, in, r.state, work);
  EXPECT_EQ(o, Outcome::diverged);
  EXPECT_GE(work.lost_node, 0);
}

TEST(Thermal, EquipartitionOfVelocitiesAndSpins) {
  auto spec = soft_rod("exact", 20);
  spec.density = [](double) { return 1e-12; };
  spec.material = [](double) { return Elasticity{1e-6, 4e-7}; };
  auto r = built(spec);
  Inputs in =
      clamped_at(r, -1, 0.1 * critical_step(largest_frequency(r.model, make_terms(r.model), r.state, r.model.held), 0));
  in.temperature = 300;
  in.damping_rate = in.spin_damping_rate = 0.02 / in.dt;
  in.seed = 3;
  Work work(r.model, 1);
  start_explicit(r.model, in, r.state, work);
  advance(r.model, in, r.state, work, 2000);
  double kinetic = 0, spin = 0;
  const int samples = 4000;
  for (int i = 0; i < samples; ++i) {
    advance(r.model, in, r.state, work, 5);
    const auto e = energies(r.model, {}, r.state, work);
    kinetic += energy_of(e, "kinetic"), spin += energy_of(e, "spin");
  }
  const double each = 1.5 * 1.380649e-23 * 300 * r.model.nodes;
  EXPECT_NEAR(kinetic / samples / each, 1, 0.05);
  EXPECT_NEAR(spin / samples / each, 1, 0.05);
}

TEST(CriticalStep, IsWhereTheStepBecomesUnstable) {
  for (const double share : {0.97, 1.03}) {
    auto spec = soft_rod("exact", 20);
    spec.random = {1e-7, 1e-5, true, true, true, 1};
    auto r = built(spec);
    const Inputs in = clamped_at(
        r, -1, share * critical_step(largest_frequency(r.model, make_terms(r.model), r.state, r.model.held), 0));
    Work work(r.model, 1);
    start_explicit(r.model, in, r.state, work);
    const double e0 = energy(r);
    double most = e0;
    for (int i = 0; i < 20000 && most < 10 * e0; ++i) {
      if (step_explicit(r.model, in, r.state, work) != Outcome::done) most = 11 * e0;
      if (i % 10 == 0) most = std::max(most, energy(r));
    }
    EXPECT_EQ(most >= 10 * e0, share > 1) << share << " " << most / e0;
  }
}

// A rod that gets thicker, and has a stiff joint of short bonds: the fastest vibrations are found where they are.
TEST(CriticalStep, OfALargeModelIsThatOfItsStiffestPart) {
  RodSpec rod = soft_rod("exact", is_sanitized ? 1000 : 3000);
  for (const bool graded : {false, true}) {
    if (graded) {
      rod.section = [](double u) { return circular_section(0.01 * (1 + u), 0.25); };
      rod.material = [](double u) { return u > 0.2 && u < 0.21 ? Elasticity{4e6, 1.6e6} : Elasticity{1e6, 4e5}; };
    }
    const auto r = built(rod);
    const double whole = largest_frequency(r.model, make_terms(r.model), r.state, r.model.held);
    double by_parts = 0;
    for (const ModelPart& part : stiffest_parts(r.model, r.state, r.model.held, 500)) {
      EXPECT_LE(part.model.nodes, 500);
      by_parts = std::max(by_parts, largest_frequency(part.model, make_terms(part.model), part.state, part.held));
    }
    EXPECT_NEAR(by_parts / whole, 1, 1e-4) << graded;
    EXPECT_TRUE(are_rods(r.model));
  }
  auto branched = built(soft_rod("exact", 3));
  branched.model.bond_tables[0].bonds.push_back({1, 3, 0});
  EXPECT_FALSE(are_rods(branched.model));
}

}  // namespace ls::explicit_step_test
