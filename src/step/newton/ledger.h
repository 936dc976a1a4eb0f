#pragma once
#include "step/newton/implicit_step.h"

namespace ls {

// Sums of the energy that goes into the system and out of it. With total energy E,
//   E + dissipated = E at the start + drives + loads + fields
// up to the error of the stepper, which is what the balance shows.

// Adds an implicit step from share `from` to `to` of the step under way: `pose` is where forces were taken, with the
// wrenches and velocities there.
void record_implicit(const Model& m, const InputsAt& at, double from, double to, double inside,
                     const ImplicitScheme& scheme, const Nodes& start, const State& pose, State& end, Work& k);

// Adds a step of the explicit solver. power: what damping took at the end of the last step, W; set to that of this one.
void record_explicit(const Model& m, const InputsAt& at, const Nodes& start, State& end, double& power, Work& k);
double dissipated_power(const Model& m, const Inputs& in, const State& pose, Work& k);

// Adds a move from one equilibrium to the next; the nodes bring their wrenches along.
void record_static(const Model& m, const InputsAt& at, double from, double to, const Nodes& start, State& end, Work& k);

}  // namespace ls
