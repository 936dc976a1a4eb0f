#include "base/rng.h"

#include <gtest/gtest.h>

namespace ls::rng_test {

TEST(Rng, IsAFunctionOfItsCounters) {
  EXPECT_EQ(uniform(1, 2, 3, 4), uniform(1, 2, 3, 4));
  EXPECT_NE(uniform(1, 2, 3, 4), uniform(2, 2, 3, 4));
  EXPECT_NE(uniform(1, 2, 3, 4), uniform(1, 3, 3, 4));
  EXPECT_NE(uniform(1, 2, 3, 4), uniform(1, 2, 4, 4));
  EXPECT_NE(uniform(1, 2, 3, 4), uniform(1, 2, 3, 5));
}

TEST(Rng, NormalNumbersHaveTheirMoments) {
  const int n = 200000;
  double sum[2] = {}, square[2] = {}, both = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const auto p = normal_pair(9, static_cast<std::uint64_t>(i / 100), static_cast<std::uint64_t>(i % 100), 0);
    sum[0] += p.a, sum[1] += p.b;
    square[0] += p.a * p.a, square[1] += p.b * p.b;
    both += p.a * p.b;
    fourth += p.a * p.a * p.a * p.a;
  }
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(sum[k] / n, 0, 0.01);
    EXPECT_NEAR(square[k] / n, 1, 0.015);
  }
  EXPECT_NEAR(both / n, 0, 0.01);
  EXPECT_NEAR(fourth / n, 3, 0.1);
}

TEST(Rng, NeighbouringCountersAreIndependent) {
  const int n = 100000;
  double steps = 0, nodes = 0;
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::uint64_t>(i);
    const double here = uniform(5, k, 7, 0) - 0.5;
    steps += here * (uniform(5, k + 1, 7, 0) - 0.5);
    nodes += here * (uniform(5, k, 8, 0) - 0.5);
  }
  EXPECT_NEAR(12 * steps / n, 0, 0.015);
  EXPECT_NEAR(12 * nodes / n, 0, 0.015);
}

}  // namespace ls::rng_test
