#include "math/dense_response.h"

#include "base/widths.h"
#include "math/dense_response_loops.h"

const ls::DenseLoops& ls::dense_loops() {
  return widest<DenseLoops>();
}

namespace ls {

namespace {
constexpr int tile = 16;  // numbers: as wide as the widest that the loops take at once
}

DenseResponse::DenseResponse(int unknowns, int columns)
    // A tile may begin anywhere among the columns, and ends within the row.
    : unknowns_(unknowns), columns_(columns), stride_((unknowns + columns + 2 * tile - 1) / tile * tile) {
  rows_.assign(static_cast<std::size_t>(unknowns_ * stride_), 0.0);
}

bool DenseResponse::solve() {
  scaled_.assign(rows_.size(), 0.0);
  taken_.assign(static_cast<std::size_t>(columns_ * stride_), 0.0);
  if (!dense_loops().eliminate(rows_.data(), scaled_.data(), stride_, unknowns_)) return false;
  dense_loops().multiply(rows_.data(), scaled_.data(), stride_, unknowns_, unknowns_, columns_, taken_.data());
  return true;
}

}  // namespace ls
