#pragma once
#include "fluid/fluid.h"
#include "fluid/markers.h"

#include <span>

namespace ls {

// Scratch of the coupling: deleting it changes nothing but time.
struct FluidWork {
  FluidWork(const Fluid& fluid, const std::vector<Marker>& markers);

  MarkerFlow flow;   // what Inputs::flow points at
  RowField moments;  // of the cells near markers: density - 1 and momentum, and how many markers are near
  RowField forces;   // what markers exert on the cells near them
};

// Velocities of the fluid at places given in cells (lattice units both), walls and half the body force taken into
// account: for tracers, probes and pictures.
void sample_velocities(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive,
                       std::span<const Vec3<double>> places, std::span<Vec3<double>> velocities, Team& team);

// What the schedule says of the fluid, in lattice units.
LatticeDrive lattice_drive(const Fluid& fluid, const FluidInputs& in);

}  // namespace ls
