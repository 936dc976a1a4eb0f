#pragma once
#include "base/hd.h"

#include <cstring>
#include <utility>

#ifdef __AVX2__
#include <immintrin.h>
#endif

// Vector registers in single and double precision, for the loops of the fast sums. Sums over many run in lanes of 64
// bytes, whatever the register holds: narrower ones go over the same numbers in several rounds (`rounds`), each with
// the lanes that are its own. What is fused is written so, and the inverse root starts from the bits of the number
// rather than from the processor's estimate, which differs between widths and makes. So all widths give the same bits.
namespace ls::inline LS_ISA {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

template <class R>
struct RegisterOf;
template <>
struct RegisterOf<float> {
  typedef float Type __attribute__((vector_size(register_bytes)));  // NOLINT(modernize-use-using): an attribute of it
  typedef int Bits __attribute__((vector_size(register_bytes)));    // NOLINT(modernize-use-using)
  using Whole = int;
  static constexpr Whole first_guess = 0x5f375a86;
};
template <>
struct RegisterOf<double> {
  typedef double Type __attribute__((vector_size(register_bytes)));     // NOLINT(modernize-use-using)
  typedef long long Bits __attribute__((vector_size(register_bytes)));  // NOLINT(modernize-use-using)
  using Whole = long long;
  static constexpr Whole first_guess = 0x5fe6eb50c7b537a9;
};

template <class R>
inline constexpr int register_lanes = register_bytes / static_cast<int>(sizeof(R));
template <class R>
inline constexpr int sum_lanes = 64 / static_cast<int>(sizeof(R));
template <class R>
inline constexpr int rounds = sum_lanes<R> / register_lanes<R>;

template <class R>
using Register = typename RegisterOf<R>::Type;

template <class R>
inline Register<R> broadcast(R a) {
  return Register<R>{} + a;
}
template <class R>
inline Register<R> load(const R* p) {
  Register<R> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class R>
inline void store(R* p, const Register<R>& v) {
  std::memcpy(p, &v, sizeof v);
}

// a b + c, rounded once where the machine can.
#if defined(__AVX512F__)
inline Register<float> fused(Register<float> a, Register<float> b, Register<float> c) {
  return (Register<float>)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
inline Register<double> fused(Register<double> a, Register<double> b, Register<double> c) {
  return (Register<double>)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
#elif defined(__AVX2__)
inline Register<float> fused(Register<float> a, Register<float> b, Register<float> c) {
  return (Register<float>)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
inline Register<double> fused(Register<double> a, Register<double> b, Register<double> c) {
  return (Register<double>)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
#else
inline Register<float> fused(Register<float> a, Register<float> b, Register<float> c) {
  return a * b + c;
}
inline Register<double> fused(Register<double> a, Register<double> b, Register<double> c) {
  return a * b + c;
}
#endif

// 1/sqrt(a), a > 0, to the last bit or two. The guess is off by 3.4 %; steps of third order leave 1e-4 and 3e-12, a
// last one of Newton the rounding.
template <class R>
inline Register<R> inverse_root(Register<R> a) {
  using V = Register<R>;
  using Bits = typename RegisterOf<R>::Bits;
  V y = (V)(RegisterOf<R>::first_guess - ((Bits)a >> 1));
  const V one = broadcast<R>(1), half = broadcast<R>(R(0.5)), three_eighths = broadcast<R>(R(0.375));
  for (int step = 0; step < (sizeof(R) == 4 ? 1 : 2); ++step) {
    const V h = fused(-(a * y), y, one);
    y = fused(y * h, fused(h, three_eighths, half), y);
  }
  return fused(y * half, fused(-(a * y), y, one), y);
}

template <int half, class V, int... lane>
inline V folded(const V& v, std::integer_sequence<int, lane...>) {
  return v + __builtin_shufflevector(v, v, (lane ^ half)...);
}
template <class R, int half = register_lanes<R> / 2>
inline R sum_of_register(const Register<R>& v) {
  if constexpr (half == 0)
    return v[0];
  else
    return sum_of_register<R, half / 2>(folded<half>(v, std::make_integer_sequence<int, register_lanes<R>>{}));
}
// Sum of all lanes of all rounds, by halves.
template <class R>
inline R sum_of_lanes(const Register<R> (&v)[rounds<R>]) {
  Register<R> a[rounds<R>];
  for (int i = 0; i < rounds<R>; ++i) a[i] = v[i];
  for (int h = rounds<R> / 2; h > 0; h /= 2)
    for (int i = 0; i < h; ++i) a[i] = a[i] + a[i + h];
  return sum_of_register<R>(a[0]);
}

}  // namespace ls::inline LS_ISA
