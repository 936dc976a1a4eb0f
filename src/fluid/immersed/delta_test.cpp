#include "fluid/immersed/delta.h"

#include "fluid/immersed/marker_loops.h"

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
    const double place[3] = {x, x - 5, -x};
    int first[4];
    double w[3][4];
    marker_loops().weigh(width(k), place[0], place[1], place[2], first, w);
    for (int a = 0; a < 3; ++a) {
      EXPECT_EQ(first[a], first_cell(k, place[a])) << place[a];
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(w[a][i], delta(k, place[a] - (first[a] + i + 0.5)), 1e-14) << place[a];
    }
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
