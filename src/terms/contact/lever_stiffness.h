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
// A stiffness m against what places of two nodes move on each other, m (dx_a - dx_b): what all places of two rigid
// bodies' sides come to whose weights in the motion between the sides are known.
struct TwoPlaces {
  int a, b;  // nodes, not the same
  Vec3<double> lever_a, lever_b;
};
void add_between(const TwoPlaces& places, const double (&m)[3][3], BlockMatrix& out);
// Adds factor f g^T of two forms over the moves and turns of two nodes, and its transpose where they are not the same.
struct TwoForms {
  double a[BlockMatrix::width], b[BlockMatrix::width];
};
void add_product(int a, int b, const TwoForms& f, const TwoForms& g, double factor, BlockMatrix& out);
// Where the energy has a slope at a place, the lever's turning counts in second order.
void add_turning(const LeverPlaces& places, const Vec3<double>* slope, BlockMatrix& out);

}  // namespace ls
