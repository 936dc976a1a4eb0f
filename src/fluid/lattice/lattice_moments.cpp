#include "fluid/lattice/lattice_step.h"
#include "fluid/lattice/row_loops.h"

#include <algorithm>

namespace ls {

using namespace d3q19;

namespace {

// Populations of a row of which the cells low..high-1 may be read: those of cell x are at slot[i] + x.
template <class T>
struct RowPart {
  const T* slot[count];
  int low, high;
};

// Calls read(part, first cell, last cell, how far from the first one of all) for cells first..last-1 of a row. The
// cells at its ends have populations off the row in odd steps.
template <class T, class F>
void for_row_parts(const LatticeLayout& layout, const FluidState& s, bool odd, int row, int first, int last,
                   const F& read) {
  const RowKind& kind = layout.kind(odd, row);
  const T* const base = reinterpret_cast<const T*>(s.populations.data()) + layout.row_start(row);
  const int nx = layout.spec.cells[0], margin = odd ? 1 : 0;
  RowPart<T> part{{}, margin, nx - margin};
  for (std::size_t i = 0; i < count; ++i) part.slot[i] = base + kind.slot[i];
  const auto end_cell = [&](int x) {
    RowPart<T> end{{}, x, x + 1};
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_end = cx[i] != 0 && x == (cx[i] > 0 ? nx - 1 : 0);
      end.slot[i] = is_end ? base + kind.end[i] - x : part.slot[i];
    }
    read(end, x, x + 1, x - first);
  };
  if (odd && first == 0 && first < last) end_cell(0);
  if (odd && last == nx && nx > 1 && first < last) end_cell(nx - 1);
  const int from = std::max(first, part.low), to = std::min(last, part.high);
  if (from < to) read(part, from, to, from - first);
}

// A few cells are done together with others beside them, since one by one they would take longer: from which one on,
// or -1 if not.
template <class T>
int first_of_register(const RowLoops<T>& loops, const RowPart<T>& part, int first, int last) {
  if (last - first >= loops.width || last - first < 2 || part.high - part.low < loops.width) return -1;
  return std::min(first, part.high - loops.width);
}
constexpr int most_cells = 16;  // in a register

}  // namespace

template <class T>
void row_moments(const LatticeLayout& layout, const FluidState& s, bool odd, int row, int first, int last,
                 double* const out[4]) {
  const RowLoops<T>& loops = row_loops<T>();
  for_row_parts<T>(layout, s, odd, row, first, last, [&](const RowPart<T>& part, int from, int to, int skip) {
    double* const at[4] = {out[0] + skip, out[1] + skip, out[2] + skip, out[3] + skip};
    const int start = first_of_register(loops, part, from, to);
    if (start < 0) return loops.moments(part.slot, from, to, at);
    double values[4][most_cells];
    double* const in[4] = {values[0], values[1], values[2], values[3]};
    loops.moments(part.slot, start, start + loops.width, in);
    for (int k = 0; k < 4; ++k) std::copy(in[k] + (from - start), in[k] + (to - start), at[k]);
  });
}

template <class T>
void see_row(const LatticeLayout& layout, const FluidState& s, bool odd, int slot, RowField& seen) {
  const RowLoops<T>& loops = row_loops<T>();
  const int first = seen.first(slot), last = seen.last(slot);
  T* const cells = seen.numbers<T>() + 4 * seen.index(slot, first);
  for_row_parts<T>(layout, s, odd, seen.row(slot), first, last,
                   [&](const RowPart<T>& part, int from, int to, int skip) {
                     T* const out = cells + 4 * skip;
                     if (to - from >= loops.width) return loops.flow(part.slot, from, to, out);
                     T values[4 * most_cells];
                     const int start = first_of_register(loops, part, from, to);
                     if (start >= 0) {
                       loops.flow(part.slot, start, start + loops.width, values);
                       std::copy(values + 4 * (from - start), values + 4 * (to - start), out);
                       return;
                     }
                     for (int x = from; x < to; ++x) {
                       double m[4];
                       double* const at[4] = {m, m + 1, m + 2, m + 3};
                       loops.moments(part.slot, x, x + 1, at);
                       const T inverse = 1 / (1 + static_cast<T>(m[0]));
                       for (int k = 0; k < 3; ++k) out[4 * (x - from) + k] = inverse * static_cast<T>(m[k + 1]);
                       out[4 * (x - from) + 3] = inverse;
                     }
                   });
}

template void row_moments<float>(const LatticeLayout&, const FluidState&, bool, int, int, int, double* const[4]);
template void row_moments<double>(const LatticeLayout&, const FluidState&, bool, int, int, int, double* const[4]);
template void see_row<float>(const LatticeLayout&, const FluidState&, bool, int, RowField&);
template void see_row<double>(const LatticeLayout&, const FluidState&, bool, int, RowField&);

}  // namespace ls
