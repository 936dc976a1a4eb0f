#include "fluid/lattice.h"

#include "base/error.h"
#include "fluid/lattice_step.h"
#include "fluid/row_loops.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ls {

namespace {

using namespace d3q19;

void check(const LatticeSpec& spec) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (spec.cells[axis] < 1) throw Error("a lattice needs a cell in every direction");
    if ((spec.faces[axis][0] == FaceKind::periodic) != (spec.faces[axis][1] == FaceKind::periodic))
      throw Error("periodic faces come in pairs");
  }
  if (!(spec.viscosity > 0)) throw Error("the viscosity of a lattice must be positive");
}

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

// The cells at the ends of a row have populations off the row in odd steps.
template <class T>
void row_moments(const LatticeLayout& layout, const FluidState& s, int row, int first, int last, double* const out[4]) {
  const RowKind& kind = layout.kind(s.odd, row);
  const T* const base = reinterpret_cast<const T*>(s.populations.data()) + layout.row_start(row);
  const RowLoops<T>& loops = row_loops<T>();
  const int nx = layout.spec.cells[0];
  const T* slot[count];
  for (std::size_t i = 0; i < count; ++i) slot[i] = base + kind.slot[i];
  if (!s.odd) return inner_moments(loops, slot, 0, nx, first, last, out);
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
void set_cell(const LatticeLayout& layout, FluidState& s, int x, int y, int z, double density, const Vec3<double>& u) {
  T* const base = reinterpret_cast<T*>(s.populations.data()) + layout.row_start(z * layout.spec.cells[1] + y);
  for (int i = 0; i < count; ++i) {
    const double cu = cx[i] * u.x + cy[i] * u.y + cz[i] * u.z;
    const double part = density * (3 * cu + 4.5 * cu * cu - 1.5 * (u.x * u.x + u.y * u.y + u.z * u.z));
    base[i * layout.strides.column + x] = static_cast<T>(weight[i] * (density - 1 + part));
  }
}

}  // namespace

struct Lattice::Layout : LatticeLayout {
  using LatticeLayout::LatticeLayout;
};

Lattice::Lattice(const LatticeSpec& spec) {
  check(spec);
  layout_ = std::make_unique<const Layout>(spec);
}
Lattice::~Lattice() = default;
Lattice::Lattice(Lattice&&) noexcept = default;

const LatticeSpec& Lattice::spec() const {
  return layout_->spec;
}
int Lattice::rows() const {
  return layout_->rows();
}
long long Lattice::cells() const {
  return static_cast<long long>(rows()) * spec().cells[0];
}
std::size_t Lattice::bytes() const {
  return layout_->bytes;
}

FluidState Lattice::at_rest() const {
  FluidState s;
  s.populations = HugeBytes(layout_->bytes);
  return s;
}

void Lattice::set(FluidState& s, int x, int y, int z, double density, const Vec3<double>& velocity) const {
  assert(!s.odd);
  if (spec().is_double)
    set_cell<double>(*layout_, s, x, y, z, density, velocity);
  else
    set_cell<float>(*layout_, s, x, y, z, density, velocity);
}

void Lattice::step(FluidState& s, const LatticeDrive& drive, const RowField* forces, Team& team) const {
  if (spec().is_double)
    step_lattice<double>(*layout_, s, drive, forces, team);
  else
    step_lattice<float>(*layout_, s, drive, forces, team);
}

void Lattice::moments(const FluidState& s, int row, int first, int last, double* const out[4]) const {
  if (spec().is_double)
    row_moments<double>(*layout_, s, row, first, last, out);
  else
    row_moments<float>(*layout_, s, row, first, last, out);
}

void Lattice::moments(const FluidState& s, RowField& out, Team& team) const {
  constexpr int least_rows = 64;
  team.run(out.count(), least_rows, [&](int begin, int end) {
    for (int slot = begin; slot < end; ++slot) {
      const int first = out.first(slot);
      double* const at[4] = {out.column(slot, 0) + first, out.column(slot, 1) + first, out.column(slot, 2) + first,
                             out.column(slot, 3) + first};
      moments(s, out.row(slot), first, out.last(slot), at);
    }
  });
}

Lattice::Totals Lattice::totals(const FluidState& s, Team& team) const {
  const auto nx = static_cast<std::size_t>(spec().cells[0]);
  std::vector<Totals> parts(static_cast<std::size_t>(row_blocks(*layout_)));
  for_row_blocks<std::vector<double>>(*layout_, team, [&](auto& values, int block, int first, int last) {
    values.resize(4 * nx);
    double* const m[4] = {values.data(), values.data() + nx, values.data() + 2 * nx, values.data() + 3 * nx};
    Totals& sum = parts[static_cast<std::size_t>(block)];
    for (int row = first; row < last; ++row) {
      moments(s, row, 0, spec().cells[0], m);
      for (std::size_t x = 0; x < nx; ++x) {
        sum.mass += m[0][x];
        sum.momentum = sum.momentum + Vec3<double>{m[1][x], m[2][x], m[3][x]};
        sum.absolute += std::sqrt(m[1][x] * m[1][x] + m[2][x] * m[2][x] + m[3][x] * m[3][x]);
      }
    }
  });
  Totals all;
  for (const Totals& part : parts) {
    all.mass += part.mass;
    all.momentum = all.momentum + part.momentum;
    all.absolute += part.absolute;
  }
  all.finite = std::isfinite(all.mass) && std::isfinite(all.absolute);
  return all;
}

}  // namespace ls
