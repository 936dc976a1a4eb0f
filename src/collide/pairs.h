#pragma once
#include "collide/broad_phase.h"
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

// Where the points of all shapes are.
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

// Lists the pairs that may touch, in ascending order, and keeps the list while nothing has moved far.
class PairFinder {
 public:
  explicit PairFinder(const Shapes& shapes);

  // All pairs with a gap below `reach`, and some more.
  const std::vector<ShapePair>& near(const Nodes& nodes, double reach);
  // As the one above, given that no node has moved by more than `travelled` since the last call of either: then most
  // calls need not look at all points. Where the list stays, places only the points in `wanted` anew. Makes a new list
  // early, so that what moves at most a few times faster in the next step is in it already.
  const std::vector<ShapePair>& near(const Nodes& nodes, double reach, double travelled,
                                     const std::vector<int>& wanted);
  const std::vector<ShapePair>& list() const { return list_; }  // as of the last call
  long long lists() const { return lists_; }                    // how many lists have been made
  // Those that may come so near while the points move from `at` to `to`, or up to `bulge` beside the straight way.
  void near_on_the_way(const std::vector<Vec3<double>>& at, const std::vector<Vec3<double>>& to,
                       const std::vector<double>& bulge, double reach, std::vector<ShapePair>& out);
  // How far the farthest point has moved since the list was made, m, and how far it may.
  double moved() const { return moved_; }
  double slack() const { return 0.5 * skin_; }
  const std::vector<Vec3<double>>& at() const { return at_; }  // [point] as of the last call of near()
  std::size_t bytes() const;

 private:
  struct Part {     // an edge or triangle with the points and edges that it answers for, or a sphere
    PairKind kind;  // spheres, edges or point_triangle: what it is
    int index;
    int points[3] = {-1, -1, -1};
    int edges[3] = {-1, -1, -1};
  };
  struct Neighbour {
    int node;
    double distance;  // m, or bonds
  };
  void make_parts();
  void find_neighbours();
  bool excluded(int point_a, int point_b) const;
  bool excluded(const ShapePair& pair) const;
  void add_pairs(const Part& p, const Part& q, std::vector<ShapePair>& out) const;
  void add_one_way(const Part& p, const Part& q, std::vector<ShapePair>& out) const;
  double hollows_moved(const Nodes& nodes) const;
  double offset_points_moved(const Nodes& nodes) const;
  double points_moved(const Nodes& nodes) const;
  Vec3<double> place(int point, const Nodes& nodes) const;
  void make_list(const Nodes& nodes, double reach, double least_skin);
  template <class BoxOf>
  void search(const BoxOf& box_of, std::vector<ShapePair>& out);

  const Shapes& shapes_;
  std::vector<Part> parts_;
  std::vector<int> first_neighbour_;   // [node]
  std::vector<Neighbour> neighbours_;  // ascending by node
  BroadPhase broad_;
  std::vector<Box> boxes_;
  std::vector<std::pair<int, int>> overlaps_;
  std::vector<Vec3<double>> at_, reference_;     // [point]
  std::vector<Frame<double>> hollow_reference_;  // [hollow] of its node
  std::vector<ShapePair> list_;
  double list_reach_ = -1, skin_ = 0, moved_ = 0;
  double path_ = 0;  // m, no node has come farther than this since the list was made
  long long lists_ = 0;
  std::vector<int> offset_points_;  // points that a turn of their node moves
};

}  // namespace ls
