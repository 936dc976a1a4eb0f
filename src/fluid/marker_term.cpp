#include "fluid/marker_term.h"

#include "math/block_matrix.h"

#include <utility>

namespace ls {

namespace {

Wrench<double> drag(const Marker& m, const MarkerFlow::Point& p, const Nodes& nodes) {
  return {p.resistance * (p.u - marker_velocity(m, nodes)), p.turning * (p.rotation - marker_spin(m, nodes))};
}

}  // namespace

MarkerTerm::MarkerTerm(std::vector<Marker> markers, std::vector<Floating> floating)
    : markers_(std::move(markers)), floating_(std::move(floating)) {
  for (const Marker& m : markers_) node_.push_back(m.is_node() ? m.anchor[0].node : -1);
}

void MarkerTerm::add_wrenches(const State& s, const Inputs& in, Wrenches& out, Team&) const {
  if (!in.flow) return;
  out.markers.resize(markers_.size());
  const Vec3<double> gravity = in.load_factor * in.gravity;
  const auto pull_node = [&](int node, const Vec3<double>& f) {
    out.force[0][node] += f.x, out.force[1][node] += f.y, out.force[2][node] += f.z;
  };
  const auto turn_node = [&](int node, const Vec3<double>& t) {
    out.torque[0][node] += t.x, out.torque[1][node] += t.y, out.torque[2][node] += t.z;
  };
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    const MarkerFlow::Point& p = in.flow->points[i];
    if (const int node = node_[i]; node >= 0) {  // every marker of a fine rod, in every substep
      const Twist<double> t = s.nodes.twist(node);
      const Wrench<double> w = out.markers[i] = {p.resistance * (p.u - t.v), p.turning * (p.rotation - t.w)};
      pull_node(node, w.force);
      turn_node(node, w.torque);
      continue;
    }
    const Marker& m = markers_[i];
    const Wrench<double> w = out.markers[i] = drag(m, p, s.nodes);
    for (int k = 0; k < m.anchors; ++k) {
      const MarkerAnchor& a = m.anchor[k];
      const Vec3<double> f = a.weight * w.force;
      pull_node(a.node, f);
      turn_node(a.node, cross(rotate(s.nodes.frame(a.node).q, a.offset), f) + a.weight * w.torque);
    }
  }
  if (dot(gravity, gravity) == 0) return;
  for (const Floating& f : floating_) {
    const Vec3<double> lift = (-f.mass) * gravity;
    pull_node(f.node, lift);
    turn_node(f.node, cross(rotate(s.nodes.frame(f.node).q, f.offset), lift));
  }
}

void MarkerTerm::add_pattern(const State&, const Inputs&, std::vector<std::pair<int, int>>& pairs) const {
  for (const Marker& m : markers_)
    for (int a = 0; a < m.anchors; ++a)
      for (int b = 0; b < a; ++b)
        if (m.anchor[a].node != m.anchor[b].node) pairs.emplace_back(m.anchor[a].node, m.anchor[b].node);
}

// A displacement d of node a and its turn move the marker by weight (d + turn x arm), so with g = [1, -arm x] the
// stiffness between two anchors is rate weight_a weight_b g_a^T K g_b.
void MarkerTerm::add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& request,
                               BlockMatrix& out) const {
  if (!in.flow || request.rate == 0) return;
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    const Marker& m = markers_[i];
    const MarkerFlow::Point& p = in.flow->points[i];
    for (int a = 0; a < m.anchors; ++a)
      for (int b = 0; b < m.anchors; ++b) {
        const MarkerAnchor &at = m.anchor[a], &by = m.anchor[b];
        if (at.node < by.node) continue;  // the other half of a symmetric matrix
        const Vec3<double> arm_a = rotate(s.nodes.frame(at.node).q, at.offset);
        const Vec3<double> arm_b = rotate(s.nodes.frame(by.node).q, by.offset);
        const double factor = request.rate * at.weight * by.weight;
        double* entry = at.node == by.node ? out.diagonal(at.node) : out.block(at.node, by.node);
        for (int c = 0; c < 6; ++c) {
          const Vec3<double> unit{c % 3 == 0 ? 1.0 : 0.0, c % 3 == 1 ? 1.0 : 0.0, c % 3 == 2 ? 1.0 : 0.0};
          const Vec3<double> f = factor * (p.resistance * (c < 3 ? unit : cross(unit, arm_b)));
          const Vec3<double> t = cross(arm_a, f) + (c < 3 ? Vec3<double>{} : factor * (p.turning * unit));
          const double column[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
          for (int r = 0; r < 6; ++r) entry[6 * r + c] += column[r];
        }
      }
  }
}

void MarkerTerm::record(const State& pose, const Inputs& in, double dt, Memory& memory) const {
  if (!in.flow) return;
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    const Wrench<double> w = drag(markers_[i], in.flow->points[i], pose.nodes);
    memory.marker_impulse[i] += Wrench<double>{dt * w.force, dt * w.torque};
  }
}

const MarkerTerm* find_marker_term(const Model& m) {
  for (const auto& term : m.terms)
    if (const auto* found = dynamic_cast<const MarkerTerm*>(term.get())) return found;
  return nullptr;
}

}  // namespace ls
