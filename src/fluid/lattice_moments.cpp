#include "fluid/lattice_step.h"
#include "fluid/row_loops.h"

#include <algorithm>

namespace ls {

using namespace d3q19;

namespace {

// Moments of cells first..last-1 where those of low..high-1 lie in the row. A few cells are done together with others
// beside them, since one by one they would take longer.
template <class T>
void inner_moments(const RowLoops<T>& loops, const T* const* slot, int low, int high, int first, int last,
                   double* const out[4]) {
  constexpr int most = 16;
  const int width = loops.width;
  if (last - first >= width || last - first < 2 || high - low < width) return loops.moments(slot, first, last, out);
  double values[4][most];
  double* const at[4] = {values[0], values[1], values[2], values[3]};
  const int start = std::min(first, high - width);
  loops.moments(slot, start, start + width, at);
  for (int k = 0; k < 4; ++k) std::copy(at[k] + (first - start), at[k] + (last - start), out[k]);
}

}  // namespace

// The cells at the ends of a row have populations off the row in odd steps.
template <class T>
void row_moments(const LatticeLayout& layout, const FluidState& s, bool odd, int row, int first, int last,
                 double* const out[4]) {
  const RowKind& kind = layout.kind(odd, row);
  const T* const base = reinterpret_cast<const T*>(s.populations.data()) + layout.row_start(row);
  const RowLoops<T>& loops = row_loops<T>();
  const int nx = layout.spec.cells[0];
  const T* slot[count];
  for (std::size_t i = 0; i < count; ++i) slot[i] = base + kind.slot[i];
  if (!odd) return inner_moments(loops, slot, 0, nx, first, last, out);
  const auto end_cell = [&](int x) {
    const T* place[count];
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_end = cx[i] != 0 && x == (cx[i] > 0 ? nx - 1 : 0);
      place[i] = base + (is_end ? kind.end[i] : kind.slot[i] + x);
    }
    double* const at[4] = {out[0] + x - first, out[1] + x - first, out[2] + x - first, out[3] + x - first};
    loops.moments(place, 0, 1, at);
  };
  if (first == 0 && first < last) end_cell(0);
  if (last == nx && nx > 1 && first < last) end_cell(nx - 1);
  const int from = std::max(first, 1), to = std::min(last, nx - 1), skip = from - first;
  double* const at[4] = {out[0] + skip, out[1] + skip, out[2] + skip, out[3] + skip};
  if (from < to) inner_moments(loops, slot, 1, nx - 1, from, to, at);
}

template <class T>
void see_row(const LatticeLayout& layout, const FluidState& s, bool odd, int slot, RowField& seen) {
  constexpr int most = 64;  // cells at once
  double values[4][most];
  double* const m[4] = {values[0], values[1], values[2], values[3]};
  for (int first = seen.first(slot); first < seen.last(slot); first += most) {
    const int last = std::min(seen.last(slot), first + most);
    row_moments<T>(layout, s, odd, seen.row(slot), first, last, m);
    RowField::Cell* const cells = &seen.at(slot, first);
    for (int x = 0; x < last - first; ++x) {
      const double inverse = 1 / (1 + m[0][x]);
      cells[x] = {{inverse * m[1][x], inverse * m[2][x], inverse * m[3][x], inverse}};
    }
  }
}

template void row_moments<float>(const LatticeLayout&, const FluidState&, bool, int, int, int, double* const[4]);
template void row_moments<double>(const LatticeLayout&, const FluidState&, bool, int, int, int, double* const[4]);
template void see_row<float>(const LatticeLayout&, const FluidState&, bool, int, RowField&);
template void see_row<double>(const LatticeLayout&, const FluidState&, bool, int, RowField&);

}  // namespace ls
