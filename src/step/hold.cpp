#include "step/hold.h"

#include "math/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ls {

namespace {
bool partly_turns(std::uint8_t mask) {
  return (mask & hold_turn) != 0 && (mask & hold_turn) != hold_turn;
}
std::array<double, 3> list(const Vec3<double>& a) {
  return {a.x, a.y, a.z};
}
}  // namespace

HeldBefore::HeldBefore(const Inputs& in, const State& s) {
  pose.reserve(in.held.size());
  for (const auto& h : in.held) pose.push_back(s.nodes.frame(h.node));
}

bool is_in_order(const std::vector<HeldNode>& held) {
  return std::ranges::is_sorted(held, {}, &HeldNode::node);
}

HeldPart held_among(const Inputs& in, bool in_order, int first, int last) {
  if (!in_order) return {0, in.held.size()};
  const auto at = [&](int node) {
    return static_cast<std::size_t>(std::ranges::lower_bound(in.held, node, {}, &HeldNode::node) - in.held.begin());
  };
  return {at(first), at(last)};
}

void hold_velocities(const Inputs& in, State& s, int first, int last) {
  hold_velocities(in, s, {0, in.held.size()}, first, last);
}

void hold_velocities(const Inputs& in, State& s, HeldPart part, int first, int last) {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const HeldNode& h = in.held[i];
    if (h.node < first || h.node >= last) continue;
    const auto v = list(h.twist.v), w = list(h.twist.w);
    for (int k = 0; k < 3; ++k) {
      if (h.mask & (1 << k)) s.nodes.v[k][h.node] = v[k];
      if (h.mask & (8 << k)) s.nodes.w[k][h.node] = w[k];
    }
  }
}

void hold_poses(const Inputs& in, const HeldBefore& before, State& s, int first, int last) {
  hold_poses(in, before, s, {0, in.held.size()}, first, last);
}

void hold_poses(const Inputs& in, const HeldBefore& before, State& s, HeldPart part, int first, int last) {
  hold_velocities(in, s, part, first, last);
  for (std::size_t i = part.first; i < part.last; ++i) {
    const auto& h = in.held[i];
    if (h.node < first || h.node >= last) continue;
    const auto x = list(h.pose.x);
    for (int k = 0; k < 3; ++k)
      if (h.mask & (1 << k)) s.nodes.x[k][h.node] = x[k];
    Quat<double> q = h.pose.q;
    if ((h.mask & hold_turn) == 0) continue;
    if (partly_turns(h.mask)) q = normalized(turn(in.dt * s.nodes.twist(h.node).w) * before.pose[i].q);
    s.nodes.q[0][h.node] = q.w;
    s.nodes.q[1][h.node] = q.v.x, s.nodes.q[2][h.node] = q.v.y, s.nodes.q[3][h.node] = q.v.z;
  }
}

void carry_along(const Model& m, const Inputs& in, const HeldBefore& before, State& s) {
  for (const auto& c : in.carries) {
    const HeldNode& h = in.held[c.held];
    const Vec3<double> way = h.pose.x - before.pose[c.held].x;
    const Vec3<double> gone{h.mask & hold_x ? way.x : 0, h.mask & hold_y ? way.y : 0, h.mask & hold_z ? way.z : 0};
    const Body& body = m.bodies[c.body];
    for (std::size_t i = 1; i + 1 < body.nodes.size(); ++i) {
      const double u = body.arc[i] / body.arc.back();
      const auto move = list((c.is_end ? u : 1 - u) * gone);
      for (int k = 0; k < 3; ++k) s.nodes.x[k][body.nodes[i]] += move[k];
    }
  }
}

Vec3<double> drive_impulse(const Model& m, const Inputs& in, const std::vector<Vec3<double>>& push,
                           const std::vector<Vec3<double>>& start, const Nodes& end) {
  Vec3<double> sum{};
  for (std::size_t k = 0; k < in.held.size(); ++k) {
    const HeldNode& h = in.held[k];
    const Vec3<double> missing = m.mass[h.node] * (end.twist(h.node).v - start[k]) - push[k];
    if (h.mask & hold_x) sum.x += missing.x;
    if (h.mask & hold_y) sum.y += missing.y;
    if (h.mask & hold_z) sum.z += missing.z;
  }
  return sum;
}

double driven_turn(const InputsAt& at, double from, double to) {
  constexpr int pieces = 16;
  const auto poses = [&](double share) {
    const Inputs in = at(from + share * (to - from));
    std::vector<Quat<double>> q;
    for (const auto& h : in.held) q.push_back(h.pose.q);
    return q;
  };
  const auto same = [](const std::vector<Quat<double>>& a, const std::vector<Quat<double>>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& p, const auto& q) {
      return p.w == q.w && p.v.x == q.v.x && p.v.y == q.v.y && p.v.z == q.v.z;
    });
  };
  if (const auto first = poses(0); same(first, poses(0.37)) && same(first, poses(1))) return 0;  // nothing turns
  auto last = poses(0);
  std::vector<double> sum(last.size(), 0.0);
  for (int p = 1; p <= pieces; ++p) {
    auto next = poses(p == pieces ? 1.0 : (p + 0.3 * (p % 3)) / pieces);
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += 2 * std::acos(std::min(1.0, std::abs(dot(next[i], last[i]))));
    last = std::move(next);
  }
  return *std::max_element(sum.begin(), sum.end());
}

}  // namespace ls
