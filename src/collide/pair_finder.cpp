#include "collide/pair_finder.h"

#include "collide/touchable.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr double inner_skin = 0.5;  // of the gap that is asked for

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

// The middle one of those of all bodies but walls. By the largest, one long body among small ones, a floor or a magnet,
// would have every one of them list whatever is within a tenth of its own length.
double typical_lever(const Shapes& shapes, const std::vector<double>& node_lever) {
  std::vector<double> levers;
  for (std::size_t i = 0; i < node_lever.size(); ++i)
    if (node_lever[i] > 0 && !shapes.is_wall[i]) levers.push_back(node_lever[i]);
  if (levers.empty()) return 0;
  const auto middle = levers.begin() + static_cast<std::ptrdiff_t>((levers.size() - 1) / 2);
  std::nth_element(levers.begin(), middle, levers.end());
  return *middle;
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
  double radius = 0;
  const auto touches = touches_something(shapes);
  for (const ShapePoint& p : shapes.points) {
    if (!touches[static_cast<std::size_t>(p.node)]) continue;  // it may fly about, and no list is out of date
    radius = std::max(radius, p.radius);
    node_lever_[p.node] = std::max(node_lever_[p.node], norm(p.offset));
  }
  typical_size_ = radius > 0 ? radius : 0.1 * typical_lever(shapes, node_lever_);  // bodies with sharp corners only
  for (std::size_t i = 0; i < node_lever_.size(); ++i) {
    if (node_lever_[i] >= 0) nodes_.push_back(static_cast<int>(i));
    if (node_lever_[i] > 0) turning_nodes_.push_back(static_cast<int>(i));
  }
}

PairFinder::HollowPlace PairFinder::hollow_place(const Hollow& h, const Nodes& nodes) const {
  const auto f = nodes.frame(h.node);
  return {f.x + rotate(f.q, h.at), rotate(f.q, h.axis)};
}

void PairFinder::note(const Nodes& nodes, Reference& reference) const {
  reference.frames.resize(node_lever_.size());
  for (const int i : nodes_) reference.frames[i] = nodes.frame(i);
  reference.hollows.clear();
  for (const Hollow& h : shapes_.hollows) {
    HollowPlace place = hollow_place(h, nodes);
    for (const int i : nodes_)
      place.farthest = std::max(place.farthest, norm(reference.frames[i].x - place.base) + node_lever_[i]);
    reference.hollows.push_back(place);
  }
}

// How far the surfaces of walls have moved, where points were then or can be while a list is kept.
double PairFinder::hollows_moved(const Reference& from, const Nodes& nodes) const {
  double most = 0;
  for (std::size_t h = 0; h < shapes_.hollows.size(); ++h) {
    const HollowPlace now = hollow_place(shapes_.hollows[h], nodes), &then = from.hollows[h];
    const double tilt = shapes_.hollows[h].kind == HollowKind::sphere ? 0 : norm(now.axis - then.axis);
    most = std::max(most, norm(now.base - then.base) + tilt * (then.farthest + skin_));
  }
  return most;
}

// The farthest point of a node can have come as far as the node and its lever's turn together.
double PairFinder::node_moved(const Reference& from, int node, const Nodes& nodes) const {
  const auto f = nodes.frame(node), &g = from.frames[node];
  const double way = norm(f.x - g.x);
  if (node_lever_[node] == 0) return way;
  return way + 2 * norm((f.q * conj(g.q)).v) * node_lever_[node];
}

double PairFinder::turning_nodes_moved(const Nodes& nodes) const {
  double most = 0;
  for (const int i : turning_nodes_) most = std::max(most, node_moved(reference_, i, nodes));
  return most;
}

double PairFinder::nodes_moved(const Reference& from, const Nodes& nodes) const {
  double most = hollows_moved(from, nodes);
  for (const int i : nodes_) most = std::max(most, node_moved(from, i, nodes));
  return most;
}

// Makes a new list where the present one does not do.
void PairFinder::keep_list(const Nodes& nodes, double reach) {
  if (list_reach_ >= reach) {
    path_ = moved_ = nodes_moved(reference_, nodes);
    if (moved_ <= slack()) return;
  }
  make_list(nodes, reach, 0);
}

const std::vector<ShapePair>& PairFinder::near(const Nodes& nodes, double reach) {
  keep_list(nodes, reach);
  place(listed_points_, nodes);
  return list_;
}

const std::vector<ShapePair>& PairFinder::within(const Nodes& nodes, double reach, double gap) {
  assert(gap <= reach);
  if (list_reach_ >= reach && inner_.gap == gap) {
    const double since = nodes_moved(inner_.reference, nodes);
    if (since <= 0.5 * inner_.skin && inner_.moved + since <= slack()) {
      path_ = moved_ = inner_.moved + since;
      place(inner_.points, nodes);
      return inner_.pairs;
    }
  }
  keep_list(nodes, reach);
  make_inner(nodes, gap);
  return inner_.pairs;
}

