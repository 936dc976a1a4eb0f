#pragma once
#include "base/parallel.h"
#include "fluid/lattice/fluid.h"
#include "model/inputs.h"

namespace ls {

// Velocities are those of the middle of a step, so they have half of its force in them. For what markers exert, that of
// the last step stands in: the next one is not known yet.

// The fastest cell, and whether all of them are numbers.
struct FluidScan {
  double speed = 0;  // m/s
  bool finite = true;
  std::array<int, 3> cell{};  // the fastest one, or the first in its row that is no number
};
FluidScan scan_fluid(const Fluid& fluid, const FluidState& s, const Inputs& in, Team& team);

// What a block of cells holds, in SI units; x fastest.
struct FluidBlock {
  std::array<int, 3> first{}, count{};
  std::vector<std::array<float, 3>> velocity;   // [cell] m/s
  std::vector<float> pressure;                  // [cell] Pa, beyond that of fluid at rest
  std::vector<std::array<float, 3>> vorticity;  // [cell] 1/s: central differences, one-sided at faces
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(count[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(count[0]) +
           static_cast<std::size_t>(x);
  }
};
FluidBlock read_block(const Fluid& fluid, const FluidState& s, const Inputs& in, const std::array<int, 3>& first,
                      const std::array<int, 3>& count, Team& team);

// At a place within the box, between the centres of cells: velocity and vorticity by cubic interpolation, as flow_at()
// has it, pressure linearly.
struct FluidAtPlace {
  Vec3<double> velocity{};   // m/s
  Vec3<double> vorticity{};  // 1/s
  double pressure = 0;       // Pa, beyond that of fluid at rest
};
FluidAtPlace read_place(const Fluid& fluid, const FluidState& s, const Inputs& in, const Vec3<double>& x);

}  // namespace ls
