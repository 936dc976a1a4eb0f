#pragma once
#include "model/inertia.h"
#include "model/inputs.h"

#include <algorithm>

namespace ls {

// What damping by mass exerts on a node, world axes, as far as it is no term of its own: that of all nodes, and in
// explicit steps that of single bodies. A heat bath's friction is part of its noise.
inline Wrench<double> mass_damping(const Model& m, const Inputs& in, const Nodes& nodes, int node) {
  double rate = in.temperature > 0 ? 0 : in.damping_rate, spin_rate = in.temperature > 0 ? 0 : in.spin_damping_rate;
  if (in.kicks && !m.damping.empty()) {
    const auto its = std::ranges::lower_bound(m.damping, node, {}, &NodeDamping::node);
    if (its != m.damping.end() && its->node == node) rate += its->rate, spin_rate += its->spin_rate;
  }
  if (rate == 0 && spin_rate == 0) return {};
  const Twist<double> t = nodes.twist(node);
  return {(-rate * m.mass[node]) * t.v, -spin_rate * angular_momentum(m, node, nodes.frame(node).q, t.w)};
}

}  // namespace ls
