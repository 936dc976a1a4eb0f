#include "terms/dipoles/dipole_term.h"

#include "math/rotation.h"
#include "physics/dipole_pair.h"
#include "terms/blocked_sum.h"
#include "terms/dipoles/dipole_stiffness.h"
#include "terms/dipoles/node_coupling.h"
#include "terms/dipoles/point_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr int few_nodes = 150;  // so many that move are all coupled in the matrix, else those that NodeCoupling says
constexpr int dipoles_per_sum = 1024;
constexpr int many = 2000;          // dipoles, of which steps look at the near ones alone
constexpr double neighbours = 216;  // and so many are near, about: stiffness falls off with the fifth power
constexpr double far_away = 1e12;   // m, of places in the columns that no dipole has

class DipoleTerm final : public Term {
 public:
  explicit DipoleTerm(const Model& model) : m_(model), dipoles_(all_dipoles(model)), bonded_(bonded_nodes(model)) {
    DipoleRules rules;
    for (const Dipole& d : dipoles_) rules.node.push_back(d.node);
    rules.apart = apart_ = joined_nodes(model, model.dipoles.exclude_bonds);
    if (model.dipoles.method == DipoleMethod::ewald) box_ = periodic_box(model.dipoles);
    sum_ = make_remembered_sum(make_dipole_sum(model.dipoles, rules));
    for (int i = 0; i < count(); ++i) {
      if (nodes_.empty() || nodes_.back().node != dipoles_[i].node) nodes_.push_back({dipoles_[i].node, i, i});
      nodes_.back().last = i + 1;
    }
    at_.count = count();
    const auto room = static_cast<std::size_t>(padded(count()));
    for (int c = 0; c < 3; ++c) {
      at_.x[c].assign(room, 0.0), at_.m[c].assign(room, 0.0);
      effects_.b[c].assign(room, 0.0), effects_.force[c].assign(room, 0.0);
    }
    for (std::size_t k = 0; k < room; ++k) at_.x[0][k] = far_away * static_cast<double>(k + 1);
    lever_.resize(dipoles_.size());
    coupling_.emplace(model, nodes_, strengths(), box_);
  }

  std::string_view name() const override { return "dipole"; }
  Scope scope(const Inputs&) const override { return is_alone() ? Scope::idle : Scope::all; }

  void add_wrenches(const State& s, const Inputs& in, const Blocks& blocks, Wrenches& out) override {
    Team alone;
    Team& team = blocks.team ? *blocks.team : alone;
    if (is_lagged(in)) return add_lagged_wrenches(s, in, team, out);
    find(s.nodes, in, team);
    add_found_wrenches(in, out);
  }
  void add_energy(const State& s, const Inputs& in, Energies& out, Team& team) override {
    if (!out.wants(EnergyKind::dipole)) return;
    if (is_alone() || s.nodes.count == 0) return out.add(EnergyKind::dipole, 0);
    find(s.nodes, in, team);
    const double sum = blocked_sum<double>(count(), dipoles_per_sum, 1, team, [&](int i, double& part) {
      part -= 0.5 * dot(triple(at_.m, i), triple(effects_.b, i));
    });
    out.add(EnergyKind::dipole, in.load_factor * sum);
  }

