#pragma once
#include "step/work.h"

#include <span>

namespace ls {

// Before the first step of a stage: what is held from now on, and the wrenches of the state as it is.
void start_explicit(const Model& m, const Inputs& in, State& s, Work& work);

// Everything that acts on the nodes of a state, into their f and t; velocities only drive damping.
void sum_wrenches(const Model& m, const Inputs& in, State& s, Work& work);

// The wrenches as a resumed run needs them: held masses only, since the State brings its wrenches along.
void resume_explicit(const Model& m, const Inputs& in, Work& work);

// One step of velocity Verlet. On divergence the state is of no use and work.lost_node says where.
[[nodiscard]] Outcome step_explicit(const Model& m, const Inputs& in, State& s, Work& work);

// A step for each of the inputs, which are of one stage. Where they can go together they do so in one sweep over the
// nodes (step/stride.h), at most most_in_stride at once. The bits are those of step by step.
[[nodiscard]] Outcome steps_explicit(const Model& m, std::span<const Inputs> in, State& s, Work& work);

// Whether they can: nothing that acts, breaks or is noted asks for the states in between.
bool go_together(const Model& m, std::span<const Inputs> in, const State& s, Work& work);

}  // namespace ls
