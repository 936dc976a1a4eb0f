#include "step/move.h"

#include "math/rotation.h"

#include <algorithm>

namespace ls {

void stop_moving(Nodes& nodes) {
  for (int c = 0; c < 3; ++c) {
    std::fill(nodes.v[c].begin(), nodes.v[c].end(), 0.0);
    std::fill(nodes.w[c].begin(), nodes.w[c].end(), 0.0);
  }
}

double farthest(const Nodes& from, const Nodes& to) {
  double most = 0;
  for (int i = 0; i < from.count; ++i) most = std::max(most, norm(to.frame(i).x - from.frame(i).x));
  return most;
}

int farthest_node(const Nodes& from, const Nodes& to) {
  int best = -1;
  double most = 0;
  for (int i = 0; i < from.count; ++i)
    if (const double way = norm(to.frame(i).x - from.frame(i).x); way > most) best = i, most = way;
  return best;
}

void copy_poses(const Nodes& from, Nodes& to) {
  if (to.count != from.count) to = Nodes(from.count);
  for (int c = 0; c < 3; ++c) to.x[c] = from.x[c];
  for (int c = 0; c < 4; ++c) to.q[c] = from.q[c];
}

void move_nodes(const Move& move, Nodes& nodes) {
  for (int i = 0; i < nodes.count; ++i) {
    const auto f = nodes.frame(i);
    const Vec3<double> dx{move.v[0][i], move.v[1][i], move.v[2][i]};
    const Vec3<double> turned{move.w[0][i], move.w[1][i], move.w[2][i]};
    if (dot(dx, dx) + dot(turned, turned) == 0) continue;  // what stays keeps its very bits
    nodes.set(i, Frame<double>{f.x + dx, normalized(turn(turned) * f.q)});
  }
}

void put_held(const std::vector<HeldNode>& held, bool rates, State& s) {
  for (const auto& h : held) {
    const double x[3] = {h.pose.x.x, h.pose.x.y, h.pose.x.z}, v[3] = {h.twist.v.x, h.twist.v.y, h.twist.v.z},
                 w[3] = {h.twist.w.x, h.twist.w.y, h.twist.w.z};
    for (int c = 0; c < 3; ++c) {
      const bool moves = (h.mask >> c) & 1, turns = (h.mask >> (3 + c)) & 1;
      if (moves) s.nodes.x[c][h.node] = x[c];
      if (moves && rates) s.nodes.v[c][h.node] = v[c];
      if (turns && rates) s.nodes.w[c][h.node] = w[c];
    }
    if ((h.mask & hold_turn) == hold_turn) s.nodes.set(h.node, Frame<double>{s.nodes.frame(h.node).x, h.pose.q});
  }
}

}  // namespace ls
