#include "step/newton/move.h"

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

void make_move(const Model& m, State& s, NewtonWork& n) {
  for (std::size_t t = 0; t < m.terms.size(); ++t) m.terms[t]->predict(s, n.move, n.predicted[t]);
  for (int i = 0; i < m.nodes; ++i) {
    const auto f = s.nodes.frame(i);
    const Vec3<double> dx{n.move.v[0][i], n.move.v[1][i], n.move.v[2][i]};
    const Vec3<double> turned{n.move.w[0][i], n.move.w[1][i], n.move.w[2][i]};
    s.nodes.set(i, Frame<double>{f.x + dx, normalized(turn(turned) * f.q)});
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
