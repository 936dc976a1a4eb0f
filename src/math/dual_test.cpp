#include "math/dual.h"

#include "math/pack.h"

#include <gtest/gtest.h>

namespace ls::dual_test {

template <class T>
T sample(const T& x, const T& y) {
  return sqrt(x * x + 2.0 * y) / (1.0 + x * y) - 3.0 / y + pick(x > 0.5, x * y, y / x) - (x - 1.0) * (2.0 - y);
}

TEST(Dual, FirstDerivativesMatchDifferences) {
  using D = Dual<double, 2>;
  for (double x : {0.3, 0.9, 2.0})
    for (double y : {0.4, 1.7}) {
      const D d = sample(D::variable(x, 0), D::variable(y, 1));
      const double h = 1e-6;
      EXPECT_DOUBLE_EQ(d.val, sample(x, y));
      EXPECT_NEAR(d.d[0], (sample(x + h, y) - sample(x - h, y)) / (2 * h), 1e-7);
      EXPECT_NEAR(d.d[1], (sample(x, y + h) - sample(x, y - h)) / (2 * h), 1e-7);
    }
}

TEST(Dual, NestedOnesGiveSecondDerivatives) {
  using D = Dual<double, 2>;
  using DD = Dual<D, 2>;
  const double x = 0.8, y = 1.3, h = 1e-4;
  const DD d = sample(DD::variable(D::variable(x, 0), 0), DD::variable(D::variable(y, 1), 1));
  EXPECT_NEAR(d.d[0].d[0], (sample(x + h, y) - 2 * sample(x, y) + sample(x - h, y)) / (h * h), 1e-5);
  EXPECT_NEAR(d.d[0].d[1],
              (sample(x + h, y + h) - sample(x + h, y - h) - sample(x - h, y + h) + sample(x - h, y - h)) / (4 * h * h),
              1e-5);
  EXPECT_DOUBLE_EQ(d.d[0].d[1], d.d[1].d[0]);
}

TEST(Dual, OfPacksEqualsItsLanes) {
  using D = Dual<Pack, 2>;
  using S = Dual<double, 2>;
  const Pack x = Pack::from_lanes([](int i) { return 0.3 + 0.2 * i; }),
             y = Pack::from_lanes([](int i) { return 1.5 - 0.1 * i; });
  const D d = sample(D::variable(x, 0), D::variable(y, 1));
  for (int i = 0; i < Pack::width; ++i) {
    const S s = sample(S::variable(x[i], 0), S::variable(y[i], 1));
    EXPECT_NEAR(d.val[i], s.val, 1e-15);
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(d.d[k][i], s.d[k], 1e-14);
  }
}

}  // namespace ls::dual_test
