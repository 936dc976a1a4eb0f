#include "fluid/immersed_boundary.h"

#include "fluid/grid_radius.h"
#include "math/component.h"

#include <algorithm>
#include <numbers>

namespace ls {

namespace {

constexpr int least_markers = 64;  // below, threads cost more than they save
constexpr int spread_measure = 4;  // column of FluidWork::near

// Calls visit(slot, cells, weights of the three components at these cells) for every row of a stencil.
template <class F>
void for_each_row(const Stencil& s, const F& visit) {
  double weight[3][Stencil::most];
  for (int k = 0; k < s.width; ++k)
    for (int j = 0; j < s.width; ++j) {
      for (int c = 0; c < (s.is_plain ? 1 : 3); ++c) {
        const double yz = s.weight(c, 2, k) * s.weight(c, 1, j);
        for (int i = 0; i < s.width; ++i) weight[c][i] = yz * s.weight(c, 0, i);
      }
      visit(s.slot[k][j], s.cell[0], weight[0], weight[s.is_plain ? 0 : 1], weight[s.is_plain ? 0 : 2]);
    }
}

// Calls visit(slot, cell, gradient of the weight) for every cell.
template <class F>
void for_each_slope(const Stencil& s, const F& visit) {
  for (int k = 0; k < s.width; ++k)
    for (int j = 0; j < s.width; ++j)
      for (int i = 0; i < s.width; ++i)
        visit(s.slot[k][j], s.cell[0][i],
              Vec3<double>{s.slope[0][i] * s.across[1][j] * s.across[2][k],
                           s.across[0][i] * s.slope[1][j] * s.across[2][k],
                           s.across[0][i] * s.across[1][j] * s.slope[2][k]});
}

void touch_rows(const LatticeSpec& spec, FluidWork& w) {
  w.near.clear();
  for (Stencil& s : w.stencils) {
    const auto [low, high] = std::minmax_element(s.cell[0], s.cell[0] + s.width);
    for (int k = 0; k < s.width; ++k)
      for (int j = 0; j < s.width; ++j) {
        const int row = s.cell[2][k] * spec.cells[1] + s.cell[1][j];
        w.near.touch(row, *low, *high + 1);
        s.slot[k][j] = w.near.slot(row);
      }
  }
  w.forces.touch_as(w.near);
}

void turn_momenta_into_velocities(const Vec3<double>& body, RowField& near, Team& team) {
  const double half[3] = {0.5 * body.x, 0.5 * body.y, 0.5 * body.z};
  team.run(near.count(), least_markers, [&](int from, int to) {
    for (int slot = from; slot < to; ++slot) {
      const double* density = near.column(slot, 0);
      for (int c = 0; c < 3; ++c) {
        double* u = near.column(slot, 1 + c);
        for (int x = near.first(slot); x < near.last(slot); ++x) u[x] = (u[x] + half[c]) / (1 + density[x]);
      }
    }
  });
}

double measure_in_cells(const Marker& m, double spacing) {
  return m.kind == MarkerKind::line      ? m.measure / spacing
         : m.kind == MarkerKind::surface ? m.measure / (spacing * spacing)
                                         : m.measure;
}

// The slip that makes a line of markers as thin as its rod, in lattice units: speed per impulse of a step.
Sym3 slip_of_line(const Marker& m, const Vec3<double>& tangent, DeltaKernel kernel, double spacing, double viscosity) {
  using std::numbers::pi;
  const GridRadius grid = grid_radius(kernel);
  const double r = m.radius / spacing, length = m.measure / spacing;
  const double across = std::max(0.0, std::log(grid.across / r)) / (4 * pi * viscosity * length);
  const double along = std::max(0.0, std::log(grid.along / r)) / (2 * pi * viscosity * length);
  return diagonal({across, across, across}) + outer(dot(tangent, tangent) > 0 ? along - across : 0.0, tangent);
}

// Likewise of a ball smaller than a lone marker: Stokes' drag of both in series.
double slip_of_point(const Marker& m, DeltaKernel kernel, double spacing, double viscosity) {
  const double r = m.radius / spacing, grid = grid_radius(kernel).point;
  return std::max(0.0, 1 / r - 1 / grid) / (6 * std::numbers::pi * viscosity);
}

class Reader {
 public:
  Reader(const Fluid& fluid, const Nodes& nodes, FluidWork& w)
      : fluid_(fluid), set_(fluid.settings()), nodes_(nodes), w_(w) {}