// Gaps have shrunk by what both sides have moved at most: so most pairs need no nearest places.
void PairFinder::make_inner(const Nodes& nodes, double gap) {
  inner_.gap = gap, inner_.skin = inner_skin * gap, inner_.moved = moved_;
  note(nodes, inner_.reference);
  found_.clear();
  const double most = gap + inner_.skin;
  for (std::size_t k = 0; k < list_.size(); ++k)
    if (gaps_[k] - 2 * moved_ <= most) found_.push_back(list_[k]);
  keep_near(nodes, most, found_, measured_);
  inner_.pairs.clear();
  for (const Measured& m : measured_) inner_.pairs.push_back(m.first);
  note_points(inner_.pairs, inner_.points);
}

const std::vector<ShapePair>& PairFinder::near(const Nodes& nodes, double reach, double travelled,
                                               const std::vector<int>& wanted) {
  constexpr double early = 0.75;        // of the slack: from here on a new list is made, before it is needed
  constexpr double steps_to_last = 40;  // that the slack allows at the present speed
  if (list_reach_ >= reach) {
    path_ += travelled;
    moved_ = std::max({path_, turning_nodes_moved(nodes), hollows_moved(reference_, nodes)});
    if (moved_ <= early * slack()) {
      for (const int p : wanted) at_[p] = place_of(shapes_.points[p], nodes);
      return list_;
    }
    path_ = moved_ = nodes_moved(reference_, nodes);  // who goes to and fro has not come far
    if (moved_ <= early * slack()) {
      place(listed_points_, nodes);
      return list_;
    }
  }
  make_list(nodes, reach, 2 * steps_to_last * travelled);
  return list_;
}

void PairFinder::place(const std::vector<int>& points, const Nodes& nodes) {
  if (places_ == Places::all) return place_points(shapes_, nodes, at_);
  for (const int p : points) at_[p] = place_of(shapes_.points[p], nodes);
}

void PairFinder::make_list(const Nodes& nodes, double reach, double least_skin) {
  skin_ = std::max({2 * reach, 0.5 * typical_size_, std::min(least_skin, 4 * typical_size_)});
  list_reach_ = reach;
  path_ = moved_ = 0;
  inner_.gap = -1;
  ++lists_;
  note(nodes, reference_);
  still_.set(nodes, nullptr);
  search_.find(still_, reach + skin_, found_);
  keep_near(nodes, reach + skin_, found_, measured_);  // boxes overlap long before slanted capsules do
  std::sort(measured_.begin(), measured_.end());
  list_.clear(), gaps_.clear();
  for (const auto& [pair, gap] : measured_) list_.push_back(pair), gaps_.push_back(gap);
  note_points(list_, listed_points_);
  if (places_ == Places::all) place_points(shapes_, nodes, at_);
}

// Of some pairs those with no wider gap, in their order; places the points of all on the way.
void PairFinder::keep_near(const Nodes& nodes, double gap, const std::vector<ShapePair>& pairs,
                           std::vector<Measured>& out) {
  ++searches_;
  out.clear();
  for (const ShapePair& pair : pairs) {
    for_each_point(shapes_, pair, [&](int p) {
      if (std::exchange(placed_[p], searches_) != searches_) at_[p] = place_of(shapes_.points[p], nodes);
    });
    const double now = nearness(shapes_, pair, at_, nodes).gap();
    if (!(now > gap)) out.emplace_back(pair, now);
  }
}

// Each once.
void PairFinder::note_points(const std::vector<ShapePair>& pairs, std::vector<int>& points) {
  points.clear();
  ++searches_;
  for (const ShapePair& pair : pairs)
    for_each_point(shapes_, pair, [&](int p) {
      if (std::exchange(placed_[p], searches_) != searches_) points.push_back(p);
    });
}

void PairFinder::near_on_the_way(const PointMotion& motion, double reach, std::vector<ShapePair>& out) {
  search_.find(motion, reach, out);
  ++searches_;
  for (const ShapePair& pair : out)
    for_each_point(shapes_, pair, [&](int p) {
      if (std::exchange(placed_[p], searches_) != searches_) at_[p] = motion.place(p, 0);
    });
}

std::size_t PairFinder::bytes() const {
  return search_.bytes() + at_.size() * (sizeof(V) + sizeof(long long)) + list_.capacity() * sizeof(ShapePair) +
         2 * reference_.frames.size() * sizeof(Frame<double>);
}

}  // namespace ls
