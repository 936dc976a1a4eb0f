#include "fluid/delta.h"

#include <gtest/gtest.h>

namespace ls {

class Delta : public testing::TestWithParam<DeltaKernel> {};

TEST_P(Delta, WeightsSumToOneAndBalance) {
  const DeltaKernel k = GetParam();
  for (double x = 4; x < 6; x += 0.0137) {
    double sum = 0, moment = 0, squares = 0;
    for (int i = 0; i < 12; ++i) {
      const double w = delta(k, x - (i + 0.5));
      EXPECT_GE(w, 0);
      sum += w, moment += w * (i + 0.5 - x), squares += w * w;
      const bool within = i >= first_cell(k, x) && i < first_cell(k, x) + width(k);
      EXPECT_TRUE(within || w == 0) << x << ' ' << i;
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_NEAR(moment, 0, 1e-14);
    EXPECT_NEAR(squares, k == DeltaKernel::roma ? 0.5 : 0.375, 1e-14);
  }
}

TEST_P(Delta, WeightsAtOnceAreTheSame) {
  const DeltaKernel k = GetParam();
  for (double x = 4; x < 6; x += 0.0137) {
    const int first = first_cell(k, x);
    double w[4];
    delta_weights(k, x - (first + 0.5), w);
    for (int i = 0; i < width(k); ++i) EXPECT_NEAR(w[i], delta(k, x - (first + i + 0.5)), 1e-14) << x << ' ' << i;
  }
}

TEST_P(Delta, SlopesAreDerivatives) {
  const DeltaKernel k = GetParam();
  for (double r = -2.2; r < 2.2; r += 0.0311) {
    const double h = 1e-6, by_differences = (delta(k, r + h) - delta(k, r - h)) / (2 * h);
    EXPECT_NEAR(delta_slope(k, r), by_differences, 1e-5) << r;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Delta, testing::Values(DeltaKernel::roma, DeltaKernel::peskin));

}  // namespace ls
