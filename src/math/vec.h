#pragma once
#include "math/number.h"

namespace ls::inline LS_ISA {

// Operators mix component types (a constant vector with a Dual one), so that constants never become Duals of zeros.
template <class T>
struct Vec3 {
  T x{}, y{}, z{};
};

template <class T>
struct IsVec3 {
  static constexpr bool value = false;
};
template <class T>
struct IsVec3<Vec3<T>> {
  static constexpr bool value = true;
};
template <class S>
concept Scalar = !IsVec3<S>::value;

template <class A, class B>
LS_HD constexpr auto operator+(const Vec3<A>& a, const Vec3<B>& b) -> Vec3<decltype(a.x + b.x)> {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
LS_HD constexpr auto operator-(const Vec3<A>& a, const Vec3<B>& b) -> Vec3<decltype(a.x - b.x)> {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
LS_HD constexpr Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <Scalar S, class T>
LS_HD constexpr auto operator*(const S& s, const Vec3<T>& a) -> Vec3<decltype(s * a.x)> {
  return {s * a.x, s * a.y, s * a.z};
}
template <class A, class B>
LS_HD constexpr Vec3<A>& operator+=(Vec3<A>& a, const Vec3<B>& b) {
  return a = a + b;
}
template <class A, class B>
LS_HD constexpr auto dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
LS_HD constexpr auto cross(const Vec3<A>& a, const Vec3<B>& b) -> Vec3<decltype(a.x * b.x)> {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
LS_HD T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}
template <class T>
LS_HD Vec3<T> normalized(const Vec3<T>& a) {
  return (1.0 / norm(a)) * a;
}
template <class M, class T>
LS_HD Vec3<T> pick(const M& condition, const Vec3<T>& yes, const Vec3<T>& no) {
  return {pick(condition, yes.x, no.x), pick(condition, yes.y, no.y), pick(condition, yes.z, no.z)};
}

// A 3x3 matrix by its columns; of a rotation they are the turned axes.
template <class T>
struct Mat3 {
  Vec3<T> c1, c2, c3;
};
template <class A, class B>
LS_HD constexpr auto operator*(const Mat3<A>& m, const Vec3<B>& p) {
  return p.x * m.c1 + p.y * m.c2 + p.z * m.c3;
}
template <class A, class B>
LS_HD constexpr auto transposed_times(const Mat3<A>& m, const Vec3<B>& p) -> Vec3<decltype(dot(m.c1, p))> {
  return {dot(m.c1, p), dot(m.c2, p), dot(m.c3, p)};
}

}  // namespace ls::inline LS_ISA
