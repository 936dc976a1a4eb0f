#include "collide/parts.h"

#include <algorithm>
#include <utility>

namespace ls {

std::vector<Part> parts_of(const Shapes& shapes) {
  std::vector<Part> parts;
  std::vector<std::uint8_t> has_point(shapes.points.size(), 0), has_edge(shapes.edges.size(), 0);
  // By their ends, to be found by halving: there may be millions.
  struct Between {
    std::pair<int, int> ends;
    int edge;
    auto operator<=>(const Between&) const = default;
  };
  std::vector<Between> edges;
  edges.reserve(shapes.edges.size());
  for (std::size_t k = 0; k < shapes.edges.size(); ++k)
    edges.push_back({std::minmax({shapes.edges[k].a, shapes.edges[k].b}), static_cast<int>(k)});
  std::sort(edges.begin(), edges.end());
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
      const std::pair<int, int> ends = std::minmax({corner[c], corner[c + 1]});
      const auto e = std::ranges::lower_bound(edges, ends, {}, &Between::ends);
      if (e != edges.end() && e->ends == ends && std::exchange(has_edge[e->edge], 1) == 0) p.edges[taken++] = e->edge;
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