  // Let u* be the velocity read without the marker's own force of this step. An impulse J makes it u* + A J / 2, where
  // A counts how much markers nearby overlap; with the slip M of thin rods, a marker of velocity v gets
  //   (M + A/2) J = u* - v.
  // A couples neighbours. Where the impulses of neighbours are alike (each in proportion to what it stands for), its
  // rows can be summed up, and no system needs to be solved; elsewhere the sums are the larger, safer choice.
  void read(std::size_t i) {
    const Marker& m = w_.markers[i];
    const Stencil& s = w_.stencils[i];
    MarkerFlow::Point& p = w_.flow.points[i];
    Vec3<double> u = s.from_walls, overlap{};
    for_each_row(s, [&](int slot, const int* cell, const double* wx, const double* wy, const double* wz) {
      const double *ux = w_.near.column(slot, 1), *uy = w_.near.column(slot, 2), *uz = w_.near.column(slot, 3),
                   *many = w_.near.column(slot, spread_measure);
      for (int n = 0; n < s.width; ++n) {
        const int x = cell[n];
        u += Vec3<double>{wx[n] * ux[x], wy[n] * uy[x], wz[n] * uz[x]};
        overlap += many[x] * Vec3<double>{wx[n], wy[n], wz[n]};
      }
    });
    const double least = set_.kernel == DeltaKernel::roma ? 0.03 : 0.013;  // a quarter of a lone marker's own
    overlap = (1 / measure_in_cells(m, set_.spacing)) * overlap;
    overlap = {std::max(least, overlap.x), std::max(least, overlap.y), std::max(least, overlap.z)};
    const double nu = fluid_.lattice().spec().viscosity;
    const Vec3<double> tangent = rotate(nodes_.frame(m.anchor[0].node).q, m.tangent);
    Sym3 ease = diagonal(0.5 * overlap);
    if (set_.coupling == Coupling::friction && m.kind == MarkerKind::line)
      ease = ease + slip_of_line(m, tangent, set_.kernel, set_.spacing, nu);
    if (set_.coupling == Coupling::friction && m.kind == MarkerKind::point)
      ease = ease + slip_of_point(m, set_.kernel, set_.spacing, nu) * diagonal({1, 1, 1});
    p.u = fluid_.speed_unit() * u;
    p.resistance = fluid_.mass_unit() / set_.dt * inverse(ease);
    if (set_.coupling == Coupling::penalty) p.resistance = diagonal((m.mass / set_.dt) * Vec3<double>{1, 1, 1});
    if (set_.spin && m.kind == MarkerKind::line) read_rotation(m, s, tangent, overlap, p);
  }

