#pragma once
#include "fluid/immersed/immersed_boundary.h"
#include "fluid/lattice/fluid.h"
#include "step/newton/implicit_step.h"

namespace ls {

struct CoupledSettings {
  int substeps = 1;  // of an explicit solid in one step of the fluid
  bool is_implicit = false;
  ImplicitSettings implicit;
};

// One step of the fluid and of the solids in it: velocities of the fluid are gathered once, the solids take their steps
// against them, and what they gave is spread once. Impulse is the only currency: the fluid gets what the solids lost.
// Where work.pulse interrupts it, the state is as it was.
// at: what the schedule says at a share of the step, with the flow of `w` in it. n: for implicit solids, else null.
[[nodiscard]] Outcome step_coupled(const Model& m, const Fluid& fluid, const InputsAt& at, State& s, Work& work,
                                   FluidWork& fluid_work, NewtonWork* newton, const CoupledSettings& settings);

}  // namespace ls
