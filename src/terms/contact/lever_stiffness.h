#pragma once
#include "math/block_matrix.h"
#include "math/vec.h"

namespace ls {

// Adds a stiffness h between places at the ends of levers ([3 place + c][3 place + c], rows of PairPush::rows) to that
// of their nodes: dx = v + w x lever, and where the energy has a slope at a place, the lever's turning counts in second
// order.
struct LeverPlaces {
  int count;
  const int* node;
  const Vec3<double>* lever;
};
void add_to_nodes(const LeverPlaces& places, const double* h, const Vec3<double>* slope, BlockMatrix& out);

}  // namespace ls
