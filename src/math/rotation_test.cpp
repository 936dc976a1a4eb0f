#include "math/rotation.h"

#include "base/rng.h"

#include <gtest/gtest.h>
#include <numbers>

namespace ls::rotation_test {

using V = Vec3<double>;
using std::numbers::pi;

V random_vector(std::uint64_t i, double size) {
  return {size * (2 * uniform(3, i, 0, 0) - 1), size * (2 * uniform(3, i, 0, 1) - 1),
          size * (2 * uniform(3, i, 0, 2) - 1)};
}

TEST(Rotation, AngleOverSineIsExactEverywhere) {
  EXPECT_EQ(angle_over_sine(0.0), 1.0);
  for (double s = 1e-9; s < 0.9999; s = s * 1.05 + 1e-4) {
    const double exact = std::asin(s) / (s * std::sqrt(1 - s * s));
    EXPECT_NEAR(angle_over_sine(s * s), exact, 4e-16 * exact / (1 - s)) << s;
    const double h = exact - 1;
    if (s > 1e-3) {
      EXPECT_NEAR(turn_angle(s * s).excess, h / (s * s), 1e-9 * (1 + h / (s * s))) << s;
    }
  }
}

TEST(Rotation, SlopeOfAngleOverSine) {
  using D = Dual<double, 1>;
  for (double z : {0.0, 1e-6, 0.01, 0.2, 0.24999, 0.2501, 0.5, 0.9}) {
    const double h = z > 0 ? 1e-6 * (1 - z) : 1e-6;
    const double fd =
        z > 0 ? (angle_over_sine(z + h) - angle_over_sine(z - h)) / (2 * h) : (angle_over_sine(h) - 1) / h;
    EXPECT_NEAR(angle_over_sine(D::variable(z, 0)).d[0], fd, 2e-6 * (1 + std::abs(fd))) << z;
  }
}

TEST(Rotation, SmallSineAndCosine) {
  for (double a = 0; a <= 0.5; a += 0.01) {
    EXPECT_NEAR(small_cos(a * a), std::cos(a), 2e-16);
    EXPECT_NEAR(small_sinc(a * a) * a, std::sin(a), 2e-16);
  }
}

TEST(Rotation, TurnAndItsVectorAreInverse) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    const V a = random_vector(i, 3.0);
    const V b = rotation_vector(turn(a));
    if (norm(a) < 6.2) {
      EXPECT_LT(norm(a - b), 1e-13 * 10);
    }
  }
  EXPECT_LT(norm(rotate(turn({0, 0, pi / 2}), V{1, 0, 0}) - V{0, 1, 0}), 1e-15);
  EXPECT_EQ(norm(rotation_vector(Quat<double>{})), 0.0);
}

TEST(Rotation, TurnIsContinuousBeyondAFullTurn) {
  Quat<double> before = turn({0, 0, 0});
  for (double a = 0; a < 30; a += 0.01) {
    const Quat<double> q = turn({0, 0, a});
    EXPECT_GT(dot(before, q), 0.99);
    before = q;
  }
}

TEST(Rotation, MatrixAndQuaternionAgree) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Quat<double> q = turn(random_vector(i, 3.1));
    const Quat<double> p = quaternion(matrix(q));
    EXPECT_NEAR(std::abs(dot(p, q)), 1, 1e-14);
    const V a = random_vector(i + 1000, 1);
    EXPECT_LT(norm(matrix(q) * a - rotate(q, a)), 1e-15 * 4);
    EXPECT_LT(norm(transposed_times(matrix(q), a) - rotate(conj(q), a)), 1e-15 * 4);
  }
}

TEST(Rotation, TurnBetweenTakesOneVectorToTheOther) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    const V a = normalized(random_vector(i, 1)), b = normalized(random_vector(i + 5000, 1));
    EXPECT_LT(norm(rotate(turn_between(a, b), a) - b), 1e-13);
    EXPECT_LT(norm(rotate(turn_between(a, -a), a) + a), 1e-14);
  }
}

}  // namespace ls::rotation_test
