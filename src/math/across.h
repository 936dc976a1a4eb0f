#pragma once
#include "math/vec.h"

#include <cmath>

namespace ls::inline LS_ISA {

// A unit vector across another one, where its direction does not matter: z's part across it, or y's where it is nearly
// along z.
inline Vec3<double> any_across(const Vec3<double>& along) {
  const Vec3<double> a = std::abs(along.z) < 0.9 * norm(along) ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0};
  return normalized(a - (dot(a, along) / dot(along, along)) * along);
}

}  // namespace ls::inline LS_ISA
