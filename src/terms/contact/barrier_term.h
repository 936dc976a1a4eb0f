#pragma once
#include "terms/contact/contact.h"

#include <memory>

namespace ls {

// Keeps shapes apart in the solvers that use Newton's method, with friction that is lagged: the normal forces and
// directions that it takes are those of the start of a step, or of the last solve where it is repeated. `shapes` must
// outlive the term.
std::unique_ptr<Contact> make_barrier_term(const Shapes& shapes, const BarrierScale& scale);

}  // namespace ls
