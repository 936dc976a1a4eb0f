#pragma once
#include "step/newton/newton_work.h"

namespace ls {

// Whether the loads have a potential: torques on nodes and loads that turn with them (follower loads) have none. What
// the signs of pivots say of stability is then not to be trusted.
bool is_conservative(const Inputs& in);

// The part of the derivative that torques t on nodes, and forces f that turn with them, have beyond the symmetric
// matrix: to a turn, -1/2 [t]x for a torque fixed in space, +1/2 [t]x for one that turns along, and [f]x in the rows of
// the force. The matrix with it is K + E A E'^T for a few nodes. Corrects newton.solution for it by Woodbury's formula;
// newton.ldlt has the factors of K.
void correct_for_followers(const Inputs& in, const State& s, NewtonWork& newton);

}  // namespace ls
