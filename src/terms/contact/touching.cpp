#include "terms/contact/touching.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr double at_end = 1e-6;     // of an edge's length: nearer to its end, the place is the end
constexpr double near_end = 1e-2;   // likewise: nearer, the end itself may be the nearest place to within rounding
constexpr double level = 1e-9;      // sine of a slope that counts as none
constexpr double parallel = 0.95;   // cosine from which on two directions count as parallel
constexpr double one_plane = 1e-6;  // sine between two triangles that count as one face

// Whether going from `from` to `to` leads closer to what lies in the direction `towards`.
bool approaches(const V& from, const V& to, const V& towards) {
  const V step = to - from;
  return dot(step, towards) > level * norm(step) * norm(towards);
}
bool is_among(int point, const Nearness* n) {
  return n && std::find(n->point, n->point + n->count, point) != n->point + n->count;
}

}  // namespace

void Touching::Lists::fill(std::size_t count, std::vector<std::pair<int, int>>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  first.assign(count + 1, 0);
  for (const auto& [item, other] : pairs) ++first[item + 1], items.push_back(other);
  for (std::size_t i = 0; i < count; ++i) first[i + 1] += first[i];
}

Touching::Touching(const Shapes& shapes) : shapes_(shapes) {
  for (std::size_t k = 0; k < shapes.edges.size(); ++k) {
    const ShapeEdge& e = shapes.edges[k];
    sides_.push_back({std::min(e.a, e.b), std::max(e.a, e.b), static_cast<int>(k)});
  }
  std::sort(sides_.begin(), sides_.end(),
            [](const Side& a, const Side& b) { return std::tie(a.low, a.high) < std::tie(b.low, b.high); });
  std::vector<std::pair<int, int>> joined, across;
  const auto join = [&](int a, int b) { joined.emplace_back(a, b), joined.emplace_back(b, a); };
  for (const ShapeEdge& e : shapes.edges) join(e.a, e.b);
  for (const ShapeTriangle& t : shapes.triangles) {
    const int corner[5] = {t.a, t.b, t.c, t.a, t.b};
    for (int c = 0; c < 3; ++c) {
      join(corner[c], corner[c + 1]);
      const int e = edge_between(corner[c], corner[c + 1]);
      if (e >= 0) across.emplace_back(e, corner[c + 2]);
    }
  }
  in_triangle_.assign(shapes.points.size(), 0);
  for (const ShapeTriangle& t : shapes.triangles)
    for (const int p : {t.a, t.b, t.c}) in_triangle_[p] = 1;
  neighbours_.fill(shapes.points.size(), joined);
  opposite_.fill(shapes.edges.size(), across);
}

int Touching::edge_between(int a, int b) const {
  const auto key = std::pair(std::min(a, b), std::max(a, b));
  const auto found = std::lower_bound(sides_.begin(), sides_.end(), key,
                                      [](const Side& s, const auto& k) { return std::pair(s.low, s.high) < k; });
  return found != sides_.end() && std::pair(found->low, found->high) == key ? found->edge : -1;
}

// Whether a point is nearer to what lies in the direction `towards` than the places beside it on its own body. Those
// that `known` weighs against it are left out: it has told that they are not nearer, to within at_end.
bool Touching::is_nearest(int point, const V& towards, const Places& at, const Nearness* known) const {
  for (const int r : neighbours(point))
    if (!is_among(r, known) && approaches(at[point], at[r], towards)) return false;
  return true;
}

// The same of a place inside an edge, where the edge itself is level: only its triangles lead away from it.
bool Touching::is_nearest_edge(int edge, const V& place, const V& towards, const Places& at,
                               const Nearness* known) const {
  for (const int r : opposite_[edge])
    if (!is_among(r, known) && approaches(place, at[r], towards)) return false;
  return true;
}

// An edge between two triangles of one plane: the diagonal of a box's face, which nothing can touch by itself.
bool Touching::is_flat(int edge, const Places& at) const {
  const Span across = opposite_[edge];
  if (across.size() != 2) return false;
  const ShapeEdge& e = shapes_.edges[edge];
  const V a = at[e.a], side = at[e.b] - a;
  const V n = cross(side, at[across.first[0]] - a), m = cross(at[across.first[1]] - a, side);
  return dot(n, m) > 0 && norm(cross(n, m)) < one_plane * dot(n, m);
}

