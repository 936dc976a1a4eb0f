#pragma once
#include "step/work.h"

namespace ls {

// Joints in explicit steps, by RATTLE (Andersen, J. Comput. Phys. 52, 1983): impulses along the rows of the start of a
// step close the joints at its end, others take away the velocities across them there. Of second order, and symplectic
// as the step is without them.

// After the drift from `before`. False where they can't be closed.
[[nodiscard]] bool close_joints(const Model& m, const Inputs& in, const Nodes& before, State& s, Work& work);
// After the last kick, and before the first.
void stop_joints(const Model& m, const Inputs& in, State& s, Work& work);

}  // namespace ls
