#pragma once
#include "math/block_matrix.h"
#include "math/vec.h"

namespace ls {

// Places at the ends of levers that turn with nodes: dx = v + w x lever.
struct LeverPlaces {
  int count;
  const int* node;
  const Vec3<double>* lever;
};
// Adds a stiffness h between places ([3 place + c][3 place + c], rows of PairPush::rows) to that of their nodes.
void add_to_nodes(const LeverPlaces& places, const double* h, BlockMatrix& out);
// Where the energy has a slope at a place, the lever's turning counts in second order.
void add_turning(const LeverPlaces& places, const Vec3<double>* slope, BlockMatrix& out);

}  // namespace ls
