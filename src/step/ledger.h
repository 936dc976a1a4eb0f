#pragma once
#include "step/work.h"

namespace ls {

// Sums of the energy that goes into the system and out of it. With total energy E,
//   E + dissipated + friction + numerical = E at the start + drives + loads + motors + fields + changes of the barrier
// up to the error of the stepper, which is what the balance shows.

// A part of the step under way, by shares of it.
struct StepPart {
  double from, to;
  double dt;  // s
};

// Adds a part of an implicit step: `pose` is where forces were taken under the inputs `in`, with the wrenches and
// velocities there, and `known` what contact remembered when it began.
void record_implicit(const Model& m, const InputsAt& at, const Inputs& in, const StepPart& part, const Nodes& start,
                     const Memory& known, const State& pose, State& end, Work& work);

// Adds a step of the explicit solver. power: what damping took at the end of the last step, W; set to that of this one.
void record_explicit(const Model& m, const InputsAt& at, const Nodes& start, State& end, double& power, Work& work);
// What gravity, fields and switched moments do to a state when they are suddenly others: the change of their energy, J.
double work_of_switching(const Model& m, const Inputs& was, const Inputs& is, const State& s, Work& work);
double dissipated_power(const Model& m, const Inputs& in, const State& pose, Work& work);

// Adds a move from one equilibrium to the next; the nodes bring their wrenches along.
void record_static(const Model& m, const InputsAt& at, double from, double to, const State& before, State& end,
                   Work& work);

}  // namespace ls
