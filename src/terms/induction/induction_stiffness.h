#pragma once
#include "math/block_matrix.h"
#include "terms/dipoles/dipole_stiffness.h"
#include "terms/induction/induced_moments.h"

namespace ls {

// What moments that follow the fields take away from the stiffness of those that do not: with the second derivatives A
// to the moments and G to moments and poses, -G^T A^-1 G.
struct Response {
  const DipoleSystem& all;               // permanent and induced dipoles, and the nodes that have them
  std::span<const int> cell;             // [cell] which of those dipoles it is
  std::span<const Quat<double>> turned;  // [cell] of its node
  std::span<const Vec3<double>> field;   // [cell] T, of all that acts on it
  std::span<const Mat3<double>> slope;   // [cell] T/m, of outer fields
  const Eigen::MatrixXd& curvature;      // over mu0, as InducedMoments has it
  bool interact = true;                  // dipoles act on each other
};

// So many at most, else the moments count as fixed: that costs iterations, not accuracy. In steps of time inertia
// outweighs what far cells answer, and many short parts of steps are cheaper than few dense solves.
inline constexpr int most_responding_cells = 300, most_responding_nodes = 150, most_responding_cells_in_time = 50;

void add_response(const Response& response, double scale, BlockMatrix& out);

}  // namespace ls
