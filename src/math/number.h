#pragma once
#include "base/hd.h"

#include <cmath>

// What the kernels ask of a number type. It is one of four: double, a Dual, a Pack of doubles, a Dual of Packs.
namespace ls::inline LS_ISA {

using std::sqrt;  // so that kernels say sqrt(x) for every number type

// Kernels choose with pick, never with if: on a pack the condition differs from lane to lane.
LS_HD constexpr double pick(bool condition, double yes, double no) {
  return condition ? yes : no;
}
LS_HD constexpr bool any(bool condition) {
  return condition;
}
LS_HD constexpr double value_of(double a) {
  return a;
}

}  // namespace ls::inline LS_ISA
