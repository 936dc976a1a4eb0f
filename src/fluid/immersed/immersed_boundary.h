#pragma once
#include "fluid/immersed/stencil.h"
#include "model/inputs.h"
#include "model/marker_table.h"

#include <span>

namespace ls {

// Scratch of the coupling: deleting it changes nothing but time.
struct FluidWork {
  FluidWork(const Fluid& fluid, const std::vector<Marker>& all);

  // Memory is what this costs, so what every step needs of a station or a marker is close together.
  struct Station {
    int marker;            // that it is
    int node;              // that this sits right on; -1: none
    double measure;        // of all markers that meet the fluid here, in cells
    Vec3<double> u;        // velocity without the markers' own forces of this step, in lattice units
    Vec3<double> overlap;  // how much of all markers' measures is here, by components
  };
  struct Spin {
    Vec3<double> curl;  // of the velocity, in lattice units
    double own, self;   // what a torque and a force do to the velocities at their own place
  };
  struct Reach {
    int first, second;   // stations between which a marker lies
    double share;        // of the second
    double per_measure;  // 1 over its measure in cells
    double across;       // speed per impulse of a step that makes a line as thin as its rod, in lattice units; with
                         // the penalty coupling all of it
    int node;            // that the line's axis turns with
    bool is_node;        // the marker sits right on it
  };

  const std::vector<Marker>& markers;
  std::vector<Reach> reach;          // [marker]
  Column axis[3];                    // [marker] of the line, in that node's axes; 0: none
  Column along;                      // [marker] as `across`: how much more along the axis
  std::vector<double> turning;       // [marker] as `across`, for torques about the axis; empty without spin
  std::vector<Station> stations;     // where markers meet the fluid
  std::vector<Stencil> stencils;     // [station]
  std::vector<Spin> spins;           // [station], or empty
  std::vector<Vec3<double>> given;   // [station] force of markers on the fluid there, in lattice units
  std::vector<Vec3<double>> turned;  // [station] torque, or empty
  std::vector<double> rates;         // scratch of largest_drag_rate()
  MarkerFlow flow;                   // what Inputs::flow points at
  RowField near;                     // cells near markers, as Lattice::see() has them, and the measures of all markers
  RowField forces;                   // what markers exert on these cells, in lattice units, and a 0
  enum class Sight : std::uint8_t { none, aimed, seen };
  Sight sight = Sight::none;  // whether the cells of `near` are those of the next step already, and have its moments
  bool has_caps = false;      // some marker is one
  bool has_moved = true;      // they are other cells than those of `forces`

  // What a step of the lattice is to look at in passing, once markers are aimed: the next gather_flow() takes it.
  RowField* look_ahead() {
    sight = Sight::seen;
    return &near;
  }
  void forget() { sight = Sight::none; }  // and read the fluid as it is
  std::size_t bytes() const;
};

// What the schedule says of the fluid, in lattice units.
LatticeDrive lattice_drive(const Fluid& fluid, const FluidInputs& in);

// Where the markers meet the fluid from now on: w.near. A step of the lattice that follows can look there in passing.
void aim_markers(const Fluid& fluid, const Nodes& nodes, FluidWork& work, Team& team);

// Reads the fluid at the markers, aimed there if that has not been done: w.flow. w.forces are for spread_impulses() to
// set; 0 until then, where no step has looked ahead.
void gather_flow(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const Nodes& nodes,
                 FluidWork& work, Team& team);

// Gives the fluid what the markers got (N s, N m s), with a minus, at the places where its flow was read: w.forces, and
// the sums in s.impulse.
void spread_impulses(const Fluid& fluid, const std::vector<Wrench<double>>& got, FluidWork& work, FluidState& s,
                     Team& team);

// The largest rate at which drag would stop a node that nothing else acts on: explicit steps must be shorter. What is
// held goes by its drive and not by drag, whatever its mass.
struct DragRate {
  double rate = 0;  // 1/s
  int node = 0;     // that it stops
};
DragRate largest_drag_rate(const Model& m, const std::vector<HeldNode>& held, FluidWork& work);

// Velocities of the fluid at places given in cells (lattice units both), walls and half of the force on it taken into
// account: for tracers. forces: of markers, in the last step; null: none.
void sample_velocities(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const RowField* forces,
                       std::span<const Vec3<double>> places, std::span<Vec3<double>> velocities, Team& team);

}  // namespace ls
