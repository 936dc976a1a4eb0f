#pragma once
#include "fluid/lattice/fluid.h"

#include <algorithm>
#include <cmath>

// Smoothed delta functions of one axis, in cells. Their values at the cells sum to 1 wherever the place is, and their
// first moments to 0: force and torque are passed on exactly, and a linear flow is read exactly. The sum of their
// squares does not depend on the place either (1/2 and 3/8).
namespace ls {

// Roma, Peskin and Berger 1999: three cells wide.
inline double roma(double r) {
  r = std::abs(r);
  if (r <= 0.5) return (1 + std::sqrt(std::max(0.0, 1 - 3 * r * r))) / 3;
  if (r <= 1.5) return (5 - 3 * r - std::sqrt(std::max(0.0, 1 - 3 * (1 - r) * (1 - r)))) / 6;
  return 0;
}
inline double roma_slope(double r) {
  const double a = std::abs(r);
  if (a <= 0.5) return -r / std::sqrt(std::max(1e-12, 1 - 3 * r * r));
  if (a > 1.5) return 0;
  const double s = -0.5 * (1 + (1 - a) / std::sqrt(std::max(1e-12, 1 - 3 * (1 - a) * (1 - a))));
  return r < 0 ? -s : s;
}

// Peskin 2002: four cells wide.
inline double peskin(double r) {
  r = std::abs(r);
  if (r <= 1) return (3 - 2 * r + std::sqrt(std::max(0.0, 1 + 4 * r - 4 * r * r))) / 8;
  if (r <= 2) return (5 - 2 * r - std::sqrt(std::max(0.0, -7 + 12 * r - 4 * r * r))) / 8;
  return 0;
}
inline double peskin_slope(double r) {
  const double a = std::abs(r);
  if (a > 2) return 0;
  const double s = a <= 1 ? (-2 + (2 - 4 * a) / std::sqrt(std::max(1e-12, 1 + 4 * a - 4 * a * a))) / 8
                          : (-2 - (6 - 4 * a) / std::sqrt(std::max(1e-12, -7 + 12 * a - 4 * a * a))) / 8;
  return r < 0 ? -s : s;
}

inline int width(DeltaKernel k) {
  return k == DeltaKernel::roma ? 3 : 4;
}
inline double delta(DeltaKernel k, double r) {
  return k == DeltaKernel::roma ? roma(r) : peskin(r);
}
inline double delta_slope(DeltaKernel k, double r) {
  return k == DeltaKernel::roma ? roma_slope(r) : peskin_slope(r);
}
// The first cell that has a weight; cell i has its centre at i + 1/2.
inline int first_cell(DeltaKernel k, double x) {
  const double at = k == DeltaKernel::roma ? x : x - 0.5;
  const int towards_zero = static_cast<int>(at);
  return towards_zero - (at < towards_zero ? 2 : 1);
}

}  // namespace ls
