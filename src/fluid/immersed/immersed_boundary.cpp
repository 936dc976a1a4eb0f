#include "fluid/immersed/immersed_boundary.h"

#include "fluid/immersed/flow_reader.h"
#include "fluid/immersed/grid_radius.h"
#include "fluid/immersed/marker_cells.h"
#include "math/component.h"

#include <algorithm>
#include <atomic>
#include <numbers>

namespace ls {

namespace {

constexpr int least_markers = 64;  // below, threads cost more than they save

// Adds a force to cells, each component times its weight.
void add_to_cells(const Stencil& s, unsigned planes, const Vec3<double>& f, RowField& field) {
  if (s.is_uniform) return marker_loops().add(block_of(s, field), planes, f.x, f.y, f.z);
  for_each_cell(s, planes, [&, all = Quad{f.x, f.y, f.z, 0}](std::size_t at, const Quad& weight) {
    add_to(field, at, weight * all);
  });
}

// Which planes of a stencil lie in part of a box.
unsigned planes_within(const Stencil& s, int first, int last) {
  unsigned planes = 0;
  for (int k = 0; k < s.width; ++k)
    if (s.cell[2][k] >= first && s.cell[2][k] < last) planes |= 1U << k;
  return planes;
}

// Calls part(station, planes of its stencil) on all threads, each of which has the cells between two planes to itself.
template <class F>
void for_all_planes(const FluidWork& work, int cells, Team& team, const F& part) {
  const bool is_small = static_cast<int>(work.stations.size()) < least_markers;
  const int parts = is_small ? 1 : team.active();
  std::vector<int> cut{0};
  if (parts > 1) {  // about as many stations in each
    std::vector<int> count(static_cast<std::size_t>(cells), 0);
    for (const Stencil& s : work.stencils) ++count[s.cell[2][1]];
    int sum = 0;
    for (int z = 0; z < cells; ++z) {
      sum += count[z];
      if (static_cast<long long>(sum) * parts >=
          static_cast<long long>(work.stations.size()) * static_cast<int>(cut.size()))
        cut.push_back(z + 1);
    }
  }
  cut.resize(static_cast<std::size_t>(parts) + 1, cells);
  cut.back() = cells;
  team.run(parts, 2, [&](int from, int to) {
    const int first = cut[from], last = cut[to];
    for (std::size_t i = 0; i < work.stations.size(); ++i)
      if (const unsigned planes = parts == 1 ? all_planes : planes_within(work.stencils[i], first, last))
        part(i, planes);
  });
}

void touch_rows(const LatticeSpec& spec, FluidWork& work) {
  work.near.clear();
  for (Stencil& s : work.stencils) {
    int low = s.cell[0][0], high = s.cell[0][s.width - 1];
    if (!s.is_plain) {
      const auto [least, most] = std::minmax_element(s.cell[0], s.cell[0] + s.width);
      low = *least, high = *most;
    }
    for (int k = 0; k < s.width; ++k)
      for (int j = 0; j < s.width; ++j)
        s.row[k][j] = work.near.touch(s.cell[2][k] * spec.cells[1] + s.cell[1][j], low, high + 1);
  }
  work.near.lay_out();
  for (Stencil& s : work.stencils)
    for (int k = 0; k < s.width; ++k)
      for (int j = 0; j < s.width; ++j) s.row[k][j] = work.near.start(s.row[k][j]);
}

void spread_measures(int cells, FluidWork& work, Team& team) {
  work.near.set_more_to_zero();
  for_all_planes(work, cells, team, [&](std::size_t i, unsigned planes) {
    const Stencil& s = work.stencils[i];
    const double measure = work.stations[i].measure;
    if (s.is_uniform) return marker_loops().add_more(block_of(s, work.near), planes, measure);
    for_each_cell(s, planes,
                  [&](std::size_t at, const Quad& weight) { add_to_more(work.near, at, measure * weight[3]); });
  });
}

double measure_in_cells(const Marker& m, double spacing) {
  return m.kind == MarkerKind::line      ? m.measure / spacing
         : m.kind == MarkerKind::surface ? m.measure / (spacing * spacing)
                                         : m.measure;
}

// Speeds per impulse of a step, across a marker and how much more along it, in lattice units. Lines drag as cylinders
// of the grid's radius and as thin ones in series, a lone point as a ball (Stokes); the penalty coupling goes by
// masses.
struct Slip {
  double across = 0, along = 0;
};
Slip slip_of(const Marker& m, const Fluid& fluid) {
  using std::numbers::pi;
  const FluidSettings& set = fluid.settings();
  const GridRadius grid = grid_radius(set.kernel);
  const double viscosity = fluid.lattice().spec().viscosity;
  const double r = m.radius / set.spacing, length = m.measure / set.spacing;
  if (set.coupling == Coupling::penalty) return {fluid.mass_unit() / m.mass};
  if (set.coupling != Coupling::friction) return {};
  if (m.kind == MarkerKind::line) {
    const double across = std::max(0.0, std::log(grid.across / r)) / (4 * pi * viscosity * length);
    const double along = std::max(0.0, std::log(grid.along / r)) / (2 * pi * viscosity * length);
    return {across, dot(m.tangent, m.tangent) > 0 ? along - across : 0.0};
  }
  if (m.kind == MarkerKind::point) return {std::max(0.0, 1 / r - 1 / grid.point) / (6 * pi * viscosity)};
  return {};
}

// A rod that turns about its axis feels 4 pi mu r^2 per length and rad/s.
double turning_slip(const Marker& m, const FluidSettings& set, double viscosity) {
  const double r = m.radius / set.spacing, grid = grid_radius(set.kernel).turning;
  const double per_length = 4 * std::numbers::pi * viscosity * m.measure / set.spacing;
  return std::max(0.0, 1 / (per_length * r * r) - 1 / (per_length * grid * grid));
}

// Calls part(i) for i = 0 to count-1, on all threads where there are enough.
template <class F>
void for_all(std::size_t count, int least, Team& team, const F& part) {
  team.run(static_cast<int>(count), least, [&](int from, int to) {
    for (int i = from; i < to; ++i) part(i);
  });
}

// What each marker gives (by number), at its stations.
template <class F>
void share_out(const FluidWork& work, std::vector<Vec3<double>>& out, const F& given) {
  std::fill(out.begin(), out.end(), Vec3<double>{});
  for (std::size_t i = 0; i < work.reach.size(); ++i) {
    const Vec3<double> all = given(i);
    const FluidWork::Reach& r = work.reach[i];
    out[r.first] += (1 - r.share) * all;
    out[r.second] += r.share * all;
  }
}

}  // namespace

FluidWork::FluidWork(const Fluid& fluid, const std::vector<Marker>& all)
    : markers(all),
      flow(all.size(), fluid.settings().spin),
      near(fluid.lattice().rows(), fluid.settings().is_double),
      forces(fluid.lattice().rows(), fluid.settings().is_double) {
  const FluidSettings& set = fluid.settings();
  const double viscosity = fluid.lattice().spec().viscosity;
  std::vector<int> station;  // [marker] that it is, or the next one
  for (std::size_t i = 0; i < all.size(); ++i) {
    station.push_back(static_cast<int>(stations.size()));
    if (all[i].before == 0 && all[i].after == 0)
      stations.push_back({static_cast<int>(i), all[i].is_node() ? all[i].anchor[0].node : -1, 0, {}, {}});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Marker& m = all[i];
    const double measure = measure_in_cells(m, set.spacing);
    Reach r{};
    r.first = station[i - static_cast<std::size_t>(m.before)];
    r.second = station[i + static_cast<std::size_t>(m.after)];
    r.share = m.share;
    r.per_measure = 1 / measure;
    r.node = m.anchor[0].node;
    r.is_node = m.is_node();
    const Slip slip = slip_of(m, fluid);
    r.across = slip.across;
    along.push_back(slip.along);
    for (int a = 0; a < 3; ++a) axis[a].push_back(component(m.tangent, a));
    stations[r.first].measure += (1 - r.share) * measure;
    stations[r.second].measure += r.share * measure;
    reach.push_back(r);
    has_caps = has_caps || m.is_cap;
    if (set.spin) turning.push_back(turning_slip(m, set, viscosity));
  }
  stencils.resize(stations.size());
  given.resize(stations.size());
  if (set.spin) spins.resize(stations.size()), turned.resize(stations.size());
}

std::size_t FluidWork::bytes() const {
  return stations.size() * (sizeof(Station) + sizeof(Stencil) + sizeof(Vec3<double>)) +
         spins.size() * (sizeof(Spin) + sizeof(Vec3<double>)) +
         markers.size() * (sizeof(Reach) + sizeof(MarkerFlow::Point) + 4 * sizeof(double)) +
         flow.spins.size() * (sizeof(MarkerFlow::Spin) + sizeof(double)) + near.bytes() + forces.bytes();
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

void aim_markers(const Fluid& fluid, const Nodes& nodes, FluidWork& work, Team& team) {
  const LatticeSpec& spec = fluid.lattice().spec();
  std::atomic<bool> has_moved = work.near.count() == 0;  // some station to other cells
  for_all(work.stations.size(), least_markers, team, [&](std::size_t i) {
    const FluidWork::Station& at = work.stations[i];
    const Vec3<double> place = at.node >= 0 ? nodes.frame(at.node).x : marker_place(work.markers[at.marker], nodes);
    if (set_stencil(spec, fluid.settings().kernel, fluid.to_cells(place), fluid.settings().spin, work.stencils[i]))
      has_moved = true;
  });
  if (has_moved) touch_rows(spec, work);
  work.sight = FluidWork::Sight::aimed;
  work.has_moved = work.has_moved || has_moved;
}

void gather_flow(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const Nodes& nodes,
                 FluidWork& work, Team& team) {
  const FluidWork::Sight sight = work.sight;
  if (sight == FluidWork::Sight::none) aim_markers(fluid, nodes, work, team);
  if (sight != FluidWork::Sight::seen) fluid.lattice().see(s, work.near, team);
  if (work.has_moved) work.forces.lay_out_as(work.near);
  if (sight != FluidWork::Sight::seen) work.forces.set_to_zero();
  work.has_moved = false;
  work.forget();
  spread_measures(fluid.settings().cells[2], work, team);
  FlowReader reader(fluid, drive, nodes, work);
  for_all(work.stations.size(), least_markers, team, [&](std::size_t i) { reader.read_station(i); });
  constexpr std::size_t part = FlowReader::markers_at_once;
  for_all((work.markers.size() + part - 1) / part, least_markers / FlowReader::markers_at_once, team,
          [&](std::size_t k) { reader.read_markers(k * part, std::min((k + 1) * part, work.markers.size())); });
}

void spread_impulses(const Fluid& fluid, const std::vector<Wrench<double>>& got, FluidWork& work, FluidState& s,
                     Team& team) {
  const double unit = 1 / fluid.impulse_unit(), turn_unit = unit / fluid.settings().spacing;
  work.forces.set_to_zero();
  share_out(work, work.given, [&](std::size_t i) { return (-unit) * got[i].force; });
  if (!work.turned.empty()) share_out(work, work.turned, [&](std::size_t i) { return (-turn_unit) * got[i].torque; });
  for_all_planes(work, fluid.settings().cells[2], team, [&](std::size_t i, unsigned planes) {
    add_to_cells(work.stencils[i], planes, work.given[i], work.forces);
  });
  for (std::size_t i = 0; i < work.stations.size(); ++i) {
    const Stencil& stencil = work.stencils[i];
    const Vec3<double>& f = work.given[i];
    s.impulse.markers += f;
    if (!stencil.is_plain)
      for (int c = 0; c < 3; ++c) component(s.impulse.images, c) += (stencil.total(c) - 1) * component(f, c);
    if (work.turned.empty() || dot(work.turned[i], work.turned[i]) == 0) continue;
    const Vec3<double> torque = 0.5 * work.turned[i];
    for_each_slope(stencil, [&](std::size_t cell, const Vec3<double>& slope) {
      const Vec3<double> push = cross(torque, slope);
      add_to(work.forces, cell, Quad{push.x, push.y, push.z, 0});
      if (!stencil.is_plain) s.impulse.images += push;
    });
  }
}

DragRate largest_drag_rate(const Model& m, const std::vector<HeldNode>& held, FluidWork& work) {
  work.rates.assign(2 * static_cast<std::size_t>(m.nodes), 0.0);  // [node] of moving, then of turning
  double* const drag = work.rates.data();
  double* const turning = drag + m.nodes;
  for (std::size_t i = 0; i < work.markers.size(); ++i) {
    const double most = std::max({work.flow.resistance[0][i], work.flow.resistance[1][i], work.flow.resistance[2][i]});
    const Sym3 t = work.flow.spins.empty() ? Sym3{} : work.flow.spins[i].turning;
    if (work.reach[i].is_node) {
      drag[work.reach[i].node] += most;
      turning[work.reach[i].node] += t.xx + t.yy + t.zz;
      continue;
    }
    for (int a = 0; a < work.markers[i].anchors; ++a) {
      const MarkerAnchor& anchor = work.markers[i].anchor[a];
      drag[anchor.node] += anchor.weight * most;
      turning[anchor.node] += anchor.weight * (most * dot(anchor.offset, anchor.offset) + t.xx + t.yy + t.zz);
    }
  }
  for (const HeldNode& h : held) {
    if ((h.mask & hold_position) == hold_position) drag[h.node] = 0;
    if ((h.mask & hold_turn) == hold_turn) turning[h.node] = 0;
  }
  DragRate most;
  for (int i = 0; i < m.nodes; ++i) {
    double rate = drag[i] > 0 ? drag[i] / m.mass[i] : 0;
    if (turning[i] > 0)
      rate = std::max(rate, turning[i] / std::min({m.inertia[0][i], m.inertia[1][i], m.inertia[2][i]}));
    if (rate > most.rate) most = {rate, i};
  }
  return most;
}

void sample_velocities(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const RowField* forces,
                       std::span<const Vec3<double>> places, std::span<Vec3<double>> velocities, Team& team) {
  const LatticeSpec& spec = fluid.lattice().spec();
  const double half[3] = {0.5 * drive.body.x, 0.5 * drive.body.y, 0.5 * drive.body.z};
  team.run(static_cast<int>(places.size()), least_markers, [&](int from, int to) {
    double value[4][Stencil::most];
    for (int i = from; i < to; ++i) {
      const Stencil t = make_stencil(spec, fluid.settings().kernel, places[i]);
      Vec3<double> u = t.from_walls(drive);
      for (int k = 0; k < t.width; ++k)
        for (int j = 0; j < t.width; ++j) {
          const int row = t.cell[2][k] * spec.cells[1] + t.cell[1][j];
          const int slot = forces ? forces->slot(row) : -1;
          const int parts = t.is_uniform ? 1 : t.width;  // cells that follow each other are read at once
          for (int p = 0; p < parts; ++p) {
            double* const out[4] = {value[0] + p, value[1] + p, value[2] + p, value[3] + p};
            fluid.lattice().moments(s, row, t.cell[0][p], t.cell[0][p] + t.width / parts, out);
          }
          for (int x = 0; x < t.width; ++x)
            for (int c = 0; c < 3; ++c) {
              const double force = slot < 0 ? 0 : 0.5 * forces->value(slot, t.cell[0][x], c);
              component(u, c) += t.weight(c, 0, x) * t.weight(c, 1, j) * t.weight(c, 2, k) *
                                 (value[1 + c][x] + half[c] + force) / (1 + value[0][x]);
            }
        }
      velocities[i] = u;
    }
  });
}

}  // namespace ls
