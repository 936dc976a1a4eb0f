#pragma once
#include "dipoles/periodic/periodic_box.h"
#include "model/field.h"
#include "terms/term.h"

#include <span>

namespace ls {

struct Model;

// A magnet, or a soft cell as it is magnetised: world axes.
struct SwingingDipole {
  int node = 0;
  bool is_soft = false;
  Vec3<double> x{}, lever{}, moment{};  // m, m, A m^2
  Vec3<double> field{};                 // T, of all that acts on a soft one
  FieldSample outer{};                  // of the fields alone there
};

// A step in which no node with soft cells can swing beyond its limit: with the stiffest that two moments can be to each
// other, twice, since moments that follow the field add to it, and with what the slopes of outer fields do. box: null
// for none.
Limits soft_limits(const Model& m, std::span<const SwingingDipole> all, const PeriodicBox* box);

}  // namespace ls
