#pragma once
#include "terms/term.h"

// What solvers do to nodes.
namespace ls {

void stop_moving(Nodes& nodes);

// Positions and orientations alone.
void copy_poses(const Nodes& from, Nodes& to);

// The longest way that a node has gone from one state to another, m.
double farthest(const Nodes& from, const Nodes& to);
// Which node goes there; -1: none moves.
int farthest_node(const Nodes& from, const Nodes& to);

void move_nodes(const Move& move, Nodes& nodes);

// Held degrees of freedom as the schedule wants them: poses, and rates where `rates`. One or two held turns are left to
// the solver, which keeps them by not turning about them.
void put_held(const std::vector<HeldNode>& held, bool rates, State& s);

}  // namespace ls
