#pragma once
#include "fluid/immersed/marker_loops.h"
#include "fluid/immersed/stencil.h"
#include "fluid/lattice/quads.h"
#include "fluid/lattice/row_cells.h"

namespace ls {

constexpr unsigned all_planes = ~0U;

inline CellBlock block_of(const Stencil& s, RowField& field) {
  return {field.is_double(), field.numbers<std::byte>(), field.more<std::byte>(), s.row, s.across, s.width,
          s.cell[0][0]};
}

// Calls visit(place of a cell, weights of its three components; a number of its own goes by that of x) for every cell
// in some planes.
template <class F>
void for_each_cell(const Stencil& s, unsigned planes, const F& visit) {
  for (int k = 0; k < s.width; ++k)
    for (int j = 0; j < s.width; ++j)
      for (int i = 0; i < s.width && (planes >> k & 1); ++i) {
        double w[3];
        for (int c = 0; c < 3; ++c) w[c] = s.weight(c, 2, k) * s.weight(c, 1, j) * s.weight(c, 0, i);
        const std::size_t cell = s.row[k][j] + s.cell[0][i];
        visit(cell, Quad{w[0], w[1], w[2], w[0]});
      }
}

// Calls visit(place of a cell, gradient of the weight) for every cell.
template <class F>
void for_each_slope(const Stencil& s, const F& visit) {
  for (int k = 0; k < s.width; ++k)
    for (int j = 0; j < s.width; ++j)
      for (int i = 0; i < s.width; ++i) {
        const std::size_t cell = s.row[k][j] + s.cell[0][i];
        visit(cell, Vec3<double>{s.slope[0][i] * s.across[1][j] * s.across[2][k],
                                 s.across[0][i] * s.slope[1][j] * s.across[2][k],
                                 s.across[0][i] * s.across[1][j] * s.slope[2][k]});
      }
}

}  // namespace ls
