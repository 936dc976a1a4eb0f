#pragma once
#include "model/term.h"
#include "terms/bonds/bonded_term.h"

namespace ls {

// Damping of co-rotational bonds as the bonded-particle paper has it (sec. 2.2): the radial part from the relative
// velocity, the others from finite differences of the stored angles of shear, bend and twist. Kept to compare with the
// paper; the analytic rates of bond_damping.h need no memory. classes: stiffness and damping coefficients of the bonds.
std::unique_ptr<const Term> make_paper_damping(std::vector<BondClass> classes, std::vector<BondEntry> bonds,
                                               int first_bond);

}  // namespace ls
