#include "physics/dipole_pair.h"

#include "base/rng.h"
#include "math/dual.h"
#include "math/pack.h"

#include <gtest/gtest.h>

namespace {

using namespace ls;
using V = Vec3<double>;
using D = Dual<double, 3>;
using DD = Dual<D, 3>;

V random_vector(std::uint64_t k) {
  const auto draw = [&](std::uint64_t c) { return 2 * uniform(7, 0, k, c) - 1; };
  return {draw(0), draw(1), draw(2)};
}
struct Example {
  V r, m1, m2;
};
std::vector<Example> examples() {
  std::vector<Example> all;
  for (std::uint64_t k = 0; k < 20; ++k)
    all.push_back({random_vector(3 * k) + V{0.3, 0, 0}, random_vector(3 * k + 1), random_vector(3 * k + 2)});
  return all;
}
double component(const V& a, int k) {
  return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

// The energy as a function of r, with both derivatives.
DD energy_of(const Example& e) {
  const auto variable = [](double v, int i) { return DD::variable(D::variable(v, i), i); };
  const auto constant = [](const V& a) { return Vec3<DD>{DD(D(a.x)), DD(D(a.y)), DD(D(a.z))}; };
  return dipole_pair_energy(Vec3<DD>{variable(e.r.x, 0), variable(e.r.y, 1), variable(e.r.z, 2)}, constant(e.m1),
                            constant(e.m2));
}

TEST(DipolePair, ForceIsSlopeOfEnergy) {
  for (const Example& e : examples()) {
    const DD u = energy_of(e);
    const V f = dipole_pair(e.r, e.m1, e.m2).force;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(component(f, k), -u.d[k].val, 1e-13 * (norm(f) + 1));
  }
}

TEST(DipolePair, FieldsGiveTheSameEnergyAtBothEnds) {
  for (const Example& e : examples()) {
    const auto p = dipole_pair(e.r, e.m1, e.m2);
    const double u = dipole_pair_energy(e.r, e.m1, e.m2), size = 1e-14 * (norm(p.b1) + norm(p.b2) + 1);
    EXPECT_NEAR(-dot(e.m1, p.b1), u, size);
    EXPECT_NEAR(-dot(e.m2, p.b2), u, size);
  }
}

TEST(DipolePair, TorquesBalanceTheForces) {
  for (const Example& e : examples()) {
    const auto p = dipole_pair(e.r, e.m1, e.m2);
    const V sum = cross(e.r, p.force) + cross(e.m1, p.b1) + cross(e.m2, p.b2);
    EXPECT_LT(norm(sum), 1e-14 * (norm(e.r) * norm(p.force) + norm(p.b1) + norm(p.b2)));
  }
}

TEST(DipolePair, CurvatureIsTheSecondDerivative) {
  for (const Example& e : examples()) {
    const DD u = energy_of(e);
    const auto d = dipole_pair_slopes(e.r, e.m1, e.m2, 1.0);
    double size = 1;
    for (const auto& row : d.curvature)
      for (const double v : row) size = std::max(size, std::abs(v));
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) EXPECT_NEAR(d.curvature[k][l], u.d[k].d[l], 1e-12 * size) << k << l;
  }
}

TEST(DipolePair, SlopesAreThoseOfTheFields) {
  constexpr double h = 1e-6;
  for (const Example& e : examples()) {
    const auto d = dipole_pair_slopes(e.r, e.m1, e.m2, 1.0);
    for (int l = 0; l < 3; ++l) {
      const V step{l == 0 ? h : 0, l == 1 ? h : 0, l == 2 ? h : 0};
      const auto high = dipole_pair(e.r + step, e.m1, e.m2), low = dipole_pair(e.r - step, e.m1, e.m2);
      const auto more = dipole_pair(e.r, e.m1, e.m2 + (1 / h) * step), as_is = dipole_pair(e.r, e.m1, e.m2);
      for (int k = 0; k < 3; ++k) {
        const double size = 1e-7 * (1 + std::abs(d.slope1[k][l]) + std::abs(d.slope2[k][l])) / std::pow(norm(e.r), 6);
        EXPECT_NEAR(d.slope1[k][l], component(high.b1 - low.b1, k) / (2 * h), size);
        EXPECT_NEAR(d.slope2[k][l], component(high.b2 - low.b2, k) / (2 * h), size);
        EXPECT_NEAR(d.coupling[k][l], component(more.b1 - as_is.b1, k), 1e-12 * (1 + norm(more.b1) + norm(as_is.b1)));
      }
    }
  }
}

TEST(DipolePair, PacksGiveWhatNumbersGive) {
  for (const Example& e : examples()) {
    const auto wide = [](const V& a) { return Vec3<Pack>{Pack(a.x), Pack(a.y), Pack(a.z)}; };
    const auto packs = dipole_pair(wide(e.r), wide(e.m1), wide(e.m2));
    const auto one = dipole_pair(e.r, e.m1, e.m2);
    EXPECT_EQ(packs.force.y[Pack::width - 1], one.force.y);
    EXPECT_EQ(packs.b1.x[0], one.b1.x);
    EXPECT_EQ(packs.b2.z[0], one.b2.z);
  }
}

}  // namespace
