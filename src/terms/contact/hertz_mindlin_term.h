#pragma once
#include "terms/contact/contact.h"

#include <memory>

namespace ls {

// Contact of explicit runs: acts where the Inputs say ContactLaw::hertz_mindlin. Energy "contact": that of the normal
// springs. The shapes must outlive it; of the model it takes masses, inertias and what is held.
std::unique_ptr<Contact> make_hertz_mindlin_term(const Shapes& shapes, const Model& model);

}  // namespace ls
