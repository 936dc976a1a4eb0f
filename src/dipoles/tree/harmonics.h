#pragma once
#include "base/hd.h"

// Real solid harmonics, as numbers or as registers of them.
//   regular    R_lm = r^l P_lm(cos t) e^(i m phi)/(l + m)!
//   irregular  S_lm = (l - m)! P_lm(cos t) e^(i m phi)/r^(l + 1),   P_lm without the factor (-1)^m,
// for which 1/|x - y| = sum w R(y) S(x) over real and imaginary parts, w = 1 where m = 0 and 2 elsewhere, |y| < |x|
// (Hobson 1931; with these factors White and Head-Gordon 1994). In this scaling a derivative is one or two neighbours
// with factors 1 and 1/2:
//   d/dz R_lm = R_(l-1)m,  (d/dx - i d/dy) R_lm = R_(l-1)(m-1),  (d/dx + i d/dy) R_lm = - R_(l-1)(m+1),
// and of S the same with l + 1 and a minus at d/dz; order -1 stands for minus the conjugate of order 1.
// Of degree l, l*l is m = 0, l*l + 2m - 1 the real and l*l + 2m the imaginary part.
namespace ls::inline LS_ISA {

inline constexpr int most_order = 26;                                       // of an expansion
inline constexpr int most_harmonics = (most_order + 3) * (most_order + 3);  // its second derivatives go two further

constexpr int harmonics_to(int degree) {
  return (degree + 1) * (degree + 1);
}

// Rows of an expansion without degree 0, as the loops want them.
constexpr int padded_rows(int order) {
  return (order * (order + 2) + 15) / 16 * 16;
}

// All harmonics (m, m) from (m - 1, m - 1): of the regular ones `factor` is 1/(2m), of the others 2m - 1.
template <class V, class T>
inline void next_sectoral(int m, const V& x, const V& y, T factor, V* h) {
  const int before = (m - 1) * (m - 1) + 2 * m - 3, at = m * m + 2 * m - 1;
  const V c = m == 1 ? h[0] : h[before], s = m == 1 ? V{} : h[before + 1];
  h[at] = (x * c - y * s) * factor;
  h[at + 1] = (x * s + y * c) * factor;
}

template <class T, class V>
inline void regular_harmonics(int degree, const V& x, const V& y, const V& z, V* h) {
  const V r2 = x * x + y * y + z * z;
  h[0] = V{} + T(1);
  for (int m = 0; m <= degree; ++m) {
    if (m > 0) next_sectoral(m, x, y, T(1) / T(2 * m), h);
    const int first = m == 0 ? 0 : 2 * m - 1, last = m == 0 ? 0 : 2 * m;
    for (int l = m + 1; l <= degree; ++l) {
      const T d = T(1) / T(l * l - m * m);
      const V a = z * (T(2 * l - 1) * d), b = r2 * d;
      for (int k = first; k <= last; ++k) {
        const V up = a * h[(l - 1) * (l - 1) + k];
        h[l * l + k] = l == m + 1 ? up : up - b * h[(l - 2) * (l - 2) + k];
      }
    }
  }
}

template <class T, class V>
inline void irregular_harmonics(int degree, V x, V y, V z, const V& inverse_r, V* h) {
  const V i2 = inverse_r * inverse_r;
  x *= i2;
  y *= i2;
  z *= i2;
  h[0] = inverse_r;
  for (int m = 0; m <= degree; ++m) {
    if (m > 0) next_sectoral(m, x, y, T(2 * m - 1), h);
    const int first = m == 0 ? 0 : 2 * m - 1, last = m == 0 ? 0 : 2 * m;
    for (int l = m + 1; l <= degree; ++l)
      for (int k = first; k <= last; ++k) {
        const V up = z * h[(l - 1) * (l - 1) + k] * T(2 * l - 1);
        h[l * l + k] = l == m + 1 ? up : up - i2 * h[(l - 2) * (l - 2) + k] * T((l - 1) * (l - 1) - m * m);
      }
  }
}

}  // namespace ls::inline LS_ISA

namespace ls {

// One entry of the derivatives: d/d(axis) of harmonic `of` has `factor` times harmonic `in`.
struct Derivative {
  int axis, in, of;
  double factor;
};

}  // namespace ls
