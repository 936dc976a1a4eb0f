#include "collide/ccd.h"

#include "collide/touchable.h"
#include "math/rotation.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

bool is_zero(const V& a) {
  return a.x == 0 && a.y == 0 && a.z == 0;
}

// How long it takes to use up a room at a closing rate that grows: room = rate t + bend t^2. 2, more than a whole move,
// where it is not used up.
double time_to_close(double room, double rate, double bend) {
  if (!(room > 0)) room = 0;
  if (bend == 0) return rate > 0 ? room / rate : 2.0;
  const double root = std::sqrt(rate * rate + 4 * bend * room);
  return rate > 0 ? 2 * room / (rate + root) : (root - rate) / (2 * bend);
}

}  // namespace

PointMotion::PointMotion(const Shapes& shapes) : shapes_(shapes) {
  const auto touches = touches_something(shapes);
  for (const ShapePoint& p : shapes.points) {
    const auto node = static_cast<std::size_t>(p.node);
    if (node_lever_.size() <= node) node_lever_.resize(node + 1, -1.0);
    lever_.push_back(norm(p.offset));
    if (touches[node]) node_lever_[node] = std::max(node_lever_[node], lever_.back());
  }
}

V PointMotion::way(int node) const {
  return move_ ? V{move_->v[0][node], move_->v[1][node], move_->v[2][node]} : V{};
}
V PointMotion::turn_of(int node) const {
  return move_ ? V{move_->w[0][node], move_->w[1][node], move_->w[2][node]} : V{};
}
double PointMotion::turned(int node) const {
  return move_ ? turned_[node] : 0;
}

Frame<double> PointMotion::frame(int node, double share) const {
  const auto f = nodes_->frame(node);
  const V w = turn_of(node);
  return {f.x + share * way(node), is_zero(w) ? f.q : normalized(turn(share * w) * f.q)};
}

V PointMotion::place(int point, double share) const {
  const ShapePoint& p = shapes_.points[point];
  if (share == 0) return place_of(p, *nodes_);
  if (is_zero(p.offset)) return place_of(p, *nodes_) + share * way(p.node);
  const auto f = frame(p.node, share);
  return f.x + rotate(f.q, p.offset);
}

void PointMotion::set(const Nodes& nodes, const Move* move) {
  nodes_ = &nodes, move_ = move;
  longest_ = 0;
  if (!move) return;
  turned_.resize(static_cast<std::size_t>(nodes.count));
  for (int i = 0; i < nodes.count; ++i) turned_[i] = norm(turn_of(i));
  for (std::size_t k = 0; k < node_lever_.size(); ++k) {
    const int node = static_cast<int>(k);
    if (node_lever_[k] >= 0)
      longest_ = std::max(longest_, norm(way(node)) + std::min(turned_[k], 2.0) * node_lever_[k]);
  }
  for (const Hollow& h : shapes_.hollows) longest_ = std::max(longest_, hollow_way(h));
}

// How far the surface of a wall moves at most where points are or will be.
double PointMotion::hollow_way(const Hollow& h) const {
  const HollowMotion m = motion_of(h, *this, 0);
  const double base = norm(way(h.node)) + std::min(turned(h.node), 2.0) * norm(h.at);
  if (is_zero(m.tilt)) return base;
  double farthest = 0;
  for (std::size_t k = 0; k < node_lever_.size(); ++k) {
    if (node_lever_[k] < 0) continue;
    const int node = static_cast<int>(k);
    farthest = std::max(farthest, norm(nodes_->frame(node).x - m.base) + norm(way(node)) + node_lever_[k]);
  }
  return base + std::min(norm(m.tilt), 2.0) * (farthest + base);
}

PointMotion::Passage PointMotion::passage(int point, double share) const {
  const ShapePoint& p = shapes_.points[point];
  const V v = way(p.node), w = turn_of(p.node);
  if (is_zero(p.offset) || is_zero(w)) return {place(point, share), v, 0};
  const auto f = frame(p.node, share);
  const V arm = rotate(f.q, p.offset);
  const double turned = turned_[p.node];
  return {f.x + arm, v + cross(w, arm), 0.5 * turned * turned * lever_[point]};
}

HollowMotion motion_of(const Hollow& h, const PointMotion& motion, double share) {
  const auto f = motion.frame(h.node, share);
  const V w = motion.turn_of(h.node), arm = rotate(f.q, h.at);
  const double turned = motion.turned(h.node);
  HollowMotion m{f.x + arm, rotate(f.q, h.axis), motion.way(h.node) + cross(w, arm), {}, 0};
  m.bend = 0.5 * turned * turned * norm(h.at);
  if (h.kind != HollowKind::sphere) m.tilt = w - dot(w, m.axis) * m.axis;
  return m;
}

