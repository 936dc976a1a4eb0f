#pragma once
#include "terms/contact/contact.h"
#include "terms/induction/induction_term.h"
#include "terms/joints/joint_term.h"

#include <memory>

namespace ls {

// The laws of a model at work, in the order in which they add.
struct Terms {
  std::vector<std::unique_ptr<Term>> all;
  Contact* barrier = nullptr;        // of `all`; null: nothing touches
  Contact* hertz_mindlin = nullptr;  // likewise
  Joints* joints = nullptr;          // likewise; the last in the matrix
  std::vector<Term*> magnetic;       // of `all`: what acts on dipoles
  Induction* induction = nullptr;    // of `all`; null: nothing is soft

  // The law of contact that acts under these inputs; null: none does.
  Contact* contact(const Inputs& in) const;
  std::size_t bytes() const;
};

// The one list of effects: to add a law, write its table, its term and its line here. The model must outlive them.
Terms make_terms(const Model& model);

// Of all terms that are not idle.
void add_wrenches(const Terms& terms, const State& s, const Inputs& in, const Blocks& blocks, Wrenches& out);
Energies energies_of(const Terms& terms, const State& s, const Inputs& in, Energies::Wanted wanted, Team& team);

// What touches in a state: for probes and results, not for a step.
ContactReport contact_report(const Model& model, const Terms& terms, const State& state, const Inputs& in);

// What fields and other dipoles do to the nodes: for probes, in the node columns.
Wrenches magnetic_wrenches(const Model& model, const Terms& terms, const State& state, const Inputs& in, Team& team);

}  // namespace ls
