#pragma once
#include "math/vec.h"

namespace ls::inline LS_ISA {

// A vector by the number of its axis.
template <class T>
constexpr T& component(Vec3<T>& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
template <class T>
constexpr const T& component(const Vec3<T>& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace ls::inline LS_ISA
