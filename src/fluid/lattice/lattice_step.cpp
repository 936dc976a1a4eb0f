#include "fluid/lattice/lattice_step.h"

#include "fluid/lattice/lookout.h"
#include "fluid/lattice/step_rows.h"

namespace ls {

namespace {

// Nineteen columns, so many cache lines apart, are read and written side by side. Beginning five lines further on each,
// modulo a page, they do not throw each other out of the first-level cache. Boxes that stream from memory begin 69
// lines further on, modulo the 2048 (or 1024) sets of a second-level cache, so that no four are within a prefetcher's
// reach of each other there: 517, which 160x96x80 cells would have by the first rule alone, takes half as long again.
// Some other remainders do as well, but none did better in any box that was tried. Smaller boxes do not need it, and
// would grow.
bool is_staggered(std::ptrdiff_t lines) {
  constexpr std::ptrdiff_t page = 64, sets = 2048, streaming = (std::ptrdiff_t{32} << 20) / 64;
  return d3q19::count * lines > streaming ? lines % sets == page + 5 : lines % page == 5;
}

}  // namespace

LatticeLayout::LatticeLayout(const LatticeSpec& s) : spec(s) {
  constexpr std::ptrdiff_t line = 64;
  const std::ptrdiff_t size = spec.is_double ? 8 : 4, in_line = line / size;
  strides.row = (spec.cells[0] + 2 + in_line - 1) / in_line * in_line;
  std::ptrdiff_t lines = rows() * strides.row / in_line;
  while (!is_staggered(lines)) ++lines;
  strides.column = lines * in_line;
  origin = in_line;
  bytes = static_cast<std::size_t>(origin + d3q19::count * strides.column) * static_cast<std::size_t>(size);
  streams = bytes > (std::size_t{16} << 20);
  kinds = row_kinds(spec, strides);
  for (int row = 0; row < rows(); ++row) is_used[row_place(row)] = true;
}

template <class T>
void step_lattice(const LatticeLayout& layout, FluidState& s, const LatticeDrive& drive, const RowField* forces,
                  Team& team, RowField* seen) {
  const StepRows<T> rows(layout, s, s.odd, drive, forces);
  Lookout<T> lookout(layout, s, seen);
  std::vector<FaceSums> sums(static_cast<std::size_t>(row_blocks(layout)));
  struct Room : StepRows<T>::Room {
    typename Lookout<T>::Place place;
  };
  for_row_blocks<Room>(
      layout, team,
      [&](Room& room, int number, int first, int last) {
        if (room.place.first < 0) room.place.first = first;
        rows.step_rows(first, last, room, sums[number]);
        lookout.stepped(room.place, last);
      },
      forces, seen);
  lookout.finish();
  end_lattice_step(layout, drive, sums, s);
}
template void step_lattice<float>(const LatticeLayout&, FluidState&, const LatticeDrive&, const RowField*, Team&,
                                  RowField*);
template void step_lattice<double>(const LatticeLayout&, FluidState&, const LatticeDrive&, const RowField*, Team&,
                                   RowField*);

}  // namespace ls
