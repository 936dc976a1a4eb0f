#pragma once
#include "model/model.h"
#include "terms/term.h"

#include <memory>

namespace ls {

// A bond model at work on the bonds of a table.
std::unique_ptr<Term> make_bond_term(int nodes, const BondTable& table);

// Damping of co-rotational bonds as the bonded-particle paper has it (sec. 2.2): the radial part from the relative
// velocity, the others from finite differences of the stored angles of shear, bend and twist. Kept to compare with the
// paper; the analytic rates of bond_damping.h need no memory.
std::unique_ptr<Term> make_paper_damping(const BondTable& table);

// A bond and how it is strained: a line of a results file.
struct BondRecord {
  int node1, node2;
  std::array<double, 4> strain;  // stretch (1), shear, bend, twist (rad)
  std::array<double, 4> energy;  // J
  bool broken;
};
// Of all bonds, in the order of the tables.
std::vector<BondRecord> bond_records(const Model& model, const State& state);

}  // namespace ls
