#include "fluid/immersed_boundary.h"

#include "fluid/grid_radius.h"
#include "fluid/marker_loops.h"
#include "math/component.h"

#include <algorithm>
#include <atomic>
#include <numbers>

namespace ls {

namespace {

constexpr int least_markers = 64;  // below, threads cost more than they save

// The numbers of a cell, added and scaled together.
typedef double Quad __attribute__((vector_size(32), may_alias));

Quad& quad(RowField::Cell& c) {
  return reinterpret_cast<Quad&>(c);
}

CellBlock block_of(const Stencil& s, RowField& field) {
  return {field.cells()->v, field.starts(), s.slot, s.across, s.width, s.cell[0][0]};
}

// Calls visit(place of a cell, weights of its three components; a number of its own goes by that of x) for every cell
// in some planes.
template <class F>
void for_each_cell(const Stencil& s, const RowField& field, unsigned planes, const F& visit) {
  for (int k = 0; k < s.width; ++k)
    for (int j = 0; j < s.width; ++j)
      for (int i = 0; i < s.width && (planes >> k & 1); ++i) {
        double w[3];
        for (int c = 0; c < 3; ++c) w[c] = s.weight(c, 2, k) * s.weight(c, 1, j) * s.weight(c, 0, i);
        visit(field.index(s.slot[k][j], s.cell[0][i]), Quad{w[0], w[1], w[2], w[0]});
      }
}
constexpr unsigned all_planes = ~0U;

// Adds a force to cells, each component times its weight.
void add_to_cells(const Stencil& s, unsigned planes, const Vec3<double>& f, RowField& field) {
  if (s.is_uniform) return marker_loops().add(block_of(s, field), planes, {f.x, f.y, f.z, 0});
  for_each_cell(s, field, planes, [&, all = Quad{f.x, f.y, f.z, 0}](std::size_t at, const Quad& weight) {
    quad(field.cells()[at]) += weight * all;
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
void for_all_planes(const FluidWork& w, int cells, Team& team, const F& part) {
  const bool is_small = static_cast<int>(w.stations.size()) < least_markers;
  const int parts = is_small ? 1 : team.active();
  std::vector<int> cut{0};
  if (parts > 1) {  // about as many stations in each
    std::vector<int> count(static_cast<std::size_t>(cells), 0);
    for (const Stencil& s : w.stencils) ++count[static_cast<std::size_t>(s.cell[2][1])];
    int sum = 0;
    for (int z = 0; z < cells; ++z) {
      sum += count[static_cast<std::size_t>(z)];
      if (static_cast<long long>(sum) * parts >=
          static_cast<long long>(w.stations.size()) * static_cast<int>(cut.size()))
        cut.push_back(z + 1);
    }
  }
  cut.resize(static_cast<std::size_t>(parts) + 1, cells);
  cut.back() = cells;
  team.run(parts, 2, [&](int from, int to) {
    const int first = cut[static_cast<std::size_t>(from)], last = cut[static_cast<std::size_t>(to)];
    for (std::size_t i = 0; i < w.stations.size(); ++i)
      if (const unsigned planes = parts == 1 ? all_planes : planes_within(w.stencils[i], first, last)) part(i, planes);
  });
}

// Calls visit(cell, gradient of the weight) for every cell.
template <class F>
void for_each_slope(const Stencil& s, RowField& field, const F& visit) {
  for (int k = 0; k < s.width; ++k)
    for (int j = 0; j < s.width; ++j)
      for (int i = 0; i < s.width; ++i)
        visit(field.at(s.slot[k][j], s.cell[0][i]), Vec3<double>{s.slope[0][i] * s.across[1][j] * s.across[2][k],
                                                                 s.across[0][i] * s.slope[1][j] * s.across[2][k],
                                                                 s.across[0][i] * s.across[1][j] * s.slope[2][k]});
}

void touch_rows(const LatticeSpec& spec, FluidWork& w) {
  w.near.clear();
  for (Stencil& s : w.stencils) {
    int low = s.cell[0][0], high = s.cell[0][s.width - 1];
    if (!s.is_plain) {
      const auto [least, most] = std::minmax_element(s.cell[0], s.cell[0] + s.width);
      low = *least, high = *most;
    }
    for (int k = 0; k < s.width; ++k)
      for (int j = 0; j < s.width; ++j)
        s.slot[k][j] = w.near.touch(s.cell[2][k] * spec.cells[1] + s.cell[1][j], low, high + 1);
  }
  w.near.lay_out();
}

void spread_measures(int cells, FluidWork& w, Team& team) {
  w.measures.assign(w.near.size(), 0.0);
  for_all_planes(w, cells, team, [&](std::size_t i, unsigned planes) {
    const Stencil& s = w.stencils[i];
    const double measure = w.stations[i].measure;
    if (s.is_uniform) return marker_loops().add_more(block_of(s, w.near), planes, measure, w.measures.data());
    for_each_cell(s, w.near, planes,
                  [&](std::size_t at, const Quad& weight) { w.measures[at] += measure * weight[3]; });
  });
}

double measure_in_cells(const Marker& m, double spacing) {
  return m.kind == MarkerKind::line      ? m.measure / spacing
         : m.kind == MarkerKind::surface ? m.measure / (spacing * spacing)
                                         : m.measure;
}

// Lines drag as cylinders of the grid's radius and as thin ones in series, a lone point as a ball (Stokes).
void set_slip(const Marker& m, const FluidSettings& set, double viscosity, FluidWork::Reach& out) {
  using std::numbers::pi;
  const GridRadius grid = grid_radius(set.kernel);
  const double r = m.radius / set.spacing, length = m.measure / set.spacing;
  out.across = out.along = 0;
  if (set.coupling != Coupling::friction) return;
  if (m.kind == MarkerKind::line) {
    out.across = std::max(0.0, std::log(grid.across / r)) / (4 * pi * viscosity * length);
    out.along = std::max(0.0, std::log(grid.along / r)) / (2 * pi * viscosity * length);
  } else if (m.kind == MarkerKind::point) {
    out.across = out.along = std::max(0.0, 1 / r - 1 / grid.point) / (6 * pi * viscosity);
  }
}

// A rod that turns about its axis feels 4 pi mu r^2 per length and rad/s.
double turning_slip(const Marker& m, const FluidSettings& set, double viscosity) {
  const double r = m.radius / set.spacing, grid = grid_radius(set.kernel).turning;
  const double per_length = 4 * std::numbers::pi * viscosity * m.measure / set.spacing;
  return std::max(0.0, 1 / (per_length * r * r) - 1 / (per_length * grid * grid));
}

class Reader {
 public:
  Reader(const Fluid& fluid, const LatticeDrive& drive, const Nodes& nodes, FluidWork& w)
      : fluid_(fluid), set_(fluid.settings()), drive_(drive), half_(0.5 * drive.body), nodes_(nodes), w_(w) {}

  void read_station(std::size_t i) {
    const Stencil& s = w_.stencils[i];
    FluidWork::Station& at = w_.stations[i];
    if (s.is_uniform) {
      double sum[5];
      marker_loops().read(block_of(s, w_.near), w_.measures.data(), sum);
      at.u = Vec3<double>{sum[0], sum[1], sum[2]} + sum[3] * half_;
      at.overlap = {sum[4], sum[4], sum[4]};
    } else {
      Quad sum{}, light{}, overlap{};
      for_each_cell(s, w_.near, all_planes, [&](std::size_t i_cell, const Quad& weight) {
        RowField::Cell& c = w_.near.cells()[i_cell];
        sum += weight * quad(c);
        light += weight * c.v[3];
        overlap += weight * w_.measures[i_cell];
      });
      at.u = {sum[0] + light[0] * half_.x, sum[1] + light[1] * half_.y, sum[2] + light[2] * half_.z};
      at.overlap = {overlap[0], overlap[1], overlap[2]};
    }
    if (!s.is_plain) at.u += s.from_walls(drive_);
    if (set_.spin) read_rotation(s, axis(w_.reach[static_cast<std::size_t>(at.marker)]), w_.spins[i]);
  }

  // Let u* be the velocity read without the marker's own force of this step. An impulse J makes it u* + A J / 2, where
  // A counts how much markers nearby overlap; with the slip M of thin rods, a marker of velocity v gets
  //   (M + A/2) J = u* - v.
  // A couples neighbours. Where the impulses of neighbours are alike (each in proportion to what it stands for), its
  // rows can be summed up, and no system needs to be solved; elsewhere the sums are the larger, safer choice.
  void read_marker(std::size_t i) {
    const FluidWork::Reach& r = w_.reach[i];
    const FluidWork::Station &first = w_.stations[static_cast<std::size_t>(r.first)],
                             &second = w_.stations[static_cast<std::size_t>(r.second)];
    MarkerFlow::Point p;
    p.u = fluid_.speed_unit() * blend(r, first.u, second.u);
    if (set_.coupling == Coupling::penalty) {
      p.resistance = diagonal((w_.markers[i].mass / set_.dt) * Vec3<double>{1, 1, 1});
    } else {
      const double least = set_.kernel == DeltaKernel::roma ? 0.03 : 0.013;  // a quarter of a lone marker's own
      const Vec3<double> overlap = r.per_measure * blend(r, first.overlap, second.overlap), t = axis(r);
      const auto ease = [&](double a) { return r.across + 0.5 * std::max(least, a); };
      const double along = dot(t, t) > 0 ? r.along - r.across : 0.0;
      p.resistance = fluid_.mass_unit() / set_.dt *
                     inverse(diagonal({ease(overlap.x), ease(overlap.y), ease(overlap.z)}) + outer(along, t));
    }
    w_.flow.set(i, p);
    if (set_.spin && w_.markers[i].kind == MarkerKind::line) read_spin(i);
  }

 private:
  template <class T>
  static T blend(const FluidWork::Reach& r, const T& first, const T& second) {
    return (1 - r.share) * first + r.share * second;
  }
  Vec3<double> axis(const FluidWork::Reach& r) const { return rotate(nodes_.frame(r.node).q, r.axis); }

  // The same for spin: a torque N is a force N x grad(delta) / 2 on the fluid, and turns it at the place itself by
  // B N / 2.
  void read_rotation(const Stencil& s, const Vec3<double>& tangent, FluidWork::Spin& at) const {
    at = {};
    for_each_slope(s, w_.near, [&](const RowField::Cell& c, const Vec3<double>& slope) {
      at.curl += cross(slope, Vec3<double>{c.v[0], c.v[1], c.v[2]} + c.v[3] * half_);
      const Vec3<double> push = cross(tangent, slope);
      at.own += 0.25 * dot(push, push);
    });
    for_each_cell(s, w_.near, all_planes, [&](std::size_t, const Quad& weight) { at.self += weight[0] * weight[0]; });
  }
  void read_spin(std::size_t i) {
    const FluidWork::Reach& r = w_.reach[i];
    const auto f = static_cast<std::size_t>(r.first), s = static_cast<std::size_t>(r.second);
    const FluidWork::Spin &first = w_.spins[f], &second = w_.spins[s];
    const double overlap = r.per_measure * blend(r, w_.stations[f].overlap.x, w_.stations[s].overlap.x);
    const double crowd = std::max(1.0, overlap / std::max(1e-12, blend(r, first.self, second.self)));
    const double turn = w_.turning[i] + 0.5 * crowd * blend(r, first.own, second.own);
    w_.flow.spins[i].rotation = (0.5 / set_.dt) * blend(r, first.curl, second.curl);
    w_.flow.spins[i].turning = outer(fluid_.mass_unit() * set_.spacing * set_.spacing / set_.dt / turn, axis(r));
  }

  const Fluid& fluid_;
  const FluidSettings& set_;
  const LatticeDrive& drive_;
  Vec3<double> half_;  // of the body force: velocities are read with it
  const Nodes& nodes_;
  FluidWork& w_;
};

// Calls part(i) for i = 0 to count-1, on all threads.
template <class F>
void for_all(std::size_t count, Team& team, const F& part) {
  team.run(static_cast<int>(count), least_markers, [&](int from, int to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) part(i);
  });
}

}  // namespace

FluidWork::FluidWork(const Fluid& fluid, const std::vector<Marker>& all)
    : markers(all),
      flow(all.size(), fluid.settings().spin),
      near(fluid.lattice().rows()),
      forces(fluid.lattice().rows()) {
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
    r.axis = m.tangent;
    set_slip(m, set, viscosity, r);
    stations[static_cast<std::size_t>(r.first)].measure += (1 - r.share) * measure;
    stations[static_cast<std::size_t>(r.second)].measure += r.share * measure;
    reach.push_back(r);
    if (set.spin) turning.push_back(turning_slip(m, set, viscosity));
  }
  stencils.resize(stations.size());
  given.resize(stations.size());
  if (set.spin) spins.resize(stations.size());
}

std::size_t FluidWork::bytes() const {
  return stations.size() * (sizeof(Station) + sizeof(Stencil) + sizeof(Wrench<double>)) + spins.size() * sizeof(Spin) +
         markers.size() * (sizeof(Reach) + sizeof(MarkerFlow::Point)) +
         flow.spins.size() * (sizeof(MarkerFlow::Spin) + sizeof(double)) + near.bytes() + forces.bytes() +
         measures.capacity() * sizeof(double);
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

void aim_markers(const Fluid& fluid, const Nodes& nodes, FluidWork& w, Team& team) {
  const LatticeSpec& spec = fluid.lattice().spec();
  std::atomic<bool> has_moved = w.near.count() == 0;  // some station to other cells
  for_all(w.stations.size(), team, [&](std::size_t i) {
    const FluidWork::Station& at = w.stations[i];
    const Vec3<double> place =
        at.node >= 0 ? nodes.frame(at.node).x : marker_place(w.markers[static_cast<std::size_t>(at.marker)], nodes);
    if (set_stencil(spec, fluid.settings().kernel, fluid.to_cells(place), fluid.settings().spin, w.stencils[i]))
      has_moved = true;
  });
  if (has_moved) touch_rows(spec, w);
  w.is_aimed = true, w.has_seen = false;
  w.has_moved = w.has_moved || has_moved;
}

void gather_flow(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const Nodes& nodes, FluidWork& w,
                 Team& team) {
  if (!w.is_aimed) aim_markers(fluid, nodes, w, team);
  if (!w.has_seen) fluid.lattice().see(s, w.near, team);
  w.is_aimed = w.has_seen = false;
  if (w.has_moved) w.forces.lay_out_as(w.near);
  w.forces.set_to_zero();
  w.has_moved = false;
  spread_measures(fluid.settings().cells[2], w, team);
  Reader reader(fluid, drive, nodes, w);
  for_all(w.stations.size(), team, [&](std::size_t i) { reader.read_station(i); });
  for_all(w.markers.size(), team, [&](std::size_t i) { reader.read_marker(i); });
}

void spread_impulses(const Fluid& fluid, const std::vector<Wrench<double>>& got, FluidWork& w, FluidState& s,
                     Team& team) {
  const double unit = 1 / fluid.impulse_unit(), turn_unit = unit / fluid.settings().spacing;
  std::fill(w.given.begin(), w.given.end(), Wrench<double>{});
  for (std::size_t i = 0; i < w.markers.size(); ++i) {
    const Wrench<double> all{(-unit) * got[i].force, (-turn_unit) * got[i].torque};
    const FluidWork::Reach& r = w.reach[i];
    w.given[static_cast<std::size_t>(r.first)] += Wrench<double>{(1 - r.share) * all.force, (1 - r.share) * all.torque};
    w.given[static_cast<std::size_t>(r.second)] += Wrench<double>{r.share * all.force, r.share * all.torque};
  }
  for_all_planes(w, fluid.settings().cells[2], team, [&](std::size_t i, unsigned planes) {
    add_to_cells(w.stencils[i], planes, w.given[i].force, w.forces);
  });
  for (std::size_t i = 0; i < w.stations.size(); ++i) {
    const Stencil& stencil = w.stencils[i];
    const Vec3<double>& f = w.given[i].force;
    s.impulse.markers += f;
    if (!stencil.is_plain)
      for (int c = 0; c < 3; ++c) component(s.impulse.images, c) += (stencil.total(c) - 1) * component(f, c);
    const Vec3<double> torque = 0.5 * w.given[i].torque;
    if (dot(torque, torque) == 0) continue;
    for_each_slope(stencil, w.forces, [&](RowField::Cell& c, const Vec3<double>& slope) {
      const Vec3<double> push = cross(torque, slope);
      quad(c) += Quad{push.x, push.y, push.z, 0};
      if (!stencil.is_plain) s.impulse.images += push;
    });
  }
}

double largest_drag_rate(const Model& m, FluidWork& w) {
  w.rates.assign(2 * static_cast<std::size_t>(m.nodes), 0.0);  // [node] of moving, then of turning
  double* const drag = w.rates.data();
  double* const turning = drag + m.nodes;
  for (std::size_t i = 0; i < w.markers.size(); ++i) {
    const double most = std::max({w.flow.resistance[0][i], w.flow.resistance[1][i], w.flow.resistance[2][i]});
    const Sym3 t = w.flow.spins.empty() ? Sym3{} : w.flow.spins[i].turning;
    if (w.reach[i].is_node) {
      drag[w.reach[i].node] += most;
      turning[w.reach[i].node] += t.xx + t.yy + t.zz;
      continue;
    }
    for (int a = 0; a < w.markers[i].anchors; ++a) {
      const MarkerAnchor& anchor = w.markers[i].anchor[a];
      drag[anchor.node] += anchor.weight * most;
      turning[anchor.node] += anchor.weight * (most * dot(anchor.offset, anchor.offset) + t.xx + t.yy + t.zz);
    }
  }
  double rate = 0;
  for (int i = 0; i < m.nodes; ++i) {
    rate = std::max(rate, drag[i] / m.mass[i]);
    if (turning[i] > 0)
      rate = std::max(rate, turning[i] / std::min({m.inertia[0][i], m.inertia[1][i], m.inertia[2][i]}));
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
