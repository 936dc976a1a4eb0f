#include "build/overlaps.h"

#include "collide/exclusions.h"
#include "collide/pair_finder.h"
#include "model/node_name.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <numbers>
#include <numeric>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr int most_shown = 10;
constexpr int most_rounds = 2000;

V direction(const V& a) {
  const double length = norm(a);
  return length > 0 ? (1 / length) * a : V{0, 0, 1};  // at the same place: any will do
}

void extend(Box& box, const V& p, double r) {
  box.low = {std::min(box.low.x, p.x - r), std::min(box.low.y, p.y - r), std::min(box.low.z, p.z - r)};
  box.high = {std::max(box.high.x, p.x + r), std::max(box.high.y, p.y + r), std::max(box.high.z, p.z + r)};
}
constexpr Box nowhere{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};

class Search {
 public:
  Search(const Model& m, const Nodes& nodes, double gap)
      : m_(m),
        shapes_(*m.shapes),
        nodes_(nodes),
        gap_(gap),
        finder_(shapes_, PairFinder::Places::all),
        exclusions_(shapes_) {}

  std::vector<Overlap> found() {
    for (const ShapePair& pair : finder_.near(nodes_, std::max(gap_, 0.0))) look_at(pair);
    find_inside_and_through();
    std::vector<Overlap> all;
    for (auto& [names, overlap] : deepest_) all.push_back(overlap);
    std::ranges::stable_sort(all, std::greater<>(), &Overlap::depth);
    return all;
  }

 private:
  using Points = std::vector<int>;
  const V& at(int point) const { return finder_.at()[point]; }
  int node_of(int point) const { return shapes_.points[point].node; }
  Points corners(const ShapeEdge& e) const { return {e.a, e.b}; }
  Points corners(const ShapeTriangle& t) const { return {t.a, t.b, t.c}; }

  // "beam[12]-beam[13]"; a rigid body but once.
  std::string name(const Points& points) const {
    std::string text;
    for (const int p : points) {
      const std::string one = node_name(m_, node_of(p));
      if (text.empty())
        text = one;
      else if (one != text)
        text += "-" + one;
    }
    return text;
  }
  void note(const Points& a, const Points& b, double depth, const V& towards) {
    note(name(a), node_of(a[0]), name(b), node_of(b[0]), depth, towards);
  }
  void note(const std::string& a, int node_a, const std::string& b, int node_b, double depth, const V& towards) {
    if (b < a) return note(b, node_b, a, node_a, depth, -towards);
    const auto [at, is_new] = deepest_.try_emplace({a, b}, Overlap{a, b, node_a, node_b, depth, towards});
    if (!is_new && depth > at->second.depth) at->second = {a, b, node_a, node_b, depth, towards};
  }

  void look_at(const ShapePair& pair) {
    const Nearness n = nearness(shapes_, pair, finder_.at(), nodes_);
    if (!(n.gap() <= gap_)) return;
    if (pair.kind == PairKind::point_hollow) {
      const Hollow& h = shapes_.hollows[pair.b];
      const V normal = distance_from(h, nodes_.frame(h.node), at(pair.a)).normal;
      return note(name({pair.a}), node_of(pair.a), node_name(m_, h.node), h.node, -n.gap(), direction(normal));
    }
    Points a, b;
    for (int k = 0; k < n.count; ++k) (k == 0 || n.weight[k] > 0 ? a : b).push_back(n.point[k]);
    if (pair.kind == PairKind::edges) a = {n.point[0], n.point[1]}, b = {n.point[2], n.point[3]};
    note(a, b, -n.gap(), direction(n.between));
  }

  // How often a closed surface goes round a point: the sum of solid angles (Van Oosterom and Strackee, IEEE Trans.
  // Biomed. Eng. 30, 1983), 1 inside and 0 outside.
  double winding(const std::vector<int>& triangles, const V& p) const {
    double sum = 0;
    for (const int t : triangles) {
      const ShapeTriangle& c = shapes_.triangles[t];
      const V a = at(c.a) - p, b = at(c.b) - p, d = at(c.c) - p;
      const double la = norm(a), lb = norm(b), ld = norm(d);
      sum += 2 * std::atan2(dot(a, cross(b, d)), la * lb * ld + dot(a, b) * ld + dot(b, d) * la + dot(d, a) * lb);
    }
    return sum / (4 * std::numbers::pi);
  }

