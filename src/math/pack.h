#pragma once
#include "math/number.h"

#include <experimental/simd>
#ifdef __FMA__
#include <immintrin.h>
#endif

// As many doubles as one vector register holds: the same kernel then computes that many bonds at once.
namespace ls::inline LS_ISA {

struct PackMask {
  std::experimental::native_simd_mask<double> m;
};

struct Pack {
  using Simd = std::experimental::native_simd<double>;
  Simd v{};

  static constexpr int width = static_cast<int>(Simd::size());

  Pack() = default;
  Pack(double a) : v(a) {}
  explicit Pack(const Simd& a) : v(a) {}

  static Pack load(const double* p) { return Pack(Simd(p, std::experimental::element_aligned)); }
  static Pack load_aligned(const double* p) { return Pack(Simd(p, std::experimental::vector_aligned)); }
  void store(double* p) const { v.copy_to(p, std::experimental::element_aligned); }
  void store_aligned(double* p) const { v.copy_to(p, std::experimental::vector_aligned); }
  template <class F>
  static Pack from_lanes(F&& lane) {
    return Pack(Simd([&](auto i) { return lane(static_cast<int>(i)); }));
  }
  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double a) { v[lane] = a; }

  friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v + b.v); }
  friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v - b.v); }
  friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.v * b.v); }
  friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.v / b.v); }
  friend Pack operator-(const Pack& a) { return Pack(-a.v); }
  friend PackMask operator<(const Pack& a, const Pack& b) { return {a.v < b.v}; }
  friend PackMask operator>(const Pack& a, const Pack& b) { return {a.v > b.v}; }
};

// a b + c, rounded once where the machine can, whatever the compiler would make of it.
inline Pack fused(const Pack& a, const Pack& b, const Pack& c) {
#if defined(__AVX512F__)
  return Pack(
      Pack::Simd(_mm512_fmadd_pd(static_cast<__m512d>(a.v), static_cast<__m512d>(b.v), static_cast<__m512d>(c.v))));
#elif defined(__FMA__)
  return Pack(
      Pack::Simd(_mm256_fmadd_pd(static_cast<__m256d>(a.v), static_cast<__m256d>(b.v), static_cast<__m256d>(c.v))));
#else
  return a * b + c;
#endif
}
inline Pack sqrt(const Pack& a) {
  return Pack(std::experimental::sqrt(a.v));
}
inline Pack pick(const PackMask& condition, const Pack& yes, Pack no) {
  std::experimental::where(condition.m, no.v) = yes.v;
  return no;
}
inline bool any(const PackMask& m) {
  return std::experimental::any_of(m.m);
}
inline bool all(const PackMask& m) {
  return std::experimental::all_of(m.m);
}
inline Pack value_of(const Pack& a) {
  return a;
}

}  // namespace ls::inline LS_ISA
