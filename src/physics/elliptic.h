#pragma once
#include "math/dual_functions.h"

#include <limits>
#include <numbers>

// Complete elliptic integrals, in the forms that circular currents need.
namespace ls::inline LS_ISA {

// Bulirsch's complete elliptic integral for p > 0,
//   cel(kc, p, a, b) = int_0^{pi/2} (a cos^2 + b sin^2) / ((cos^2 + p sin^2) sqrt(cos^2 + kc^2 sin^2)),
// by repeated Landen transformations, which leave its value and drive kc towards 1 (R. Bulirsch, Numerische Mathematik
// 13 (1969) 305).
inline double cel(double kc, double p, double a, double b) {
  kc = std::abs(kc);
  if (kc == 0) return std::numeric_limits<double>::infinity();
  double m = 1, e = kc;
  p = std::sqrt(p);
  b /= p;
  for (int i = 0; i < 60; ++i) {
    const double f = a, g = e / p, before = m;
    a += b / p;
    b = 2 * (b + f * g);
    p += g;
    m += kc;
    if (std::abs(before - kc) <= 1e-8 * before) break;
    kc = 2 * std::sqrt(e);
    e = kc * m;
  }
  return 0.5 * std::numbers::pi * (b + a * m) / (m * (m + p));
}

// What the field of a circular current of radius a takes at distance rho from its axis and height z, in terms of
// w = rho^2 alone, so that it can be differentiated on the axis. With the distances alpha and beta of the point to the
// far and the near end of the diameter through it,
//   S = (alpha^2 + beta^2)/2 = a^2 + w + z^2,   P = alpha beta = sqrt(S^2 - 4 a^2 w),
//   mean = agm(alpha, beta) = pi/2 alpha / K(k),   k^2 = 1 - (beta/alpha)^2,
//   R = (S - alpha^2 E/K) / w = sum_{n>=1} 2^(n-1) c_n^2 / w,   R = first + w rest,
// where c_n are the differences of Gauss's iteration for the mean (Abramowitz and Stegun 17.6). The first step of the
// iteration makes everything even in rho; all sums are of positive numbers, so nothing cancels near the axis, where E
// and K differ by their last digits.
template <class T>
struct LoopIntegrals {
  T s, p, mean, first, rest;
};

template <class T>
LoopIntegrals<T> loop_integrals(double radius, const T& w, const T& z) {
  const double a2 = radius * radius;
  const T height = z * z, off = w + height - a2;
  LoopIntegrals<T> r;
  r.s = w + height + a2;
  r.p = sqrt(off * off + 4 * a2 * height);
  r.first = (2 * a2) / (r.s + r.p);  // c_1^2 / w
  T a = sqrt(0.5 * (r.s + r.p)), b = sqrt(r.p);
  T q = r.first, sum(0.0);  // q = c_n^2 / w
  double weight = 2;
  // A derivative converges a step or two after its value does; on the axis itself the value is right from the start.
  for (int n = 0, more = 3; n < 40 && more > 0; ++n) {
    if (value_of(w) * value_of(q) < 1e-17 * value_of(r.s)) --more;
    const T next = 0.5 * (a + b);
    b = sqrt(a * b);
    a = next;
    const T share = q * q / (16.0 * (a * a));  // c_{n+1}^2 / w^2
    sum = sum + weight * share;
    q = w * share;
    weight *= 2;
  }
  r.mean = a;
  r.rest = sum;
  return r;
}

}  // namespace ls::inline LS_ISA
