#include "build/builder.h"

#include "base/error.h"
#include "base/rng.h"
#include "build/magnets/soft_cells.h"
#include "math/rotation.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr double sameness = 1e-12;

bool nearly(double a, double b, double off) {
  return std::abs(a - b) <= off;
}
bool nearly(const Quat<double>& a, const Quat<double>& b, double off = sameness) {
  return nearly(a.w, b.w, off) && nearly(a.v.x, b.v.x, off) && nearly(a.v.y, b.v.y, off) && nearly(a.v.z, b.v.z, off);
}
// What length and direction of a bond can be off by, since the places of its nodes are rounded, and what goes with the
// cube of the length: matters where bonds are short beside their distance from the origin.
double rounding(const V& x1, const V& x2, double l) {
  return std::max(sameness, 16 * std::numeric_limits<double>::epsilon() * std::max(norm(x1), norm(x2)) / l);
}
template <class Struct>
bool nearly_all(const Struct& a, const Struct& b, double share) {
  const auto *p = reinterpret_cast<const double*>(&a), *q = reinterpret_cast<const double*>(&b);
  for (std::size_t k = 0; k < sizeof(Struct) / sizeof(double); ++k)
    if (!nearly(p[k], q[k], share * std::abs(p[k]))) return false;
  return true;
}
// Bonds of a line, an arc or a helix differ by rounding only; treating them as one class lets the hot loops broadcast
// it.
bool same_class(const BondClass& a, const BondClass& b, double share) {
  return nearly_all(a.stiffness, b.stiffness, share) && nearly_all(a.damping, b.damping, share) &&
         nearly_all(a.limit, b.limit, share) && nearly(a.rest1, b.rest1) && nearly(a.rest2, b.rest2);
}
Quat<double> snapped(const Quat<double>& q) {
  const Quat<double> one;
  if (nearly(q, one)) return one;
  return q;
}

V random_in_ball(const RandomMotion& r, double radius, std::uint64_t node, std::uint64_t stream) {
  if (radius == 0) return {};
  for (std::uint64_t attempt = 0;; ++attempt) {
    const auto draw = [&](std::uint64_t k) { return 2 * uniform(r.seed, attempt, node, stream + k) - 1; };
    const V a{r.x ? draw(0) : 0, r.y ? draw(1) : 0, r.z ? draw(2) : 0};
    if (dot(a, a) <= 1) return radius * a;
  }
}

// The reach of the barrier where nobody gave one: a tenth of the smallest radius or, where nothing is round, a
// thousandth of the smallest body. Walls do not count.
double usual_thickness(const Shapes& s, std::size_t nodes) {
  double thickness = 0;
  const auto at_most = [&](double value) {
    if (value > 0 && (thickness == 0 || value < thickness)) thickness = value;
  };
  std::vector<double> extent(nodes, 0.0);  // [node] m, of what hangs on it
  for (const ShapePoint& p : s.points) {
    if (s.is_wall[p.node]) continue;
    at_most(0.1 * p.radius);
    double& e = extent[p.node];
    e = std::max(e, 2 * norm(p.offset));
  }
  if (thickness > 0) return thickness;
  for (const double e : extent) at_most(1e-3 * e);
  return thickness;
}

}  // namespace

Twist<double> RandomMotion::of(int node) const {
  const auto id = static_cast<std::uint64_t>(node);
  return {random_in_ball(*this, speed, id, 0), random_in_ball(*this, spin, id, 8)};
}

int Builder::add(const RodSpec& rod) {
  Body body;
  body.name = rod.name;
  body.arc = rod.line.arc;
  add_nodes(rod, body);
  const std::size_t n = body.nodes.size();
  body.weight.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double left = i > 0 ? body.arc[i] - body.arc[i - 1] : 0,
                 right = i + 1 < n ? body.arc[i + 1] - body.arc[i] : 0;
    body.weight[i] = 0.5 * (left + right);
    if (rod.weights == Weights::full && (i == 0 || i + 1 == n)) body.weight[i] = left + right;
  }
  for (const double a : body.arc) {  // exact for ellipses, and for a square within 2 %
    const Section s = rod.section(a / body.arc.back());
    body.flow_radius.push_back(std::sqrt(s.i1 / s.area) + std::sqrt(s.i2 / s.area));
  }
  bodies_.push_back(std::move(body));
  lump(rod, bodies_.back());
  add_bonds(rod, bodies_.back());
  if (shapes_) add_shapes(rod, bodies_.back());
  return static_cast<int>(bodies_.size()) - 1;
}

