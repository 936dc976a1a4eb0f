#include "build/wall.h"

#include "build/builder.h"
#include "build/skin.h"

#include <algorithm>

namespace ls {

namespace {
using V = Vec3<double>;

Hollow plane(const V& at, const V& normal) {
  return {HollowKind::plane, 0, at, normal, 0};
}
}  // namespace

WallSpec plane_wall(const V& point, const V& normal) {
  WallSpec w;
  w.at = point;
  w.hollows = {plane({}, normal)};
  return w;
}

WallSpec box_wall(const V& low, const V& high, bool inside) {
  WallSpec w;
  w.at = 0.5 * (low + high);
  const V half = 0.5 * (high - low);
  if (!inside) {
    w.obstacle = box_shape(2.0 * half);
    return w;
  }
  for (const V& a : {V{half.x, 0, 0}, V{0, half.y, 0}, V{0, 0, half.z}}) {
    w.hollows.push_back(plane(-a, normalized(a)));
    w.hollows.push_back(plane(a, normalized(-a)));
  }
  return w;
}

WallSpec sphere_wall(const V& centre, double radius, bool inside) {
  WallSpec w;
  w.at = centre;
  if (inside)
    w.hollows = {{HollowKind::sphere, 0, {}, {0, 0, 1}, radius}};
  else
    w.obstacle = ball_shape(radius);
  return w;
}

WallSpec cylinder_wall(const V& from, const V& to, double radius, bool inside) {
  const V axis = normalized(to - from), half = 0.5 * (to - from);
  WallSpec w;
  w.at = 0.5 * (from + to);
  if (inside) {
    w.hollows = {{HollowKind::cylinder, 0, {}, axis, radius}, plane(-half, axis), plane(half, -axis)};
  } else {
    w.obstacle = capsule_shape(radius, 2 * norm(half));
    w.obstacle.points = {-half, half};
  }
  return w;
}

WallSpec tube_wall(const V& centre, const V& axis, double radius) {
  WallSpec w;
  w.at = centre;
  w.hollows = {{HollowKind::cylinder, 0, {}, axis, radius}};
  return w;
}

int Builder::add(const WallSpec& wall) {
  Node n;
  n.frame.x = wall.at;
  n.mass = weightless;
  for (int k = 0; k < 3; ++k) n.tensor[k][k] = weightless;
  n.held = hold_all;
  const int node = add_single(BodyKind::wall, wall.name, n);
  add_surface(node, wall.obstacle, wall.obstacle.points, wall.surface);
  walls_.emplace_back(node, wall);
  if (shapes_)
    for (Hollow h : wall.hollows) {
      h.node = node;
      shapes_->hollows.push_back(h);
    }
  return static_cast<int>(bodies_.size()) - 1;
}

// When everything else is there: what has no end is drawn twice as large as that.
void Builder::finish_skin() {
  V low{1e300, 1e300, 1e300}, high = -low;
  for (const Node& n : nodes_) {
    if (bodies_[n.body].kind == BodyKind::wall) continue;
    const V r{n.radius, n.radius, n.radius}, a = n.frame.x - r, b = n.frame.x + r;
    low = {std::min(low.x, a.x), std::min(low.y, a.y), std::min(low.z, a.z)};
    high = {std::max(high.x, b.x), std::max(high.y, b.y), std::max(high.z, b.z)};
  }
  const double size = high.x < low.x ? 1 : 2 * norm(high - low);
  for (const auto& [node, wall] : walls_) {
    if (!wall.obstacle.points.empty()) add_skin(node, wall.obstacle, wall.obstacle.points, skin_);
    add_outline(node, wall, size, skin_);
  }
}

}  // namespace ls
