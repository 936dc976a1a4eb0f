#pragma once
#include "fluid/fluid.h"

#include <algorithm>
#include <cmath>

namespace ls {

// A line of markers drags as a rod of this radius does, in cells, whatever the rod's own, and a lone marker as such a
// ball: the delta function is that wide. Measured with two relaxation times in arrays (validation/rod_arrays,
// validation/sphere_array).
struct GridRadius {
  double across, along;  // of forces across a line and along it
  double turning;        // of torques about it
  double point;          // of a lone marker
  double retraction;     // how far within a large surface its markers must lie for the surface itself to drag
};
constexpr GridRadius grid_radius(DeltaKernel k) {
  return k == DeltaKernel::roma ? GridRadius{0.876, 0.880, 1.0, 1.0, 0.35} : GridRadius{1.146, 1.148, 1.3, 1.3, 0.45};
}

}  // namespace ls
