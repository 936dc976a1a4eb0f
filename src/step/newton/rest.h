#pragma once
#include "step/newton/newton.h"

namespace ls {

struct RestResult {
  NewtonStop stop = NewtonStop::converged;
  int node = -1;     // where it went wrong
  double moved = 0;  // m, farthest of all nodes
  bool ok() const { return stop == NewtonStop::converged; }
};

// Takes a state that may still move to the equilibrium beside it, stable or not, or else down to the next stable one.
// Unlike solve_newton it lets bodies float: they stay where they are, unless something pulls them, and then there is no
// equilibrium.
RestResult find_rest(const Model& m, const Inputs& in, State& s, Work& work, NewtonWork& newton,
                     const NewtonSettings& settings = {});

}  // namespace ls
