#pragma once
#include "terms/term.h"

#include <memory>

namespace ls {

// The dipoles of nodes in the fields that the Inputs have: energy "zeeman". Nodes without a moment take no part; idle
// where there is no field.
std::unique_ptr<Term> make_field_term(const Model& model);

}  // namespace ls
