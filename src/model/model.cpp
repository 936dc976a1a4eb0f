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

std::size_t Model::bytes() const {
  std::size_t sum = (mass.size() + 3 * inertia[0].size() + 3 * moment[0].size() + radius.size()) * sizeof(double) +
                    held.size() + body_of.size() * sizeof(int);
  for (const auto& b : bodies) sum += b.nodes.size() * sizeof(int) + (b.arc.size() + b.weight.size()) * sizeof(double);
  for (const auto& t : bond_tables) sum += t.bonds.size() * sizeof(BondEntry) + t.classes.size() * sizeof(BondClass);
  return sum + drag.size() * sizeof(DragPiece) + markers.markers.size() * sizeof(Marker) +
         markers.floating.size() * sizeof(Floating);
}

}  // namespace ls
