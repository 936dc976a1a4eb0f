#pragma once
#include "fluid/markers.h"
#include "fluid/stencil.h"
#include "model/inputs.h"

#include <span>

namespace ls {

// Scratch of the coupling: deleting it changes nothing but time.
struct FluidWork {
  FluidWork(const Fluid& fluid, const std::vector<Marker>& markers);

  const std::vector<Marker>& markers;
  std::vector<Stencil> stencils;  // [marker]
  MarkerFlow flow;                // what Inputs::flow points at
  RowField near;    // cells near markers: density - 1, velocity, and the markers' measures spread over them
  RowField forces;  // what markers exert on the cells near them, in lattice units

  std::size_t bytes() const;
};

// What the schedule says of the fluid, in lattice units.
LatticeDrive lattice_drive(const Fluid& fluid, const FluidInputs& in);

// Reads the fluid at the markers: w.flow.
void gather_flow(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const Nodes& nodes, FluidWork& w,
                 Team& team);

// Gives the fluid what the markers got (N s, N m s), with a minus, at the places where its flow was read: w.forces, and
// the sums in s.impulse.
void spread_impulses(const Fluid& fluid, const std::vector<Wrench<double>>& got, FluidWork& w, FluidState& s);

// The largest rate at which drag would stop a node that nothing else acts on, 1/s: explicit steps must be shorter.
double largest_drag_rate(const Model& m, const FluidWork& w);

// Velocities of the fluid at places given in cells (lattice units both), walls and half of the force on it taken into
// account: for tracers, probes and pictures. forces: of markers, in the last step; null: none.
void sample_velocities(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const RowField* forces,
                       std::span<const Vec3<double>> places, std::span<Vec3<double>> velocities, Team& team);

}  // namespace ls
