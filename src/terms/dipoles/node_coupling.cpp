#include "terms/dipoles/node_coupling.h"

#include "physics/dipole_pair.h"
#include "terms/dipoles/point_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr double diameters = 3;             // of the larger one: what is coupled in any case
constexpr double most_left_out = 4;         // of what a soft body resists with; see docs/theory/dipoles.md
constexpr int most_neighbours = 200;        // of a node of a soft body: more cost more than iterations do
constexpr std::size_t nodes_to_look = 100;  // of a soft body
constexpr int rings = 40;                   // of distances, each 2^(1/4) times as far as the one before
constexpr double rings_a_doubling = 4;

// The softest bond of each body and the mean length, m.
struct Bonds {
  double bending = std::numeric_limits<double>::infinity();  // N m^2
  double length = 0;
  int count = 0;
};
std::vector<Bonds> bonds_of_bodies(const Model& m) {
  std::vector<Bonds> all(m.bodies.size());
  for (const BondTable& t : m.bond_tables)
    for (const BondEntry& b : t.bonds) {
      const ElasticBond& e = t.classes[b.cls].stiffness;
      Bonds& of = all[m.body_of[b.node2]];
      of.bending = std::min({of.bending, e.kb1 * e.l, e.kb2 * e.l});
      of.length += e.l, ++of.count;
    }
  return all;
}

}  // namespace

NodeCoupling::NodeCoupling(const Model& model, std::span<const NodeDipoles> nodes, std::vector<double> strongest,
                           const std::optional<PeriodicBox>& box)
    : model_(model), nodes_(nodes), strongest_(std::move(strongest)), box_(box), soft_of_(nodes.size(), -1) {
  const bool is_auto = !model.dipoles.implicit_distance && !model.dipoles.far_is_lagged;
  if (is_auto && model.bonds() > 0) find_soft_bodies();
}

// A rod that is clamped at one end resists a slow bending with (1.875/L)^4 EI for each of its metres; a sheet as a
// strip of it does.
void NodeCoupling::find_soft_bodies() {
  constexpr double slowest = 12.36;
  const auto bonds = bonds_of_bodies(model_);
  std::vector<int> soft(model_.bodies.size(), -1);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const int body = model_.body_of[nodes_[k].node];
    const Bonds& of = bonds[body];
    if (of.count == 0) continue;
    if (soft[body] < 0) {
      const double mean = of.length / of.count, count = static_cast<double>(model_.bodies[body].nodes.size()),
                   along = model_.bodies[body].kind == BodyKind::rod ? of.length : mean * std::sqrt(count);
      soft[body] = static_cast<int>(soft_.size());
      soft_.push_back({{}, slowest * of.bending * mean / std::pow(along, 4), 0});
    }
    soft_of_[k] = soft[body];
    soft_[soft[body]].nodes.push_back(k);
  }
}

void NodeCoupling::look(const Nodes& at, const Inputs& in, bool all) {
  all_ = all;
  if (all) return;
  for (SoftBody& body : soft_) body.reach = reach_of(body, at, in);
}

// The shortest distance beyond which the rest holds no node by more than what it resists, inertia included, times some
// number: pairs count with what they hold at most, and that is mostly more than they do.
double NodeCoupling::reach_of(const SoftBody& body, const Nodes& at, const Inputs& in) const {
  const double first = limit(body.nodes.front()), rate = in.rule.start && in.rule.dt > 0 ? 1 / in.rule.dt : 0;
  const std::size_t stride = (body.nodes.size() + nodes_to_look - 1) / nodes_to_look;
  double neighbours[rings + 1] = {};
  int most = 0, looked = 0;
  for (std::size_t k = 0; k < body.nodes.size(); k += stride, ++looked) {
    const std::size_t a = body.nodes[k];
    const V x = at.frame(nodes_[a].node).x;
    double held[rings + 1] = {};  // [ring] N/m
    for (std::size_t b = 0; b < nodes_.size(); ++b) {
      if (b == a) continue;
      const V r = apart(x, at.frame(nodes_[b].node).x);
      const double r2 = dot(r, r), doublings = 0.5 * std::log2(r2 / (first * first));
      const int ring = doublings <= 0 ? 0 : std::min(rings, 1 + static_cast<int>(rings_a_doubling * doublings));
      held[ring] += 24 * mu0_over_4pi * strongest_[a] * strongest_[b] / (r2 * r2 * std::sqrt(r2));
      ++neighbours[ring];
    }
    const double enough = most_left_out * (body.resists + model_.mass[nodes_[a].node] * rate * rate);
    double beyond = 0;
    int ring = rings;
    for (; ring > most && beyond + held[ring] <= enough; --ring) beyond += held[ring];
    most = std::max(most, ring);
  }
  double all = neighbours[0];
  int ring = 0;
  while (ring < most && all + neighbours[ring + 1] <= static_cast<double>(most_neighbours) * looked)
    all += neighbours[++ring];
  if (ring == rings) return std::numeric_limits<double>::infinity();
  return first * std::exp2(ring / rings_a_doubling);
}

double NodeCoupling::limit(std::size_t place) const {
  return model_.dipoles.implicit_distance.value_or(diameters * 2 * model_.radius[nodes_[place].node]);
}

V NodeCoupling::apart(const V& a, const V& b) const {
  const V r = a - b;
  if (!box_) return r;
  const auto d = box_->nearest({r.x, r.y, r.z});
  return {d[0], d[1], d[2]};
}

double NodeCoupling::reach(std::size_t place) const {
  const int soft = soft_of_[place];
  return soft < 0 ? limit(place) : std::max(limit(place), soft_[soft].reach);
}

bool NodeCoupling::are_near(const Nodes& at, std::size_t a, std::size_t b) const {
  return all_ || norm(apart(at.frame(nodes_[a].node).x, at.frame(nodes_[b].node).x)) < std::max(reach(a), reach(b));
}

void NodeCoupling::add_pairs(const Nodes& at, std::span<const std::uint8_t> stands, NodePairs& pairs) const {
  constexpr std::size_t few = 1000;  // nodes, of which all pairs are looked at
  const auto note = [&](std::size_t a, std::size_t b) {
    if (!stands[a] && !stands[b] && are_near(at, a, b)) pairs.emplace_back(nodes_[a].node, nodes_[b].node);
  };
  double farthest = 0;
  for (std::size_t a = 0; a < nodes_.size(); ++a) farthest = std::max(farthest, reach(a));
  if (!all_ && farthest == 0) return;
  if (all_ || nodes_.size() <= few || !std::isfinite(farthest)) {
    for (std::size_t a = 0; a < nodes_.size(); ++a)
      for (std::size_t b = a + 1; b < nodes_.size(); ++b) note(a, b);
    return;
  }
  std::vector<V> places;
  for (const NodeDipoles& n : nodes_) places.push_back(at.frame(n.node).x);
  const PointCells cells(places, std::max(farthest, 1e-300), box_ ? &*box_ : nullptr);
  std::vector<std::size_t> others;
  for (std::size_t a = 0; a < nodes_.size(); ++a) {
    others.clear();
    cells.for_near(static_cast<int>(a), [&](int b) {
      if (static_cast<std::size_t>(b) > a) others.push_back(static_cast<std::size_t>(b));
    });
    std::ranges::sort(others);
    for (const std::size_t b : others) note(a, b);
  }
}

}  // namespace ls
