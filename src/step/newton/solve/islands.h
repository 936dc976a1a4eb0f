#pragma once
#include "step/newton/newton.h"

namespace ls {

// Rigid bodies that no near pair connects are problems of their own: islands. One that has a hard time in a step would
// hold up all others if a move were cut to what the least of them allows. So moves are cut, guarded and judged island
// by island, and one that has come to its end rests while the others go on.

// [node] which island it belongs to, by the pairs of nodes that are coupled; -1: it is held. In ascending order of
// their first nodes.
struct Islands {
  std::vector<int> of;
  int count = 0;
};
Islands islands_of(const NodePairs& pairs, const std::vector<std::uint8_t>& held);

// Whether a problem is solved island by island: a step in time of rigid bodies that touch, where nothing but contact
// couples nodes and nothing is driven.
bool has_islands(const NewtonProblem& problem, const NewtonWork& newton);

// What solve_newton does between the begin and the end of contact, island by island.
NewtonResult solve_by_islands(const NewtonProblem& problem, State& s, Work& work, NewtonWork& newton,
                              const NewtonSettings& settings);

}  // namespace ls
