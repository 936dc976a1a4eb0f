#pragma once
#include "math/number.h"

#include <experimental/simd>
#ifdef __AVX__
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
  // Written out, so that what consists of packs is copied register by register: GCC copies aggregates of trivial parts
  // sixteen bytes at a time, and reading a register back waits until both halves have reached the cache.
  Pack(const Pack& a) : v(a.v) {}   // NOLINT(modernize-use-equals-default)
  Pack& operator=(const Pack& a) {  // NOLINT(modernize-use-equals-default)
    v = a.v;
    return *this;
  }
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
// Lane i of all the packs, side by side, to `to` + i stride: a transposition in registers.
inline void store_lanes(const Pack (&a)[Pack::width], double* to, int stride) {
#if defined(__AVX512F__)
  __m512d r[8], s[8];
  for (int k = 0; k < 8; k += 2) {
    const auto p = static_cast<__m512d>(a[k].v), q = static_cast<__m512d>(a[k + 1].v);
    r[k] = _mm512_unpacklo_pd(p, q), r[k + 1] = _mm512_unpackhi_pd(p, q);
  }
  for (int k = 0; k < 8; k += 4)
    for (int odd = 0; odd < 2; ++odd) {  // lanes 0 and 4 (1 and 5) of four packs, and 2 and 6 (3 and 7)
      s[k + odd] = _mm512_permutex2var_pd(r[k + odd], _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), r[k + 2 + odd]);
      s[k + 2 + odd] =
          _mm512_permutex2var_pd(r[k + odd], _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), r[k + 2 + odd]);
    }
  for (int lane = 0; lane < 4; ++lane) {
    _mm512_storeu_pd(to + lane * stride, _mm512_shuffle_f64x2(s[lane], s[4 + lane], 0x44));
    _mm512_storeu_pd(to + (4 + lane) * stride, _mm512_shuffle_f64x2(s[lane], s[4 + lane], 0xee));
  }
#elif defined(__AVX__)
  __m256d r[4];
  for (int k = 0; k < 4; k += 2) {
    const auto p = static_cast<__m256d>(a[k].v), q = static_cast<__m256d>(a[k + 1].v);
    r[k] = _mm256_unpacklo_pd(p, q), r[k + 1] = _mm256_unpackhi_pd(p, q);
  }
  for (int lane = 0; lane < 2; ++lane) {
    _mm256_storeu_pd(to + lane * stride, _mm256_permute2f128_pd(r[lane], r[2 + lane], 0x20));
    _mm256_storeu_pd(to + (2 + lane) * stride, _mm256_permute2f128_pd(r[lane], r[2 + lane], 0x31));
  }
#else
  for (int lane = 0; lane < Pack::width; ++lane)
    for (int k = 0; k < Pack::width; ++k) to[lane * stride + k] = a[k][lane];
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
