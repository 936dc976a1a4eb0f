#pragma once
#include "math/fused.h"
#include "math/vec.h"

// Two point dipoles (Jackson, Classical Electrodynamics, 5.6 and 5.7), all over mu0/(4 pi). With r = x1 - x2,
// a = m1.r, b = m2.r, c = m1.m2:
//   B1 = 3 b r/r^5 - m2/r^3                        the field of 2 at 1, and B2 with a and m1 that of 1 at 2
//   U  = -m1.B1 = -m2.B2 = c/r^3 - 3 a b/r^5       each pair once, at full size
//   F1 = 3/r^5 (a m2 + b m1 + c r - 5 a b r/r^2)   and F2 = -F1: the slope of U
// Torques are m1 x B1 and m2 x B2; with r x F1 they add up to nothing.
namespace ls::inline LS_ISA {

inline constexpr double mu0_over_4pi = 1e-7;  // T m/A

template <class T>
struct DipolePair {
  Vec3<T> b1, b2, force;  // 1/m^3 and 1/m^4 of the moments
};

template <class T>
LS_HD inline Vec3<T> fused(const T& a, const Vec3<T>& b, const Vec3<T>& c) {
  return {fused(a, b.x, c.x), fused(a, b.y, c.y), fused(a, b.z, c.z)};
}
template <class T>
LS_HD inline T fused_dot(const Vec3<T>& a, const Vec3<T>& b) {
  return fused(a.z, b.z, fused(a.y, b.y, a.x * b.x));
}

// Adds what two dipoles do to each other. share: 1, or 0 for a pair that does not act; r2: of such a pair any number
// above 0, else r.r.
template <class T>
LS_HD inline void add_dipole_pair(const Vec3<T>& r, const T& r2, const T& share, const Vec3<T>& m1, const Vec3<T>& m2,
                                  DipolePair<T>& sum) {
  const T inverse = T(1.0) / r2, i3 = share * (inverse * sqrt(inverse)), i5 = T(3.0) * (i3 * inverse);
  const T a = fused_dot(m1, r), b = fused_dot(m2, r), c = fused_dot(m1, m2);
  const T p = i5 * b, q = i5 * a, g = fused(T(-5.0) * (p * a), inverse, i5 * c), minus = -i3;
  sum.b1 = fused(minus, m2, fused(p, r, sum.b1));
  sum.b2 = fused(minus, m1, fused(q, r, sum.b2));
  sum.force = fused(g, r, fused(p, m1, fused(q, m2, sum.force)));
}

template <class T>
LS_HD inline DipolePair<T> dipole_pair(const Vec3<T>& r, const Vec3<T>& m1, const Vec3<T>& m2) {
  DipolePair<T> pair;
  add_dipole_pair(r, fused_dot(r, r), T(1.0), m1, m2, pair);
  return pair;
}

template <class T>
LS_HD inline T dipole_pair_energy(const Vec3<T>& r, const Vec3<T>& m1, const Vec3<T>& m2) {
  const T inverse = 1.0 / dot(r, r), i3 = inverse * sqrt(inverse);
  return i3 * (dot(m1, m2) - 3.0 * (inverse * (dot(m1, r) * dot(m2, r))));
}

// Second derivatives of U. To r = x1 - x2 and the moments they are
//   r r: curvature     r m1: -slope1     r m2: -slope2     m1 m2: -coupling
// all of them symmetric; slope1 = dB1/dr and slope2 = dB2/dr.
template <class T>
struct DipolePairSlopes {
  T curvature[3][3], slope1[3][3], slope2[3][3], coupling[3][3];
  Vec3<T> b1, b2, force;  // as in DipolePair
};

// Of the curvature, what r and its mirror stand beside, but for i7 b m1: i7 a m2 + (i7 c - i9 a b) r/2. steep: a b/r^2
template <class T>
[[gnu::always_inline]] LS_HD inline Vec3<T> half_along(const Vec3<T>& r, const Vec3<T>& m2, const T& i7, const T& a,
                                                       const T& c, const T& steep) {
  return fused(i7 * fused(T(-3.5), steep, T(0.5) * c), r, (i7 * a) * m2);
}

// Always inlined: who uses some of it pays for no more.
template <class T>
[[gnu::always_inline]] LS_HD inline DipolePairSlopes<T> dipole_pair_slopes(const Vec3<T>& r, const Vec3<T>& m1,
                                                                           const Vec3<T>& m2, const T& share) {
  const T inverse = T(1.0) / fused_dot(r, r), i3 = share * (inverse * sqrt(inverse)), i5 = T(3.0) * (i3 * inverse),
          i7 = T(5.0) * (i5 * inverse);
  const T a = fused_dot(m1, r), b = fused_dot(m2, r), c = fused_dot(m1, m2), ab = a * b;
  const T round1 = i5 * b, round2 = i5 * a, round = fused(i7, ab, -(i5 * c)), minus = -i3;
  // Each part is symmetric: what stands here times r, and its mirror.
  const Vec3<T> p = i5 * m1, q = i5 * m2, along = fused(i7 * b, m1, half_along(r, m2, i7, a, c, ab * inverse)),
                y1 = fused(T(-0.5) * i7 * b, r, q), y2 = fused(T(-0.5) * i7 * a, r, p);
  const T x[3] = {r.x, r.y, r.z}, v[3] = {m2.x, m2.y, m2.z}, w[3] = {along.x, along.y, along.z}, n[3] = {p.x, p.y, p.z},
          s[3] = {y1.x, y1.y, y1.z}, t[3] = {y2.x, y2.y, y2.z};
  DipolePairSlopes<T> d;
  d.b1 = fused(round1, r, minus * m2);
  d.b2 = fused(round2, r, minus * m1);
  d.force = fused(-round, r, fused(round1, m1, round2 * m2));
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l <= k; ++l) {
      if (k == 2 && l == 2) break;
      T curvature = fused(x[k], w[l], fused(w[k], x[l], -fused(n[k], v[l], v[k] * n[l])));
      T slope1 = fused(x[k], s[l], s[k] * x[l]), slope2 = fused(x[k], t[l], t[k] * x[l]), coupling = i5 * x[k] * x[l];
      if (k == l)
        curvature = curvature + round, slope1 = slope1 + round1, slope2 = slope2 + round2, coupling = coupling - i3;
      d.curvature[k][l] = d.curvature[l][k] = curvature;
      d.slope1[k][l] = d.slope1[l][k] = slope1;
      d.slope2[k][l] = d.slope2[l][k] = slope2;
      d.coupling[k][l] = d.coupling[l][k] = coupling;
    }
  // Fields are harmonic: none of these has a trace.
  d.curvature[2][2] = -(d.curvature[0][0] + d.curvature[1][1]);
  d.slope1[2][2] = -(d.slope1[0][0] + d.slope1[1][1]);
  d.slope2[2][2] = -(d.slope2[0][0] + d.slope2[1][1]);
  d.coupling[2][2] = -(d.coupling[0][0] + d.coupling[1][1]);
  return d;
}