void Builder::add_nodes(const RodSpec& rod, Body& body) {
  const auto& frames = rod.line.frames;
  const double length = rod.line.arc.back();
  if (frames.size() > nodes_.size()) nodes_.reserve(nodes_.size() + frames.size());  // else it grows by itself
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const int shared = i == 0 ? rod.start_node : i + 1 == frames.size() ? rod.end_node : -1;
    if (shared >= 0) {
      const double off = norm(nodes_[shared].frame.x - frames[i].x);
      if (off > 1e-6 * length)
        throw Error(fmt::format("rod {}: its {} lies {:.3g} m from the node it should share", rod.name,
                                i == 0 ? "start" : "end", off));
      nodes_[shared].shared = true;
      body.nodes.push_back(shared);
    } else {
      Node n;
      n.frame = frames[i];
      n.body = static_cast<int>(bodies_.size());
      const Twist<double> random = rod.random.of(static_cast<int>(nodes_.size()));
      n.twist = {rod.velocity + random.v, rod.spin + random.w};
      body.nodes.push_back(static_cast<int>(nodes_.size()));
      nodes_.push_back(n);
    }
  }
  nodes_[body.nodes.front()].held |= rod.hold_start;
  nodes_[body.nodes.back()].held |= rod.hold_end;
}

// Mass, inertia and moment of the length that each node stands for.
void Builder::lump(const RodSpec& rod, Body& body) {
  const auto u_of = [&](std::size_t i) { return body.arc[i] / body.arc.back(); };
  for (std::size_t i = 0; i < body.nodes.size(); ++i) {
    const double u = u_of(i), length = body.weight[i];
    const double from = i > 0 ? 0.5 * (u_of(i - 1) + u) : u,
                 to = i + 1 < body.nodes.size() ? 0.5 * (u + u_of(i + 1)) : u;
    const NodeShare s = node_share(rod, from, u, to);
    body.area.push_back(s.area);
    const double mass = rod.node_mass > 0 ? rod.node_mass : s.density * s.area * length;
    const double per_length = mass / (s.area * length);  // the density, unless the mass is given
    double inertia[3] = {per_length * s.i1 * length, per_length * s.i2 * length, per_length * (s.i1 + s.i2) * length};
    if (rod.inertia == NodeInertia::segment)
      inertia[0] += mass * length * length / 12, inertia[1] += mass * length * length / 12;
    if (rod.inertia == NodeInertia::sphere)
      for (double& k : inertia) k = 0.1 * mass * rod.sphere_diameter * rod.sphere_diameter;
    Node& n = nodes_[body.nodes[i]];
    const Frame<double>& f = rod.line.frames[i];
    const V axis[3] = {axis_x(f.q), axis_y(f.q), axis_z(f.q)};
    n.mass += mass;
    for (int k = 0; k < 3; ++k) {
      const double a[3] = {axis[k].x, axis[k].y, axis[k].z};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) n.tensor[r][c] += inertia[k] * a[r] * a[c];
    }
    const V own = rod.magnetised_as_drawn ? rotate(conj(f.q), s.magnetisation) : s.magnetisation;
    if (rod.magnetisation) {
      const V moment = (s.area * length) * rotate(f.q, own);
      n.moment += moment;
      if (rod.sampling > 0) spread_moment(rod, body, i, moment);
    }
    n.radius = std::max(n.radius, rod.section(u).radius);
    if (rod.soft.is_soft()) {
      const std::size_t last = body.nodes.size() - 1;
      const double spacing =
          (body.arc[std::min(i + 1, last)] - body.arc[i > 0 ? i - 1 : 0]) / (i > 0 && i < last ? 2 : 1);
      add_soft(body.nodes[i], {{rod_cell(rod.soft, s.area, s.i1, s.i2, length, spacing)}, {}}, {}, f.q);
    }
  }
}

