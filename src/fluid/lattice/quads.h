#pragma once
#include "base/hd.h"

// Four numbers at a time: those of a cell, or one of four cells.
namespace ls::inline LS_ISA {

template <class T>
struct Four {
  // NOLINTBEGIN(modernize-use-using): an alias may lose attributes of a type that depends on T
  typedef T V __attribute__((vector_size(4 * sizeof(T)), may_alias));
  typedef T Anywhere __attribute__((vector_size(4 * sizeof(T)), aligned(sizeof(T)), may_alias));
  // NOLINTEND(modernize-use-using)

  [[gnu::always_inline]] static V load(const T* p) { return *reinterpret_cast<const Anywhere*>(p); }
  [[gnu::always_inline]] static void store(T* p, const V& v) { *reinterpret_cast<Anywhere*>(p) = v; }
  // Of doubles.
  [[gnu::always_inline]] static V from(const double* p) {
    return V{static_cast<T>(p[0]), static_cast<T>(p[1]), static_cast<T>(p[2]), static_cast<T>(p[3])};
  }
};
using Quad = Four<double>::V;

}  // namespace ls::inline LS_ISA
