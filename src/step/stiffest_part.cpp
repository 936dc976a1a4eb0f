#include "step/stiffest_part.h"

#include <algorithm>

namespace ls {

namespace {

constexpr std::size_t most_parts = 3;

// Which bonds a node has, as a list after list.
class Neighbours {
 public:
  explicit Neighbours(const Model& m) : first_(static_cast<std::size_t>(m.nodes) + 1, 0) {
    const auto visit = [&](const auto& act) {
      for (const BondTable& t : m.bond_tables)
        for (const BondEntry& b : t.bonds) act(b.node1, b.node2), act(b.node2, b.node1);
    };
    visit([&](int node, int) { ++first_[static_cast<std::size_t>(node) + 1]; });
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    others_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    visit([&](int node, int other) { others_[next[node]++] = other; });
  }
  template <class Visit>
  void for_each(int node, const Visit& visit) const {
    for (std::size_t k = first_[node]; k < first_[static_cast<std::size_t>(node) + 1]; ++k) visit(others_[k]);
  }

 private:
  std::vector<std::size_t> first_;  // [node] of its own in the others
  std::vector<int> others_;
};

// About the square of the frequency of two nodes that a bond joins, if they were alone; 1/s^2.
double stiffness_by_mass(const Model& m, const BondEntry& b, const ElasticBond& k) {
  double by_mass = 0, by_inertia = 0;
  for (const int n : {b.node1, b.node2}) {
    by_mass += 1 / m.mass[n];
    by_inertia += 1 / std::min({m.inertia[0][n], m.inertia[1][n], m.inertia[2][n]});
  }
  const double shear = std::max(k.ks1, k.ks2);
  const double turn = std::max({k.kt, k.kb1, k.kb2}) + 0.25 * k.l * k.l * shear;
  return std::max(std::max(k.kr, shear) * by_mass, turn * by_inertia);
}

struct Seed {
  double square = 0;  // of its frequency
  int node = 0;
};

// The stiffest bond of each class, the stiffest classes first.
std::vector<Seed> seeds_of(const Model& m) {
  std::vector<Seed> all;
  for (const BondTable& t : m.bond_tables) {
    std::vector<Seed> best(t.classes.size());
    for (const BondEntry& b : t.bonds) {
      const double square = stiffness_by_mass(m, b, t.classes[b.cls].stiffness);
      if (square > best[b.cls].square) best[b.cls] = {square, b.node1};
    }
    all.insert(all.end(), best.begin(), best.end());
  }
  std::ranges::stable_sort(all, [](const Seed& a, const Seed& b) { return a.square > b.square; });
  return all;
}

ModelPart part_of(const Model& m, const State& s, const std::vector<std::uint8_t>& held, const std::vector<int>& nodes,
                  std::vector<int>& number) {
  ModelPart p;
  Model& own = p.model;
  own.nodes = static_cast<int>(nodes.size());
  p.state.nodes = Nodes(own.nodes);
  const auto size = static_cast<std::size_t>(padded(own.nodes));
  own.mass.assign(size, 0.0);
  for (auto& c : own.inertia) c.assign(size, 1.0);
  own.bodies.resize(1);
  for (int i = 0; i < own.nodes; ++i) {
    const int from = nodes[i];
    number[from] = i;
    own.mass[i] = m.mass[from];
    for (int k = 0; k < 3; ++k) own.inertia[k][i] = m.inertia[k][from];
    own.held.push_back(m.held[from]);
    own.radius.push_back(m.radius[from]);
    own.body_of.push_back(0);
    own.bodies[0].nodes.push_back(i);
    p.held.push_back(held[from]);
    p.state.nodes.set(i, s.nodes.frame(from));
  }
  for (const BondTable& t : m.bond_tables) {
    BondTable mine;
    mine.kernel = t.kernel;
    mine.first = own.bonds();
    for (const BondEntry& b : t.bonds) {
      if (number[b.node1] < 0 || number[b.node2] < 0) continue;
      mine.bonds.push_back({number[b.node1], number[b.node2], static_cast<int>(mine.classes.size())});
      mine.classes.push_back(t.classes[b.cls]);
    }
    if (!mine.bonds.empty()) own.bond_tables.push_back(std::move(mine));
  }
  for (const int n : nodes) number[n] = -1;
  return p;
}

}  // namespace

std::vector<ModelPart> stiffest_parts(const Model& m, const State& s, const std::vector<std::uint8_t>& held,
                                      int nodes) {
  const Neighbours neighbours(m);
  std::vector<ModelPart> parts;
  std::vector<std::uint8_t> taken(static_cast<std::size_t>(m.nodes), 0);
  std::vector<int> number(static_cast<std::size_t>(m.nodes), -1);
  for (const Seed& seed : seeds_of(m)) {
    if (parts.size() == most_parts) break;
    if (taken[seed.node]) continue;
    std::vector<int> found{seed.node};
    taken[seed.node] = 1;
    for (std::size_t k = 0; k < found.size() && static_cast<int>(found.size()) < nodes; ++k)
      neighbours.for_each(found[k], [&](int other) {
        if (static_cast<int>(found.size()) >= nodes || std::exchange(taken[other], std::uint8_t{1})) return;
        found.push_back(other);
      });
    std::ranges::sort(found);  // nodes in a row stay so
    parts.push_back(part_of(m, s, held, found, number));
  }
  return parts;
}

}  // namespace ls
