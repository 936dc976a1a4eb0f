#pragma once
#include "scene/plan.h"

#include <string>
#include <vector>

namespace ls {

// A quantity that a probe may record: the one list for the reader, for what computes it and for docs/scene.md.
// On a whole rod, what belongs to a node is recorded for every node: "rod.position[17].x".
struct ProbeKind {
  std::string name;
  bool of_node, of_body, of_system;
  std::vector<std::string> components;  // empty: one column without a component
  std::string unit;
  std::string doc;

  bool is_for(ProbeOf of) const { return of == ProbeOf::node ? of_node : of == ProbeOf::body ? of_body : of_system; }
  bool is_per_node() const { return of_node; }
};

inline const std::vector<ProbeKind>& probe_kinds() {
  using Names = std::vector<std::string>;
  static const Names xyz{"x", "y", "z"};
  static const Names energies{"kinetic", "spin", "stretch", "shear", "bend", "twist", "gravity", "zeeman", "total"};
  static const std::vector<ProbeKind> kinds = {
      {"position", true, true, false, xyz, "m", "where the node is"},
      {"displacement", true, true, false, xyz, "m", "how far it moved since the start of the run"},
      {"velocity", true, true, false, xyz, "m/s", "its velocity"},
      {"angular_velocity", true, true, false, xyz, "rad/s", "its spin, in world axes"},
      {"orientation", true, true, false, {"w", "x", "y", "z"}, "", "unit quaternion from its own axes to the world's"},
      {"turn", true, true, false, xyz, "rad", "rotation vector since the start of the run, in world axes"},
      {"force", true, true, false, xyz, "N", "sum of all forces on the node but reactions"},
      {"torque", true, true, false, xyz, "N m", "sum of all torques on the node but reactions"},
      {"reaction_force", true, true, false, xyz, "N", "what clamps, holds and drives exert on the node"},
      {"reaction_torque", true, true, false, xyz, "N m", "likewise, about the node"},
      {"contact_force", true, true, false, xyz, "N", "what contact and its friction exert on the node"},
      {"max_abs", false, true, false, xyz, "m", "largest absolute coordinate among the rod's nodes, axis by axis"},
      {"max_displacement", false, true, false, {}, "m", "largest distance of a node from where it started"},
      {"mean_position", false, true, false, xyz, "m", "centre of mass"},
      {"mean_velocity", false, true, false, xyz, "m/s", "velocity of the centre of mass"},
      {"length", false, true, false, {}, "m", "sum of the distances from node to node"},
      {"energy", false, true, true, energies, "J",
       "of motion, of spin, elastic by mode, of weight, of magnets in fields, and their sum"},
      {"net_contact_force", false, true, false, xyz, "N", "sum of the contact forces on its nodes"},
      {"contacts", false, false, true, {}, "", "pairs of parts that push each other"},
      {"min_gap",
       false,
       false,
       true,
       {},
       "m",
       "between the two nearest surfaces that a contact law looks at; inf: none are near"},
      {"ledger",
       false,
       false,
       true,
       {"drives", "loads", "fields", "dissipated", "balance"},
       "J",
       "work of driven nodes, of loads, of fields that change; what damping took; and the energy none of these "
       "explain"},
      {"negative_pivots", false, false, true, {}, "", "unstable directions where a static solver stands; 0: stable"},
      {"kinetic", false, false, true, {}, "J", "energy of motion and spin"},
      {"momentum", false, false, true, xyz, "kg m/s", "sum of m v"},
      {"angular_momentum", false, false, true, xyz, "kg m^2/s", "about the origin, spins included"},
      {"temperature", false, false, true, {}, "K", "by equipartition over six degrees of freedom a node"},
      {"max_speed", false, false, true, {}, "m/s", "of the fastest node"},
  };
  return kinds;
}

// Whether the probe may record it: what has but one node is a node and a body.
inline bool can_record(const Probe& probe, const ProbeKind& kind) {
  return kind.is_for(probe.of) || (probe.single >= 0 && kind.of_body);
}

// The kind of that name which the probe may record; null where there is none.
inline const ProbeKind* find_probe_kind(const std::string& name, const Probe& probe) {
  for (const ProbeKind& kind : probe_kinds())
    if (kind.name == name && can_record(probe, kind)) return &kind;
  return nullptr;
}

}  // namespace ls