 private:
  // The same for spin: a torque N is a force N x grad(delta) / 2 on the fluid, and turns it at the place itself by
  // B N / 2. A rod that turns about its axis feels 4 pi mu r^2 per length and rad/s.
  void read_rotation(const Marker& m, const Stencil& s, const Vec3<double>& tangent, const Vec3<double>& overlap,
                     MarkerFlow::Point& p) const {
    using std::numbers::pi;
    Vec3<double> curl{};
    double own = 0, self = 0;
    for_each_slope(s, [&](int slot, int x, const Vec3<double>& slope) {
      const Vec3<double> u{w_.near.column(slot, 1)[x], w_.near.column(slot, 2)[x], w_.near.column(slot, 3)[x]};
      curl += cross(slope, u);
      const Vec3<double> push = cross(tangent, slope);
      own += 0.25 * dot(push, push);
    });
    for_each_row(s, [&](int, const int*, const double* wx, const double*, const double*) {
      for (int i = 0; i < s.width; ++i) self += wx[i] * wx[i];
    });
    const double r = m.radius / set_.spacing, grid = grid_radius(set_.kernel).turning;
    const double per_length = 4 * pi * fluid_.lattice().spec().viscosity * m.measure / set_.spacing;
    const double slip = std::max(0.0, 1 / (per_length * r * r) - 1 / (per_length * grid * grid));
    const double crowd = std::max(1.0, overlap.x / std::max(1e-12, self));
    p.rotation = (0.5 / set_.dt) * curl;
    p.turning = outer(fluid_.mass_unit() * set_.spacing * set_.spacing / set_.dt / (slip + 0.5 * own * crowd), tangent);
  }

  const Fluid& fluid_;
  const FluidSettings& set_;
  const Nodes& nodes_;
  FluidWork& w_;
};

}  // namespace

FluidWork::FluidWork(const Fluid& fluid, const std::vector<Marker>& all)
    : markers(all),
      stencils(all.size()),
      near(fluid.lattice().rows(), fluid.settings().cells[0], 5, spread_measure),
      forces(fluid.lattice().rows(), fluid.settings().cells[0], 3) {
  flow.points.resize(all.size());
}

std::size_t FluidWork::bytes() const {
  return stencils.size() * (sizeof(Stencil) + sizeof(MarkerFlow::Point)) + near.bytes() + forces.bytes();
}

LatticeDrive lattice_drive(const Fluid& fluid, const FluidInputs& in) {
  LatticeDrive d;
  d.body = (1 / fluid.force_density_unit()) * in.body_force;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t side = 0; side < 2; ++side) {
      d.velocity[a][side] = (1 / fluid.speed_unit()) * in.velocity[a][side];
      d.density[a][side] = 1 + 3 * in.pressure[a][side] / fluid.pressure_unit();
    }
  return d;
}

void gather_flow(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const Nodes& nodes, FluidWork& w,
                 Team& team) {
  const int count = static_cast<int>(w.markers.size());
  const LatticeSpec& spec = fluid.lattice().spec();
  team.run(count, least_markers, [&](int from, int to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i)
      w.stencils[i] = make_stencil(spec, fluid.settings().kernel, drive,
                                   fluid.to_cells(marker_place(w.markers[i], nodes)), fluid.settings().spin);
  });
  touch_rows(spec, w);
  fluid.lattice().moments(s, w.near, team);
  turn_momenta_into_velocities(drive.body, w.near, team);
  for (std::size_t i = 0; i < w.markers.size(); ++i) {
    const double measure = measure_in_cells(w.markers[i], fluid.settings().spacing);
    for_each_row(w.stencils[i], [&](int slot, const int* cell, const double* wx, const double*, const double*) {
      double* many = w.near.column(slot, spread_measure);
      for (int x = 0; x < w.stencils[i].width; ++x) many[cell[x]] += measure * wx[x];
    });
  }
  Reader reader(fluid, nodes, w);
  team.run(count, least_markers, [&](int from, int to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) reader.read(i);
  });
}

