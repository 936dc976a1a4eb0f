#pragma once
#include "fluid/lattice/lattice.h"

#include <array>

// A fluid alone, without a scene: what the cases of pure flows share. In lattice units.
namespace ls::validation {

inline double& component(Vec3<double>& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

class Flow {
 public:
  explicit Flow(const LatticeSpec& spec) : lattice_(spec), state_(lattice_.at_rest()) {}

  const Lattice& lattice() const { return lattice_; }
  FluidState& state() { return state_; }
  long long steps() const { return state_.steps; }
  void step(const LatticeDrive& drive) { lattice_.step(state_, drive, nullptr, team_); }

  // Where drive.body acts.
  Vec3<double> velocity(const std::array<int, 3>& cell, const LatticeDrive& drive) const {
    double m[4];
    double* const out[4] = {m, m + 1, m + 2, m + 3};
    lattice_.moments(state_, cell[2] * lattice_.spec().cells[1] + cell[1], cell[0], cell[0] + 1, out);
    return (1 / (1 + m[0])) * (Vec3<double>{m[1], m[2], m[3]} + 0.5 * drive.body);
  }

 private:
  Lattice lattice_;
  FluidState state_;
  Team team_;
};

}  // namespace ls::validation