  // What moves as one, and its parts: a rigid body or an obstacle, whose surface is closed where it has one, or a
  // point, an edge or a triangle of anything else.
  struct Group {
    Box box = nowhere;
    bool is_closed = false;
    std::vector<int> points, edges, triangles;
  };
  std::vector<Group> groups() const {
    std::vector<Group> all;
    std::map<int, std::size_t> of_body;  // [node]
    const auto add = [&](std::vector<int> Group::*list, int index, const Points& corners) {
      const int node = node_of(corners[0]);
      const bool is_body = is_single(m_.bodies[shapes_.body_of[node]]);
      const std::size_t k = is_body ? of_body.try_emplace(node, all.size()).first->second : all.size();
      if (k == all.size()) all.emplace_back();
      (all[k].*list).push_back(index);
      all[k].is_closed = is_body && !all[k].triangles.empty();
      for (const int p : corners) extend(all[k].box, at(p), 0);
    };
    for (std::size_t k = 0; k < shapes_.points.size(); ++k)
      add(&Group::points, static_cast<int>(k), {static_cast<int>(k)});
    for (std::size_t k = 0; k < shapes_.edges.size(); ++k)
      add(&Group::edges, static_cast<int>(k), corners(shapes_.edges[k]));
    for (std::size_t k = 0; k < shapes_.triangles.size(); ++k)
      add(&Group::triangles, static_cast<int>(k), corners(shapes_.triangles[k]));
    return all;
  }

