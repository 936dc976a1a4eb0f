#pragma once
#include "dipoles/periodic/periodic_box.h"
#include "terms/dipoles/dipole_sum.h"
#include "terms/term.h"

#include <memory>

namespace ls {

// The dipoles of nodes on each other: energy "dipole".
std::unique_ptr<Term> make_dipole_term(const Model& model);

// So many nodes with magnets or cells of soft matter, and cells, are all coupled in the stiffness that is wanted for
// vibrations (Inputs::of_vibrations).
inline constexpr int most_vibrating = 1000;

// Pairs of nodes that bonds join by no more than so many steps, lower first, ascending.
std::vector<std::pair<int, int>> joined_nodes(const Model& model, int bonds);

// As the table says they are summed.
std::unique_ptr<DipoleSum> make_dipole_sum(const DipoleTable& table, const DipoleRules& rules);

// What is repeated where the method is ewald.
PeriodicBox periodic_box(const DipoleTable& table);

}  // namespace ls
