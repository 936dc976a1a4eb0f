#include "output/fluid_field.h"

#include "fluid/flow_at.h"
#include "fluid/immersed/immersed_boundary.h"
#include "fluid/lattice/row_field.h"
#include "math/component.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr int least_rows = 16;  // below, threads cost more than they save

// Density - 1 and velocity of the cells of a row, in lattice units.
class Row {
 public:
  Row(const Fluid& fluid, const Inputs& in)
      : lattice_(fluid.lattice()),
        body_(lattice_drive(fluid, in.fluid).body),
        forces_(in.flow ? in.flow->forces : nullptr),
        cells_(fluid.settings().cells[0]),
        values_(4 * static_cast<std::size_t>(cells_)) {}

  void read(const FluidState& s, int row) {
    double* const out[4] = {values_.data(), values_.data() + cells_, values_.data() + 2 * cells_,
                            values_.data() + 3 * cells_};
    lattice_.moments(s, row, 0, cells_, out);
    const int slot = forces_ ? forces_->slot(row) : -1;
    for (int c = 0; c < 3; ++c) {
      double* u = out[1 + c];
      for (int x = 0; x < cells_; ++x) {
        const double marker = slot < 0 ? 0.0 : forces_->value(slot, x, c);
        u[x] = (u[x] + 0.5 * (component(body_, c) + marker)) / (1 + out[0][x]);
      }
    }
  }
  double density(int x) const { return values_[x]; }
  V velocity(int x) const {
    const auto i = static_cast<std::size_t>(x), n = static_cast<std::size_t>(cells_);
    return {values_[n + i], values_[2 * n + i], values_[3 * n + i]};
  }

 private:
  const Lattice& lattice_;
  V body_;
  const RowField* forces_;
  int cells_;
  std::vector<double> values_;
};

bool is_periodic(const LatticeSpec& spec, int axis) {
  return spec.faces[axis][0] == FaceKind::periodic;
}
int wrapped(int i, int n) {
  return ((i % n) + n) % n;
}

// The velocities of a block and of the cells around it: beyond periodic faces too, not beyond others.
class Neighbourhood {
 public:
  Neighbourhood(const Fluid& fluid, const FluidState& s, const Inputs& in, FluidBlock& block, Team& team)
      : fluid_(fluid), spec_(fluid.lattice().spec()), block_(block) {
    std::size_t cells = 1;
    for (int a = 0; a < 3; ++a) {
      low_[a] = block.first[a] - 1;
      count_[a] = block.count[a] + 2;
      cells *= static_cast<std::size_t>(count_[a]);
    }
    u_.resize(cells);
    read(s, in, team);
  }

  // Curl by differences over the cells on both sides; over one where the other is beyond a face.
  V vorticity(int x, int y, int z) const {
    const int at[3] = {x + 1, y + 1, z + 1};
    V slope[3];  // d u / d axis
    for (int a = 0; a < 3; ++a) {
      int before[3] = {at[0], at[1], at[2]}, behind[3] = {at[0], at[1], at[2]};
      if (exists(a, at[a] - 1)) --before[a];
      if (exists(a, at[a] + 1)) ++behind[a];
      const int apart = behind[a] - before[a];
      slope[a] = apart > 0 ? (1.0 / apart) * (u(behind) - u(before)) : V{};
    }
    return {slope[1].z - slope[2].y, slope[2].x - slope[0].z, slope[0].y - slope[1].x};
  }

 private:
  bool exists(int axis, int i) const {
    const int cell = low_[axis] + i;
    return is_periodic(spec_, axis) || (cell >= 0 && cell < spec_.cells[axis]);
  }
  const V& u(const int (&i)[3]) const { return u_[index(i[0], i[1], i[2])]; }
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(count_[0]) +
           static_cast<std::size_t>(x);
  }
  bool is_inside(int axis, int i) const { return i >= 1 && i <= block_.count[axis]; }

  void read(const FluidState& s, const Inputs& in, Team& team) {
    const double speed = fluid_.speed_unit(), pressure = fluid_.pressure_unit() / 3;
    team.run(count_[1] * count_[2], least_rows, [&](int from, int to) {
      Row row(fluid_, in);
      for (int r = from; r < to; ++r) {
        const int y = r % count_[1], z = r / count_[1];
        if (!exists(1, y) || !exists(2, z)) continue;
        row.read(s, wrapped(low_[2] + z, spec_.cells[2]) * spec_.cells[1] + wrapped(low_[1] + y, spec_.cells[1]));
        for (int x = 0; x < count_[0]; ++x) {
          if (!exists(0, x)) continue;
          const int cell = wrapped(low_[0] + x, spec_.cells[0]);
          const V v = u_[index(x, y, z)] = speed * row.velocity(cell);
          if (!is_inside(0, x) || !is_inside(1, y) || !is_inside(2, z)) continue;
          const std::size_t i = block_.index(x - 1, y - 1, z - 1);
          block_.velocity[i] = {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
          block_.pressure[i] = static_cast<float>(pressure * row.density(cell));
        }
      }
    });
  }

  const Fluid& fluid_;
  const LatticeSpec& spec_;
  FluidBlock& block_;
  int low_[3], count_[3];
  std::vector<V> u_;  // [cell of the block and one more on every side] m/s
};

