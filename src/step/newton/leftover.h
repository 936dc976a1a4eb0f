#pragma once
#include "step/newton/newton_work.h"

namespace ls {

// What Newton's method left out of balance, given to each free body as a whole: its linear and angular momentum are
// then those of the forces that acted, to rounding. Given to each node instead it would stir stiff modes up, by
// (frequency times dt)^2 of what was left. `pose`: where forces were taken; `end`: the end of the step, by kinematics.
void give_leftover(const Model& m, const std::vector<HeldNode>& held, const NewtonWork& newton, double dt,
                   const Nodes& pose, Nodes& end);

}  // namespace ls