  // Distances have no sign on surfaces: what lies within one, or goes through it, is found by looking for it. Boxes of
  // whole bodies first, so that the triangles of one are never compared with each other.
  void find_inside_and_through() {
    if (shapes_.triangles.empty()) return;
    const std::vector<Group> all = groups();
    std::vector<Box> boxes;
    boxes.reserve(all.size());
    for (const Group& group : all) boxes.push_back(group.box);
    std::vector<std::pair<int, int>> pairs;
    BroadPhase().find(boxes, pairs);
    find_pieces();
    for (const auto& [a, b] : pairs) {
      crosses_ = false;
      find_edges_through(all[a], all[b]), find_edges_through(all[b], all[a]);
      find_points_inside(all[a], all[b]), find_points_inside(all[b], all[a]);
    }
  }
  // [point] the first one that edges and triangles join it to.
  void find_pieces() {
    piece_.resize(shapes_.points.size());
    std::iota(piece_.begin(), piece_.end(), 0);
    for (const ShapeEdge& e : shapes_.edges) join_pieces(e.a, e.b);
    for (const ShapeTriangle& t : shapes_.triangles) join_pieces(t.a, t.b), join_pieces(t.a, t.c);
  }
  int piece_of(int point) {
    while (piece_[point] != point) point = piece_[point] = piece_[piece_[point]];
    return point;
  }
  void join_pieces(int a, int b) {
    const int first = piece_of(a), second = piece_of(b);
    piece_[std::max(first, second)] = std::min(first, second);
  }
  // A piece whose edges go through no face, and none of the surface's through its own, is inside as a whole or not at
  // all: some of its points are enough. One would be, but for edges that meet a face exactly at a side of it.
  void find_points_inside(const Group& surface, const Group& other) {
    constexpr int enough = 40;
    if (!surface.is_closed) return;
    const int node = node_of(shapes_.triangles[surface.triangles[0]].a);
    std::map<int, int> outside;  // [piece] points that were
    for (const int point : other.points) {
      const V& p = at(point);
      int* const seen = crosses_ ? nullptr : &outside[piece_of(point)];
      if ((seen && *seen >= enough) || exclusions_.may_exclude(node, node_of(point)) || !overlap(surface.box, {p, p}))
        continue;
      if (winding(surface.triangles, p) >= 0.5)
        note_inside(point, surface.triangles);
      else if (seen)
        ++*seen;
    }
  }
  // Those that reach into a box, and where they are.
  template <class T>
  std::vector<int> reaching_into(const Box& box, const std::vector<T>& items, const std::vector<int>& some,
                                 std::vector<Box>& boxes) const {
    std::vector<int> found;
    for (const int k : some) {
      Box its = nowhere;
      for (const int p : corners(items[k])) extend(its, at(p), 0);
      if (!overlap(box, its)) continue;
      found.push_back(k);
      boxes.push_back(its);
    }
    return found;
  }
  // An edge may pass through a face without a corner inside: neither its ends nor other edges need be near.
  void find_edges_through(const Group& surface, const Group& other) {
    if (surface.triangles.empty() || other.edges.empty()) return;
    std::vector<Box> boxes;
    const auto triangles = reaching_into(other.box, shapes_.triangles, surface.triangles, boxes);
    const auto edges = reaching_into(surface.box, shapes_.edges, other.edges, boxes);
    if (triangles.empty() || edges.empty()) return;
    if (triangles.size() == 1 && edges.size() == 1) return look_through(triangles[0], shapes_.edges[edges[0]]);
    std::vector<std::pair<int, int>> pairs;
    BroadPhase().find(boxes, pairs);
    for (const auto& [first, second] : pairs) {
      const auto t = static_cast<std::size_t>(first), e = static_cast<std::size_t>(second);
      if (t < triangles.size() && e >= triangles.size())
        look_through(triangles[t], shapes_.edges[edges[e - triangles.size()]]);
    }
  }
  void note_inside(int point, const std::vector<int>& triangles) {
    const V& p = at(point);
    double nearest = 1e300;
    V out;
    int corner = 0;
    for (const int t : triangles) {
      const ShapeTriangle& c = shapes_.triangles[t];
      const OnTriangle on = closest_on_triangle(p, at(c.a), at(c.b), at(c.c));
      const V to = on.w[0] * at(c.a) + on.w[1] * at(c.b) + on.w[2] * at(c.c) - p;
      if (norm(to) >= nearest) continue;
      nearest = norm(to), corner = c.a;
      out = nearest > 0 ? direction(to) : direction(cross(at(c.b) - at(c.a), at(c.c) - at(c.a)));
    }
    const auto radius = [&](int q) { return shapes_.points[q].radius; };
    note({point}, {corner}, nearest + radius(point) + radius(corner), out);
  }

  void look_through(int triangle, const ShapeEdge& e) {
    for (const int p : corners(e))
      if (exclusions_.excluded({PairKind::point_triangle, p, triangle})) {
        crosses_ = true;  // or may do so
        return;
      }
    const ShapeTriangle& t = shapes_.triangles[triangle];
    const V a = at(t.a), u = at(t.b) - a, v = at(t.c) - a, n = cross(u, v), from = at(e.a) - a,
            along = at(e.b) - at(e.a);
    const double slope = dot(n, along), before = dot(n, from), square = dot(n, n);
    if (slope == 0 || square == 0) return;
    const double s = -before / slope;
    if (!(s >= 0 && s <= 1)) return;
    const V p = from + s * along;
    const double w1 = dot(cross(p, v), n) / square, w2 = dot(cross(u, p), n) / square;
    if (w1 < 0 || w2 < 0 || w1 + w2 > 1) return;
    crosses_ = true;
    // The end that is less far through tells how deep it is.
    const double through = std::min(std::abs(before), std::abs(before + slope)) / std::sqrt(square);
    const bool keeps_first = std::abs(before) >= std::abs(before + slope);
    const double side = keeps_first ? before : before + slope;
    const double radii = shapes_.points[t.a].radius + shapes_.points[e.a].radius;
    note({e.a, e.b}, {t.a, t.b, t.c}, through + radii, direction((side >= 0 ? 1.0 : -1.0) * n));
  }