bool Touching::runs_along(int point, int edge, const Places& at) const {
  const ShapeEdge& e = shapes_.edges[edge];
  const V other = at[e.b] - at[e.a];
  return std::any_of(neighbours(point).begin(), neighbours(point).end(), [&](int r) {
    const V own = at[r] - at[point];
    return std::abs(dot(own, other)) > parallel * norm(own) * norm(other);
  });
}

bool Touching::settle_point_edge(Touch& touch, const Places& at) const {
  ShapePair& pair = touch.pair;
  const Nearness& near = touch.near;
  const ShapeEdge& e = shapes_.edges[pair.b];
  const double t = -near.weight[2];
  const bool inside = t > at_end && t < 1 - at_end;
  const int end = t < 0.5 ? e.a : e.b;
  touch.side_by_side = runs_along(pair.a, pair.b, at) && (inside || neighbours(end).size() > 1);
  if (!touch.side_by_side && !is_nearest(pair.a, -near.between, at)) return false;
  if (inside) return true;
  // In a hollow bend both edges have a place of their own, however near to the end.
  if (!is_nearest(end, near.between, at, &near)) return t > 0 && t < 1;
  // Side by side, each of two nodes would touch the other's rod a hair away from here: so both count here too.
  pair = touch.side_by_side ? ShapePair{PairKind::spheres, pair.a, end}
                            : ShapePair{PairKind::spheres, std::min(pair.a, end), std::max(pair.a, end)};
  return true;
}

bool Touching::settle_point_triangle(Touch& touch, const Places& at) const {
  ShapePair& pair = touch.pair;
  const Nearness& near = touch.near;
  int on[3] = {-1, -1, -1}, count = 0;
  for (int c = 1; c < 4; ++c)
    if (near.weight[c] < -at_end) on[count++] = near.point[c];
  if (count == 3) return true;
  const bool inside = near.weight[1] != 0 && near.weight[2] != 0 && near.weight[3] != 0;
  if (count == 1) {
    if (!is_nearest(on[0], near.between, at, &near)) return inside;
    pair = {PairKind::spheres, std::min(pair.a, on[0]), std::max(pair.a, on[0])};
    return true;
  }
  const int edge = edge_between(on[0], on[1]);
  if (edge < 0) return true;
  const V place = at[pair.a] - near.between;
  if (!is_nearest_edge(edge, place, near.between, at, &near)) return inside;
  pair = {PairKind::point_edge, pair.a, edge};
  if (is_flat(edge, at)) return true;
  touch.near = nearness(shapes_, pair, [&](int p) { return at[p]; });
  return settle_point_edge(touch, at);
}

// Two edges count where neither has its nearest place at an end. Near one, whether the end itself counts is decided as
// for a point and an edge, so that exactly one of the two does.
bool Touching::settle_edges(Touch& touch, const Places& at) const {
  const ShapePair& pair = touch.pair;
  const Nearness& near = touch.near;
  if (is_flat(pair.a, at) || is_flat(pair.b, at)) return false;
  for (int i = 0; i < 4; ++i) {
    const double w = std::abs(near.weight[i]);
    if (w == 0) return false;
    if (w < 1 - near_end) continue;
    Touch end{{PairKind::point_edge, near.point[i], i < 2 ? pair.b : pair.a}, {}};
    end.near = nearness(shapes_, end.pair, [&](int p) { return at[p]; });
    if (settle_point_edge(end, at)) return false;
  }
  touch.side_by_side = runs_along(near.point[0], pair.b, at);
  const V on_a = near.weight[0] * at[near.point[0]] + near.weight[1] * at[near.point[1]];
  return is_nearest_edge(pair.a, on_a, -near.between, at) &&
         is_nearest_edge(pair.b, on_a - near.between, near.between, at);
}

// Turns a pair into the features that touch. False where another pair tells of the same place, or a nearer one.
bool Touching::settle(Touch& touch, const Places& at) const {
  switch (touch.pair.kind) {
    case PairKind::spheres:
    case PairKind::point_hollow:
      return true;
    case PairKind::point_edge:
      return settle_point_edge(touch, at);
    case PairKind::point_triangle:
      return settle_point_triangle(touch, at);
    case PairKind::edges:
      return settle_edges(touch, at);
  }
  return false;
}

// A rod across a rod, or a ball on one.
bool Touching::is_crossing(const Touch& t) const {
  if (t.side_by_side || t.pair.kind == PairKind::point_hollow || t.pair.kind == PairKind::point_triangle) return false;
  bool on_a_rod = false;
  for (int i = 0; i < t.near.count; ++i) {
    if (in_triangle_[t.near.point[i]]) return false;
    on_a_rod = on_a_rod || !stands_alone(t.near.point[i]);
  }
  return on_a_rod;
}

