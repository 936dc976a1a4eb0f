#pragma once
#include "scene/plan.h"

#include <string>
#include <vector>

namespace ls {

// A quantity that a probe may record: the one list for the reader, for what computes it and for docs/scene.md.
// On a whole rod, what belongs to a node is recorded for every node: "rod.position[17].x".
namespace probed {
enum Sort : unsigned {
  node = 1,
  body = 2,
  system = 4,
  fluid = 8,
  place = 16,
  field = 32,
  joint = 64
};  // place: one in the fluid
}

struct ProbeKind {
  std::string name;
  unsigned sorts;                       // of what, as bits
  std::vector<std::string> components;  // empty: one column without a component
  std::string unit;
  std::string doc;

  // Of a part of several nodes: the sum of forces, the mean of where they are and how fast; turns have neither.
  bool is_summed() const { return unit == "N"; }
  bool is_for(ProbeOf of) const {
    switch (of) {
      case ProbeOf::node:
        return is_per_node();
      case ProbeOf::part:
        return is_per_node() && (unit == "m" || unit == "m/s" || is_summed());
      case ProbeOf::body:
        return (sorts & probed::body) != 0;
      case ProbeOf::system:
        return (sorts & probed::system) != 0;
      case ProbeOf::fluid:
        return (sorts & probed::fluid) != 0;
      case ProbeOf::place:
        return (sorts & probed::place) != 0;
      case ProbeOf::field:
        return (sorts & probed::field) != 0;
      case ProbeOf::joint:
        return (sorts & probed::joint) != 0;
    }
    return false;
  }
  bool is_per_node() const { return (sorts & probed::node) != 0; }
};

// NOLINTNEXTLINE(readability-function-size): a table
inline const std::vector<ProbeKind>& probe_kinds() {
  using Names = std::vector<std::string>;
  using enum probed::Sort;
  static const Names xyz{"x", "y", "z"};
  static const Names energies{"kinetic", "spin", "stretch", "shear", "bend", "twist", "gravity", "zeeman", "total"};
  static const std::vector<ProbeKind> kinds = {
      {"position", node | body, xyz, "m", "where the node is"},
      {"displacement", node | body, xyz, "m", "how far it moved since the start of the run"},
      {"velocity", node | body | place, xyz, "m/s", "its velocity; of the fluid at a place"},
      {"angular_velocity", node | body, xyz, "rad/s", "its spin, in world axes"},
      {"orientation", node | body, {"w", "x", "y", "z"}, "", "unit quaternion from its own axes to the world's"},
      {"turn", node | body, xyz, "rad", "rotation vector since the start of the run, in world axes"},
      {"force", node | body | joint, xyz, "N",
       "sum of all forces on the node but reactions; what a joint exerts on its `a`, at the joint"},
      {"torque", node | body | joint, xyz, "N m",
       "likewise of torques; that of a joint about itself, with its motor, stops and friction"},
      {"reaction_force", node | body, xyz, "N",
       "what clamps, holds and drives exert on the node, but for what accelerates it"},
      {"reaction_torque", node | body, xyz, "N m", "likewise, about the node"},
      {"contact_force", node | body, xyz, "N", "what contact and its friction exert on the node"},
      {"fluid_force", node | body, xyz, "N", "what the fluid exerts on the node, without buoyancy, in the last step"},
      {"moment", node | body, xyz, "A m^2", "magnetic moment of all its dipoles and of what is induced, in world axes"},
      {"magnetic_force", node | body, xyz, "N", "what fields and other dipoles exert on its dipoles"},
      {"magnetic_torque", node | body, xyz, "N m", "likewise, about the node"},
      {"max_abs", body, xyz, "m", "largest absolute coordinate among the rod's nodes, axis by axis"},
      {"max_displacement", body, {}, "m", "largest distance of a node from where it started"},
      {"mean_position", body, xyz, "m", "centre of mass"},
      {"mean_velocity", body | fluid, xyz, "m/s", "velocity of the centre of mass; of all the fluid"},
      {"length", body, {}, "m", "sum of the distances from node to node"},
      {"energy", body | system, energies, "J",
       "of motion, of spin, elastic by mode, of weight, of magnets in fields, and their sum"},
      {"net_contact_force", body, xyz, "N", "sum of the contact forces on its nodes"},
      {"net_fluid_force", body, xyz, "N", "sum of the fluid's forces on its nodes"},
      {"contacts", system, {}, "", "pairs of parts that push each other"},
      {"min_gap",
       system,
       {},
       "m",
       "between the two nearest surfaces that are nearer than three times the `thickness` (in explicit runs: than the "
       "`thickness`); inf: none are"},
      {"ledger",
       system,
       {"drives", "loads", "motors", "fields", "dissipated", "contact", "friction", "barrier", "numerical", "balance"},
       "J",
       "work of driven nodes, of loads, of motors, of fields that change; what damping took; what the barrier of "
       "contact stores "
       "now; what its friction and that of joints took; what changes of its own stiffness and reach brought in; what "
       "the scheme of "
       "implicit steps lost; and the energy none of these explain"},
      {"negative_pivots", system, {}, "", "unstable directions where a static solver stands; 0: stable"},
      {"kinetic", system, {}, "J", "energy of motion and spin"},
      {"momentum", system | fluid, xyz, "kg m/s", "sum of m v"},
      {"angular_momentum", system, xyz, "kg m^2/s", "about the origin, spins included"},
      {"temperature", system, {}, "K", "by equipartition over six degrees of freedom a node"},
      {"max_speed", system | fluid, {}, "m/s", "of the fastest node, or of the fastest cell of the fluid"},
      {"mass", fluid, {}, "kg", "of all the fluid"},
      {"flow_rate", fluid, xyz, "m^3/s", "through a section across each axis: mean velocity times its area"},
      {"wall_force", fluid, xyz, "N", "what the fluid exerts on all faces of the box in the last step"},
      {"wall_impulse", fluid, xyz, "N s", "what all faces gave the fluid since the start"},
      {"body_impulse", fluid, xyz, "N s", "likewise the body force"},
      {"marker_impulse", fluid, xyz, "N s", "likewise the solids in it"},
      {"drive_impulse", fluid, xyz, "N s", "what holds and drives gave the solids in it since the start"},
      {"momentum_error",
       fluid,
       {},
       "",
       "what is left of the momentum less the impulses of faces, body force and solids, beside the largest of them"},
      {"pressure", place, {}, "Pa", "beyond that of fluid at rest"},
      {"B", field, xyz, "T", "the magnetic field of [[field]], of all dipoles and of what is induced"},
      {"angle", joint, {}, "rad", "of a hinge, from the start, with all its turns"},
      {"travel",
       joint,
       {},
       "",
       "way along the axis (m), from the start; angle of a hinge; length of a `distance` or `spring`; of a `rope` at "
       "rest"},
      {"rate", joint, {}, "", "how fast that changes, per second"},
      {"motor", joint, {}, "", "torque (N m) or force (N) of its motor"},
      {"error", joint, {}, "", "how far it is from closed: the largest of its rows, m or rad"},
      {"vorticity", place, xyz, "1/s", "curl of the velocity"},
  };
  return kinds;
}

// Whether the probe may record it: what has but one node is a node and a body, and not every joint has an angle.
inline bool can_record(const Probe& probe, const ProbeKind& kind) {
  if (kind.name == "angle" && !probe.has_angle) return false;
  if (kind.name == "motor" && probe.is_rope) return false;  // the force of a reel is that of every bond
  return kind.is_for(probe.of) || (probe.single >= 0 && (kind.sorts & probed::body) != 0);
}

// The kind of that name which the probe may record; null where there is none.
inline const ProbeKind* find_probe_kind(const std::string& name, const Probe& probe) {
  for (const ProbeKind& kind : probe_kinds())
    if (kind.name == name && can_record(probe, kind)) return &kind;
  return nullptr;
}

}  // namespace ls
