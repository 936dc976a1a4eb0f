#pragma once
#include "base/column.h"

#include <cstddef>

namespace ls {

// G^T A^-1 G of a dense symmetric A: what unknowns that follow all else take from its stiffness. A need not be
// positive: LDL^T goes without an exchange of rows, as the sparse one does.
class DenseResponse {
 public:
  DenseResponse(int unknowns, int columns);

  double& a(int i, int j) { return rows_[i * stride_ + j]; }  // of j < i nothing is looked at
  double& g(int i, int column) { return rows_[i * stride_ + unknowns_ + column]; }

  // False where a pivot is next to nothing.
  bool solve();
  double taken(int row, int column) const { return taken_[row * stride_ + column]; }  // column <= row

 private:
  int unknowns_, columns_;
  std::ptrdiff_t stride_;  // between rows of all three, whole packs
  Column rows_;            // [unknown][unknowns, then columns] A and G; then of DL^T and D L^-1 D^-1 G what is left
  Column scaled_;          // the same over their pivots
  Column taken_;           // [column][column]
};

}  // namespace ls
