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
  double cut, cap;       // at the ends of a line, in grid radii: see line_end()
};
constexpr GridRadius grid_radius(DeltaKernel k) {
  return k == DeltaKernel::roma ? GridRadius{0.876, 0.880, 1.07, 1.02, 0.36, 0.43, 0.50, 0.40, 0.49}
                                : GridRadius{1.146, 1.148, 1.80, 1.36, 0.49, 0.64, 0.66, 0.60, 0.48};
}

// The ends of a line are those of a rod as thick as the grid makes it. So that a rod of radius r with flat ends drags
// as it should, the line is cut short at each end (a thick one more), and beyond where it then ends there is a cap that
// drags along the axis alone. Measured against Tirado and Garcia de la Torre's cylinders of 8 to 20 cells, with radii
// of 0.25 to 0.8 cells, at a relaxation time of 1: right to 2 % along and across, 2.7 % along for 0.8 cells on the
// edges of cells. Without this it was 7 % too little along thin ones and 6 % too much across thick ones.
struct LineEnd {
  double cut, cap;  // in cells
};
constexpr LineEnd line_end(DeltaKernel k, double r) {
  const GridRadius g = grid_radius(k);
  const double x = r / g.across;
  return {g.cut * x * x * x * g.across, g.cap * g.across};
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