  void add_pattern(const State& s, const Inputs& in, NodePairs& pairs) override {
    if (s.nodes.count == 0) return;
    const auto stands = standing_nodes(nodes_, s, in);
    coupling_->look(s.nodes, in, are_all_near(stands, in));
    coupling_->add_pairs(s.nodes, stands, pairs);
  }
  void add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out) override {
    if (is_alone()) return;
    place(s.nodes, in);
    const auto stands = standing_nodes(nodes_, s, in);
    if (m_.soft.cells.empty()) {  // else induction has that of all moments together
      DipoleSystem system{at_, lever_, nodes_, apart_, stands, nullptr, box_ ? &*box_ : nullptr};
      if (is_lagged(in)) {
        coupling_->look(*in.rule.start, in, are_all_near(stands, in));
        system.is_frozen = [this, &in](std::size_t a, std::size_t b) {
          return !coupling_->are_near(*in.rule.start, a, b);
        };
      } else if (!is_direct()) {
        Team alone;
        sum_->find(at_, effects_, alone);
        system.total = &effects_;
      }
      ls::add_dipole_stiffness(system, in.load_factor, wanted.projected, out);
    }
    if (wanted.rate == 0 && !in.of_vibrations) hold_spins(s, out);
  }
  Limits limits(const State& s, const Inputs&) override;
  std::size_t bytes() const override {
    return sum_->bytes() + dipoles_.size() * (sizeof(Dipole) + sizeof(V) + 12 * sizeof(double));
  }

 private:
  // A single dipole in a periodic box feels its own copies.
  bool is_alone() const { return nodes_.size() < 2 && !(box_ && nodes_.size() == 1); }
  bool is_direct() const { return m_.dipoles.method == DipoleMethod::direct; }
  int count() const { return static_cast<int>(dipoles_.size()); }
  static V triple(const Column (&c)[3], int i) { return {c[0][i], c[1][i], c[2][i]}; }

  std::vector<double> strengths() const {
    std::vector<double> all;
    for (const NodeDipoles& n : nodes_) {
      all.push_back(0);
      for (int i = n.first; i < n.last; ++i) all.back() += norm(dipoles_[i].moment);
    }
    return all;
  }
  // What is far is as it was when the step began: of implicit steps alone, others have no such state.
  bool is_lagged(const Inputs& in) const { return m_.dipoles.far_is_lagged && in.rule.start; }
  bool are_all_near(const std::vector<std::uint8_t>& stands, const Inputs& in) const {
    const auto moving = std::count(stands.begin(), stands.end(), 0);
    return in.of_vibrations ? moving <= most_vibrating : !m_.dipoles.implicit_distance && moving <= few_nodes;
  }
  void place(const Nodes& nodes, const Inputs& in) {
    for (int i = 0; i < count(); ++i) {
      const Frame<double> f = nodes.frame(dipoles_[i].node);
      const V lever = rotate(f.q, dipoles_[i].position), x = f.x + lever,
              m = rotate(f.q, moment_factor(in, dipoles_[i].node) * dipoles_[i].moment);
      lever_[i] = lever;
      at_.x[0][i] = x.x, at_.x[1][i] = x.y, at_.x[2][i] = x.z;
      at_.m[0][i] = m.x, at_.m[1][i] = m.y, at_.m[2][i] = m.z;
    }
  }
  void find(const Nodes& nodes, const Inputs& in, Team& team) {
    place(nodes, in);
    sum_->find(at_, effects_, team);
  }
  void add_found_wrenches(const Inputs& in, Wrenches& out) const {
    for (const NodeDipoles& n : nodes_) {
      Wrench<double> w{};
      for (int i = n.first; i < n.last; ++i) {
        const V b = triple(effects_.b, i), f = triple(effects_.force, i);
        w.force += f;
        w.torque += cross(triple(at_.m, i), b) + cross(lever_[i], f);
      }
      out.add(n.node, {in.load_factor * w.force, in.load_factor * w.torque});
    }
  }
  // All pairs as they were, and of those that were near what has changed since.
  void add_lagged_wrenches(const State& s, const Inputs& in, Team& team, Wrenches& out) {
    const Nodes& before = *in.rule.start;
    find(before, in, team);
    add_found_wrenches(in, out);
    const auto stands = standing_nodes(nodes_, s, in);
    coupling_->look(before, in, are_all_near(stands, in));
    std::vector<std::pair<const NodeDipoles*, const NodeDipoles*>> near;
    for (std::size_t a = 0; a < nodes_.size(); ++a)
      for (std::size_t b = a + 1; b < nodes_.size(); ++b) {
        const std::pair pair{nodes_[a].node, nodes_[b].node};
        if ((stands[a] && stands[b]) || !coupling_->are_near(before, a, b)) continue;
        if (!std::binary_search(apart_.begin(), apart_.end(), pair)) near.emplace_back(&nodes_[a], &nodes_[b]);
      }
    for (const auto& [a, b] : near) add_pair_wrenches(*a, *b, -in.load_factor, out);
    place(s.nodes, in);
    for (const auto& [a, b] : near) add_pair_wrenches(*a, *b, in.load_factor, out);
  }
  void add_pair_wrenches(const NodeDipoles& a, const NodeDipoles& b, double scale, Wrenches& out) const {
    Wrench<double> on_a{}, on_b{};
    for (int i = a.first; i < a.last; ++i)
      for (int j = b.first; j < b.last; ++j) {
        const V r = apart(triple(at_.x, i), triple(at_.x, j)), m1 = triple(at_.m, i), m2 = triple(at_.m, j);
        DipolePair<double> pair{};
        add_dipole_pair(r, dot(r, r), mu0_over_4pi, m1, m2, pair);
        on_a.force += pair.force, on_b.force += -1.0 * pair.force;
        on_a.torque += cross(m1, pair.b1) + cross(lever_[i], pair.force);
        on_b.torque += cross(m2, pair.b2) - cross(lever_[j], pair.force);
      }
    out.add(a.node, {scale * on_a.force, scale * on_a.torque});
    out.add(b.node, {scale * on_b.force, scale * on_b.torque});
  }
  // The way from one place to another, or to the nearest of its copies.
  V apart(const V& a, const V& b) const {
    const V r = a - b;
    if (!box_) return r;
    const auto d = box_->nearest({r.x, r.y, r.z});
    return {d[0], d[1], d[2]};
  }
  // A ball about its own moment is turned by nothing, and by nothing held: at rest such a spin is no freedom of the
  // system. What resists it is made up, and its torque is zero, so that no result knows of it.
  void hold_spins(const State& s, BlockMatrix& out) const {
    for (const NodeDipoles& n : nodes_) {
      if (bonded_[n.node] || n.last != n.first + 1 || norm(dipoles_[n.first].position) > 0) continue;
      double* d = out.diagonal(n.node);
      const V axis = normalized(rotate(s.nodes.frame(n.node).q, dipoles_[n.first].moment));
      const double a[3] = {axis.x, axis.y, axis.z};
      double size = 0;
      for (int r = 3; r < 6; ++r) size += std::abs(d[7 * r]);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) d[6 * (3 + r) + 3 + c] += size * a[r] * a[c];
    }
  }

  const Model& m_;
  std::vector<Dipole> dipoles_;
  std::vector<std::uint8_t> bonded_;  // [node]
  std::vector<NodeDipoles> nodes_;
  std::vector<std::pair<int, int>> apart_;
  std::optional<PeriodicBox> box_;
  std::optional<NodeCoupling> coupling_;
  std::unique_ptr<DipoleSum> sum_;
  DipoleColumns at_;
  std::vector<V> lever_;  // [dipole]
  DipoleEffects effects_;
};

