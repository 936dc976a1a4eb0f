#include "model/finite.h"

#include <gtest/gtest.h>
#include <limits>

namespace ls::finite_test {

TEST(Finite, TellsWhichNodeIsLost) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto lost = [](auto change) {
    Nodes n(9);
    change(n);
    EXPECT_EQ(is_finite(n), first_without_numbers(n) < 0);
    return first_without_numbers(n);
  };
  EXPECT_EQ(lost([](Nodes&) {}), -1);
  EXPECT_EQ(lost([&](Nodes& n) { n.x[1][3] = nan; }), 3);
  EXPECT_EQ(lost([&](Nodes& n) { n.q[0][8] = nan; }), 8);
  EXPECT_EQ(lost([&](Nodes& n) { n.t[2][5] = -inf, n.f[0][7] = nan; }), 5);
}

TEST(Finite, NothingIsFasterThanLight) {
  Nodes n(3);
  n.v[2][1] = 1e9;
  EXPECT_EQ(first_without_numbers(n), -1);
  EXPECT_FALSE(is_finite(n));
}

}  // namespace ls::finite_test
