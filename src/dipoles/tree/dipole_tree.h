#pragma once
#include "base/parallel.h"
#include "dipoles/dipole_set.h"

#include <memory>

namespace ls {

// Fields and forces of many dipoles by a fast multipole method: time goes with their number. `accuracy` is the rms
// error of the field over the rms field, and of the force over the rms force; down to 1e-7. Of one dipole that feels
// little in the midst of others the relative error may be larger. Dipoles at one place give what is no number.
// See docs/theory/dipole_sums.md. The same bits for any number of threads, with AVX2 and with AVX-512.
class DipoleTree {
 public:
  explicit DipoleTree(double accuracy);
  ~DipoleTree();
  DipoleTree(DipoleTree&&) noexcept;
  DipoleTree& operator=(DipoleTree&&) noexcept;

  void compute(const DipoleSet& set, Team& team, DipoleFields& out);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ls