// Inside a sphere or a tube the way out is |y + t u| = room: a root of a square. Room less distance is concave along a
// straight way, so it is above its chord up to there; what the turning of the point about its node, or of the wall,
// adds is at most a square of the time. A wall that tilts is looked at in axes that tilt with it.
double PointMotion::safe_in_hollow(const ShapePair& pair, double share, double least) const {
  const Hollow& h = shapes_.hollows[pair.b];
  const Passage p = passage(pair.a, share);
  const HollowMotion m = motion_of(h, *this, share);
  V y = p.at - m.base, u = p.velocity - m.velocity;
  double bend = p.bend + m.bend;
  if (const double tilt = norm(m.tilt); tilt > 0) {
    const double far = norm(y) + norm(u) + bend;  // within the rest of the move
    bend += tilt * (norm(u) + 2 * bend) + turned(h.node) * tilt * far;
    u = u - cross(m.tilt, y);
  }
  const double keep = least + shapes_.points[pair.a].radius;
  if (h.kind == HollowKind::plane) return time_to_close(dot(m.axis, y) - keep, -dot(m.axis, u), bend);
  if (h.kind == HollowKind::cylinder) y = y - dot(m.axis, y) * m.axis, u = u - dot(m.axis, u) * m.axis;
  const double room = h.radius - keep, first = room - norm(y);
  const double a = dot(u, u), b = dot(y, u), c = dot(y, y) - room * room;  // c < 0: inside
  if (!(c < 0)) return 0;
  const double root = a > 0 ? (-b + std::sqrt(b * b - a * c)) / a : 1e300;
  return std::min(root, time_to_close(first, first / root, bend));
}

double PointMotion::most_closing(const ShapePair& pair, const Nearness& n) const {
  const auto node = [&](int c) { return shapes_.points[n.point[c]].node; };
  if (pair.kind == PairKind::point_hollow) {
    const int wall = shapes_.hollows[pair.b].node;
    return turned(wall) == 0 ? norm(way(node(0)) - way(wall)) + stray(n.point[0]) : 1e300;
  }
  const int of_a = pair.kind == PairKind::edges ? 2 : 1;
  double apart = 0, strays[2] = {0, 0};
  for (int c = 0; c < n.count; ++c) {
    double& most = strays[c < of_a ? 0 : 1];
    most = std::max(most, stray(n.point[c]));
  }
  for (int a = 0; a < of_a; ++a)
    for (int b = of_a; b < n.count; ++b) {
      if ((a > 0 && node(a) == node(a - 1)) || (b > of_a && node(b) == node(b - 1))) continue;  // of one rigid body
      apart = std::max(apart, norm(way(node(a)) - way(node(b))));
    }
  return apart + strays[0] + strays[1];
}

double PointMotion::closing(const ShapePair& pair, const Nearness& n) const {
  V apart{};
  for (int c = 0; c < n.count; ++c) apart += n.weight[c] * passage(n.point[c], 0).velocity;
  if (pair.kind != PairKind::point_hollow) return -dot(n.between, apart) / n.distance;
  const Hollow& h = shapes_.hollows[pair.b];
  const auto f = frame(h.node, 0);
  const V at = place(pair.a, 0), wall = way(h.node) + cross(turn_of(h.node), at - f.x);
  return -dot(distance_from(h, f, at).normal, apart - wall);
}

double PointMotion::safe_share(const ShapePair& pair, const Nearness& n, double share, double least) const {
  if (pair.kind == PairKind::point_hollow) return safe_in_hollow(pair, share, least);
  const V normal = (1 / n.distance) * n.between;
  const int of_a = pair.kind == PairKind::edges ? 2 : 1;
  double low[4], rate[4], bend[4];  // along the normal, and how fast it comes nearer at most
  for (int c = 0; c < n.count; ++c) {
    const double sign = c < of_a ? 1 : -1;
    const Passage p = passage(n.point[c], share);
    low[c] = sign * dot(normal, p.at);
    rate[c] = -sign * dot(normal, p.velocity);
    bend[c] = p.bend;
  }
  double safe = 2;
  for (int a = 0; a < of_a; ++a)
    for (int b = of_a; b < n.count; ++b)
      safe = std::min(safe, time_to_close(low[a] + low[b] - n.radii - least, rate[a] + rate[b], bend[a] + bend[b]));
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
