#pragma once
#include "fluid/immersed/immersed_boundary.h"
#include "fluid/lattice/fluid.h"
#include "step/newton/implicit_step.h"

#include <span>

namespace ls {

struct CoupledSettings {
  int substeps = 1;  // of an explicit solid in one step of the fluid
  bool is_implicit = false;
  ImplicitSettings implicit;
};

// How many steps explicit solids would have to take in one step of the fluid, of length dt, for drag not to overshoot.
struct StepsForDrag {
  double count = 0;
  int node = 0;  // that asks for them
};
StepsForDrag steps_for_drag(const Model& m, const std::vector<HeldNode>& held, double dt, FluidWork& fluid_work);
// More than these are not taken: who waits for them believes that the program hangs.
constexpr double most_solid_steps = 1e6;

// One step of the fluid and of the solids in it: velocities of the fluid are gathered once, the solids take their steps
// against them, and what they gave is spread once. Impulse is the only currency: the fluid gets what the solids lost.
// Where work.pulse interrupts it, the state is as it was.
// at: what the schedule says at a share of the step, with the flow of `w` in it. n: for implicit solids, else null.
[[nodiscard]] Outcome step_coupled(const Model& m, const Fluid& fluid, const InputsAt& at, State& s, Work& work,
                                   FluidWork& fluid_work, NewtonWork* newton, const CoupledSettings& settings);

// Steps of a fluid that is alone, the model having no nodes: boxes that stream from memory take several in one sweep.
// at: [step]. No tracer may have to move before the last of them.
[[nodiscard]] Outcome steps_of_fluid(const Model& m, const Fluid& fluid, std::span<const InputsAt> at, State& s,
                                     Work& work, FluidWork& fluid_work);
// How many of the steps wanted that leaves: 1 at least.
int most_unseen_steps(const FluidState& s, int wanted);

}  // namespace ls
