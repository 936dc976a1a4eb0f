#include "build/average.h"

#include "build/builder.h"
#include "math/rotation.h"

#include <gtest/gtest.h>
#include <numbers>

// Averages along a rod, and what nodes and bonds become by them.
namespace ls::average_test {

using V = Vec3<double>;

template <class Function>
double mean_of(double from, double between, double to, const Function& f) {
  return average_over<1>(from, between, to, [&](double u) { return std::array<double, 1>{f(u)}; }).mean[0];
}

TEST(Averages, ConstantsKeepTheirBits) {
  for (const double c : {0.0, 0.1, 1e5 / 3, -7e-12}) EXPECT_EQ(mean_of(0.1, 0.3, 0.7, [&](double) { return c; }), c);
}

TEST(Averages, AreExactForSmoothFunctionsKinksAndJumps) {
  EXPECT_NEAR(mean_of(0.2, 0.5, 0.9, [](double u) { return std::exp(3 * u); }),
              (std::exp(2.7) - std::exp(0.6)) / 3 / 0.7, 1e-11);
  EXPECT_NEAR(mean_of(0, 0.5, 1, [](double u) { return std::abs(u - 0.3); }), (0.09 + 0.49) / 2, 1e-11);
  for (const double at : {0.61, 0.7, 0.7071, 0.799999, 0.9, 0.999})
    EXPECT_NEAR(mean_of(0.6, 0.8, 1, [&](double u) { return u > at ? 6e4 : 0; }), 6e4 * (1 - at) / 0.4, 6e4 * 1e-10)
        << at;
  // Many jumps: teeth of a comb.
  EXPECT_NEAR(mean_of(0, 0.5, 1, [](double u) { return std::fmod(std::floor(20 * u), 2); }), 0.5, 1e-9);
}

TEST(Averages, SayWhereSomethingIsNoNumber) {
  try {
    mean_of(0, 0.25, 0.5, [](double u) { return 1 / (u - 0.25); });
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("u = 0.25"), std::string::npos) << e.what();
  }
}

RodSpec graded_rod(const CentreLine& line) {
  RodSpec r;
  r.name = "rod";
  r.line = line;
  r.section = [](double) { return circular_section(0.01, 0.25); };
  r.material = [](double) { return Elasticity{1e6, 4e5}; };
  r.density = [](double) { return 1000.0; };
  return r;
}
Model model_of(const RodSpec& spec) {
  Builder b;
  b.add(spec);
  return b.finish().model;
}
double column_sum(const Column& column, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += column[i];
  return s;
}

TEST(Averages, TotalMomentOfAMagnetisedTipIsExactForAnyNumberOfBonds) {
  for (const int bonds : {1, 3, 7, 50, 100, 333})
    for (const double tip : {0.2, 0.2 - 1e-9, 1.0 / 3, 0.013}) {
      RodSpec rod = graded_rod(line({0, 0, 0}, {0.04, 0, 0}, bonds, {0, 0, 1}));
      rod.magnetisation = [&](double u) { return V{0, 0, u > 1 - tip ? 6e4 : 0.0}; };
      const Model m = model_of(rod);
      const double whole = 6e4 * tip * 0.04 * std::numbers::pi / 4 * 1e-4;
      EXPECT_NEAR(column_sum(m.moment[2], m.nodes), whole, 1e-9 * whole) << bonds << " bonds, tip " << tip;
    }
}

TEST(Averages, MassOfATaperedRodIsThatOfACone) {
  for (const int bonds : {2, 9, 40}) {
    RodSpec rod = graded_rod(line({0, 0, 0}, {1, 0, 0}, bonds, {0, 0, 1}));
    rod.section = [](double u) { return circular_section(0.02 - 0.01 * u, 0.25); };
    const Model m = model_of(rod);
    const double cone = 1000 * std::numbers::pi / 12 * (4e-4 + 2e-4 + 1e-4);
    EXPECT_NEAR(column_sum(m.mass, m.nodes), cone, 1e-9 * cone);
  }
}

// A chain of bonds in series gives way as much as the stepped rod it stands for, wherever the step is.
TEST(Averages, BondsOfASteppedRodGiveWayAsItDoes) {
  const Section thick = circular_section(0.02, 0.25), thin = circular_section(0.01, 0.25);
  for (const int bonds : {2, 5, 10})
    for (const double step : {0.5, 0.47, 0.31}) {
      RodSpec rod = graded_rod(line({0, 0, 0}, {1, 0, 0}, bonds, {0, 0, 1}));
      rod.section = [&](double u) { return u < step ? thick : thin; };
      const Model m = model_of(rod);
      double stretch = 0, bend = 0, twist = 0;
      for (const BondEntry& b : m.bond_tables[0].bonds) {
        const ElasticBond& k = m.bond_tables[0].classes[b.cls].stiffness;
        stretch += 1 / k.kr, bend += 1 / k.kb1, twist += 1 / k.kt;
      }
      const auto series = [&](double a, double b) { return step / a + (1 - step) / b; };
      EXPECT_NEAR(stretch * 1e6 / series(thick.area, thin.area), 1, 1e-9);
      EXPECT_NEAR(bend * 1e6 / series(thick.i1, thin.i1), 1, 1e-9);
      EXPECT_NEAR(twist * 4e5 / series(thick.torsion, thin.torsion), 1, 1e-9);
    }
}

// What is given as drawn keeps its direction in the world, whatever way the rod runs there.
TEST(Averages, MagnetisationAsDrawnIsAveragedInTheWorld) {
  RodSpec rod = graded_rod(arc(0.1, 2, 30, {0, 0, 1}));
  rod.magnetisation = [](double u) { return V{u > 0.83 ? 1e4 : 0.0, 0, 0}; };
  rod.magnetised_as_drawn = true;
  Builder b;
  b.add(rod);
  const auto r = b.finish();
  V all{};
  for (int i = 0; i < r.model.nodes; ++i)
    all += rotate(r.state.nodes.frame(i).q, V{r.model.moment[0][i], r.model.moment[1][i], r.model.moment[2][i]});
  const double whole = 1e4 * 0.17 * 0.2 * std::numbers::pi / 4 * 1e-4;
  EXPECT_NEAR(all.x, whole, 1e-9 * whole);
  EXPECT_NEAR(all.y, 0, 1e-9 * whole);
}

}  // namespace ls::average_test