// A step in which no pair can swing beyond its limit: with the stiffest that two moments can be to each other, whatever
// way they point, 24 m1 m2/r^5 along and 2 m1 m2/r^3 about. It is asked for before there is a state, too.
Limits DipoleTerm::limits(const State& s, const Inputs& in) {
  Limits l;
  if (is_alone() || s.nodes.count == 0) return l;
  place(s.nodes, in);
  std::vector<V> places;
  places.reserve(dipoles_.size());
  for (int i = 0; i < count(); ++i) places.push_back(triple(at_.x, i));
  const PeriodicBox* box = box_ ? &*box_ : nullptr;
  std::optional<PointCells> cells;
  if (count() > many) cells.emplace(places, PointCells::size_for(places, neighbours, box), box);
  const auto for_near = [&](int i, const auto& visit) {
    if (cells) return cells->for_near(i, visit);
    for (int j = 0; j < count(); ++j)
      if (j != i) visit(j);
  };
  // Moments that are weak at first may be what they are called later on.
  const auto strongest = [&](int i) {
    return std::max(1.0, std::abs(moment_factor(in, dipoles_[i].node))) * norm(dipoles_[i].moment);
  };
  double stiffest = 0;
  for (const NodeDipoles& n : nodes_) {
    if (m_.held[n.node] == hold_all) continue;
    double along = 0, about = 0;
    for (int i = n.first; i < n.last; ++i)
      for_near(i, [&](int j) {
        if (dipoles_[j].node == n.node) return;
        const V r = apart(triple(at_.x, i), triple(at_.x, j));
        const double inverse = 1 / dot(r, r),
                     strength = mu0_over_4pi * strongest(i) * strongest(j) * inverse * std::sqrt(inverse);
        along += 24 * strength * inverse, about += strength * (2 + 24 * dot(lever_[i], lever_[i]) * inverse);
      });
    const double inertia = std::min({m_.inertia[0][n.node], m_.inertia[1][n.node], m_.inertia[2][n.node]});
    stiffest = std::max({stiffest, along / m_.mass[n.node], about / inertia});
  }
  if (stiffest > 0) l.step = 2 / std::sqrt(2 * stiffest), l.stiffens = true;
  return l;
}

}  // namespace

std::vector<std::pair<int, int>> joined_nodes(const Model& model, int bonds) {
  std::vector<std::vector<int>> beside(static_cast<std::size_t>(model.nodes));
  for (const BondTable& t : model.bond_tables)
    for (const BondEntry& b : t.bonds) beside[b.node1].push_back(b.node2), beside[b.node2].push_back(b.node1);
  std::vector<std::pair<int, int>> joined;
  std::vector<int> reached, next;
  std::vector<int> seen(beside.size(), -1);  // [node] from where it was seen last
  for (int i = 0; i < model.nodes; ++i) {
    reached = {i};
    seen[i] = i;
    for (int step = 0; step < bonds && !reached.empty(); ++step, reached.swap(next)) {
      next.clear();
      for (const int k : reached)
        for (const int to : beside[k]) {
          if (seen[to] == i) continue;
          seen[to] = i;
          next.push_back(to);
          if (to > i) joined.emplace_back(i, to);
        }
    }
  }
  std::sort(joined.begin(), joined.end());
  return joined;
}

std::unique_ptr<DipoleSum> make_dipole_sum(const DipoleTable& table, const DipoleRules& rules) {
  switch (table.method) {
    case DipoleMethod::tree:
      return make_tree_sum(rules, table.accuracy);
    case DipoleMethod::ewald:
      return make_periodic_sum(rules, periodic_box(table), table.accuracy);
    case DipoleMethod::direct:
      break;
  }
  return make_direct_sum(rules);
}

std::unique_ptr<Term> make_dipole_term(const Model& model) {
  return std::make_unique<DipoleTerm>(model);
}

}  // namespace ls
