#include "collide/pairs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

namespace ls {

namespace {

using V = Vec3<double>;

// A rod can't bend tighter than a circle of its own radius: places nearer than a quarter of that circle, measured
// between the centre lines of two arms that just touch, would touch where nothing does.
constexpr double quarter_turn = 1.6;

Box around(const V& p, double r) {
  return {{p.x - r, p.y - r, p.z - r}, {p.x + r, p.y + r, p.z + r}};
}
void extend(Box& b, const Box& c) {
  b.low = {std::min(b.low.x, c.low.x), std::min(b.low.y, c.low.y), std::min(b.low.z, c.low.z)};
  b.high = {std::max(b.high.x, c.high.x), std::max(b.high.y, c.high.y), std::max(b.high.z, c.high.z)};
}

}  // namespace

namespace {
V place_of(const ShapePoint& p, const Nodes& nodes) {
  const V& o = p.offset;
  const V x{nodes.x[0][p.node], nodes.x[1][p.node], nodes.x[2][p.node]};
  return o.x == 0 && o.y == 0 && o.z == 0 ? x : x + rotate(nodes.frame(p.node).q, o);
}
}  // namespace

void place_points(const Shapes& shapes, const Nodes& nodes, std::vector<V>& at) {
  at.resize(shapes.points.size());
  for (std::size_t k = 0; k < at.size(); ++k) at[k] = place_of(shapes.points[k], nodes);
}

V PairFinder::place(int point, const Nodes& nodes) const {
  return place_of(shapes_.points[point], nodes);
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

PairFinder::PairFinder(const Shapes& shapes) : shapes_(shapes) {
  make_parts();
  find_neighbours();
  for (std::size_t k = 0; k < shapes.points.size(); ++k)
    if (dot(shapes.points[k].offset, shapes.points[k].offset) > 0) offset_points_.push_back(static_cast<int>(k));
}

void PairFinder::make_parts() {
  std::vector<std::uint8_t> has_point(shapes_.points.size(), 0);
  std::map<std::pair<int, int>, int> edges;
  for (std::size_t k = 0; k < shapes_.edges.size(); ++k) {
    const ShapeEdge& e = shapes_.edges[k];
    edges[{std::min(e.a, e.b), std::max(e.a, e.b)}] = static_cast<int>(k);
  }
  std::vector<std::uint8_t> has_edge(shapes_.edges.size(), 0);
  const auto take_point = [&](Part& p, int& count, int point) {
    if (std::exchange(has_point[point], 1) == 0) p.points[count++] = point;
  };
  for (std::size_t k = 0; k < shapes_.triangles.size(); ++k) {
    Part p{PairKind::point_triangle, static_cast<int>(k)};
    const ShapeTriangle& t = shapes_.triangles[k];
    const int corner[4] = {t.a, t.b, t.c, t.a};
    int points = 0, taken = 0;
    for (int c = 0; c < 3; ++c) {
      take_point(p, points, corner[c]);
      const auto e = edges.find({std::min(corner[c], corner[c + 1]), std::max(corner[c], corner[c + 1])});
      if (e != edges.end() && std::exchange(has_edge[e->second], 1) == 0) p.edges[taken++] = e->second;
    }
    parts_.push_back(p);
  }
  for (std::size_t k = 0; k < shapes_.edges.size(); ++k) {
    if (has_edge[k]) continue;
    Part p{PairKind::edges, static_cast<int>(k)};
    p.edges[0] = static_cast<int>(k);
    int points = 0;
    take_point(p, points, shapes_.edges[k].a);
    take_point(p, points, shapes_.edges[k].b);
    parts_.push_back(p);
  }
  for (const int s : shapes_.spheres) {
    Part p{PairKind::spheres, s};
    p.points[0] = s;
    parts_.push_back(p);
  }
}

// Which nodes are near along bonds, by Dijkstra's method from each as far as it matters.
void PairFinder::find_neighbours() {
  const bool by_bonds = shapes_.settings.exclude_bonds >= 0;
  double widest = 0;
  for (const ShapePoint& p : shapes_.points) widest = std::max(widest, p.radius);
  const double limit = by_bonds                        ? shapes_.settings.exclude_bonds
                       : shapes_.settings.exclude >= 0 ? shapes_.settings.exclude
                                                       : quarter_turn * (2 * widest + shapes_.settings.thickness);
  const auto nodes = shapes_.is_wall.size();
  std::vector<std::vector<Neighbour>> joined(nodes);
  for (const ShapeLink& l : shapes_.links) {
    const double length = by_bonds ? 1 : l.length;
    joined[l.node1].push_back({l.node2, length});
    joined[l.node2].push_back({l.node1, length});
  }
  std::map<int, double> found;
  using Item = std::pair<double, int>;
  for (std::size_t i = 0; i < nodes; ++i) {
    first_neighbour_.push_back(static_cast<int>(neighbours_.size()));
    if (joined[i].empty()) continue;
    found.clear();
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    queue.emplace(0.0, static_cast<int>(i));
    found[static_cast<int>(i)] = 0;
    while (!queue.empty()) {
      const auto [distance, node] = queue.top();
      queue.pop();
      if (distance > found[node]) continue;
      for (const Neighbour& n : joined[node]) {
        const double there = distance + n.distance;
        if (there > limit) continue;
        const auto at = found.find(n.node);
        if (at != found.end() && at->second <= there) continue;
        found[n.node] = there;
        queue.emplace(there, n.node);
      }
    }
    for (const auto& [node, distance] : found) neighbours_.push_back({node, distance});
  }
  first_neighbour_.push_back(static_cast<int>(neighbours_.size()));
}

bool PairFinder::excluded(int point_a, int point_b) const {
  const ShapePoint &a = shapes_.points[point_a], &b = shapes_.points[point_b];
  if (a.node == b.node) return true;
  const auto first = neighbours_.begin() + first_neighbour_[a.node];
  const auto last = neighbours_.begin() + first_neighbour_[static_cast<std::size_t>(a.node) + 1];
  const auto at = std::lower_bound(first, last, b.node, [](const Neighbour& n, int node) { return n.node < node; });
  if (at == last || at->node != b.node) return false;
  const ContactSettings& set = shapes_.settings;
  return set.exclude_bonds >= 0 || set.exclude >= 0 ||
         at->distance <= quarter_turn * (a.radius + b.radius + set.thickness);
}

bool PairFinder::excluded(const ShapePair& pair) const {
  int a[2] = {pair.a, -1}, b[3] = {pair.b, -1, -1};
  if (pair.kind == PairKind::edges) {
    const ShapeEdge& e = shapes_.edges[pair.a];
    a[0] = e.a, a[1] = e.b;
  }
  if (pair.kind == PairKind::edges || pair.kind == PairKind::point_edge) {
    const ShapeEdge& e = shapes_.edges[pair.b];
    b[0] = e.a, b[1] = e.b;
  } else if (pair.kind == PairKind::point_triangle) {
    const ShapeTriangle& t = shapes_.triangles[pair.b];
    b[0] = t.a, b[1] = t.b, b[2] = t.c;
  }
  const auto node = [&](int point) { return static_cast<std::size_t>(shapes_.points[point].node); };
  if (shapes_.is_wall[node(a[0])] && shapes_.is_wall[node(b[0])]) return true;
  for (const int p : a)
    for (const int q : b)
      if (p >= 0 && q >= 0 && excluded(p, q)) return true;
  return false;
}

void PairFinder::add_one_way(const Part& p, const Part& q, std::vector<ShapePair>& out) const {
  if (q.kind == PairKind::spheres && p.kind != PairKind::spheres) return;  // the sphere's point does it
  const PairKind kind = q.kind == PairKind::edges ? PairKind::point_edge : q.kind;
  for (const int point : p.points) {
    const ShapePair pair{kind, point, q.index};
    if (point >= 0 && !excluded(pair)) out.push_back(pair);
  }
}

void PairFinder::add_pairs(const Part& p, const Part& q, std::vector<ShapePair>& out) const {
  if (p.kind == PairKind::spheres && q.kind == PairKind::spheres) {
    const ShapePair pair{PairKind::spheres, std::min(p.index, q.index), std::max(p.index, q.index)};
    if (!excluded(pair)) out.push_back(pair);
    return;
  }
  add_one_way(p, q, out);
  add_one_way(q, p, out);
  for (const int e : p.edges)
    for (const int f : q.edges) {
      const ShapePair pair{PairKind::edges, std::min(e, f), std::max(e, f)};
      if (e >= 0 && f >= 0 && !excluded(pair)) out.push_back(pair);
    }
}

// box_of(point): where it may be, with its radius and half the reach.
template <class BoxOf>
void PairFinder::search(const BoxOf& box_of, std::vector<ShapePair>& out) {
  boxes_.clear();
  for (const Part& p : parts_) {
    int corner[3] = {p.index, p.index, p.index};
    if (p.kind == PairKind::edges) {
      const ShapeEdge& e = shapes_.edges[p.index];
      corner[0] = e.a, corner[1] = corner[2] = e.b;
    } else if (p.kind == PairKind::point_triangle) {
      const ShapeTriangle& t = shapes_.triangles[p.index];
      corner[0] = t.a, corner[1] = t.b, corner[2] = t.c;
    }
    Box box = box_of(corner[0]);
    if (corner[1] != corner[0]) extend(box, box_of(corner[1]));
    if (corner[2] != corner[1]) extend(box, box_of(corner[2]));
    boxes_.push_back(box);
  }
  broad_.find(boxes_, overlaps_);
  out.clear();
  for (const auto& [i, j] : overlaps_) add_pairs(parts_[i], parts_[j], out);
}

// How far the surfaces of walls have moved since the list was made; one that turned has moved too far.
double PairFinder::hollows_moved(const Nodes& nodes) const {
  double most = 0;
  for (std::size_t h = 0; h < shapes_.hollows.size(); ++h) {
    const auto f = nodes.frame(shapes_.hollows[h].node), &g = hollow_reference_[h];
    if (f.q.w != g.q.w || f.q.v.x != g.q.v.x || f.q.v.y != g.q.v.y || f.q.v.z != g.q.v.z) return 1e300;
    most = std::max(most, norm(f.x - g.x));
  }
  return most;
}

double PairFinder::offset_points_moved(const Nodes& nodes) const {
  double most = 0;
  for (const int p : offset_points_) {
    const V d = place(p, nodes) - reference_[p];
    most = std::max(most, dot(d, d));
  }
  return std::sqrt(most);
}

double PairFinder::points_moved(const Nodes& nodes) const {
  double most = 0;
  for (std::size_t k = 0; k < at_.size(); ++k) {
    const V d = at_[k] - reference_[k];
    most = std::max(most, dot(d, d));
  }
  return std::max(std::sqrt(most), hollows_moved(nodes));
}

const std::vector<ShapePair>& PairFinder::near(const Nodes& nodes, double reach) {
  place_points(shapes_, nodes, at_);
  if (list_reach_ >= reach) {
    path_ = moved_ = points_moved(nodes);
    if (moved_ <= slack()) return list_;
  }
  make_list(nodes, reach, 0);
  return list_;
}

const std::vector<ShapePair>& PairFinder::near(const Nodes& nodes, double reach, double travelled,
                                               const std::vector<int>& wanted) {
  constexpr double early = 0.75;        // of the slack: from here on a new list is made, before it is needed
  constexpr double steps_to_last = 40;  // that the slack allows at the present speed
  if (list_reach_ >= reach) {
    path_ += travelled;
    moved_ = std::max({path_, offset_points_moved(nodes), hollows_moved(nodes)});
    if (moved_ <= early * slack()) {
      for (const int p : wanted) at_[p] = place(p, nodes);
      return list_;
    }
    place_points(shapes_, nodes, at_);
    path_ = moved_ = points_moved(nodes);  // who goes to and fro has not come far
    if (moved_ <= early * slack()) return list_;
  } else {
    place_points(shapes_, nodes, at_);
  }
  make_list(nodes, reach, 2 * steps_to_last * travelled);
  return list_;
}

// Of the points as they are in at_.
void PairFinder::make_list(const Nodes& nodes, double reach, double least_skin) {
  double radius = 0, size = 0;
  for (const ShapePoint& p : shapes_.points)
    radius = std::max(radius, p.radius), size = std::max(size, dot(p.offset, p.offset));
  if (radius == 0) radius = 0.1 * std::sqrt(size);  // bodies with sharp corners only
  skin_ = std::max({2 * reach, 0.5 * radius, std::min(least_skin, 4 * radius)});
  list_reach_ = reach;
  reference_ = at_;
  hollow_reference_.clear();
  for (const Hollow& h : shapes_.hollows) hollow_reference_.push_back(nodes.frame(h.node));
  path_ = moved_ = 0;
  ++lists_;
  const double half = 0.5 * (reach + skin_);
  const auto radius_of = [&](std::size_t k) { return shapes_.points[k].radius; };
  search([&](int p) { return around(at_[p], radius_of(static_cast<std::size_t>(p)) + half); }, list_);
  std::erase_if(list_, [&](const ShapePair& pair) {  // boxes along the axes overlap long before slanted capsules do
    return nearness(shapes_, pair, at_, nodes).gap() > reach + skin_;
  });
  for (std::size_t h = 0; h < shapes_.hollows.size(); ++h)
    for (std::size_t k = 0; k < at_.size(); ++k)
      if (!shapes_.is_wall[shapes_.points[k].node] &&
          distance_from(shapes_.hollows[h], hollow_reference_[h], at_[k]).distance <= radius_of(k) + reach + skin_)
        list_.push_back({PairKind::point_hollow, static_cast<int>(k), static_cast<int>(h)});
  std::sort(list_.begin(), list_.end());
}

void PairFinder::near_on_the_way(const std::vector<V>& at, const std::vector<V>& to, const std::vector<double>& bulge,
                                 double reach, std::vector<ShapePair>& out) {
  search(
      [&](int p) {
        const auto k = static_cast<std::size_t>(p);
        const double r = shapes_.points[k].radius + 0.5 * reach + bulge[k];
        Box box = around(at[k], r);
        extend(box, around(to[k], r));
        return box;
      },
      out);
  for (std::size_t h = 0; h < shapes_.hollows.size(); ++h)
    for (std::size_t k = 0; k < at.size(); ++k)
      if (!shapes_.is_wall[shapes_.points[k].node])
        out.push_back({PairKind::point_hollow, static_cast<int>(k), static_cast<int>(h)});
  std::sort(out.begin(), out.end());
}

std::size_t PairFinder::bytes() const {
  return parts_.size() * (sizeof(Part) + sizeof(Box)) + neighbours_.size() * sizeof(Neighbour) +
         2 * at_.size() * sizeof(V) + list_.capacity() * sizeof(ShapePair);
}

}  // namespace ls
