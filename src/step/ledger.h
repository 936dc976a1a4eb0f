#pragma once
#include "step/implicit_step.h"

namespace ls {

// Sums of the energy that goes into the system and out of it. With total energy E,
//   E + dissipated = E at the start + drives + loads + fields
// up to the error of the stepper, which is what the balance shows.

// Adds an implicit step from share `from` to `to` of the step under way: `pose` is where forces were taken, with the
// wrenches and velocities there.
void record_implicit(const Model& m, const InputsAt& at, double from, double to, double inside,
                     const ImplicitScheme& scheme, const Nodes& start, const State& pose, State& end, Work& k);

// Adds a move from one equilibrium to the next; the nodes bring their wrenches along.
void record_static(const Model& m, const InputsAt& at, double from, double to, const Nodes& start, State& end, Work& k);

}  // namespace ls
