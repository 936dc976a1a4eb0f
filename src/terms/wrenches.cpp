#include "terms/wrenches.h"

#include <algorithm>

namespace ls {

Wrenches::Wrenches(int nodes) {
  for (auto* triple : {bond_force, bond_torque1, bond_torque2})
    for (int k = 0; k < 3; ++k) triple[k].assign(padded(nodes) + block, 0.0);
}

void Wrenches::need_node_columns(int nodes) {
  if (force[0].empty()) move_node_columns(0, padded(nodes));
}

void Wrenches::clear_node_columns() {
  move_node_columns(first, static_cast<int>(force[0].size()));
}

void Wrenches::clear_node_columns(int first_block, int last_block) {
  for (auto* triple : {force, torque})
    for (int k = 0; k < 3; ++k)
      std::fill_n(triple[k].begin() + first_block * block - first, (last_block - first_block) * block, 0.0);
}

void Wrenches::move_node_columns(int first_node, int count) {
  first = first_node;
  for (auto* triple : {force, torque})
    for (int k = 0; k < 3; ++k) triple[k].assign(count, 0.0);
}

void Wrenches::move_bond_columns(int first_block, int count) {
  first_bond = first_block * block;
  const auto size = static_cast<std::size_t>(count + 1) * block;
  for (auto* triple : {bond_force, bond_torque1, bond_torque2})
    for (int k = 0; k < 3; ++k)
      if (triple[k].size() < size) triple[k].resize(size, 0.0);
}

}  // namespace ls
