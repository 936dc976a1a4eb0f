#pragma once
#include "math/number.h"

namespace ls::inline LS_ISA {

template <int N>
struct Polynomial {
  double c[N];  // c[0] + c[1] z + ...
};

template <int N>
LS_HD constexpr Polynomial<N - 1> slope(const Polynomial<N>& p) {
  Polynomial<N - 1> d{};
  for (int k = 1; k < N; ++k) d.c[k - 1] = k * p.c[k];
  return d;
}

// Horner's rule; Dual numbers have an overload of their own that differentiates the polynomial, not the rule.
template <int N, class T>
LS_HD constexpr T evaluate(const Polynomial<N>& p, const T& z) {
  T r = T(p.c[N - 1]);
  for (int k = N - 2; k >= 0; --k) r = r * z + T(p.c[k]);
  return r;
}

}  // namespace ls::inline LS_ISA
