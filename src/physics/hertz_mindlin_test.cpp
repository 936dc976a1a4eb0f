#include "physics/hertz_mindlin.h"

#include <gtest/gtest.h>

namespace ls::hertz_mindlin_test {

using V = Vec3<double>;

ContactLawOf rubber(double friction) {
  const ContactSide s = contact_side(1e6, 0.3, 0, friction);
  return contact_of(s, s);
}

TEST(HertzMindlin, ModuliOfTwoSurfaces) {
  const ContactLawOf same = rubber(0.5);
  EXPECT_DOUBLE_EQ(same.young, 1e6 / (2 * (1 - 0.09)));
  const double g = 1e6 / 2.6;
  EXPECT_DOUBLE_EQ(same.shear, g / (2 * (2 - 0.3)));
  const ContactSide soft = contact_side(1e6, 0.3, 0.1, 0.5), hard = contact_side(0, 0.3, 0.7, 0.2);
  const ContactLawOf c = contact_of(soft, hard);
  EXPECT_DOUBLE_EQ(c.young, 1e6 / (1 - 0.09));
  EXPECT_EQ(c.friction, 0.2);
  EXPECT_EQ(c.damping, 0.7);
}

// The dimensionless collision x'' + alpha x^(1/4) x' + x^(3/2) = 0 by brute force, cut off where the force would pull.
TEST(HertzMindlin, DashpotLeavesTheRestitutionItIsChosenFor) {
  for (const double e : {0.06, 0.1353352832366127, 0.3, 0.5, 0.8, 0.95, 1.0}) {
    const double alpha = damping_of(e);
    const auto force = [&](double x, double v) { return std::pow(x, 1.5) + alpha * std::pow(x, 0.25) * v; };
    double x = 1e-12, v = 1;
    const double dt = 1e-5;
    do {
      const auto slope = [&](double a, double b) { return -force(std::max(a, 0.0), b); };
      const double v1 = v + 0.5 * dt * slope(x, v), x1 = x + 0.5 * dt * v;
      x += dt * v1, v += dt * slope(x1, v1);
    } while (x > 0 && force(x, v) > 0);
    EXPECT_NEAR(-v, e, 1e-3 * e + 1e-5) << e;
    EXPECT_NEAR(restitution_of(alpha), e, 1e-9);
  }
}

TEST(HertzMindlin, ForceIsTheSlopeOfTheEnergy) {
  const ContactLawOf c = rubber(0);
  const double h = 1e-9, d = 1e-4, r = 3e-3;
  EXPECT_NEAR((hertz_energy(c, r, d + h) - hertz_energy(c, r, d - h)) / (2 * h), hertz_force(c, r, d),
              1e-8 * hertz_force(c, r, d));
  EXPECT_NEAR((hertz_force(c, r, d + h) - hertz_force(c, r, d - h)) / (2 * h), hertz_slope(c, r, d),
              1e-8 * hertz_slope(c, r, d));
}

TEST(HertzMindlin, FrictionIsElasticUpToCoulombsLimit) {
  const ContactLawOf c = rubber(0.4);
  ContactPlace p{1e-4, 3e-3, 1e-3, {0, 0, 1}, {1e-3, 0, 0}, {}, 0};
  V slip{};
  const double press = hertz_force(c, p.radius, p.overlap), dt = 1e-6,
               stiffness = mindlin_slope(c, p.radius, p.overlap);
  const ContactForce first = hertz_mindlin(c, p, slip, dt);
  EXPECT_NEAR(first.force.x, -stiffness * 1e-9, 1e-9 * press);
  EXPECT_DOUBLE_EQ(slip.x, 1e-9);
  ContactForce last;
  for (int i = 0; i < 200000; ++i) last = hertz_mindlin(c, p, slip, dt);
  EXPECT_NEAR(last.force.x, -0.4 * press, 1e-12 * press);
  EXPECT_NEAR(slip.x, 0.4 * press / stiffness, 1e-12);
  p.velocity = {-1e-3, 0, 0};  // back: at once elastic again
  last = hertz_mindlin(c, p, slip, dt);
  EXPECT_NEAR(last.force.x, -0.4 * press + stiffness * 1e-9, 1e-9 * press);
}

TEST(HertzMindlin, SurfacesNeverPull) {
  ContactLawOf c = rubber(0.4);
  c.damping = damping_of(0.2);
  V slip{1e-6, 0, 0};
  const ContactForce f = hertz_mindlin(c, {1e-6, 3e-3, 1e-3, {0, 0, 1}, {0.1, 0, 5}, {}, 0}, slip, 1e-6);
  EXPECT_EQ(norm(f.force), 0);
  EXPECT_EQ(norm(slip), 0);
}

TEST(HertzMindlin, StoredSlipTurnsWithThePair) {
  const ContactPlace p{1e-4, 3e-3, 1e-3, {0, 0, 1}, {}, {}, 2.0};
  V slip{1e-6, 0, 0};
  const double dt = 1e-5;
  for (int i = 0; i < 78540; ++i) slip = carried(slip, p, dt);  // a quarter of a turn
  EXPECT_NEAR(slip.x, 0, 1e-10);
  EXPECT_NEAR(slip.y, 1e-6, 1e-10);
}

TEST(HertzMindlin, RollingResistanceOpposesRolling) {
  ContactLawOf c = rubber(0);
  c.rolling = 0.1;
  V slip{};
  const ContactPlace p{1e-4, 3e-3, 1e-3, {0, 0, 1}, {}, {5, 0, 7}, 0};
  const double press = hertz_force(c, p.radius, p.overlap);
  const ContactForce f = hertz_mindlin(c, p, slip, 0);
  EXPECT_NEAR(f.torque.x, -0.1 * p.radius * press, 1e-12 * press);
  EXPECT_EQ(f.torque.z, 0);
}

}  // namespace ls::hertz_mindlin_test
