#pragma once
#include "model/model.h"

#include <optional>

namespace ls {

// Contact of explicit runs: acts where the Inputs say ContactLaw::hertz_mindlin. Energy "contact": that of the normal
// springs. The shapes must outlive it; of the model it takes masses, inertias and what is held.
std::unique_ptr<const Term> make_hertz_mindlin_term(const Shapes& shapes, const Model& model);

// Two bodies that could touch though neither yields, so that the law has no stiffness to go by.
std::optional<std::pair<int, int>> rigid_pair(const Shapes& shapes);

// Two bodies that could touch though neither has a radius anywhere: surfaces without thickness never overlap, so this
// law would let them pass through each other.
std::optional<std::pair<int, int>> sharp_pair(const Shapes& shapes);

}  // namespace ls
