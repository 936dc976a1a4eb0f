#include "terms/joints/joint_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ls {

namespace {

using V = Vec3<double>;

// A node of the joint: its pose is that of the state, or the end of a midpoint step through it.
void set_node(int node, int n, const State& s, const Inputs& in, const std::vector<std::uint8_t>& bonded,
              JointView& view) {
  if (node < 0) return;
  const Frame<double> pose = s.nodes.frame(node);
  view.start[n] = view.end[n] = pose;
  const StepRule& rule = in.rule;
  if (!rule.start) return;
  const Frame<double> from = view.start[n] = rule.start->frame(node);
  if (rule.a_of(node) == 1) return;
  const Quat<double> half = view.half[n] = pose.q * conj(from.q);
  view.end[n] = {2.0 * pose.x - from.x, half * pose.q};
  view.gain[n] = 2;
  const double sine = norm(half.v), angle = std::atan2(sine, std::abs(half.w));  // of half the turn
  if (sine < 1e-9) return;
  view.turn_axis[n] = (1 / sine) * half.v;
  const double ratio = std::tan(std::min(angle, 1.4)) / angle;
  (bonded[node] ? view.angle_excess[n] : view.excess[n]) = bonded[node] ? 1 / ratio - 1 : ratio - 1;
}

}  // namespace

JointView view_of(const Joint& joint, const State& s, const Inputs& in, const std::vector<std::uint8_t>& bonded) {
  JointView view;
  view.steps = in.rule.start != nullptr;
  view.duration = in.rule.dt;
  const JointHalf halves[2] = {joint.end[0].half, joint.end[1].half};
  for (int n = 0; n < 2; ++n) set_node(joint.end[n].node, n, s, in, bonded, view);
  view.at_end = joint_places(halves, view.end);
  view.at_start = view.steps ? joint_places(halves, view.start) : view.at_end;
  const bool by_mean = view.gain[0] == 2 || view.gain[1] == 2;
  view.mean = by_mean ? mean_of(view.at_start, view.at_end) : view.at_end;
  return view;
}

bool ViewKey::operator==(const ViewKey& o) const {
  const auto same = [](const Frame<double>& a, const Frame<double>& b) {
    return a.x.x == b.x.x && a.x.y == b.x.y && a.x.z == b.x.z && a.q.w == b.q.w && a.q.v.x == b.q.v.x &&
           a.q.v.y == b.q.v.y && a.q.v.z == b.q.v.z;
  };
  return steps == o.steps && dt == o.dt && a[0] == o.a[0] && a[1] == o.a[1] && same(now[0], o.now[0]) &&
         same(now[1], o.now[1]) && same(start[0], o.start[0]) && same(start[1], o.start[1]);
}

ViewKey view_key(const Joint& joint, const State& s, const Inputs& in) {
  ViewKey key;
  key.steps = in.rule.start != nullptr, key.dt = in.rule.dt;
  for (int n = 0; n < 2; ++n) {
    const int node = joint.end[n].node;
    if (node < 0) continue;
    key.now[n] = s.nodes.frame(node);
    if (key.steps) key.start[n] = in.rule.start->frame(node), key.a[n] = in.rule.a_of(node);
  }
  return key;
}

double nearest_angle(double angle, double known) {
  constexpr double period = 4 * std::numbers::pi;  // of the quaternions, whose signs are continuous in time
  return angle + period * std::round((known - angle) / period);
}

double spring_energy(const Joint& joint, double length) {
  const double stretch = length - joint.length;
  return joint.one_sided && stretch < 0 ? 0 : 0.5 * joint.stiffness * stretch * stretch;
}

SpringPull spring_pull(const Joint& joint, const JointView& view, const State& s) {
  SpringPull p;
  const bool by_mean = view.gain[0] == 2 || view.gain[1] == 2;
  const double after = norm(view.at_end.apart), before = by_mean ? norm(view.at_start.apart) : after;
  if (!(before + after > 0)) return p;
  p.length = norm(view.mean.apart);
  p.direction = (2 / (before + after)) * view.mean.apart;
  const auto slope = [&](double length) {
    const double stretch = length - joint.length;
    return joint.one_sided && stretch < 0 ? 0 : joint.stiffness * stretch;
  };
  // The mean is the change of the energy over that of the length, but of a string that comes taut on the way.
  p.force = 0.5 * (slope(before) + slope(after));
  if (joint.one_sided && (before < joint.length) != (after < joint.length))
    p.force = (spring_energy(joint, after) - spring_energy(joint, before)) / (after - before);
  const bool slack = joint.one_sided && before < joint.length && after < joint.length;
  p.stiffness = slack ? 0 : joint.stiffness;
  if (joint.damping == 0 || slack) return p;
  double rate = 0;
  for (int n = 0; n < 2; ++n)
    if (joint.end[n].node >= 0) {
      const auto t = s.nodes.twist(joint.end[n].node);
      rate += (n == 0 ? -1 : 1) * dot(p.direction, t.v + cross(t.w, view.mean.arm[n]));
    }
  p.force += joint.damping * rate;
  if (joint.one_sided && p.force < 0) p.force = p.stiffness = 0;  // its damper would push
  return p;
}

}  // namespace ls
