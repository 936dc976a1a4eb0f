#pragma once
#include "terms/term.h"

#include <memory>

namespace ls {

// Damping of single bodies: m v and I w of their nodes decay, each at a rate of its own (NodeDamping).
std::unique_ptr<Term> make_damping_term(const Model& model);

}  // namespace ls
