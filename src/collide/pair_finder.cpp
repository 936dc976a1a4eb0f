#include "collide/pair_finder.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

template <class Visit>
void for_each_point(const Shapes& shapes, const ShapePair& pair, const Visit& visit) {
  const auto edge = [&](int e) { visit(shapes.edges[e].a), visit(shapes.edges[e].b); };
  pair.kind == PairKind::edges ? edge(pair.a) : visit(pair.a);
  if (pair.kind == PairKind::edges || pair.kind == PairKind::point_edge) edge(pair.b);
  if (pair.kind == PairKind::spheres) visit(pair.b);
  if (pair.kind != PairKind::point_triangle) return;
  const ShapeTriangle& t = shapes.triangles[pair.b];
  visit(t.a), visit(t.b), visit(t.c);
}

}  // namespace

PairFinder::PairFinder(const Shapes& shapes, Places places)
    : shapes_(shapes),
      places_(places),
      search_(shapes),
      still_(shapes),
      node_lever_(shapes.is_wall.size(), -1.0),
      at_(shapes.points.size()),
      placed_(shapes.points.size(), 0) {
  double radius = 0, size = 0;
  for (const ShapePoint& p : shapes.points) {
    radius = std::max(radius, p.radius), size = std::max(size, norm(p.offset));
    node_lever_[p.node] = std::max(node_lever_[p.node], norm(p.offset));
  }
  typical_size_ = radius > 0 ? radius : 0.1 * size;  // bodies with sharp corners only
  for (std::size_t i = 0; i < node_lever_.size(); ++i) {
    if (node_lever_[i] >= 0) nodes_.push_back(static_cast<int>(i));
    if (node_lever_[i] > 0) turning_nodes_.push_back(static_cast<int>(i));
  }
}

PairFinder::HollowPlace PairFinder::hollow_place(const Hollow& h, const Nodes& nodes) const {
  const auto f = nodes.frame(h.node);
  return {f.x + rotate(f.q, h.at), rotate(f.q, h.axis)};
}

// How far the surfaces of walls have moved since the list was made, where points were then.
double PairFinder::hollows_moved(const Nodes& nodes) const {
  double most = 0;
  for (std::size_t h = 0; h < shapes_.hollows.size(); ++h) {
    const HollowPlace now = hollow_place(shapes_.hollows[h], nodes), &then = hollow_reference_[h];
    const double tilt = shapes_.hollows[h].kind == HollowKind::sphere ? 0 : norm(now.axis - then.axis);
    most = std::max(most, norm(now.base - then.base) + tilt * (then.farthest + skin_));
  }
  return most;
}

// The farthest point of a node can have come as far as the node and its lever's turn together.
double PairFinder::node_moved(int node, const Nodes& nodes) const {
  const auto f = nodes.frame(node), &g = reference_[node];
  const double way = norm(f.x - g.x);
  if (node_lever_[node] == 0) return way;
  return way + 2 * norm((f.q * conj(g.q)).v) * node_lever_[node];
}

double PairFinder::turning_nodes_moved(const Nodes& nodes) const {
  double most = 0;
  for (const int i : turning_nodes_) most = std::max(most, node_moved(i, nodes));
  return most;
}

double PairFinder::nodes_moved(const Nodes& nodes) const {
  double most = hollows_moved(nodes);
  for (const int i : nodes_) most = std::max(most, node_moved(i, nodes));
  return most;
}

const std::vector<ShapePair>& PairFinder::near(const Nodes& nodes, double reach) {
  if (list_reach_ >= reach) {
    path_ = moved_ = nodes_moved(nodes);
    if (moved_ <= slack()) {
      place_listed(nodes);
      return list_;
    }
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
    moved_ = std::max({path_, turning_nodes_moved(nodes), hollows_moved(nodes)});
    if (moved_ <= early * slack()) {
      for (const int p : wanted) at_[p] = place_of(shapes_.points[p], nodes);
      return list_;
    }
    path_ = moved_ = nodes_moved(nodes);  // who goes to and fro has not come far
    if (moved_ <= early * slack()) {
      place_listed(nodes);
      return list_;
    }
  }
  make_list(nodes, reach, 2 * steps_to_last * travelled);
  return list_;
}

void PairFinder::place_listed(const Nodes& nodes) {
  if (places_ == Places::all) return place_points(shapes_, nodes, at_);
  for (const int p : listed_points_) at_[p] = place_of(shapes_.points[p], nodes);
}

void PairFinder::make_list(const Nodes& nodes, double reach, double least_skin) {
  skin_ = std::max({2 * reach, 0.5 * typical_size_, std::min(least_skin, 4 * typical_size_)});
  list_reach_ = reach;
  path_ = moved_ = 0;
  ++lists_;
  reference_.resize(node_lever_.size());
  for (const int i : nodes_) reference_[i] = nodes.frame(i);
  hollow_reference_.clear();
  for (const Hollow& h : shapes_.hollows) {
    HollowPlace place = hollow_place(h, nodes);
    for (const int i : nodes_)
      place.farthest = std::max(place.farthest, norm(reference_[i].x - place.base) + node_lever_[i]);
    hollow_reference_.push_back(place);
  }
  still_.set(nodes, nullptr);
  search_.find(still_, reach + skin_, list_);
  keep_near(nodes, reach + skin_, list_);  // boxes overlap long before slanted capsules do
  std::sort(list_.begin(), list_.end());
  listed_points_.clear();
  for (const ShapePair& pair : list_) for_each_point(shapes_, pair, [&](int p) { listed_points_.push_back(p); });
  std::sort(listed_points_.begin(), listed_points_.end());
  listed_points_.erase(std::unique(listed_points_.begin(), listed_points_.end()), listed_points_.end());
  if (places_ == Places::all) place_points(shapes_, nodes, at_);
}

// Drops pairs with a wider gap, and places the points of all on the way.
void PairFinder::keep_near(const Nodes& nodes, double gap, std::vector<ShapePair>& pairs) {
  ++searches_;
  std::erase_if(pairs, [&](const ShapePair& pair) {
    for_each_point(shapes_, pair, [&](int p) {
      if (std::exchange(placed_[p], searches_) != searches_) at_[p] = place_of(shapes_.points[p], nodes);
    });
    return nearness(shapes_, pair, at_, nodes).gap() > gap;
  });
}

void PairFinder::near_on_the_way(const PointMotion& motion, double reach, std::vector<ShapePair>& out) {
  search_.find(motion, reach, out);
  std::sort(out.begin(), out.end());
  for (const ShapePair& pair : out) for_each_point(shapes_, pair, [&](int p) { at_[p] = motion.place(p, 0); });
}

std::size_t PairFinder::bytes() const {
  return search_.bytes() + at_.size() * (sizeof(V) + sizeof(long long)) + list_.capacity() * sizeof(ShapePair) +
         reference_.size() * sizeof(Frame<double>);
}

}  // namespace ls
