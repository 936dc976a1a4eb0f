#pragma once
#include "base/hd.h"

// As many numbers as one vector register holds, floats or doubles. The compiler's own vectors rather than Pack: those
// are of doubles only, and here nothing but arithmetic and a choice by lanes is needed.
namespace ls::inline LS_ISA {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

template <class T>
struct Lanes {
  static constexpr int width = register_bytes / static_cast<int>(sizeof(T));
  // NOLINTBEGIN(modernize-use-using): an alias may lose attributes of a type that depends on T
  typedef T V __attribute__((vector_size(register_bytes)));
  typedef T Anywhere __attribute__((vector_size(register_bytes), aligned(sizeof(T)), may_alias));
  typedef double Doubles __attribute__((vector_size(width * sizeof(double))));
  typedef double DoublesAnywhere __attribute__((vector_size(width * sizeof(double)), aligned(8), may_alias));
  // NOLINTEND(modernize-use-using)
  using Mask = decltype(V{} < V{});

  [[gnu::always_inline]] static V load(const T* p) { return *reinterpret_cast<const Anywhere*>(p); }
  [[gnu::always_inline]] static void store(T* p, V v) { *reinterpret_cast<Anywhere*>(p) = v; }
  [[gnu::always_inline]] static void store_doubles(double* p, V v) {
    *reinterpret_cast<DoublesAnywhere*>(p) = __builtin_convertvector(v, Doubles);
  }
  [[gnu::always_inline]] static V all(T a) { return V{} + a; }
  // True in the last `count` lanes.
  [[gnu::always_inline]] static Mask last(int count) {
    Mask m{};
    for (int k = width - count; k < width; ++k) m[k] = -1;
    return m;
  }
};

}  // namespace ls::inline LS_ISA
