#include "terms/marker_term.h"

#include "fluid/immersed/marker_loops.h"
#include "math/block_matrix.h"

#include <algorithm>
#include <utility>

namespace ls {

namespace {

Wrench<double> drag(const Marker& m, const MarkerFlow& flow, std::size_t i, const Nodes& nodes) {
  const MarkerFlow::Point p = flow.point(i);
  Wrench<double> w{p.resistance * (p.u - marker_velocity(m, nodes)), {}};
  if (!flow.spins.empty()) w.torque = flow.spins[i].turning * (flow.spins[i].rotation - marker_spin(m, nodes));
  return w;
}

void note(Column (&impulse)[3], std::size_t marker, const Vec3<double>& j) {
  impulse[0][marker] += j.x, impulse[1][marker] += j.y, impulse[2][marker] += j.z;
}

bool is_before(const Marker& a, const Marker& b) {
  return a.anchor[0].node < b.anchor[0].node;
}
bool is_lower(const Floating& a, const Floating& b) {
  return a.node < b.node;
}

class MarkerTerm final : public Term {
 public:
  explicit MarkerTerm(const MarkerTable& table);

  std::string_view name() const override { return "fluid"; }
  Scope scope(const Inputs& in) const override {
    return !in.flow ? Scope::idle : is_local_ ? Scope::nodes : Scope::all;
  }
  void add_wrenches(const State& s, const Inputs& in, const Blocks& blocks, Wrenches& out) override;
  void add_pattern(const State& s, const Inputs& in, NodePairs& pairs) override;
  void add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& request, BlockMatrix& out) override;
  std::size_t bytes() const override { return runs_.size() * sizeof(NodeRun); }

 private:
  struct Range {
    std::size_t first, last;
  };
  void add_drag(const State& s, const Inputs& in, Range markers, Wrenches& out) const;
  void add_drag_of(std::size_t marker, const State& s, const MarkerFlow& flow, Wrenches& out) const;
  void add_drag_at(const MarkerAnchor& a, std::size_t marker, const State& s, const MarkerFlow& flow,
                   Wrenches& out) const;
  void add_buoyancy(const State& s, const Inputs& in, Range floating, Wrenches& out) const;

  const std::vector<Marker>& markers_;
  const std::vector<Floating>& floating_;
  // Markers in a row that sit right on nodes in a row, from `node` on; -1: that do not.
  struct NodeRun {
    std::size_t first, last;
    int node;
  };
  std::vector<NodeRun> runs_;
  bool is_local_;  // every marker hangs on one node, and they are in the order of these
};

MarkerTerm::MarkerTerm(const MarkerTable& table)
    : markers_(table.markers),
      floating_(table.floating),
      is_local_(std::all_of(markers_.begin(), markers_.end(), [](const Marker& m) { return m.anchors == 1; }) &&
                std::is_sorted(markers_.begin(), markers_.end(), is_before) &&
                std::is_sorted(floating_.begin(), floating_.end(), is_lower)) {
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    const int node = markers_[i].is_node() ? markers_[i].anchor[0].node : -1;
    const int next = runs_.empty() || runs_.back().node < 0
                         ? -1
                         : runs_.back().node + static_cast<int>(runs_.back().last - runs_.back().first);
    if (runs_.empty() || node != next) runs_.push_back({i, i, node});
    runs_.back().last = i + 1;
  }
}

void MarkerTerm::add_wrenches(const State& s, const Inputs& in, const Blocks& blocks, Wrenches& out) {
  assert(in.flow && in.flow->u[0].size() == markers_.size());
  if (!is_local_) {
    add_drag(s, in, {0, markers_.size()}, out);
    add_buoyancy(s, in, {0, floating_.size()}, out);
    return;
  }
  const auto markers_before = [&](int node) {
    const auto is_less = [](const Marker& m, int limit) { return m.anchor[0].node < limit; };
    return static_cast<std::size_t>(std::lower_bound(markers_.begin(), markers_.end(), node, is_less) -
                                    markers_.begin());
  };
  const auto floating_before = [&](int node) {
    const auto is_less = [](const Floating& f, int limit) { return f.node < limit; };
    return static_cast<std::size_t>(std::lower_bound(floating_.begin(), floating_.end(), node, is_less) -
                                    floating_.begin());
  };
  const int first = blocks.first * block, last = blocks.last * block;
  add_drag(s, in, {markers_before(first), markers_before(last)}, out);
  add_buoyancy(s, in, {floating_before(first), floating_before(last)}, out);
}

