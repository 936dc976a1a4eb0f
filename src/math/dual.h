#pragma once
#include "math/polynomial.h"

#include <type_traits>

namespace ls::inline LS_ISA {

// A value with its first derivatives to N variables. Nest it (Dual<Dual<double,N>,N>) for second ones.
template <class T, int N>
struct Dual {
  T val{};
  T d[N]{};

  constexpr Dual() = default;
  LS_HD constexpr Dual(double c) : val(c) {}
  LS_HD constexpr Dual(const T& c) requires(!std::is_same_v<T, double>) : val(c) {}
  LS_HD static constexpr Dual variable(const T& value, int i) {
    Dual r(value);
    r.d[i] = T(1.0);
    return r;
  }
};

// A number of the value's own type (or a plain double) beside a Dual: no derivatives to carry.
template <class T>
using Plain = std::type_identity_t<T>;

// f(a) given value f and slope df/da.
template <class T, int N>
LS_HD constexpr Dual<T, N> chain(const Plain<T>& f, const Plain<T>& slope, const Dual<T, N>& a) {
  Dual<T, N> r(f);
  for (int i = 0; i < N; ++i) r.d[i] = slope * a.d[i];
  return r;
}

template <class T, int N>
LS_HD constexpr Dual<T, N> operator+(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> r(a.val + b.val);
  for (int i = 0; i < N; ++i) r.d[i] = a.d[i] + b.d[i];
  return r;
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator-(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> r(a.val - b.val);
  for (int i = 0; i < N; ++i) r.d[i] = a.d[i] - b.d[i];
  return r;
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator-(const Dual<T, N>& a) {
  Dual<T, N> r(-a.val);
  for (int i = 0; i < N; ++i) r.d[i] = -a.d[i];
  return r;
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator*(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> r(a.val * b.val);
  for (int i = 0; i < N; ++i) r.d[i] = a.d[i] * b.val + a.val * b.d[i];
  return r;
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator/(const Dual<T, N>& a, const Dual<T, N>& b) {
  const T inv = T(1.0) / b.val;
  Dual<T, N> r(a.val * inv);
  for (int i = 0; i < N; ++i) r.d[i] = (a.d[i] - r.val * b.d[i]) * inv;
  return r;
}

template <class T, int N>
LS_HD constexpr Dual<T, N> operator+(Dual<T, N> a, const Plain<T>& b) {
  a.val = a.val + b;
  return a;
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator+(const Plain<T>& a, const Dual<T, N>& b) {
  return b + a;
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator-(Dual<T, N> a, const Plain<T>& b) {
  a.val = a.val - b;
  return a;
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator-(const Plain<T>& a, const Dual<T, N>& b) {
  return chain(a - b.val, T(-1.0), b);
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator*(const Plain<T>& s, const Dual<T, N>& a) {
  return chain(s * a.val, s, a);
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator*(const Dual<T, N>& a, const Plain<T>& s) {
  return s * a;
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator/(const Plain<T>& s, const Dual<T, N>& a) {
  const T r = s / a.val;
  return chain(r, -(r / a.val), a);
}
template <class T, int N>
LS_HD constexpr Dual<T, N> operator/(const Dual<T, N>& a, const Plain<T>& s) {
  return (T(1.0) / s) * a;
}

template <class T, int N>
LS_HD Dual<T, N> sqrt(const Dual<T, N>& a) {
  const T s = sqrt(a.val);
  return chain(s, T(0.5) / s, a);
}
template <int K, class T, int N>
LS_HD constexpr Dual<T, N> evaluate(const Polynomial<K>& p, const Dual<T, N>& z) {
  return chain(evaluate(p, z.val), evaluate(slope(p), z.val), z);
}

// Comparison and choice go by value.
template <class T, int N>
LS_HD constexpr auto value_of(const Dual<T, N>& a) {
  return value_of(a.val);
}
template <class T, int N>
LS_HD constexpr auto operator<(const Dual<T, N>& a, double b) {
  return value_of(a) < b;
}
template <class T, int N>
LS_HD constexpr auto operator>(const Dual<T, N>& a, double b) {
  return value_of(a) > b;
}
template <class M, class T, int N>
LS_HD constexpr Dual<T, N> pick(const M& condition, const Dual<T, N>& yes, const Dual<T, N>& no) {
  Dual<T, N> r(pick(condition, yes.val, no.val));
  for (int i = 0; i < N; ++i) r.d[i] = pick(condition, yes.d[i], no.d[i]);
  return r;
}
}  // namespace ls::inline LS_ISA
