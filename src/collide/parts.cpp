#include "collide/parts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ls {

std::vector<Part> parts_of(const Shapes& shapes) {
  std::vector<Part> parts;
  std::vector<std::uint8_t> has_point(shapes.points.size(), 0), has_edge(shapes.edges.size(), 0);
  std::map<std::pair<int, int>, int> edges;
  for (std::size_t k = 0; k < shapes.edges.size(); ++k) {
    const ShapeEdge& e = shapes.edges[k];
    edges[{std::min(e.a, e.b), std::max(e.a, e.b)}] = static_cast<int>(k);
  }
  const auto take_point = [&](Part& p, int& count, int point) {
    if (std::exchange(has_point[point], 1) == 0) p.points[count++] = point;
  };
  for (std::size_t k = 0; k < shapes.triangles.size(); ++k) {
    Part p{PairKind::point_triangle, static_cast<int>(k)};
    const ShapeTriangle& t = shapes.triangles[k];
    const int corner[4] = {t.a, t.b, t.c, t.a};
    int points = 0, taken = 0;
    for (int c = 0; c < 3; ++c) {
      take_point(p, points, corner[c]);
      const auto e = edges.find({std::min(corner[c], corner[c + 1]), std::max(corner[c], corner[c + 1])});
      if (e != edges.end() && std::exchange(has_edge[e->second], 1) == 0) p.edges[taken++] = e->second;
    }
    parts.push_back(p);
  }
  for (std::size_t k = 0; k < shapes.edges.size(); ++k) {
    if (has_edge[k]) continue;
    Part p{PairKind::edges, static_cast<int>(k)};
    p.edges[0] = static_cast<int>(k);
    int points = 0;
    take_point(p, points, shapes.edges[k].a);
    take_point(p, points, shapes.edges[k].b);
    parts.push_back(p);
  }
  for (const int s : shapes.spheres) {
    Part p{PairKind::spheres, s};
    p.points[0] = s;
    parts.push_back(p);
  }
  return parts;
}

Corners corners_of(const Shapes& shapes, const Part& part) {
  if (part.kind == PairKind::edges) {
    const ShapeEdge& e = shapes.edges[part.index];
    return {{e.a, e.b, 0}, 2};
  }
  if (part.kind == PairKind::point_triangle) {
    const ShapeTriangle& t = shapes.triangles[part.index];
    return {{t.a, t.b, t.c}, 3};
  }
  return {{part.index, 0, 0}, 1};
}

}  // namespace ls
