#include "build/joints/reel.h"

#include <algorithm>
#include <map>

namespace ls {

namespace {

// Calls visit(table, bond) for the bonds along a rod.
template <class M, class F>
void for_bonds_of(const Body& rod, M& m, const F& visit) {
  std::vector<int> place(m.nodes, -1);
  for (std::size_t k = 0; k < rod.nodes.size(); ++k) place[rod.nodes[k]] = static_cast<int>(k);
  for (auto& table : m.bond_tables)
    for (auto& bond : table.bonds)
      if (place[bond.node1] >= 0 && place[bond.node2] >= 0 && std::abs(place[bond.node1] - place[bond.node2]) == 1)
        visit(table, bond);
}

}  // namespace

double rest_length_of(const Body& rod, const Model& m) {
  double sum = 0;
  for_bonds_of(rod, m, [&](const BondTable& table, const BondEntry& bond) {
    const ElasticBond& b = table.classes[bond.cls].stiffness;
    sum += b.l + b.arm1 + b.arm2;
  });
  return sum;
}

bool is_reeled(const Body& rod, const Model& m) {
  bool found = false;
  for_bonds_of(rod, m, [&](const BondTable& table, const BondEntry& bond) {
    found = found || table.classes[bond.cls].reel >= 0;
  });
  return found;
}

int add_reel(const Body& rod, double length, Model& m, State& start) {
  const int reel = static_cast<int>(m.joints.reels.size());
  const double drawn = rest_length_of(rod, m);
  m.joints.reels.push_back({drawn, length});
  start.memory.reels.push_back(length / drawn);
  std::map<std::pair<const BondTable*, int>, int> mine;  // classes of its own: others may share those it was built with
  for_bonds_of(rod, m, [&](BondTable& table, BondEntry& bond) {
    const auto [found, is_new] = mine.try_emplace({&table, bond.cls}, static_cast<int>(table.classes.size()));
    if (is_new) {
      table.classes.push_back(table.classes[bond.cls]);
      table.classes.back().reel = reel;
    }
    bond.cls = found->second;
  });
  return reel;
}

}  // namespace ls
