#pragma once
#include "base/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <queue>

// Averages of what varies along a rod, over the length that a node or a bond stands for. Values at single places would
// do for what is smooth; where a magnetised tip or a step of the section begins within that length they are wrong by a
// share of it, and the whole rod is only first order.
namespace ls {

template <std::size_t N>
struct Average {
  std::array<double, N> mean{};
  bool is_constant = true;  // wherever it was asked for
};

namespace averaging {

constexpr double tolerance = 1e-12;  // of the largest value within the interval
constexpr int most_pieces = 2000;    // what jumps more often than that is as good as averaged by then

// Lobatto's rule of four points within Kronrod's extension of it to seven (Gander and Gautschi, BIT 40, 2000): both
// ends are among the points, so that a step which reaches into the interval from either side is seen.
template <std::size_t N>
struct IntegralPiece {
  double from = 0, to = 0;
  std::array<double, N> integral{};
  double error = 0;  // of the integral, beside the largest value
  bool operator<(const IntegralPiece& other) const { return error < other.error; }
};

template <std::size_t N, class Function>
class Integral {
 public:
  explicit Integral(const Function& f) : f_(f) {}

  void add(double from, double to) {
    static const double x1 = std::sqrt(1.0 / 5), x2 = std::sqrt(2.0 / 3);
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    const auto f0 = at(middle), a = at(from), b = at(to);
    const auto c = at(middle - x1 * half), d = at(middle + x1 * half), e = at(middle - x2 * half),
               g = at(middle + x2 * half);
    IntegralPiece<N> p{from, to};
    for (std::size_t k = 0; k < N; ++k) {
      const double ends = a[k] + b[k], inner = c[k] + d[k];
      p.integral[k] = half / 1470 * (77 * ends + 432 * (e[k] + g[k]) + 625 * inner + 672 * f0[k]);
      const double coarse = half / 6 * (ends + 5 * inner);
      if (largest_[k] > 0) p.error = std::max(p.error, std::abs(p.integral[k] - coarse) / largest_[k]);
    }
    const double eps = 4e-16 * std::max(std::abs(from), std::abs(to));
    if (to - from <= eps) p.error = 0;  // there is nothing between them
    error_ += p.error;
    pieces_.push(p);
  }

  // Halves the worst piece until all of them together are good enough.
  void refine(double length) {
    while (error_ > tolerance * length && static_cast<int>(pieces_.size()) < most_pieces) {
      const IntegralPiece<N> worst = pieces_.top();
      if (worst.error == 0) return;
      pieces_.pop();
      error_ -= worst.error;
      const double middle = 0.5 * (worst.from + worst.to);
      add(worst.from, middle);
      add(middle, worst.to);
    }
  }

  bool is_constant() const { return is_constant_; }
  const std::array<double, N>& first() const { return first_; }
  std::array<double, N> sum() {
    std::array<double, N> all{};
    for (; !pieces_.empty(); pieces_.pop())
      for (std::size_t k = 0; k < N; ++k) all[k] += pieces_.top().integral[k];
    return all;
  }

 private:
  std::array<double, N> at(double u) {
    const std::array<double, N> v = f_(u);
    if (!asked_) first_ = v, asked_ = true;
    for (std::size_t k = 0; k < N; ++k) {
      if (!std::isfinite(v[k])) throw Error(fmt::format("what varies along it is no finite number at u = {:.6g}", u));
      largest_[k] = std::max(largest_[k], std::abs(v[k]));
      is_constant_ = is_constant_ && v[k] == first_[k];
    }
    return v;
  }

  const Function& f_;
  std::priority_queue<IntegralPiece<N>> pieces_;
  std::array<double, N> largest_{}, first_{};
  double error_ = 0;
  bool asked_ = false, is_constant_ = true;
};

}  // namespace averaging

// The mean of f(u) over from <= u <= to; jumps are found to rounding. between: a place where the interval is cut first.
// Where f is the same everywhere its own value is the mean, to the last bit.
template <std::size_t N, class Function>
Average<N> average_over(double from, double between, double to, const Function& f) {
  averaging::Integral<N, Function> integral(f);
  if (between > from) integral.add(from, between);
  if (to > between) integral.add(between, to);
  Average<N> average{integral.first(), integral.is_constant()};
  if (average.is_constant) return average;
  integral.refine(to - from);
  average.mean = integral.sum();
  for (double& m : average.mean) m /= to - from;
  return average;
}

}  // namespace ls
