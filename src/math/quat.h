#pragma once
#include "math/vec.h"

namespace ls::inline LS_ISA {

template <class T>
struct Quat {
  T w{1.0};
  Vec3<T> v{};
};

template <class A, class B>
LS_HD constexpr auto operator*(const Quat<A>& a, const Quat<B>& b) -> Quat<decltype(a.w * b.w)> {
  return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
template <class T>
LS_HD constexpr Quat<T> conj(const Quat<T>& q) {
  return {q.w, -q.v};
}
template <class A, class B>
LS_HD constexpr auto dot(const Quat<A>& a, const Quat<B>& b) {
  return a.w * b.w + dot(a.v, b.v);
}
// Of q and -q, which are the same turn, the one on the side of another.
LS_HD constexpr Quat<double> nearer(const Quat<double>& q, const Quat<double>& to) {
  return dot(q, to) < 0 ? Quat<double>{-q.w, -q.v} : q;
}
template <class T>
LS_HD Quat<T> normalized(const Quat<T>& q) {
  const T s = 1.0 / sqrt(dot(q, q));
  return {s * q.w, s * q.v};
}
template <class A, class B>
LS_HD constexpr auto rotate(const Quat<A>& q, const Vec3<B>& p) {
  const auto t = 2.0 * cross(q.v, p);
  return p + q.w * t + cross(q.v, t);
}

// The axes of a unit quaternion's frame, as columns.
template <class T>
LS_HD constexpr Vec3<T> axis_x(const Quat<T>& q) {
  const T &x = q.v.x, &y = q.v.y, &z = q.v.z;
  return {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + q.w * z), 2.0 * (x * z - q.w * y)};
}
template <class T>
LS_HD constexpr Vec3<T> axis_y(const Quat<T>& q) {
  const T &x = q.v.x, &y = q.v.y, &z = q.v.z;
  return {2.0 * (x * y - q.w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + q.w * x)};
}
template <class T>
LS_HD constexpr Vec3<T> axis_z(const Quat<T>& q) {
  const T &x = q.v.x, &y = q.v.y, &z = q.v.z;
  return {2.0 * (x * z + q.w * y), 2.0 * (y * z - q.w * x), 1.0 - 2.0 * (x * x + y * y)};
}
template <class T>
LS_HD constexpr Mat3<T> matrix(const Quat<T>& q) {
  return {axis_x(q), axis_y(q), axis_z(q)};
}

}  // namespace ls::inline LS_ISA
