#pragma once
#include "dipoles/periodic/ewald_sum.h"
#include "dipoles/periodic/mesh_ewald.h"

#include <optional>

namespace ls {

// One of the two ways to sum in a periodic box: of few dipoles the plain sum is as fast, and a mesh is not made for
// small errors.
class BoxSum {
 public:
  BoxSum(const PeriodicBox& box, double accuracy) : plain_(box, accuracy) {
    if (accuracy >= finest_mesh) mesh_.emplace(box, accuracy);
  }
  void compute(const DipoleSet& set, Team& team, DipoleFields& out) {
    if (mesh_ && set.count > few)
      mesh_->compute(set, team, out);
    else
      plain_.compute(set, team, out);
  }

 private:
  static constexpr int few = 400;
  static constexpr double finest_mesh = 1e-8;

  EwaldSum plain_;
  std::optional<MeshEwald> mesh_;
};

}  // namespace ls
