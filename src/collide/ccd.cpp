#include "collide/ccd.h"

#include "math/rotation.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

bool is_zero(const V& a) {
  return a.x == 0 && a.y == 0 && a.z == 0;
}
V velocity(const Move& m, int node) {
  return {m.v[0][node], m.v[1][node], m.v[2][node]};
}
V spin(const Move& m, int node) {
  return {m.w[0][node], m.w[1][node], m.w[2][node]};
}

}  // namespace

Frame<double> PointMotion::frame(int node, double share) const {
  const auto f = nodes_->frame(node);
  const V w = spin(*move_, node);
  return {f.x + share * velocity(*move_, node), is_zero(w) ? f.q : normalized(turn(share * w) * f.q)};
}

V PointMotion::place(int point, double share) const {
  const ShapePoint& p = shapes_.points[static_cast<std::size_t>(point)];
  if (is_zero(p.offset)) return at_[static_cast<std::size_t>(point)] + share * velocity(*move_, p.node);
  const auto f = frame(p.node, share);
  return f.x + rotate(f.q, p.offset);
}

void PointMotion::set(const Nodes& nodes, const Move& move, const std::vector<V>& at) {
  nodes_ = &nodes, move_ = &move;
  at_ = at;
  to_.resize(at.size());
  bulge_.resize(at.size());
  unsteady_.resize(at.size());
  longest_ = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    const ShapePoint& p = shapes_.points[k];
    to_[k] = place(static_cast<int>(k), 1.0);
    const double turned = norm(spin(move, p.node)), lever = norm(p.offset);
    unsteady_[k] = turned * turned * lever;
    bulge_[k] = std::min(turned * turned / 8, 2.0) * lever;  // an arc lies within this of its chord
    longest_ = std::max(longest_, norm(to_[k] - at[k]) + bulge_[k]);
  }
  for (const Hollow& h : shapes_.hollows) {
    longest_ = std::max(longest_, norm(velocity(move, h.node)));
    if (!is_zero(spin(move, h.node))) longest_ = 1e300;
  }
}

double PointMotion::speed(const ShapePair& pair, const Nearness& n) const {
  if (pair.kind == PairKind::point_hollow) {
    const Hollow& h = shapes_.hollows[static_cast<std::size_t>(pair.b)];
    const auto k = static_cast<std::size_t>(pair.a);
    const V wall = velocity(*move_, h.node), w = spin(*move_, h.node);
    const auto f = nodes_->frame(h.node);
    const double lever = std::max(norm(at_[k] - f.x), norm(to_[k] - f.x)) + norm(wall) + bulge_[k];
    return norm(to_[k] - at_[k] - wall) + unsteady_[k] + norm(w) * lever;
  }
  V mean{};
  for (int c = 0; c < n.count; ++c) {
    const auto k = static_cast<std::size_t>(n.point[c]);
    mean += (1.0 / n.count) * (to_[k] - at_[k]);
  }
  double side[2] = {0, 0};
  const int of_a = pair.kind == PairKind::edges ? 2 : 1;
  for (int c = 0; c < n.count; ++c) {
    const auto k = static_cast<std::size_t>(n.point[c]);
    double& most = side[c < of_a ? 0 : 1];
    most = std::max(most, norm(to_[k] - at_[k] - mean) + unsteady_[k]);
  }
  return side[0] + side[1];
}

double allowed_share(const Shapes& shapes, const ShapePair& pair, const Nearness& now, const PointMotion& motion,
                     double least, double most) {
  constexpr int most_steps = 200;
  const double speed = motion.speed(pair, now);
  double share = 0, gap = now.gap();
  for (int step = 0; step < most_steps; ++step) {
    const double room = gap - least;
    if (!(room > 1e-3 * std::abs(least))) return share;
    if (room >= speed * (most - share)) return most;
    share += room / speed;
    if (pair.kind == PairKind::point_hollow) {
      const Hollow& h = shapes.hollows[static_cast<std::size_t>(pair.b)];
      gap = distance_from(h, motion.frame(h.node, share), motion.place(pair.a, share)).distance - now.radii;
    } else {
      gap = nearness(shapes, pair, [&](int point) { return motion.place(point, share); }).gap();
    }
  }
  return share;
}

}  // namespace ls
