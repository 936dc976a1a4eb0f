#pragma once
#include "collide/closest.h"
#include "math/frame.h"
#include "model/shapes.h"
#include "model/state.h"

namespace ls {

// Two parts of shapes that may touch. A point meets the triangles, and the edges and spheres that no triangle covers;
// edges meet edges; a point meets a hollow wall. That is all it takes: of two shapes that touch, one of these pairs is
// the nearest.
enum class PairKind : std::uint8_t { spheres, point_edge, point_triangle, edges, point_hollow };
struct ShapePair {
  PairKind kind = PairKind::spheres;
  int a = 0, b = 0;                                    // point, edge, triangle or hollow
  auto operator<=>(const ShapePair&) const = default;  // NOLINT(modernize-use-nullptr): it sees a 0 that is not there
  std::uint64_t key() const {
    return (static_cast<std::uint64_t>(kind) << 60) | (static_cast<std::uint64_t>(a) << 30) |
           static_cast<std::uint64_t>(b);
  }
};

// How near two parts are. `between` leads from the nearest place on b to the nearest place on a, centre to centre:
// the sum of weight times position over the points. Weights of a's points add up to 1, those of b's to -1. A hollow
// has no points of its own: `between` then leads from its surface to the point.
struct Nearness {
  int point[4] = {-1, -1, -1, -1};
  double weight[4] = {0, 0, 0, 0};
  int count = 0;
  Vec3<double> between{};
  double distance = 0;  // m, between the centres, or from the surface of the hollow
  double radii = 0;     // m, of both
  double gap() const { return distance - radii; }
};

// Where a point is, and where those of all shapes are.
Vec3<double> place_of(const ShapePoint& point, const Nodes& nodes);
void place_points(const Shapes& shapes, const Nodes& nodes, std::vector<Vec3<double>>& at);

Nearness nearness(const Shapes& shapes, const ShapePair& pair, const std::vector<Vec3<double>>& at, const Nodes& nodes);

// How near the two parts of a pair without a hollow are, whose points place(point) tells.
template <class Place>
Nearness nearness(const Shapes& shapes, const ShapePair& pair, const Place& place) {
  Nearness n;
  const auto add = [&](int point, double weight, const Vec3<double>& at) {
    n.point[n.count] = point, n.weight[n.count] = weight, ++n.count;
    n.between += weight * at;
  };
  const auto radius = [&](int point) { return shapes.points[point].radius; };
  if (pair.kind == PairKind::spheres) {
    add(pair.a, 1, place(pair.a)), add(pair.b, -1, place(pair.b));
    n.radii = radius(pair.a) + radius(pair.b);
  } else if (pair.kind == PairKind::point_edge) {
    const ShapeEdge& e = shapes.edges[pair.b];
    const Vec3<double> p = place(pair.a), a = place(e.a), b = place(e.b);
    const double t = closest_on_segment(p, a, b);
    add(pair.a, 1, p), add(e.a, t - 1, a), add(e.b, -t, b);
    n.radii = radius(pair.a) + radius(e.a);
  } else if (pair.kind == PairKind::point_triangle) {
    const ShapeTriangle& t = shapes.triangles[pair.b];
    const Vec3<double> p = place(pair.a), a = place(t.a), b = place(t.b), c = place(t.c);
    const OnTriangle on = closest_on_triangle(p, a, b, c);
    add(pair.a, 1, p), add(t.a, -on.w[0], a), add(t.b, -on.w[1], b), add(t.c, -on.w[2], c);
    n.radii = radius(pair.a) + radius(t.a);
  } else {
    const ShapeEdge &e = shapes.edges[pair.a], &f = shapes.edges[pair.b];
    const Vec3<double> a0 = place(e.a), a1 = place(e.b), b0 = place(f.a), b1 = place(f.b);
    const OnSegments on = closest_on_segments(a0, a1, b0, b1);
    add(e.a, 1 - on.s, a0), add(e.b, on.s, a1), add(f.a, on.t - 1, b0), add(f.b, -on.t, b1);
    n.radii = radius(e.a) + radius(f.a);
  }
  n.distance = norm(n.between);
  return n;
}

// The nodes that a pair acts on, each once.
struct PairNodes {
  int node[4] = {};
  int count = 0;
};
PairNodes nodes_of(const Shapes& shapes, const ShapePair& pair, const Nearness& n);

// The signed distance of a point from the surface of a hollow wall, positive on the free side, and the unit direction
// in which it grows.
struct OnHollow {
  double distance = 0;
  Vec3<double> normal{};
};
OnHollow distance_from(const Hollow& hollow, const Frame<double>& frame, const Vec3<double>& at);

}  // namespace ls
