#pragma once
#include "fluid/immersed/immersed_boundary.h"

namespace ls::validation {

// A box of fluid that is periodic on all sides, with a body held in it: an endless array of bodies. A force on the
// fluid drives it through the array.
struct PeriodicArray {
  FluidSettings fluid;          // in lattice units: spacing, step and density are 1
  std::vector<Marker> markers;  // all on node 0
  Vec3<double> place{};         // of that node, in cells
};

// Mean velocity of the fluid per force and viscosity once it is steady: U mu / (force on a cell of the array).
double mobility(const PeriodicArray& array, const Vec3<double>& along);

}  // namespace ls::validation