void MarkerTerm::add_drag(const State& s, const Inputs& in, Range markers, Wrenches& out) const {
  const MarkerFlow& flow = *in.flow;
  for (const NodeRun& run : runs_) {
    const std::size_t first = std::max(markers.first, run.first), last = std::min(markers.last, run.last);
    if (first >= last) continue;
    if (run.node < 0) {
      for (std::size_t i = first; i < last; ++i) add_drag_of(i, s, flow, out);
      continue;
    }
    const auto node = static_cast<std::size_t>(run.node) + (first - run.first);
    MarkerDragRun r{};
    r.count = static_cast<int>(last - first);
    r.dt = out.impulses ? out.impulses->duration : 0;
    for (std::size_t a = 0; a < 3; ++a) {
      r.velocity[a] = s.nodes.v[a].data() + node;
      r.flow[a] = flow.u[a].data() + first;
      r.force[a] = out.force[a].data() + node - out.first;
      r.impulse[a] = out.impulses ? out.impulses->force[a].data() + first : nullptr;
    }
    for (std::size_t k = 0; k < 6; ++k) r.resistance[k] = flow.resistance[k].data() + first;
    marker_loops().drag(r);
    for (std::size_t i = first; i < last && !flow.spins.empty(); ++i) {
      const int at = run.node + static_cast<int>(i - run.first);
      const Vec3<double> t = flow.spins[i].turning * (flow.spins[i].rotation - s.nodes.twist(at).w);
      out.add_torque(at, t);
      if (out.impulses) note(out.impulses->torque, i, out.impulses->duration * t);
    }
  }
}

void MarkerTerm::add_drag_of(std::size_t marker, const State& s, const MarkerFlow& flow, Wrenches& out) const {
  const Marker& m = markers_[marker];
  if (m.anchors == 1 && flow.spins.empty()) return add_drag_at(m.anchor[0], marker, s, flow, out);
  const Wrench<double> w = drag(m, flow, marker, s.nodes);
  for (int k = 0; k < m.anchors; ++k) {
    const MarkerAnchor& a = m.anchor[k];
    const Vec3<double> f = a.weight * w.force;
    out.add_force(a.node, f);
    out.add_torque(a.node, cross(rotate(s.nodes.frame(a.node).q, a.offset), f) + a.weight * w.torque);
  }
  if (!out.impulses) return;
  note(out.impulses->force, marker, out.impulses->duration * w.force);
  note(out.impulses->torque, marker, out.impulses->duration * w.torque);
}

// Of a marker on one node without spin, as those at the ends of rods are: its arm is turned once.
void MarkerTerm::add_drag_at(const MarkerAnchor& a, std::size_t marker, const State& s, const MarkerFlow& flow,
                             Wrenches& out) const {
  const Vec3<double> arm = rotate(s.nodes.frame(a.node).q, a.offset);
  const Twist<double> t = s.nodes.twist(a.node);
  const MarkerFlow::Point p = flow.point(marker);
  const Vec3<double> f = p.resistance * (p.u - (t.v + cross(t.w, arm)));
  out.add_force(a.node, f);
  out.add_torque(a.node, cross(arm, f));
  if (out.impulses) note(out.impulses->force, marker, out.impulses->duration * f);
}

void MarkerTerm::add_buoyancy(const State& s, const Inputs& in, Range floating, Wrenches& out) const {
  const Vec3<double> gravity = in.load_factor * in.gravity;
  if (dot(gravity, gravity) == 0) return;
  for (std::size_t i = floating.first; i < floating.last; ++i) {
    const Floating& f = floating_[i];
    const Vec3<double> lift = (-f.mass) * gravity;
    out.add_force_at(f.node, rotate(s.nodes.frame(f.node).q, f.offset), lift);
  }
}

void MarkerTerm::add_pattern(const State&, const Inputs&, NodePairs& pairs) {
  for (const Marker& m : markers_)
    for (int a = 0; a < m.anchors; ++a)
      for (int b = 0; b < a; ++b)
        if (m.anchor[a].node != m.anchor[b].node) pairs.emplace_back(m.anchor[a].node, m.anchor[b].node);
}

// A displacement d of node a and its turn move the marker by weight (d + turn x arm), so with g = [1, -arm x] the
// stiffness between two anchors is rate weight_a weight_b g_a^T K g_b.
void MarkerTerm::add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& request, BlockMatrix& out) {
  if (!in.flow || request.rate == 0) return;
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    const Marker& m = markers_[i];
    const Sym3 resistance = in.flow->point(i).resistance;
    const Sym3 turning = in.flow->spins.empty() ? Sym3{} : in.flow->spins[i].turning;
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
          const Vec3<double> f = factor * (resistance * (c < 3 ? unit : cross(unit, arm_b)));
          const Vec3<double> t = cross(arm_a, f) + (c < 3 ? Vec3<double>{} : factor * (turning * unit));
          const double column[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
          for (int r = 0; r < 6; ++r) entry[6 * r + c] += column[r];
        }
      }
  }
}

}  // namespace

std::unique_ptr<Term> make_marker_term(const MarkerTable& table) {
  return std::make_unique<MarkerTerm>(table);
}

void note_marker_impulses(const std::vector<Marker>& markers, const MarkerFlow& flow, const Nodes& pose, double dt,
                          Memory& memory) {
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const Wrench<double> w = drag(markers[i], flow, i, pose);
    memory.marker_impulse[i] += Wrench<double>{dt * w.force, dt * w.torque};
  }
}

}  // namespace ls