void Builder::add_bonds(const RodSpec& rod, const Body& body) {
  auto& all = bonds_[rod.model];
  if (body.nodes.size() > all.size()) all.reserve(all.size() + body.nodes.size());
  for (std::size_t i = 0; i + 1 < body.nodes.size(); ++i) {
    const auto &f1 = rod.line.frames[i], &f2 = rod.line.frames[i + 1];
    const V chord = f2.x - f1.x;
    const double l = norm(chord), length = body.arc.back();
    if (!(l > 1e-12 * length))
      throw Error(fmt::format("rod {}: nodes {} and {} coincide: a bond needs a length", rod.name, i, i + 1));
    // Half-way between the two section frames, turned so that z runs along the chord.
    const Quat<double> q2 = nearer(f2.q, f1.q);
    Quat<double> mid = normalized(Quat<double>{f1.q.w + q2.w, f1.q.v + q2.v});
    const Quat<double> swing = turn_between(axis_z(mid), (1 / l) * chord);
    if (!nearly(swing, Quat<double>{}, rounding(f1.x, f2.x, l))) mid = normalized(swing * mid);
    RawBond b;
    b.node1 = body.nodes[i];
    b.node2 = body.nodes[i + 1];
    b.frame = mid;
    const double u = 0.5 * (body.arc[i] + body.arc[i + 1]) / length;
    const Section section = bond_section(rod, body.arc[i] / length, body.arc[i + 1] / length);
    b.cls.stiffness = elastic_bond(rod.calibration, section, rod.material(u), l);
    if (rod.adjust) rod.adjust(b.cls.stiffness);
    if (rod.damping) b.cls.damping = rod.damping(b.cls.stiffness);
    b.paper_rate = rod.paper_rate;
    b.cls.limit = rod.fracture;
    if (rod.rest_curvature) b.natural = l * *rod.rest_curvature;
    all.push_back(b);
  }
}

void Builder::set_contact(const ContactSettings& settings, bool spheres) {
  shapes_.emplace().settings = settings;
  spheres_ = spheres;
}

// A capsule for each bond, or a sphere for each node. A node that rods share gets a point of each.
void Builder::add_shapes(const RodSpec& rod, const Body& body) {
  const int first = static_cast<int>(shapes_->points.size());
  const double length = body.arc.back();
  double radius = rod.contact_radius;
  if (radius == 0)
    for (const double a : body.arc) radius = std::max(radius, rod.section(a / length).radius);
  for (std::size_t i = 0; i < body.nodes.size(); ++i) {
    const int point = first + static_cast<int>(i);
    shapes_->points.push_back({body.nodes[i], {}, radius});
    if (spheres_)
      shapes_->spheres.push_back(point);
    else if (i > 0)
      shapes_->edges.push_back({point - 1, point});
  }
  shapes_->surfaces.push_back(rod.surface);
}

// The settings that were left open, and which nodes are joined.
void Builder::finish_shapes(Model& model) {
  Shapes& s = *shapes_;
  for (const auto& [name, raw] : bonds_)
    for (const RawBond& b : raw)
      s.links.push_back({b.node1, b.node2, norm(nodes_[b.node2].frame.x - nodes_[b.node1].frame.x)});
  s.body_of = model.body_of;
  s.is_wall.assign(static_cast<std::size_t>(model.nodes), 0);
  for (const Body& b : bodies_)
    if (b.kind == BodyKind::wall)
      for (const int n : b.nodes) s.is_wall[n] = 1;
  if (s.settings.thickness == 0) s.settings.thickness = usual_thickness(s, nodes_.size());
  model.shapes = std::move(s);
  model.barrier = barrier_scale();
}

// A node that several rods share gets the principal axes of all they bring. Others keep the axes of their section.
void Builder::settle_shared_nodes() {
  for (auto& n : nodes_) {
    if (!n.shared) continue;
    Eigen::Matrix3d t;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) t(r, c) = n.tensor[r][c];
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(t);
    const auto column = [&](int k) {
      const auto v = eigen.eigenvectors().col(k);
      return V{v[0], v[1], v[2]};
    };
    const V x = column(0), y = column(1);
    n.frame.q = quaternion(Mat3<double>{x, y, cross(x, y)});
  }
}

