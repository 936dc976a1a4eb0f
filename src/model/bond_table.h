#pragma once
#include "math/quat.h"
#include "physics/bond_damping.h"
#include "physics/calibration.h"

#include <string>
#include <vector>

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
  int reel = -1;  // of a rope: its rest length goes by this one of JointTable::reels
};

struct BondEntry {
  int node1, node2;
  int cls;  // index into the classes of its table
};

// The bonds of one model.
struct BondTable {
  std::string kernel;  // its name in physics/kernels.h
  std::vector<BondClass> classes;
  std::vector<BondEntry> bonds;
  int first = 0;            // number of its first bond among those of the whole model
  bool paper_rate = false;  // damping by finite differences of stored angles, as the bonded-particle paper has it

  int count() const { return static_cast<int>(bonds.size()); }
};

inline bool can_break(const BondTable& table) {
  for (const BondClass& c : table.classes)
    if (c.limit.any()) return true;
  return false;
}

}  // namespace ls
