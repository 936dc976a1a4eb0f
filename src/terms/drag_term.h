#pragma once
#include "terms/term.h"

#include <memory>

namespace ls {

// A fluid without inertia or walls that resists all motion but its own (Inputs::stream).
std::unique_ptr<Term> make_drag_term(const Model& model);

}  // namespace ls
