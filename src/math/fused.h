#pragma once
#include "base/hd.h"

namespace ls::inline LS_ISA {

// a b + c, rounded once where the machine can: of every vector width with fused arithmetic the same bits, whatever the
// compiler makes of the loop around it.
inline double fused(double a, double b, double c) {
#ifdef __FMA__
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace ls::inline LS_ISA
