#include "base/widths.h"
#include "dipoles/periodic/mesh_loops.h"
#include "dipoles/periodic/screened_loops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace ls {

namespace {

// exp(x^2) erfc(x) (1 + 2x). Where both factors leave the range of numbers, by its continued fraction.
double scaled_erfc(double x) {
  if (x < 5) return std::exp(x * x) * std::erfc(x) * (1 + 2 * x);
  double tail = x;
  for (int n = 60; n > 0; --n) tail = x + 0.5 * n / tail;
  return (1 + 2 * x) / (std::sqrt(std::numbers::pi) * tail);
}

// Chebyshev interpolation in t = (x - K)/(x + K), made into powers of t.
std::array<double, erfc_terms> find_erfc() {
  constexpr int n = erfc_terms;
  constexpr double middle = 3.75;
  std::array<double, n> value{}, chebyshev{}, power{}, before{}, now{};
  for (int i = 0; i < n; ++i) {
    const double t = std::cos(std::numbers::pi * (i + 0.5) / n);
    value[static_cast<std::size_t>(i)] = scaled_erfc(middle * (1 + t) / (1 - t));
  }
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      chebyshev[static_cast<std::size_t>(k)] += (k == 0 ? 1.0 : 2.0) / n * value[static_cast<std::size_t>(i)] *
                                                std::cos(std::numbers::pi * k * (i + 0.5) / n);
  now[0] = 1;  // T_0; T_(k+1) = 2 t T_k - T_(k-1)
  for (int k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) power[i] += chebyshev[static_cast<std::size_t>(k)] * now[i];
    std::array<double, n> next{};
    for (std::size_t i = 0; i < n; ++i)
      next[i] = (k == 0 ? 1 : 2) * (i > 0 ? now[i - 1] : 0) - (k == 0 ? 0 : before[i]);
    before = now;
    now = next;
  }
  std::reverse(power.begin(), power.end());
  return power;
}

}  // namespace

ScreenedLaw screened_law(double alpha, double cut) {
  static const std::array<double, erfc_terms> erfc = find_erfc();
  ScreenedLaw law{alpha, cut, {}};
  std::copy(erfc.begin(), erfc.end(), law.erfc);
  return law;
}

const MeshLoops& mesh_loops() {
  return widest<MeshLoops>();
}
const ScreenedLoops& screened_loops() {
  return widest<ScreenedLoops>();
}

}  // namespace ls
