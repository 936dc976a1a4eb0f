#pragma once
#include "math/quat.h"
#include "model/term.h"
#include "physics/bond_damping.h"
#include "physics/calibration.h"
#include "terms/bonds/bond_slots.h"

#include <memory>

namespace ls {

// When a bond breaks: tension/limit + shear/limit + bend/limit + twist/limit >= 1, of forces and torques; a limit of 0
// is none, compression does not break. The form is that of LAMMPS's bond_style bpm/rotational.
struct Fracture {
  double stretch = 0, shear = 0;  // N
  double bend = 0, twist = 0;     // N m
  bool any() const { return stretch > 0 || shear > 0 || bend > 0 || twist > 0; }
};

// All that bonds of one kind share.
struct BondClass {
  ElasticBond stiffness;
  BondDamping::Params<double> damping{};
  Quat<double> rest1, rest2;  // from each node's axes to the bond's rest axes: z along the bond, x and y of the section
  Fracture limit;
};

// The names of the bond models, the default first.
std::vector<std::string> bond_models();

// A bond model applied to a list of pairs of nodes. first_bond: number of its first bond among those of the whole
// model.
std::unique_ptr<const Term> make_bonded_term(std::string_view model, int nodes, const std::vector<BondClass>& classes,
                                             std::vector<BondEntry> bonds, int first_bond);

}  // namespace ls