void spread_impulses(const Fluid& fluid, const std::vector<Wrench<double>>& got, FluidWork& w, FluidState& s) {
  const double unit = 1 / fluid.impulse_unit(), turn_unit = unit / fluid.settings().spacing;
  for (std::size_t i = 0; i < w.markers.size(); ++i) {
    const Stencil& stencil = w.stencils[i];
    const Vec3<double> given = (-unit) * got[i].force;
    for_each_row(stencil, [&](int slot, const int* cell, const double* wx, const double* wy, const double* wz) {
      double *fx = w.forces.column(slot, 0), *fy = w.forces.column(slot, 1), *fz = w.forces.column(slot, 2);
      for (int x = 0; x < stencil.width; ++x) {
        fx[cell[x]] += wx[x] * given.x;
        fy[cell[x]] += wy[x] * given.y;
        fz[cell[x]] += wz[x] * given.z;
      }
    });
    s.impulse.markers += given;
    if (!stencil.is_plain)
      for (int c = 0; c < 3; ++c) component(s.impulse.images, c) += (stencil.total(c) - 1) * component(given, c);
    const Vec3<double> torque = (-0.5 * turn_unit) * got[i].torque;
    if (dot(torque, torque) == 0) continue;
    for_each_slope(stencil, [&](int slot, int x, const Vec3<double>& slope) {
      const Vec3<double> push = cross(torque, slope);
      w.forces.column(slot, 0)[x] += push.x;
      w.forces.column(slot, 1)[x] += push.y;
      w.forces.column(slot, 2)[x] += push.z;
      if (!stencil.is_plain) s.impulse.images += push;
    });
  }
}

double largest_drag_rate(const Model& m, const FluidWork& w) {
  std::vector<double> drag(static_cast<std::size_t>(m.nodes), 0.0), turning(drag);
  for (std::size_t i = 0; i < w.markers.size(); ++i) {
    const Sym3& k = w.flow.points[i].resistance;
    const Sym3& t = w.flow.points[i].turning;
    const double most = std::max({k.xx, k.yy, k.zz});
    for (int a = 0; a < w.markers[i].anchors; ++a) {
      const MarkerAnchor& anchor = w.markers[i].anchor[a];
      drag[static_cast<std::size_t>(anchor.node)] += anchor.weight * most;
      turning[static_cast<std::size_t>(anchor.node)] +=
          anchor.weight * (most * dot(anchor.offset, anchor.offset) + t.xx + t.yy + t.zz);
    }
  }
  double rate = 0;
  for (int i = 0; i < m.nodes; ++i) {
    const auto n = static_cast<std::size_t>(i);
    rate = std::max(
        {rate, drag[n] / m.mass[i], turning[n] / std::min({m.inertia[0][i], m.inertia[1][i], m.inertia[2][i]})});
  }
  return rate;
}

void sample_velocities(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const RowField* forces,
                       std::span<const Vec3<double>> places, std::span<Vec3<double>> velocities, Team& team) {
  const LatticeSpec& spec = fluid.lattice().spec();
  const double half[3] = {0.5 * drive.body.x, 0.5 * drive.body.y, 0.5 * drive.body.z};
  team.run(static_cast<int>(places.size()), least_markers, [&](int from, int to) {
    double value[4][Stencil::most];
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
      const Stencil t = make_stencil(spec, fluid.settings().kernel, drive, places[i]);
      Vec3<double> u = t.from_walls;
      for (int k = 0; k < t.width; ++k)
        for (int j = 0; j < t.width; ++j) {
          const int row = t.cell[2][k] * spec.cells[1] + t.cell[1][j];
          const int slot = forces ? forces->slot(row) : -1;
          const int parts = t.is_plain ? 1 : t.width;  // cells that follow each other are read at once
          for (int p = 0; p < parts; ++p) {
            double* const out[4] = {value[0] + p, value[1] + p, value[2] + p, value[3] + p};
            fluid.lattice().moments(s, row, t.cell[0][p], t.cell[0][p] + t.width / parts, out);
          }
          for (int x = 0; x < t.width; ++x)
            for (int c = 0; c < 3; ++c) {
              const double force = slot < 0 ? 0 : 0.5 * forces->column(slot, c)[t.cell[0][x]];
              component(u, c) += t.weight(c, 0, x) * t.weight(c, 1, j) * t.weight(c, 2, k) *
                                 (value[1 + c][x] + half[c] + force) / (1 + value[0][x]);
            }
        }
      velocities[i] = u;
    }
  });
}

}  // namespace ls
