#pragma once
#include "model/soft_table.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace ls {

// What the cells of one grid do to each other: H = -Q m in the node's own axes, with Q from the tensors of cuboids. A
// cell that is filled in part has the mean factor of a body for the rest of its own.
Eigen::MatrixXd cuboid_couplings(const SoftGrid& grid);

// The same and, of linear matter, its sum with what magnetises it, factored.
struct GridMatrix {
  Eigen::MatrixXd coupling;              // [3 cell][3 cell] 1/m^3
  Eigen::LLT<Eigen::MatrixXd> response;  // of sign times (1/(chi V) + coupling); of matter with a curve: empty
  bool is_factored = false;
};

GridMatrix make_grid_matrix(const SoftTable& soft, const SoftGrid& grid);
// Whether two grids have the same matrix.
bool are_alike(const SoftTable& soft, const SoftGrid& a, const SoftGrid& b);

}  // namespace ls
