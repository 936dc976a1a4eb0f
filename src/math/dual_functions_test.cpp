#include "math/dual_functions.h"

#include <gtest/gtest.h>

namespace ls::dual_functions_test {

using D1 = Dual<double, 2>;
using D2 = Dual<D1, 2>;

D2 variable(double value, int i) {
  return D2::variable(D1::variable(value, i), i);
}

TEST(DualFunctions, LogOfOnePlus) {
  const double x = 1e-9;
  EXPECT_DOUBLE_EQ(log_of_one_plus(x), x - x * x / 2);
  const D2 f = log_of_one_plus(variable(0.5, 0));
  EXPECT_DOUBLE_EQ(f.val.val, std::log(1.5));
  EXPECT_DOUBLE_EQ(f.d[0].val, 1 / 1.5);
  EXPECT_DOUBLE_EQ(f.d[0].d[0], -1 / 2.25);
}

TEST(DualFunctions, AngleOfSlope) {
  const double y = 0.7, x = -1.1, r2 = x * x + y * y;
  const D2 f = angle_of_slope(variable(y, 0), variable(x, 1));
  EXPECT_DOUBLE_EQ(f.val.val, std::atan(y / x));
  EXPECT_DOUBLE_EQ(f.d[0].val, x / r2);
  EXPECT_DOUBLE_EQ(f.d[1].val, -y / r2);
  EXPECT_NEAR(f.d[0].d[0], -2 * x * y / (r2 * r2), 1e-15);
  EXPECT_NEAR(f.d[0].d[1], (y * y - x * x) / (r2 * r2), 1e-15);
  EXPECT_EQ(angle_of_slope(3.0, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(angle_of_slope(D1::variable(2, 0), D1::variable(0, 1)).d[1], -0.5);
}

// x^2 y with its slopes given by hand.
TEST(DualFunctions, ChainOfTwo) {
  const D1 x = D1::variable(3, 0), y = D1::variable(5, 1), f = chain(45.0, 30.0, x, 9.0, y);
  EXPECT_EQ(f.val, 45.0);
  EXPECT_EQ(f.d[0], 30.0);
  EXPECT_EQ(f.d[1], 9.0);
}

}  // namespace ls::dual_functions_test
