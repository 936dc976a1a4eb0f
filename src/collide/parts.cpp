#include "collide/parts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace ls {

namespace {

using Side = std::pair<int, int>;  // points, ascending

constexpr double one_face = 1e-8;  // sine between two triangles that count as one

Side side_of(int a, int b) {
  return std::minmax({a, b});
}

// A side of two triangles of a rigid body that lie in one plane, opposite each other.
bool is_within_a_face(const Shapes& shapes, const Side& side, const std::array<int, 2>& across) {
  const ShapePoint &a = shapes.points[side.first], &b = shapes.points[side.second];
  const ShapePoint &c = shapes.points[across[0]], &d = shapes.points[across[1]];
  if (a.node != b.node || a.node != c.node || a.node != d.node) return false;
  const Vec3<double> along = b.offset - a.offset;
  const Vec3<double> n = cross(along, c.offset - a.offset), m = cross(d.offset - a.offset, along);
  return dot(n, m) > 0 && norm(cross(n, m)) < one_face * dot(n, m);
}

}  // namespace

std::vector<std::uint8_t> edges_within_faces(const Shapes& shapes) {
  struct Across {  // a side of a triangle, and the corner that is not on it
    Side side;
    int corner;
  };
  std::vector<Across> sides;  // in order, so that those of two triangles stand side by side
  sides.reserve(3 * shapes.triangles.size());
  for (const ShapeTriangle& t : shapes.triangles)
    for (const auto& [a, b, c] : {std::array{t.a, t.b, t.c}, std::array{t.b, t.c, t.a}, std::array{t.c, t.a, t.b}})
      sides.push_back({side_of(a, b), c});
  std::ranges::sort(sides, {}, &Across::side);
  std::vector<std::uint8_t> within(shapes.edges.size(), 0);
  for (std::size_t k = 0; k < shapes.edges.size(); ++k) {
    const Side side = side_of(shapes.edges[k].a, shapes.edges[k].b);
    const auto from = std::ranges::lower_bound(sides, side, {}, &Across::side);
    const auto to = std::ranges::upper_bound(from, sides.end(), side, {}, &Across::side);
    if (to - from == 2) within[k] = is_within_a_face(shapes, side, {from->corner, std::next(from)->corner}) ? 1 : 0;
  }
  return within;
}

std::vector<Part> parts_of(const Shapes& shapes) {
  std::vector<Part> parts;
  std::vector<std::uint8_t> has_point(shapes.points.size(), 0), has_edge = edges_within_faces(shapes);
  // By their ends, to be found by halving: there may be millions.
  struct Between {
    Side ends;
    int edge;
  };
  std::vector<Between> edges;
  edges.reserve(shapes.edges.size());
  for (std::size_t k = 0; k < shapes.edges.size(); ++k)
    edges.push_back({side_of(shapes.edges[k].a, shapes.edges[k].b), static_cast<int>(k)});
  std::ranges::sort(edges, {}, &Between::ends);
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
      const Side ends = side_of(corner[c], corner[c + 1]);
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
