#include "model/term.h"

#include <algorithm>

namespace ls {

Wrenches::Wrenches(int nodes, bool others, int link_slots) {
  const auto size = static_cast<std::size_t>(padded(nodes));
  for (auto* triple : {bond_force, bond_torque1, bond_torque2})
    for (int k = 0; k < 3; ++k) triple[k].assign(size + block, 0.0);
  for (auto* triple : {link_force, link_torque1, link_torque2})
    for (int k = 0; k < 3; ++k) triple[k].assign(static_cast<std::size_t>(link_slots), 0.0);
  if (!others) return;
  for (auto* triple : {force, torque})
    for (int k = 0; k < 3; ++k) triple[k].assign(size, 0.0);
}

void Wrenches::clear_others() {
  for (auto* triple : {force, torque})
    for (int k = 0; k < 3; ++k) std::fill(triple[k].begin(), triple[k].end(), 0.0);
}

const std::vector<int>& Term::none() {
  static const std::vector<int> empty;
  return empty;
}

}  // namespace ls
