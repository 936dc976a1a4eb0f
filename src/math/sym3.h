#pragma once
#include "math/vec.h"

namespace ls::inline LS_ISA {

// A symmetric 3x3 matrix.
struct Sym3 {
  double xx = 0, yy = 0, zz = 0, yz = 0, xz = 0, xy = 0;
};

constexpr Vec3<double> operator*(const Sym3& m, const Vec3<double>& a) {
  return {m.xx * a.x + m.xy * a.y + m.xz * a.z, m.xy * a.x + m.yy * a.y + m.yz * a.z,
          m.xz * a.x + m.yz * a.y + m.zz * a.z};
}
constexpr Sym3 operator*(double s, const Sym3& m) {
  return {s * m.xx, s * m.yy, s * m.zz, s * m.yz, s * m.xz, s * m.xy};
}
constexpr Sym3 operator+(const Sym3& a, const Sym3& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.yz + b.yz, a.xz + b.xz, a.xy + b.xy};
}
constexpr Sym3 diagonal(const Vec3<double>& d) {
  return {d.x, d.y, d.z, 0, 0, 0};
}
// s a a^T
constexpr Sym3 outer(double s, const Vec3<double>& a) {
  return {s * a.x * a.x, s * a.y * a.y, s * a.z * a.z, s * a.y * a.z, s * a.x * a.z, s * a.x * a.y};
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