// Drops crossings within a radius of a deeper one between the same bodies. Each is compared as it was found, so the
// order does not matter.
void Touching::keep_deepest(const Places& at, std::vector<Touch>& touches) {
  crossings_.clear();
  const auto body = [&](int point) { return shapes_.body_of[shapes_.points[point].node]; };
  for (std::size_t k = 0; k < touches.size(); ++k) {
    const Nearness& n = touches[k].near;
    if (!is_crossing(touches[k])) continue;
    V place{};
    for (int i = 0; i < n.count; ++i) place += 0.5 * std::abs(n.weight[i]) * at[n.point[i]];
    const auto [low, high] = std::minmax({body(n.point[0]), body(n.point[n.count - 1])});
    crossings_.push_back({low, high, place, static_cast<int>(k)});
  }
  if (crossings_.size() < 2) return;
  std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& a, const Crossing& b) {
    return std::tie(a.body1, a.body2, a.place.x, a.touch) < std::tie(b.body1, b.body2, b.place.x, b.touch);
  });
  dropped_.assign(touches.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < crossings_.size(); ++i)
    for (std::size_t j = i + 1; j < crossings_.size(); ++j) {
      const Crossing &a = crossings_[i], &b = crossings_[j];
      const Touch &s = touches[a.touch], &t = touches[b.touch];
      const double radius = 0.5 * s.near.radii;
      if (b.body1 != a.body1 || b.body2 != a.body2 || b.place.x - a.place.x > radius) break;
      if (norm(b.place - a.place) > radius) continue;
      const bool first = std::pair(s.near.gap(), a.touch) < std::pair(t.near.gap(), b.touch);
      dropped_[first ? b.touch : a.touch] = 1;
      any = true;
    }
  if (!any) return;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < touches.size(); ++k)
    if (!dropped_[k]) touches[kept++] = touches[k];
  touches.resize(kept);
}

void Touching::find(const std::vector<ShapePair>& pairs, const Places& at, const Nodes& nodes,
                    std::vector<Touch>& out) {
  out.clear();
  bool in_order = true;
  for (const ShapePair& pair : pairs) {
    Touch touch{pair, nearness(shapes_, pair, at, nodes)};
    if (touch.near.gap() >= 0 || (touch.near.distance == 0 && pair.kind != PairKind::point_hollow)) continue;
    if (!settle(touch, at)) continue;
    if (touch.pair != pair) touch.near = nearness(shapes_, touch.pair, at, nodes);
    in_order = in_order && (out.empty() || out.back().pair < touch.pair);
    out.push_back(touch);
  }
  if (!in_order) {
    std::sort(out.begin(), out.end(), [](const Touch& a, const Touch& b) { return a.pair < b.pair; });
    out.erase(std::unique(out.begin(), out.end(), [](const Touch& a, const Touch& b) { return a.pair == b.pair; }),
              out.end());
  }
  if (!shapes_.edges.empty()) keep_deepest(at, out);
}

void Touching::wanted(const std::vector<ShapePair>& pairs, std::vector<int>& points) const {
  points.clear();
  const auto add = [&](int p) { points.push_back(p); };
  const auto add_edge = [&](int edge) { add(shapes_.edges[edge].a), add(shapes_.edges[edge].b); };
  for (const ShapePair& p : pairs) {
    p.kind == PairKind::edges ? add_edge(p.a) : add(p.a);
    if (p.kind == PairKind::edges || p.kind == PairKind::point_edge) add_edge(p.b);
    if (p.kind == PairKind::spheres) add(p.b);
    if (p.kind != PairKind::point_triangle) continue;
    const ShapeTriangle& t = shapes_.triangles[p.b];
    add(t.a), add(t.b), add(t.c);
  }
  const auto unite = [&] {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
  };
  unite();
  for (std::size_t k = 0, own = points.size(); k < own; ++k)  // corners across from an edge are neighbours too
    for (const int r : neighbours(points[k])) add(r);
  unite();
}

std::size_t Touching::bytes() const {
  return (neighbours_.first.size() + neighbours_.items.size() + opposite_.first.size() + opposite_.items.size()) *
             sizeof(int) +
         sides_.size() * sizeof(Side);
}

}  // namespace ls
