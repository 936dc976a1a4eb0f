#pragma once
#include "step/work.h"

namespace ls {

// Before the first step of a stage: what is held from now on, and the wrenches of the state as it is.
void start_explicit(const Model& m, const Inputs& in, State& s, Work& work);

// Everything that acts on the nodes of a state, into their f and t; velocities only drive damping.
void sum_wrenches(const Model& m, const Inputs& in, State& s, Work& work);

// The wrenches as a resumed run needs them: held masses only, since the State brings its wrenches along.
void resume_explicit(const Model& m, const Inputs& in, Work& work);

// One step of velocity Verlet. On divergence the state is of no use and work.lost_node says where.
[[nodiscard]] Outcome step_explicit(const Model& m, const Inputs& in, State& s, Work& work);

}  // namespace ls
