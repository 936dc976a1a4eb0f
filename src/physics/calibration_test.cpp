#include "physics/calibration.h"

#include "physics/derive.h"
#include "physics/kernels.h"

#include <gtest/gtest.h>
#include <numbers>

namespace ls::calibration_test {

TEST(Calibration, SectionsHaveTheirTextbookConstants) {
  const Section c = circular_section(0.02, 0.3);
  EXPECT_NEAR(c.area, std::numbers::pi * 1e-4, 1e-18);
  EXPECT_NEAR(c.i1, std::numbers::pi * 1.6e-7 / 64, 1e-20);
  EXPECT_DOUBLE_EQ(c.torsion, 2 * c.i1);
  const Section square = rectangular_section(1, 1, 0.3);
  EXPECT_NEAR(square.torsion, 0.140577, 1e-6);
  const Section flat = rectangular_section(10, 1, 0.3);
  EXPECT_NEAR(flat.torsion, 3.123, 1e-3);
  EXPECT_NEAR(flat.i1, 10.0 / 12, 1e-14);
  EXPECT_NEAR(flat.i2, 1000.0 / 12, 1e-12);
}

TEST(Calibration, TimoshenkoTendsToBernoulliEulerForSlenderBonds) {
  const Elasticity m{1e6, 4e5};
  const Section s = circular_section(1e-3, m.poisson());
  const auto slender = elastic_bond(Calibration::timoshenko, s, m, 1.0),
             thin = elastic_bond(Calibration::bernoulli_euler, s, m, 1.0);
  EXPECT_NEAR(slender.ks1 / thin.ks1, 1, 1e-5);
  // Thick ones shear: tends to kappa G A/l.
  const auto thick = elastic_bond(Calibration::timoshenko, s, m, 1e-6);
  EXPECT_NEAR(thick.ks1 / (s.shear_factor * m.shear * s.area / 1e-6), 1, 1e-5);
}

TEST(Calibration, ShortCylinderIsStifferWherePoissonsRatioIsHigh) {
  const Elasticity m{1e6, 1e6 / (2 * 1.4)};  // nu = 0.4
  const Section s = circular_section(1e-3, 0.4);
  const auto b = elastic_bond(Calibration::short_cylinder, s, m, 1e-4);
  EXPECT_NEAR(b.kr, 0.6 / (1.4 * 0.2) * 1e6 * s.area / 1e-4, 1e-6 * b.kr);
  EXPECT_NEAR(b.ks1, m.shear * s.area / 1e-4, 1e-9 * b.ks1);
}

// Equations 22 of the V-model paper, from which its example takes B1..B4.
TEST(Calibration, VectorBondHasThePapersParameters) {
  const double nu = 0.2, d = 0.2, area = std::numbers::pi * d * d / 4;
  const Elasticity m{1 / area, 1 / area / (2 * (1 + nu))};  // EA/a = 1
  const auto b = VectorBond::of(elastic_bond(Calibration::bernoulli_euler, circular_section(d, nu), m, 1.0));
  EXPECT_NEAR(b.b1, 1, 1e-14);
  EXPECT_NEAR(b.b2, -5e-3, 1e-14);
  EXPECT_NEAR(b.b3, 15e-3, 1e-14);
  EXPECT_NEAR(b.b4, 2.08333333e-3, 1e-10);
}

// All models have the same stiffness at rest: that of the Euler-Bernoulli beam element.
TEST(Calibration, EveryModelStartsAsTheSameElement) {
  const ElasticBond b{7, 0.9, 0.9, 0.3, 0.3, 0.2, 0.5};
  const Frame<double> f[2] = {{{}, {}}, {{0, 0, 0.5}, {}}};
  double exact[12][12], other[12][12];
  stiffness<ExactBond>(ExactBond::of(b), f, exact);
  const double l = b.l, ks = b.ks1, kb = b.kb1;
  EXPECT_NEAR(exact[0][0], ks, 1e-13);
  EXPECT_NEAR(exact[0][4], ks * l / 2, 1e-13);
  EXPECT_NEAR(exact[4][4], kb + ks * l * l / 4, 1e-13);
  EXPECT_NEAR(exact[4][10], -kb + ks * l * l / 4, 1e-13);
  for (int model = 0; model < 2; ++model) {
    if (model == 0)
      stiffness<CorotationalBond>(CorotationalBond::of(b), f, other);
    else
      stiffness<VectorBond>(VectorBond::of(b), f, other);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) EXPECT_NEAR(exact[i][j], other[i][j], 1e-12) << model << " " << i << " " << j;
  }
}

}  // namespace ls::calibration_test
