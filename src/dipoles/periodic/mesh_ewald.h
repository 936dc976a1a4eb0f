#pragma once
#include "base/parallel.h"
#include "dipoles/dipole_set.h"
#include "dipoles/periodic/mesh_plan.h"
#include "dipoles/periodic/periodic_box.h"

#include <memory>

namespace ls {

// Fields, forces and energy of many dipoles in a periodic box: near pairs one by one, the smooth rest on a mesh (P3M).
// `accuracy` is as in DipoleTree, from estimates; down to some 1e-8. The force is the derivative of the energy that the
// mesh has, up to where pairs are cut; a dipole alone, in turn, feels a trace of a force from its own mesh.
// See docs/theory/dipole_sums.md. The same bits for any number of threads, with AVX2 and with AVX-512.
class MeshEwald {
 public:
  MeshEwald(const PeriodicBox& box, double accuracy);
  ~MeshEwald();
  MeshEwald(MeshEwald&&) noexcept;
  MeshEwald& operator=(MeshEwald&&) noexcept;

  void compute(const DipoleSet& set, Team& team, DipoleFields& out);
  // Of the last sum.
  const MeshPlan& plan() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ls
