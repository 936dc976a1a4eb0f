#include "collide/exclusions.h"

#include <algorithm>
#include <map>
#include <queue>

namespace ls {

namespace {

// A rod can't bend tighter than a circle of its own radius: places nearer than a quarter of that circle, measured
// between the centre lines of two arms that just touch, would touch where nothing does.
constexpr double quarter_turn = 1.6;

}  // namespace

// Which nodes are near along bonds, by Dijkstra's method from each as far as it matters.
Exclusions::Exclusions(const Shapes& shapes) : shapes_(shapes) {
  const bool by_bonds = shapes.settings.exclude_bonds >= 0;
  double widest = 0;
  for (const ShapePoint& p : shapes.points) widest = std::max(widest, p.radius);
  const double limit = by_bonds                       ? shapes.settings.exclude_bonds
                       : shapes.settings.exclude >= 0 ? shapes.settings.exclude
                                                      : quarter_turn * (2 * widest + shapes.settings.thickness);
  const auto nodes = shapes.is_wall.size();
  std::vector<std::vector<Neighbour>> joined(nodes);
  for (const ShapeLink& l : shapes.links) {
    const double length = by_bonds ? 1 : l.length;
    joined[l.node1].push_back({l.node2, length});
    joined[l.node2].push_back({l.node1, length});
  }
  std::vector<std::vector<int>> by_joint(nodes);
  for (const auto& [a, b] : shapes.joined) by_joint[a].push_back(b), by_joint[b].push_back(a);
  std::map<int, double> found;
  using Item = std::pair<double, int>;
  for (std::size_t i = 0; i < nodes; ++i) {
    first_neighbour_.push_back(static_cast<int>(neighbours_.size()));
    found.clear();
    if (joined[i].empty() && by_joint[i].empty()) continue;
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
    for (const int node : by_joint[i]) found[node] = 0;  // it, but not what is near to it
    for (const auto& [node, distance] : found) neighbours_.push_back({node, distance});
  }
  first_neighbour_.push_back(static_cast<int>(neighbours_.size()));
}

const Exclusions::Neighbour* Exclusions::neighbour(int node_a, int node_b) const {
  const auto first = neighbours_.begin() + first_neighbour_[node_a];
  const auto last = neighbours_.begin() + first_neighbour_[static_cast<std::size_t>(node_a) + 1];
  const auto at = std::lower_bound(first, last, node_b, [](const Neighbour& n, int node) { return n.node < node; });
  return at != last && at->node == node_b ? &*at : nullptr;
}

bool Exclusions::may_exclude(int node_a, int node_b) const {
  return node_a == node_b || (shapes_.is_wall[node_a] && shapes_.is_wall[node_b]) || neighbour(node_a, node_b) ||
         !shapes_.may_touch(node_a, node_b);
}

bool Exclusions::excluded(int point_a, int point_b) const {
  const ShapePoint &a = shapes_.points[point_a], &b = shapes_.points[point_b];
  if (a.node == b.node) return true;
  const Neighbour* found = neighbour(a.node, b.node);
  if (!found) return false;
  const ContactSettings& set = shapes_.settings;
  return set.exclude_bonds >= 0 || set.exclude >= 0 ||
         found->distance <= quarter_turn * (a.radius + b.radius + set.thickness);
}

bool Exclusions::excluded(const ShapePair& pair) const {
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
  const auto node = [&](int point) { return shapes_.points[point].node; };
  if (shapes_.is_wall[node(a[0])] && shapes_.is_wall[node(b[0])]) return true;
  if (!shapes_.may_touch(node(a[0]), node(b[0]))) return true;
  for (const int p : a)
    for (const int q : b)
      if (p >= 0 && q >= 0 && excluded(p, q)) return true;
  return false;
}

}  // namespace ls
