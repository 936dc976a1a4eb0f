#pragma once
#include "fluid/lattice/faces.h"

#include <algorithm>
#include <vector>

namespace ls {

// How a lattice lies in memory. Rows are padded to whole cache lines, with two cells of padding at least.
struct LatticeLayout {
  explicit LatticeLayout(const LatticeSpec& spec);

  int rows() const { return spec.cells[1] * spec.cells[2]; }
  std::ptrdiff_t row_start(int row) const { return origin + row * strides.row; }
  const RowKind& kind(bool odd, int row) const { return kinds[odd ? 1 : 0][row_place(row)]; }
  int row_place(int row) const {
    const int ny = spec.cells[1], nz = spec.cells[2], z = row / ny, y = row - z * ny;
    return (y == 0 ? 1 : 0) + (y == ny - 1 ? 2 : 0) + (z == 0 ? 4 : 0) + (z == nz - 1 ? 8 : 0);
  }

  LatticeSpec spec;
  LatticeStrides strides;     // in numbers, as `origin`
  std::ptrdiff_t origin = 0;  // of the first row: its left padding comes before it
  std::size_t bytes = 0;
  bool streams = false;  // from memory, being larger than a part of the cache that is ours
  RowKinds kinds;
  std::array<bool, 16> is_used{};  // [place of a row] there is one
};

// Rows are dealt to threads by these blocks, and sums are taken block by block: no result depends on threads.
inline constexpr int rows_in_block = 8;
inline int row_blocks(const LatticeLayout& layout) {
  return (layout.rows() + rows_in_block - 1) / rows_in_block;
}
// Below this many cells one thread is faster.
inline constexpr long long least_cells = 8192;

template <class T>
void step_lattice(const LatticeLayout& layout, FluidState& s, const LatticeDrive& drive, const RowField* forces,
                  Team& team, RowField* seen);

// Moments of cells first..last-1 of a row, of a fluid whose number of steps is odd or even: see Lattice::moments.
template <class T>
void row_moments(const LatticeLayout& layout, const FluidState& s, bool odd, int row, int first, int last,
                 double* const out[4]);
// Those of one row of a field, into its cells.
template <class T>
void see_row(const LatticeLayout& layout, const FluidState& s, bool odd, int slot, RowField& seen);

// body(room, block, first row, last row) for every block of rows; each thread has a Room of its own. A cell of one of
// the fields takes half as long again as others, of both twice as long: threads get as much work, not as many rows.
template <class Room, class F>
void for_row_blocks(const LatticeLayout& layout, Team& team, const F& body, const RowField* forced = nullptr,
                    const RowField* seen = nullptr) {
  const int rows = layout.rows(), blocks = row_blocks(layout);
  const bool is_small = static_cast<long long>(rows) * layout.spec.cells[0] < least_cells;
  const int parts = is_small ? 1 : std::min(team.active(), blocks);
  std::vector<long long> work(static_cast<std::size_t>(blocks) + 1, 0);  // [block] of all before it, in half cells
  if (parts > 1) {
    for (int k = 0; k < blocks; ++k)
      work[static_cast<std::size_t>(k) + 1] =
          2 * layout.spec.cells[0] * (std::min(rows, (k + 1) * rows_in_block) - k * rows_in_block);
    for (const RowField* field : {forced, seen})
      for (int k = 0; field && k < field->count(); ++k)
        work[static_cast<std::size_t>(field->row(k) / rows_in_block) + 1] += field->last(k) - field->first(k);
    for (std::size_t k = 1; k < work.size(); ++k) work[k] += work[k - 1];
  }
  const auto first_of = [&](int part) {
    if (part == parts) return blocks;
    const long long wanted = work.back() * part / parts;
    return static_cast<int>(std::lower_bound(work.begin(), work.end(), wanted) - work.begin());
  };
  team.run(parts, 2, [&](int from, int to) {
    Room room;
    for (int k = first_of(from); k < first_of(to); ++k)
      body(room, k, k * rows_in_block, std::min(rows, (k + 1) * rows_in_block));
  });
}

}  // namespace ls
