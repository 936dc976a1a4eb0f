#pragma once
#include "dipoles/periodic/periodic_box.h"

#include <array>

namespace ls {

// How a sum in a periodic box is shared between pairs and a mesh.
struct MeshPlan {
  double alpha = 0;            // 1/m, the splitting
  double cut = 0;              // m, of pairs
  int order = 0;               // of the splines
  std::array<int, 3> nodes{};  // of the mesh
};

// The fastest plan, as far as a rough model of the time knows, whose estimated errors (ewald_error.h) add up to the
// accuracy asked. It depends on the box and on the number of dipoles alone.
MeshPlan mesh_plan(const PeriodicBox& box, int count, double accuracy);

}  // namespace ls
