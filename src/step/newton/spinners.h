#pragma once
#include "step/newton/newton_work.h"

namespace ls {

// A round rod that is pinned, not clamped, spins about its own axis without resistance: a zero-energy mode. Any spin
// will do for equilibrium, but its stiffness, which is zero but for rounding and what is left of the residual, would
// ruin every iteration. Finds such rods in the state at rest, and lets one node of each be stiff against turning about
// its own axis: that holds back the iterations, not the equations.
void find_spinners(const Model& m, const State& rest, const std::vector<std::uint8_t>& held, NewtonWork& newton);

// Adds that stiffness, as large as what is there.
void add_spinners(const State& s, NewtonWork& newton);

}  // namespace ls
