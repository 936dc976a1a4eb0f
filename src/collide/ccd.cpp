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
  const ShapePoint& p = shapes_.points[point];
  if (is_zero(p.offset)) return at_[point] + share * velocity(*move_, p.node);
  const auto f = frame(p.node, share);
  return f.x + rotate(f.q, p.offset);
}

void PointMotion::set(const Nodes& nodes, const Move& move, const std::vector<V>& at) {
  nodes_ = &nodes, move_ = &move;
  at_ = at;
  to_.resize(at.size());
  bulge_.resize(at.size());
  unsteady_.resize(at.size());
  travel_.resize(at.size());
  longest_ = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    const ShapePoint& p = shapes_.points[k];
    to_[k] = place(static_cast<int>(k), 1.0);
    const double turned = norm(spin(move, p.node)), lever = norm(p.offset);
    unsteady_[k] = 0.5 * turned * turned * lever;            // the second derivative of the arc, over one move
    bulge_[k] = std::min(turned * turned / 8, 2.0) * lever;  // an arc lies within this of its chord
    travel_[k] = norm(to_[k] - at[k]) + bulge_[k];
    longest_ = std::max(longest_, travel_[k]);
  }
  for (const Hollow& h : shapes_.hollows) {
    longest_ = std::max(longest_, norm(velocity(move, h.node)));
    if (!is_zero(spin(move, h.node))) longest_ = 1e300;
  }
}

V PointMotion::velocity_at(int point, double share) const {
  const ShapePoint& p = shapes_.points[point];
  const V v = velocity(*move_, p.node), w = spin(*move_, p.node);
  if (is_zero(p.offset) || is_zero(w)) return v;
  const auto f = frame(p.node, share);
  return v + cross(w, rotate(f.q, p.offset));
}

// Inside a sphere or a tube the way out is |y + t u| = room: a root of a square. What the turning of the point about
// its node, or of the wall, adds goes at a steady rate at most.
double PointMotion::safe_in_hollow(const ShapePair& pair, double share, double least) const {
  const Hollow& h = shapes_.hollows[pair.b];
  const auto k = static_cast<std::size_t>(pair.a);
  const auto f = frame(h.node, share);
  const V at = place(pair.a, share), axis = rotate(f.q, h.axis);
  V y = at - (f.x + rotate(f.q, h.at)), u = velocity_at(pair.a, share) - velocity(*move_, h.node);
  const double keep = least + shapes_.points[k].radius;
  const double turned = norm(spin(*move_, h.node));
  const double stray = unsteady_[k] + turned * (norm(y) + norm(h.at) + norm(u)) * (1 + turned);
  if (h.kind == HollowKind::plane) {
    const double closing = -dot(axis, u) + stray;
    return closing > 0 ? (dot(axis, y) - keep) / closing : 2.0;
  }
  if (h.kind == HollowKind::cylinder) y = y - dot(axis, y) * axis, u = u - dot(axis, u) * axis;
  const double room = h.radius - keep, first = room - norm(y);
  const double a = dot(u, u), b = dot(y, u), c = dot(y, y) - room * room;  // c < 0: inside
  if (!(c < 0)) return 0;
  if (a == 0 && stray == 0) return 2.0;
  const double root = a > 0 ? (-b + std::sqrt(b * b - a * c)) / a : 1e300;
  return first / (first / root + stray);
}

double PointMotion::most_closing(const ShapePair& pair, const Nearness& n) const {
  double side[2] = {0, 0};
  const int of_a = pair.kind == PairKind::edges ? 2 : 1;
  for (int c = 0; c < n.count; ++c) {
    double& most = side[c < of_a ? 0 : 1];
    most = std::max(most, travel_[n.point[c]]);
  }
  if (pair.kind != PairKind::point_hollow) return side[0] + side[1];
  const int node = shapes_.hollows[pair.b].node;
  return is_zero(spin(*move_, node)) ? side[0] + norm(velocity(*move_, node)) : 1e300;
}

double PointMotion::safe_share(const ShapePair& pair, const Nearness& n, double share, double least) const {
  if (pair.kind == PairKind::point_hollow) return safe_in_hollow(pair, share, least);
  const V normal = (1 / n.distance) * n.between;
  const int of_a = pair.kind == PairKind::edges ? 2 : 1;
  double low[4], rate[4];  // along the normal, and how fast it comes nearer at most
  for (int c = 0; c < n.count; ++c) {
    const double sign = c < of_a ? 1 : -1;
    low[c] = sign * dot(normal, place(n.point[c], share));
    rate[c] = -sign * dot(normal, velocity_at(n.point[c], share)) + unsteady_[n.point[c]];
  }
  double safe = 2;
  for (int a = 0; a < of_a; ++a)
    for (int b = of_a; b < n.count; ++b) {
      const double room = low[a] + low[b] - n.radii - least, closing = rate[a] + rate[b];
      if (closing > 0) safe = std::min(safe, std::max(0.0, room) / closing);
    }
  return safe;
}

double allowed_share(const Shapes& shapes, const ShapePair& pair, const Nearness& now, const PointMotion& motion,
                     double least, double most) {
  constexpr int most_steps = 100;
  double share = 0;
  Nearness n = now;
  for (int step = 0; step < most_steps; ++step) {
    if (!(n.gap() - least > 1e-3 * std::abs(least))) return share;
    share += motion.safe_share(pair, n, share, least);
    if (share >= most) return most;
    if (pair.kind == PairKind::point_hollow) {
      const Hollow& h = shapes.hollows[pair.b];
      n.distance = distance_from(h, motion.frame(h.node, share), motion.place(pair.a, share)).distance;
    } else {
      n = nearness(shapes, pair, [&](int point) { return motion.place(point, share); });
    }
  }
  return share;
}

}  // namespace ls