  const Model& m_;
  const Shapes& shapes_;
  const Nodes& nodes_;
  double gap_;
  PairFinder finder_;
  Exclusions exclusions_;   // what may overlap since it does not touch
  std::vector<int> piece_;  // [point] see find_pieces
  bool crosses_ = false;    // an edge of one of the two bodies at hand goes through a face of the other
  std::map<std::pair<std::string, std::string>, Overlap> deepest_;
};

// Nodes that can't be moved apart: [node] the first node of its group. Bodies that share a node are one group.
std::vector<int> groups_of(const Model& m) {
  std::vector<int> parent(static_cast<std::size_t>(m.nodes));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  for (const Body& body : m.bodies)
    for (const int node : body.nodes) {
      const int a = root(body.nodes.front()), b = root(node);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (int i = 0; i < m.nodes; ++i) parent[i] = root(i);
  return parent;
}

}  // namespace

std::vector<Overlap> find_overlaps(const Model& model, const Nodes& nodes, double gap) {
  if (!model.shapes) return {};
  return Search(model, nodes, gap).found();
}

std::string describe(const std::vector<Overlap>& overlaps, const Model& m) {
  struct Pair {
    const Overlap* deepest;
    int more = 0;
  };
  std::vector<Pair> pairs;  // the deepest first, as they come
  std::map<std::pair<int, int>, std::size_t> place;
  for (const Overlap& o : overlaps) {
    const auto bodies = std::minmax(m.body_of[o.node_a], m.body_of[o.node_b]);
    const auto [at, is_new] = place.try_emplace({bodies.first, bodies.second}, pairs.size());
    if (is_new) pairs.push_back({&o});
    if (!is_new) ++pairs[at->second].more;
  }
  const std::string separator = pairs.size() > 1 ? "\n  " : "";
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(most_shown, pairs.size()); ++k) {
    const Overlap& o = *pairs[k].deepest;
    text += fmt::format("{}{} and {} by {:.4g} mm", separator, o.a, o.b, std::max(0.0, 1e3 * o.depth));
    if (pairs[k].more > 0) text += fmt::format(" (and in {} more places)", pairs[k].more);
  }
  if (pairs.size() > most_shown)
    text += fmt::format("{}and {} more pairs of bodies", separator, pairs.size() - most_shown);
  return text;
}

std::vector<Overlap> resolve_overlaps(const Model& m, double gap, Nodes& nodes) {
  const std::vector<int> group = groups_of(m);
  std::vector<std::uint8_t> fixed(static_cast<std::size_t>(m.nodes), 0);  // [group]
  for (std::size_t i = 0; i < group.size(); ++i)
    if (m.held[i]) fixed[group[i]] = 1;
  const auto group_of = [&](int node) { return static_cast<std::size_t>(group[node]); };
  // Towards somewhat more than is asked for: what pushes each other to and fro comes near a gap but never there.
  const double aim = gap + 0.2 * m.shapes->settings.thickness;
  std::vector<Overlap> left;
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<Overlap> near = find_overlaps(m, nodes, aim);
    left.clear();
    std::ranges::copy_if(near, std::back_inserter(left), [&](const Overlap& o) { return -o.depth <= gap; });
    if (left.empty()) break;
    std::vector<V> shift(group.size());
    std::map<std::pair<std::size_t, std::size_t>, bool> done;  // of two bodies only the deepest place counts
    bool any = false;
    for (const Overlap& o : near) {
      const std::size_t a = group_of(o.node_a), b = group_of(o.node_b);
      if (a == b || (fixed[a] && fixed[b]) || std::exchange(done[{a, b}], true)) continue;
      const double way = o.depth + aim, share = fixed[a] || fixed[b] ? 1 : 0.5;
      if (!fixed[a]) shift[a] += share * way * o.towards;
      if (!fixed[b]) shift[b] += -share * way * o.towards;
      any = any || -o.depth <= gap;
    }
    if (!any) break;
    for (int i = 0; i < m.nodes; ++i) {
      const V& d = shift[group_of(i)];
      nodes.x[0][i] += d.x, nodes.x[1][i] += d.y, nodes.x[2][i] += d.z;
    }
  }
  return left;
}

}  // namespace ls
