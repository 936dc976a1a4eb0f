#include "fluid/lattice/lattice.h"

#include "base/error.h"
#include "fluid/lattice/lattice_sweep.h"

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

void Lattice::step(FluidState& s, const LatticeDrive& drive, const RowField* forces, Team& team, RowField* seen) const {
  if (spec().is_double)
    step_lattice<double>(*layout_, s, drive, forces, team, seen);
  else
    step_lattice<float>(*layout_, s, drive, forces, team, seen);
}

void Lattice::steps(FluidState& s, std::span<const LatticeDrive> drives, Team& team) const {
  while (!drives.empty()) {
    const int count = steps_in_sweep(*layout_, static_cast<int>(drives.size()), team.active());
    const std::span<const LatticeDrive> now = drives.first(static_cast<std::size_t>(count));
    drives = drives.subspan(now.size());
    if (count == 1) {
      s.before = s.impulse;
      step(s, now.front(), nullptr, team);
    } else if (spec().is_double) {
      sweep_lattice<double>(*layout_, s, now, SweepPlan(*layout_, count, team.active()), team);
    } else {
      sweep_lattice<float>(*layout_, s, now, SweepPlan(*layout_, count, team.active()), team);
    }
  }
}

int Lattice::most_in_sweep(int threads) const {
  constexpr int plenty = 1000;
  return steps_in_sweep(*layout_, plenty, threads);
}

void Lattice::moments(const FluidState& s, int row, int first, int last, double* const out[4]) const {
  if (spec().is_double)
    row_moments<double>(*layout_, s, s.odd, row, first, last, out);
  else
    row_moments<float>(*layout_, s, s.odd, row, first, last, out);
}

void Lattice::see(const FluidState& s, RowField& seen, Team& team) const {
  constexpr int least_rows = 64;
  team.run(seen.count(), least_rows, [&](int begin, int end) {
    for (int k = begin; k < end; ++k)
      if (spec().is_double)
        see_row<double>(*layout_, s, s.odd, seen.in_order(k), seen);
      else
        see_row<float>(*layout_, s, s.odd, seen.in_order(k), seen);
  });
}

Lattice::Totals Lattice::totals(const FluidState& s, Team& team) const {
  const auto nx = static_cast<std::size_t>(spec().cells[0]);
  std::vector<Totals> parts(static_cast<std::size_t>(row_blocks(*layout_)));
  for_row_blocks<std::vector<double>>(*layout_, team, [&](auto& values, int number, int first, int last) {
    values.resize(4 * nx);
    double* const m[4] = {values.data(), values.data() + nx, values.data() + 2 * nx, values.data() + 3 * nx};
    Totals& sum = parts[number];
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
