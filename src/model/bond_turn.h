#pragma once
#include "model/model.h"
#include "model/node_name.h"
#include "model/state.h"

#include <optional>

namespace ls {

// A bond whose nodes have turned against each other by more than half a turn from their rest.
struct OverturnedBond {
  int node1 = 0, node2 = 0;
  bool is_twisted = false;  // mostly about its axis; else bent
};

// The first of them; none: all is well. From half a turn on, bonds fold or soften, and beyond a full one they take it
// for a small turn the other way. The signs of orientations are continuous in time, so that half a turn shows as two
// that point apart, up to a turn and a half: whoever looks before that misses none. broken: [bond], may be empty.
inline std::optional<OverturnedBond> overturned_bond(const Model& m, const Nodes& nodes,
                                                     const std::vector<std::uint8_t>& broken) {
  for (const BondTable& table : m.bond_tables)
    for (std::size_t k = 0; k < table.bonds.size(); ++k) {
      const BondEntry& b = table.bonds[k];
      const BondClass& c = table.classes[b.cls];
      const Quat<double> q1 = nodes.frame(b.node1).q * c.rest1, q2 = nodes.frame(b.node2).q * c.rest2;
      if (dot(q1, q2) >= 0) continue;
      if (!broken.empty() && broken[static_cast<std::size_t>(table.first) + k]) continue;
      const Vec3<double> axis = (conj(q1) * q2).v;
      return OverturnedBond{b.node1, b.node2, axis.z * axis.z > axis.x * axis.x + axis.y * axis.y};
    }
  return std::nullopt;
}

// "the bond between beam[3] and beam[4] is twisted by more than half a turn"
inline std::string describe(const OverturnedBond& b, const Model& m) {
  return fmt::format("the bond between {} and {} is {} by more than half a turn", node_name(m, b.node1),
                     node_name(m, b.node2), b.is_twisted ? "twisted" : "bent");
}

}  // namespace ls
