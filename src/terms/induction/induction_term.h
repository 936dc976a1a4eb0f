#pragma once
#include "terms/term.h"

#include <memory>

namespace ls {

// Soft matter in the fields of others, and they in its own: energy "induction", which is all that induced moments add.
// Its moments are found anew for every state, from the last ones that a step ended with.
class Induction : public Term {
 public:
  // [node] A m^2, world axes: what is induced there.
  virtual std::vector<Vec3<double>> moments(const State&, const Inputs&, Team&) = 0;
  // Why a search failed since the last step that ended well, with the bodies; empty: none did.
  virtual const std::string& failure() const = 0;
};

std::unique_ptr<Induction> make_induction_term(const Model& model);

}  // namespace ls
