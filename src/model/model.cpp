#include "model/model.h"

namespace ls {

int Model::bonds() const {
  int sum = 0;
  for (const BondTable& t : bond_tables) sum += t.count();
  return sum;
}

std::vector<std::uint8_t> bonded_nodes(const Model& m) {
  std::vector<std::uint8_t> bonded(m.nodes, 0);
  for (const BondTable& t : m.bond_tables)
    for (const BondEntry& b : t.bonds) bonded[b.node1] = bonded[b.node2] = 1;
  return bonded;
}

std::vector<Dipole> all_dipoles(const Model& m) {
  std::vector<Dipole> all;
  auto sample = m.dipoles.samples.begin();
  for (int i = 0; i < m.nodes; ++i) {
    const bool has_own = sample != m.dipoles.samples.end() && sample->node == i;
    for (; sample != m.dipoles.samples.end() && sample->node == i; ++sample) all.push_back(*sample);
    if (const Vec3<double> moment = moment_of(m, i); !has_own && norm(moment) > 0) all.push_back({i, {}, moment});
  }
  return all;
}

std::size_t Model::bytes() const {
  std::size_t sum = (mass.size() + 3 * inertia[0].size() + 3 * moment[0].size() + radius.size()) * sizeof(double) +
                    held.size() + body_of.size() * sizeof(int);
  for (const auto& b : bodies) sum += b.nodes.size() * sizeof(int) + (b.arc.size() + b.weight.size()) * sizeof(double);
  for (const auto& t : bond_tables) sum += t.bonds.size() * sizeof(BondEntry) + t.classes.size() * sizeof(BondClass);
  sum += dipoles.samples.size() * sizeof(Dipole) + soft.cells.size() * sizeof(SoftCell);
  return sum + drag.size() * sizeof(DragPiece) + markers.markers.size() * sizeof(Marker) +
         markers.floating.size() * sizeof(Floating);
}

}  // namespace ls
