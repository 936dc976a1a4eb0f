#pragma once
#include "model/model.h"

namespace ls {

// What the stiffness of the barrier is chosen by.
struct BarrierScale {
  double elastic = 0;    // N/m, of typical bonds
  double mass = 0;       // kg, of the heaviest body that is not held
  double node_mass = 0;  // kg, of its heaviest node
};

// Keeps shapes apart in the solvers that use Newton's method, with friction that is lagged: the normal forces and
// directions that it takes are those of the start of a step, or of the last solve where it is repeated. `shapes` must
// outlive the term.
std::unique_ptr<const Term> make_barrier_term(const Shapes& shapes, const BarrierScale& scale);

}  // namespace ls
