#include "math/box_problem.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace ls::box_problem_test {
namespace {

// How chains answer torques at their links: nearly as a beam does, whose softest motion is n^4 times softer than a
// link.
BoxProblem of_chain(int n, double bound) {
  BoxProblem p;
  p.g.assign(static_cast<std::size_t>(n) * n, 0.0);
  const auto second = [](int i, int j) { return i == j ? 2.0 : std::abs(i - j) == 1 ? -1.0 : 0.0; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) p.g[static_cast<std::size_t>(n) * i + j] += second(i, k) * second(k, j);
  for (int i = 0; i < n; ++i) p.right.push_back(std::sin(7.0 * i) + 0.3 * std::cos(0.05 * i));
  p.low.assign(n, -bound), p.high.assign(n, bound);
  return p;
}

// By how much the answer is wrong: errors on the wrong side, forces beyond their bounds.
double wrong_by(const BoxProblem& p, const std::vector<double>& x) {
  const int n = static_cast<int>(x.size());
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double left = p.right[i];
    for (int j = 0; j < n; ++j) left -= p.g[static_cast<std::size_t>(n) * i + j] * x[j];
    worst = std::max({worst, x[i] - p.high[i], p.low[i] - x[i]});
    if (x[i] < p.high[i]) worst = std::max(worst, left);
    if (x[i] > p.low[i]) worst = std::max(worst, -left);
  }
  return worst;
}

TEST(BoxProblem, ChainsFindTheirSides) {
  for (const int n : {1, 2, 10, 100})
    for (const double bound : {0.0, 1e-3, 0.1, 1.0, 30.0, std::numeric_limits<double>::infinity()}) {
      const BoxProblem p = of_chain(n, bound);
      std::vector<Side> side(n, Side::between);
      std::vector<double> x;
      ASSERT_TRUE(solve_box_problem(p, side, x)) << n << " " << bound;
      const double size =
          std::abs(*std::max_element(x.begin(), x.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
      EXPECT_LT(wrong_by(p, x), 1e-8 * (1 + size)) << n << " " << bound;
      for (int i = 0; i < n; ++i)
        if (side[i] == Side::high) {
          EXPECT_EQ(x[i], p.high[i]);
        }
    }
}

TEST(BoxProblem, ABetterGuessGivesTheSame) {
  const BoxProblem p = of_chain(40, 0.2);
  std::vector<Side> side(40, Side::between), other(40, Side::high);
  std::vector<double> x, y;
  ASSERT_TRUE(solve_box_problem(p, side, x) && solve_box_problem(p, other, y));
  EXPECT_EQ(side, other);
  std::vector<double> again;
  ASSERT_TRUE(solve_box_problem(p, side, again));
  EXPECT_EQ(again, y);
}

TEST(BoxProblem, OneSidedRowsPushOnly) {
  BoxProblem p{{1, 0, 0, 1}, {-2, 3}, {0, 0}, {std::numeric_limits<double>::infinity(), 1}};
  std::vector<Side> side(2, Side::between);
  std::vector<double> x;
  ASSERT_TRUE(solve_box_problem(p, side, x));
  EXPECT_EQ(x, (std::vector<double>{0, 1}));
}

TEST(BoxProblem, SaysWhereThereIsNoAnswer) {
  const BoxProblem p{{1, 2, 2, 1}, {1, 1}, {-9, -9}, {9, 9}};
  std::vector<Side> side(2, Side::between);
  std::vector<double> x;
  EXPECT_FALSE(solve_box_problem(p, side, x));
}

}  // namespace
}  // namespace ls::box_problem_test
