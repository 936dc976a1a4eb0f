#include "physics/cuboid_tensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace {

using namespace ls;
using V = Vec3<double>;

double trace(const Sym3& n) {
  return n.xx + n.yy + n.zz;
}

TEST(CuboidTensor, OfOneCuboidHasTraceOne) {
  const Sym3 cube = cuboid_tensor({2, 2, 2}, {});
  EXPECT_NEAR(cube.xx, 1.0 / 3, 1e-14);
  EXPECT_NEAR(cube.xy, 0, 1e-15);
  EXPECT_NEAR(trace(cuboid_tensor({1, 2, 5}, {})), 1, 1e-14);
  EXPECT_NEAR(trace(cuboid_tensor({1e-3, 2e-3, 0.1e-3}, {})), 1, 1e-13);
  // Aharoni's factor of a square bar with 2:1, J. Appl. Phys. 83 (1998) 3432: 0.1983 along it.
  EXPECT_NEAR(cuboid_tensor({1, 1, 2}, {}).zz, 0.19832, 1e-4);
  EXPECT_NEAR(trace(cuboid_tensor({1, 2, 3}, {1, 4, -3})), 0, 1e-14);
}

// The mean over both cuboids of the field of a dipole, by many points.
Sym3 by_many_points(const V& size, const V& r) {
  constexpr int n = 6;
  const double node[n] = {-0.932469514203152, -0.661209386466265, -0.238619186083197,
                          0.238619186083197,  0.661209386466265,  0.932469514203152};
  const double weight[n] = {0.171324492379170, 0.360761573048139, 0.467913934572691,
                            0.467913934572691, 0.360761573048139, 0.171324492379170};
  Sym3 sum;
  for (int a = 0; a < n * n * n; ++a)
    for (int b = 0; b < n * n * n; ++b) {
      const auto at = [&](int k) {
        return V{0.5 * size.x * node[k % n], 0.5 * size.y * node[k / n % n], 0.5 * size.z * node[k / n / n]};
      };
      const auto share = [&](int k) { return weight[k % n] * weight[k / n % n] * weight[k / n / n] / 8; };
      const V d = r + at(a) - at(b);
      const double inverse = 1 / dot(d, d), i3 = share(a) * share(b) * inverse * std::sqrt(inverse);
      sum = sum + diagonal({i3, i3, i3}) + outer(-3 * i3 * inverse, d);
    }
  return size.x * size.y * size.z / (4 * std::numbers::pi) * sum;
}

TEST(CuboidTensor, IsTheMeanOfDipoles) {
  const V size{1, 0.7, 1.3};
  const V r{2, 1.4, -2.6};
  const Sym3 a = cuboid_tensor(size, r), b = by_many_points(size, r);
  const double scale = std::abs(b.xx) + std::abs(b.xy) + std::abs(b.xz) + std::abs(b.yz);
  EXPECT_NEAR(a.xx, b.xx, 1e-8 * scale);
  EXPECT_NEAR(a.yy, b.yy, 1e-8 * scale);
  EXPECT_NEAR(a.zz, b.zz, 1e-8 * scale);
  EXPECT_NEAR(a.xy, b.xy, 1e-8 * scale);
  EXPECT_NEAR(a.xz, b.xz, 1e-8 * scale);
  EXPECT_NEAR(a.yz, b.yz, 1e-8 * scale);
}

// Where the closed form ends and points begin, both are the same.
TEST(CuboidTensor, FarApartPointsTakeOver) {
  const V size{1, 0.8, 1.1}, direction = normalized(V{1, -2, 0.5});
  const double edge = 16 * norm(size);
  const Sym3 near = cuboid_tensor(size, (edge * 0.999999) * direction),
             far = cuboid_tensor(size, (edge * 1.000001) * direction);
  EXPECT_NEAR(near.xx, far.xx, 1e-5 * std::abs(far.yy));
  EXPECT_NEAR(near.yy, far.yy, 1e-5 * std::abs(far.yy));
  EXPECT_NEAR(near.xy, far.xy, 1e-5 * std::abs(far.yy));
}

// 0.3116 at length/diameter 1: D.-X. Chen, J. A. Brug and R. B. Goldfarb, IEEE Transactions on Magnetics 27 (1991)
// 3601; long ones by elliptic integrals from their definition.
TEST(CuboidTensor, CylindersHaveTheirFactor) {
  EXPECT_NEAR(cylinder_factor(1, 2), 0.3116, 1e-4);
  EXPECT_NEAR(cylinder_factor(1, 20), 0.0411928757946, 1e-10);
  EXPECT_NEAR(cylinder_factor(1, 2e-4), 1, 1e-3);
  const double below = cylinder_factor(1, 1999.999), above = cylinder_factor(1, 2000.001);
  EXPECT_NEAR(below, above, 2e-6 * above);
}

}  // namespace
