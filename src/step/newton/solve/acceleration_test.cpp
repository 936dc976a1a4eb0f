#include "step/newton/solve/acceleration.h"

#include <gtest/gtest.h>

namespace ls::acceleration_test {

using Numbers = std::vector<double>;

// Moves that the matrix asks for where it leaves out what turns each pair of unknowns into each other: without help the
// error shrinks by 0.8 an iteration.
Numbers asked(const Numbers& x) {
  Numbers f(x.size());
  for (std::size_t i = 0; i + 1 < x.size(); i += 2) {
    const double c = 0.8 * std::cos(0.4 * static_cast<double>(i)), s = 0.8 * std::sin(0.4 * static_cast<double>(i));
    f[i] = c * x[i] - s * x[i + 1] - x[i] + 1;
    f[i + 1] = s * x[i] + c * x[i + 1] - x[i + 1] + 2;
  }
  return f;
}
double size(const Numbers& f) {
  double most = 0;
  for (const double v : f) most = std::max(most, std::abs(v));
  return most;
}
// What the matrix asks for in the end; every `cut` moves (0: never) one is made by half only.
double left_after(int iterations, bool is_on, int cut = 0) {
  Numbers x(dofs, 0.0);
  Acceleration acceleration(is_on, 1);
  double before = 0;
  for (int k = 0; k < iterations; ++k) {
    Numbers move = asked(x);
    const double now = size(move), share = cut > 0 && k % cut == cut - 1 ? 0.5 : 1;
    acceleration.improve(now, before, move);
    acceleration.made(move, share);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += share * move[i];
    before = share * now;
  }
  return size(asked(x));
}

TEST(Acceleration, FindsWhatTheMatrixLeavesOut) {
  EXPECT_GT(left_after(12, false), 1e-2);
  EXPECT_LT(left_after(12, true), 1e-10);
}

TEST(Acceleration, BeginsAnewAfterAMoveThatWasCutShort) {
  EXPECT_LT(left_after(20, true, 9), 1e-8);
}

// Where moves shrink by a tenth or more there is nothing to mend, and the matrix is the newest.
TEST(Acceleration, LeavesFastMovesAlone) {
  Acceleration acceleration(true, 1);
  double before = 0, now = 1;
  for (int k = 0; k < 6; ++k, before = now, now *= 0.05) {
    const Numbers as_asked(dofs, now);
    Numbers move = as_asked;
    acceleration.improve(now, before, move);
    acceleration.made(move, 1);
    EXPECT_EQ(move, as_asked);
    EXPECT_FALSE(acceleration.keeps_matrix(now));
  }
}

// Far from the end the matrix is another one after each move.
TEST(Acceleration, KeepsTheMatrixOnceMovesAreShortAndSlow) {
  Acceleration acceleration(true, 1);
  Numbers move(dofs, 0.5);
  acceleration.improve(0.5, 1.0, move);
  EXPECT_FALSE(acceleration.keeps_matrix(0.5));
  EXPECT_TRUE(acceleration.keeps_matrix(1e-3));
}

}  // namespace ls::acceleration_test