void Builder::finish_bonds(Model& model) {
  int first = 0;
  for (auto& [name, raw] : bonds_) {
    BondTable table;
    table.kernel = name;
    table.first = first;
    std::vector<BondClass>& classes = table.classes;
    table.bonds.reserve(raw.size());
    for (auto& b : raw) {
      const Quat<double> half = turn(0.5 * b.natural);
      b.cls.rest1 = snapped(conj(nodes_[b.node1].frame.q) * b.frame * half);
      b.cls.rest2 = conj(nodes_[b.node2].frame.q) * b.frame * conj(half);
      // The signs of the two as the bond sees them must agree at the start; from then on they are continuous in time.
      if (dot(nodes_[b.node1].frame.q * b.cls.rest1, nodes_[b.node2].frame.q * b.cls.rest2) < 0)
        b.cls.rest2 = {-b.cls.rest2.w, -b.cls.rest2.v};
      b.cls.rest2 = snapped(b.cls.rest2);
      const double share = rounding(nodes_[b.node1].frame.x, nodes_[b.node2].frame.x, b.cls.stiffness.l);
      if (classes.empty() || !same_class(classes.back(), b.cls, share)) classes.push_back(b.cls);
      table.bonds.push_back({b.node1, b.node2, static_cast<int>(classes.size()) - 1});
    }
    table.paper_rate = std::any_of(raw.begin(), raw.end(), [](const RawBond& b) { return b.paper_rate; });
    first += table.count();
    model.bond_tables.push_back(std::move(table));
  }
}

// Of each body the median stretching stiffness of its bonds, and what of it moves.
BarrierScale Builder::barrier_scale() const {
  BarrierScale scale;
  scale.bodies.resize(bodies_.size());
  std::vector<std::vector<double>> stretch(bodies_.size());
  for (const auto& [name, raw] : bonds_)
    for (const RawBond& b : raw) stretch[nodes_[b.node1].body].push_back(b.cls.stiffness.kr);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    BodyScale& of = scale.bodies[k];
    for (const int n : bodies_[k].nodes) {
      if (nodes_[n].held == hold_all) continue;
      of.mass += nodes_[n].mass;
      of.node_mass = std::max(of.node_mass, nodes_[n].mass);
    }
    if (stretch[k].empty()) continue;
    const auto middle = stretch[k].begin() + static_cast<std::ptrdiff_t>(stretch[k].size() / 2);
    std::nth_element(stretch[k].begin(), middle, stretch[k].end());
    of.elastic = *middle;
  }
  return scale;
}

Builder::Result Builder::finish() {
  settle_shared_nodes();
  Result r;
  Model& m = r.model;
  m.nodes = static_cast<int>(nodes_.size());
  r.state.nodes = Nodes(m.nodes);
  const auto size = static_cast<std::size_t>(padded(m.nodes));
  m.mass.assign(size, 0.0);
  for (auto& c : m.inertia) c.assign(size, 1.0);
  const bool magnets =
      !samples_.empty() || std::any_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return norm(n.moment) > 0; });
  if (magnets)
    for (auto& c : m.moment) c.assign(size, 0.0);
  for (int i = 0; i < m.nodes; ++i) {
    const Node& n = nodes_[i];
    m.mass[i] = n.mass;
    const V axis[3] = {axis_x(n.frame.q), axis_y(n.frame.q), axis_z(n.frame.q)};
    for (int k = 0; k < 3; ++k) {
      const double a[3] = {axis[k].x, axis[k].y, axis[k].z};
      double sum = 0;
      for (int row = 0; row < 3; ++row)
        for (int c = 0; c < 3; ++c) sum += a[row] * n.tensor[row][c] * a[c];
      m.inertia[k][i] = sum;
    }
    // A round section's two transverse moments differ by rounding only: make them one, so that the top is symmetric.
    if (nearly(m.inertia[0][i], m.inertia[1][i], sameness * m.inertia[1][i])) m.inertia[0][i] = m.inertia[1][i];
    if (magnets) {
      const V own = rotate(conj(n.frame.q), n.moment);
      m.moment[0][i] = own.x, m.moment[1][i] = own.y, m.moment[2][i] = own.z;
    }
    m.held.push_back(n.held);
    m.radius.push_back(n.radius);
    m.body_of.push_back(n.body);
    r.state.nodes.set(i, n.frame);
    r.state.nodes.set(i, n.twist);
  }
  m.bodies = bodies_;
  finish_samples(m);
  finish_soft(m);
  finish_skin();
  m.skin = std::move(skin_);
  if (shapes_) finish_shapes(m);
  finish_bonds(m);
  if (std::any_of(m.bond_tables.begin(), m.bond_tables.end(), can_break))
    r.state.memory.broken.assign(static_cast<std::size_t>(m.bonds()), 0);
  return r;
}

}  // namespace ls