// Pressure between the centres of cells; beyond the last centre before a face it stays the same.
double density_at(const Fluid& fluid, const FluidState& s, const V& place) {
  const LatticeSpec& spec = fluid.lattice().spec();
  int cell[3][2];
  double weight[3][2];
  for (int a = 0; a < 3; ++a) {
    const int n = spec.cells[a];
    const double x = component(place, a) - 0.5, low = std::floor(x);
    for (int k = 0; k < 2; ++k) {
      const int i = static_cast<int>(low) + k;
      cell[a][k] = is_periodic(spec, a) ? wrapped(i, n) : std::clamp(i, 0, n - 1);
    }
    weight[a][1] = x - low, weight[a][0] = 1 - weight[a][1];
  }
  double sum = 0, d = 0, momentum[3];
  double* const out[4] = {&d, momentum, momentum + 1, momentum + 2};
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) {
        fluid.lattice().moments(s, cell[2][k] * spec.cells[1] + cell[1][j], cell[0][i], cell[0][i] + 1, out);
        sum += weight[0][i] * weight[1][j] * weight[2][k] * d;
      }
  return sum;
}

}  // namespace

FluidScan scan_fluid(const Fluid& fluid, const FluidState& s, const Inputs& in, Team& team) {
  const LatticeSpec& spec = fluid.lattice().spec();
  std::vector<FluidScan> rows(static_cast<std::size_t>(fluid.lattice().rows()));  // speeds squared
  team.run(fluid.lattice().rows(), least_rows, [&](int from, int to) {
    Row row(fluid, in);
    for (int r = from; r < to; ++r) {
      FluidScan& most = rows[r];
      row.read(s, r);
      for (int x = 0; x < spec.cells[0] && most.finite; ++x) {
        const V u = row.velocity(x);
        const double square = dot(u, u);
        most.finite = std::isfinite(square) && std::isfinite(row.density(x));
        if (most.finite && square <= most.speed) continue;
        most.speed = square;
        most.cell = {x, r % spec.cells[1], r / spec.cells[1]};
      }
    }
  });
  FluidScan all;
  for (const FluidScan& r : rows) {
    if (!r.finite) {
      all = r;
      break;
    }
    if (r.speed > all.speed) all = r;
  }
  all.speed = fluid.speed_unit() * std::sqrt(all.speed);
  return all;
}

FluidBlock read_block(const Fluid& fluid, const FluidState& s, const Inputs& in, const std::array<int, 3>& first,
                      const std::array<int, 3>& count, Team& team) {
  FluidBlock out{first, count, {}, {}, {}};
  const std::size_t cells =
      static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]) * static_cast<std::size_t>(count[2]);
  out.velocity.resize(cells);
  out.pressure.resize(cells);
  out.vorticity.resize(cells);
  const Neighbourhood around(fluid, s, in, out, team);
  const double unit = 1 / fluid.settings().spacing;
  team.run(count[1] * count[2], least_rows, [&](int from, int to) {
    for (int r = from; r < to; ++r)
      for (int x = 0; x < count[0]; ++x) {
        const int y = r % count[1], z = r / count[1];
        const V w = unit * around.vorticity(x, y, z);
        out.vorticity[out.index(x, y, z)] = {static_cast<float>(w.x), static_cast<float>(w.y), static_cast<float>(w.z)};
      }
  });
  return out;
}

FluidAtPlace read_place(const Fluid& fluid, const FluidState& s, const Inputs& in, const Vec3<double>& x) {
  const V here = fluid.to_cells(x);
  const FlowAt flow = flow_at(fluid, s, lattice_drive(fluid, in.fluid), in.flow ? in.flow->forces : nullptr, here);
  const V(&slope)[3] = flow.slope;
  FluidAtPlace at;
  at.velocity = fluid.speed_unit() * flow.velocity;
  at.vorticity =
      (1 / fluid.settings().dt) * V{slope[1].z - slope[2].y, slope[2].x - slope[0].z, slope[0].y - slope[1].x};
  at.pressure = fluid.pressure_unit() / 3 * density_at(fluid, s, here);
  return at;
}

}  // namespace ls
