#pragma once
#include "math/dual.h"

// Functions beyond arithmetic for doubles and Duals, for code that is not vectorised. Their names are not those of the
// standard library on purpose: a Dual that had a `log` would change which rule expressions of scenes use for theirs.
namespace ls::inline LS_ISA {

// log(1 + x), to full precision for small x.
inline double log_of_one_plus(double x) {
  return std::log1p(x);
}
template <class T, int N>
Dual<T, N> log_of_one_plus(const Dual<T, N>& a) {
  return chain(log_of_one_plus(a.val), T(1.0) / (1.0 + a.val), a);
}

// atan(y / x), between -pi/2 and pi/2; where x = 0, half-way between its two sides, and its slopes those of the sides.
inline double angle_of_slope(double y, double x) {
  return x == 0 ? 0.0 : std::atan(y / x);
}
template <class T, int N>
Dual<T, N> angle_of_slope(const Dual<T, N>& y, const Dual<T, N>& x) {
  const T square = x.val * x.val + y.val * y.val, to_y = x.val / square, to_x = -(y.val / square);
  Dual<T, N> r(angle_of_slope(y.val, x.val));
  for (int i = 0; i < N; ++i) r.d[i] = to_y * y.d[i] + to_x * x.d[i];
  return r;
}

// A function of two variables by its value and slopes.
template <class T, int N>
Dual<T, N> chain(const Plain<T>& f, const Plain<T>& slope_a, const Dual<T, N>& a, const Plain<T>& slope_b,
                 const Dual<T, N>& b) {
  Dual<T, N> r(f);
  for (int i = 0; i < N; ++i) r.d[i] = slope_a * a.d[i] + slope_b * b.d[i];
  return r;
}

}  // namespace ls::inline LS_ISA
