#include "math/dense_response.h"

#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>

namespace ls::dense_response_test {

// Diagonals that outweigh their rows; those of `sign` below 0 as well.
Eigen::MatrixXd symmetric(int n, bool is_mixed) {
  Eigen::MatrixXd a(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) a(i, j) = a(j, i) = std::sin(1.7 * i + 0.3 * j * j);
  for (int i = 0; i < n; ++i) a(i, i) = (is_mixed && i % 3 == 0 ? -1 : 1) * (n + 0.1 * i);
  return a;
}

TEST(DenseResponse, IsThatOfTheWholeMatrix) {
  for (const auto& [n, m] : {std::pair{1, 1}, {3, 6}, {7, 12}, {8, 6}, {16, 16}, {21, 30}, {45, 66}, {90, 17}})
    for (const bool is_mixed : {false, true}) {
      const Eigen::MatrixXd a = symmetric(n, is_mixed);
      Eigen::MatrixXd g(n, m);
      DenseResponse response(n, m);
      for (int i = 0; i < n; ++i) {
        for (int j = i; j < n; ++j) response.a(i, j) = a(i, j);
        for (int c = 0; c < m; ++c) response.g(i, c) = g(i, c) = std::cos(0.9 * i * c + c);
      }
      ASSERT_TRUE(response.solve());
      const Eigen::MatrixXd expected = g.transpose() * a.fullPivLu().solve(g);
      for (int r = 0; r < m; ++r)
        for (int c = 0; c <= r; ++c) EXPECT_NEAR(response.taken(r, c), expected(r, c), 1e-11) << n << " " << m;
    }
}

TEST(DenseResponse, SaysWhereThereIsNone) {
  DenseResponse response(3, 1);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) response.a(i, j) = 1;
  EXPECT_FALSE(response.solve());
  DenseResponse lost(2, 1);
  lost.a(0, 0) = lost.a(1, 1) = std::nan("");
  EXPECT_FALSE(lost.solve());
}

}  // namespace ls::dense_response_test
