#pragma once
#include "step/newton/newton.h"

// What the solvers that use Newton's method do to nodes.
namespace ls {

void stop_moving(Nodes& nodes);

// The longest way that a node has gone from one state to another, m.
double farthest(const Nodes& from, const Nodes& to);

// Moves the nodes by n.move; terms note first what stresses the linear model foresees.
void make_move(const Model& m, State& s, NewtonWork& n);

// Held degrees of freedom as the schedule wants them: poses, and rates where `rates`. One or two held turns are left to
// the solver, which keeps them by not turning about them.
void put_held(const std::vector<HeldNode>& held, bool rates, State& s);

}  // namespace ls
