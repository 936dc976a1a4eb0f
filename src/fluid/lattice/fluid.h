#pragma once
#include "fluid/lattice/lattice.h"

namespace ls {

enum class DeltaKernel : std::uint8_t { roma, peskin };  // three and four cells wide

// How markers and fluid exchange momentum. friction: a slip in series with the grid's own makes a line of markers drag
// as a rod of its true radius does; direct: none; penalty: with mass over step, as the paper on bonded particles has
// it.
enum class Coupling : std::uint8_t { friction, direct, penalty };

// The fluid of a scene in SI units, and how it meets the solids.
struct FluidSettings {
  Vec3<double> origin{};       // m, the lowest corner of the box
  std::array<int, 3> cells{};  // of the box
  double spacing = 0;          // m
  double dt = 0;               // s, one step of the fluid
  double viscosity = 0;        // m^2/s
  double density = 0;          // kg/m^3
  std::array<std::array<FaceKind, 2>, 3> faces{};
  bool trt = true, is_double = false;
  DeltaKernel kernel = DeltaKernel::roma;
  Coupling coupling = Coupling::friction;
  bool spin = false;  // torques between the fluid's vorticity and the nodes' spin
};

// A lattice and its units. Never changes during a run.
class Fluid {
 public:
  explicit Fluid(const FluidSettings& settings);

  const FluidSettings& settings() const { return settings_; }
  const Lattice& lattice() const { return lattice_; }
  Vec3<double> size() const;  // m

  // One lattice unit in SI.
  double speed_unit() const { return settings_.spacing / settings_.dt; }                         // m/s
  double mass_unit() const;                                                                      // kg
  double impulse_unit() const { return mass_unit() * speed_unit(); }                             // N s
  double pressure_unit() const { return settings_.density * speed_unit() * speed_unit(); }       // Pa
  double force_density_unit() const { return settings_.density * speed_unit() / settings_.dt; }  // N/m^3
  double relaxation_time() const { return 0.5 + 3 * lattice_.spec().viscosity; }                 // tau, in steps

  // A place in cells: the box goes from 0 to the number of cells, centres are at halves.
  Vec3<double> to_cells(const Vec3<double>& x) const { return per_spacing_ * (x - settings_.origin); }

 private:
  FluidSettings settings_;
  double per_spacing_;  // 1/m
  Lattice lattice_;
};

}  // namespace ls
