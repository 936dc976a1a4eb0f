#pragma once
#include "math/vec.h"

namespace ls::inline LS_ISA {

// A symmetric 3x3 matrix.
template <class T>
struct Symmetric3 {
  T xx{}, yy{}, zz{}, yz{}, xz{}, xy{};
};
using Sym3 = Symmetric3<double>;

template <class T>
LS_HD constexpr Vec3<T> operator*(const Symmetric3<T>& m, const Vec3<T>& a) {
  return {m.xx * a.x + m.xy * a.y + m.xz * a.z, m.xy * a.x + m.yy * a.y + m.yz * a.z,
          m.xz * a.x + m.yz * a.y + m.zz * a.z};
}
template <Scalar S, class T>
LS_HD constexpr Symmetric3<T> operator*(const S& s, const Symmetric3<T>& m) {
  return {s * m.xx, s * m.yy, s * m.zz, s * m.yz, s * m.xz, s * m.xy};
}
template <class T>
LS_HD constexpr Symmetric3<T> operator+(const Symmetric3<T>& a, const Symmetric3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.yz + b.yz, a.xz + b.xz, a.xy + b.xy};
}
template <class T = double>
LS_HD constexpr Symmetric3<T> diagonal(const Vec3<T>& d) {
  return {d.x, d.y, d.z, T(0.0), T(0.0), T(0.0)};
}
// s a a^T
template <Scalar S, class T>
LS_HD constexpr Symmetric3<T> outer(const S& s, const Vec3<T>& a) {
  return {s * a.x * a.x, s * a.y * a.y, s * a.z * a.z, s * a.y * a.z, s * a.x * a.z, s * a.x * a.y};
}
// a b^T + b a^T
template <class T>
LS_HD constexpr Symmetric3<T> both_ways(const Vec3<T>& a, const Vec3<T>& b) {
  return {2.0 * (a.x * b.x),     2.0 * (a.y * b.y),     2.0 * (a.z * b.z),
          a.y * b.z + a.z * b.y, a.x * b.z + a.z * b.x, a.x * b.y + a.y * b.x};
}
// m + s 1
template <class T>
LS_HD constexpr Symmetric3<T> plus_unit(const Symmetric3<T>& m, const T& s) {
  return {m.xx + s, m.yy + s, m.zz + s, m.yz, m.xz, m.xy};
}
// The same seen from other axes: r m r^T. What is alike in two directions is not turned, and stays alike to the last
// bit.
template <class T>
LS_HD constexpr Symmetric3<T> turned(const Mat3<T>& r, const Symmetric3<T>& m) {
  const Vec3<T> a = m.xy * r.c1 + (0.5 * (m.yy - m.xx)) * r.c2 + m.yz * r.c3,
                b = m.xz * r.c1 + (0.5 * (m.zz - m.xx)) * r.c3;
  return plus_unit(both_ways(a, r.c2) + both_ways(b, r.c3), m.xx);
}
template <class T>
LS_HD constexpr Mat3<T> turned(const Mat3<T>& r, const Mat3<T>& m) {
  const Vec3<T> a = r * m.c1, b = r * m.c2, c = r * m.c3;
  return {r.c1.x * a + r.c2.x * b + r.c3.x * c, r.c1.y * a + r.c2.y * b + r.c3.y * c,
          r.c1.z * a + r.c2.z * b + r.c3.z * c};
}
// Of a positive definite matrix.
constexpr Sym3 inverse(const Sym3& m) {
  const double cxx = m.yy * m.zz - m.yz * m.yz, cxy = m.xz * m.yz - m.xy * m.zz, cxz = m.xy * m.yz - m.xz * m.yy;
  const double d = 1 / (m.xx * cxx + m.xy * cxy + m.xz * cxz);
  return {d * cxx,
          d * (m.xx * m.zz - m.xz * m.xz),
          d * (m.xx * m.yy - m.xy * m.xy),
          d * (m.xy * m.xz - m.xx * m.yz),
          d * cxz,
          d * cxy};
}

}  // namespace ls::inline LS_ISA
