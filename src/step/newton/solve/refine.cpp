#include "step/newton/newton_work.h"

#include <cmath>
#include <limits>

namespace ls {

namespace {

double largest(const std::vector<double>& a) {
  double most = 0;
  for (const double v : a) most = std::max(most, std::abs(v));
  return most;
}

// x nearer to A^-1 right, by what A makes of it; returns the largest change.
double solve_again(const std::vector<double>& right, double* x, NewtonWork& newton) {
  std::vector<double>& more = newton.again;
  more.assign(right.size(), 0.0);
  newton.stiffness.add_product(x, more.data());
  for (std::size_t i = 0; i < more.size(); ++i) more[i] = right[i] - more[i];
  newton.ldlt.solve(more.data());
  for (std::size_t i = 0; i < more.size(); ++i) x[i] += more[i];
  return largest(more);
}

}  // namespace

// A rod of N bonds is some 4N^3 times softer than its bonds, and what elimination leaves of it is rounding to a share
// of 4N^3 eps: 2 % at 30 000 bonds, where solutions are wrong by a tenth along the softest modes and Newton's method
// creeps. The matrix itself is better known than its factors, so to solve again for what it leaves of the right
// side mends that, for a quarter of the price of an iteration. (Pivots do not tell: those of a rod whose other end is
// held stay far from zero.)
void solve_refined(NewtonWork& newton) {
  constexpr double worth_it = 0.01, enough = 1e-2;
  constexpr int most = 3;
  const double length = newton.longest_chain, rounding = 4 * std::numeric_limits<double>::epsilon();
  std::vector<double>& x = newton.solution;
  const bool worth = rounding * length * length * length > worth_it;
  if (worth) newton.right = x;
  newton.ldlt.solve(x.data());
  if (!worth || newton.ldlt.floating() >= 0) return;
  const double size = largest(x);
  double change = size;
  for (int round = 0; round < most && change > enough * size; ++round) {
    const double before = change;
    change = solve_again(newton.right, x.data(), newton);
    if (!(change < before)) return;  // nothing but rounding any more, or no number
  }
}

}  // namespace ls
