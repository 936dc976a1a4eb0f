#pragma once
#include "fluid/lattice/fluid.h"

#include <algorithm>

namespace ls {

// A line of markers drags as a rod of this radius does, in cells, whatever the rod's own, and a lone marker as such a
// ball: the delta function is that wide. A closed surface of markers drags as one that lies a little outside: `excess`,
// which for balls of radius a is far + near/a. Measured with two relaxation times in periodic arrays
// (validation/rod_arrays, validation/sphere_array); with one, all of these depend on its value.
struct GridRadius {
  double across, along;  // of forces across a line and along it
  double turning;        // of torques about it: a mean, good to some 10 %
  double point;          // of a lone marker
  double far, near;      // excess of balls
  double ring;           // excess of rings around a rod
};
constexpr GridRadius grid_radius(DeltaKernel k) {
  return k == DeltaKernel::roma ? GridRadius{0.876, 0.880, 1.07, 1.02, 0.36, 0.43, 0.50}
                                : GridRadius{1.146, 1.148, 1.80, 1.36, 0.49, 0.64, 0.66};
}

// Where the markers of a ball must lie for it to drag as one of radius a, in cells. A small ball keeps part of its
// size.
constexpr double retracted_ball(DeltaKernel k, double a) {
  const GridRadius g = grid_radius(k);
  double inner = a - g.far;
  for (int i = 0; i < 8; ++i) inner = std::max(a - g.far - g.near / std::max(inner, 0.4 * a), 0.4 * a);
  return inner;
}
constexpr double retracted_ring(DeltaKernel k, double r) {
  return std::max(r - grid_radius(k).ring, 0.4 * r);
}

}  // namespace ls
