#pragma once
#include "step/newton/newton_work.h"

namespace ls {

// Takes away the velocities that joints do not let be, by the impulses that they take up: of a linkage that starts with
// such, and of stops that are hit and strings that come taut: those do not throw back. What a motor moves to given
// positions gets their rate. Without that the midpoint rule, whose velocities at the two ends of a step only have a
// mean that goes with the way between, would keep what is too much and give it back, in turn, for ever. The ledger gets
// what it changes of the kinetic energy. Returns the impulses, [row of a joint] N s or N m s with the sign of
// multipliers; empty: nothing is struck. at_start: of a stage, where nothing but closed joints may be.
std::vector<double> take_blow(const Model& m, const Inputs& in, State& s, NewtonWork& newton, bool at_start);

}  // namespace ls