// Sums over many others of what stands in one dipole's own block. Fields are harmonic, so curvature and slope have no
// trace, and of each part what is round follows from the rest; what all pairs have in common, m1, waits for the end.
template <class T>
struct DipoleSlopeSum {
  T along[6], slope[6];  // xx, yx, yy, zx, zy, zz: of r w and r y, off the diagonal with their mirrors
  Vec3<T> turned, b1;
};

template <class T>
[[gnu::always_inline]] LS_HD inline void add_half(const Vec3<T>& r, const Vec3<T>& w, T (&sum)[6]) {
  sum[0] = fused(r.x, w.x, sum[0]);
  sum[1] = fused(r.x, w.y, fused(r.y, w.x, sum[1]));
  sum[2] = fused(r.y, w.y, sum[2]);
  sum[3] = fused(r.x, w.z, fused(r.z, w.x, sum[3]));
  sum[4] = fused(r.y, w.z, fused(r.z, w.y, sum[4]));
  sum[5] = fused(r.z, w.z, sum[5]);
}
template <class T>
[[gnu::always_inline]] LS_HD inline void add_dipole_slopes(const Vec3<T>& r, const Vec3<T>& m1, const Vec3<T>& m2,
                                                           const T& share, DipoleSlopeSum<T>& sum) {
  const T inverse = T(1.0) / fused_dot(r, r), i3 = share * (inverse * sqrt(inverse)), i5 = T(3.0) * (i3 * inverse),
          i7 = T(5.0) * (i5 * inverse);
  const T a = fused_dot(m1, r), b = fused_dot(m2, r), c = fused_dot(m1, m2), minus = -i3, steep = i7 * b;
  const Vec3<T> q = i5 * m2;
  add_half(r, half_along(r, m2, i7, a, c, a * b * inverse), sum.along);
  add_half(r, fused(T(-0.5) * steep, r, q), sum.slope);
  sum.turned = sum.turned + fused(-steep, r, q);
  sum.b1 = fused(minus, m2, fused(i5 * b, r, sum.b1));
}

}  // namespace ls::inline LS_ISA
