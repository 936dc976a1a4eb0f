#include "collide/pairs.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

}  // namespace

V place_of(const ShapePoint& p, const Nodes& nodes) {
  const V& o = p.offset;
  const V x{nodes.x[0][p.node], nodes.x[1][p.node], nodes.x[2][p.node]};
  return o.x == 0 && o.y == 0 && o.z == 0 ? x : x + rotate(nodes.frame(p.node).q, o);
}

void place_points(const Shapes& shapes, const Nodes& nodes, std::vector<V>& at) {
  at.resize(shapes.points.size());
  for (std::size_t k = 0; k < at.size(); ++k) at[k] = place_of(shapes.points[k], nodes);
}

OnHollow distance_from(const Hollow& h, const Frame<double>& f, const V& at) {
  const V from = at - (f.x + rotate(f.q, h.at)), axis = rotate(f.q, h.axis);
  if (h.kind == HollowKind::plane) return {dot(axis, from), axis};
  const V out = h.kind == HollowKind::sphere ? from : from - dot(axis, from) * axis;
  const double r = norm(out);
  if (r == 0) return {h.radius, {0, 0, 0}};  // on the axis: all directions are the same
  return {h.radius - r, (-1 / r) * out};
}

PairNodes nodes_of(const Shapes& shapes, const ShapePair& pair, const Nearness& n) {
  PairNodes nodes;
  const auto add = [&](int i) {
    if (std::find(nodes.node, nodes.node + nodes.count, i) == nodes.node + nodes.count) nodes.node[nodes.count++] = i;
  };
  for (int k = 0; k < n.count; ++k) add(shapes.points[n.point[k]].node);
  if (pair.kind == PairKind::point_hollow) add(shapes.hollows[pair.b].node);
  return nodes;
}

Nearness nearness(const Shapes& shapes, const ShapePair& pair, const std::vector<V>& at, const Nodes& nodes) {
  if (pair.kind != PairKind::point_hollow) return nearness(shapes, pair, [&](int point) { return at[point]; });
  Nearness n;
  const Hollow& h = shapes.hollows[pair.b];
  const OnHollow on = distance_from(h, nodes.frame(h.node), at[pair.a]);
  n.point[0] = pair.a, n.weight[0] = 1, n.count = 1;
  n.between = on.distance * on.normal;
  n.distance = on.distance;
  n.radii = shapes.points[pair.a].radius;
  return n;
}

}  // namespace ls
