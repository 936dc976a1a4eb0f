#include "collide/pair_finder.h"

#include "collide/touchable.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr double inner_skin = 0.5;  // of the gap that is asked for
constexpr double rounding = 1e-9;   // of sums of ways, beside a reach

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

// Reads the odometers. Two parts have come nearer by no more than what both sides have travelled.
void PairFinder::travel(const Nodes& nodes) {
  if (last_.frames.empty()) {
    odometer_.assign(static_cast<std::size_t>(nodes.count), 0.0);
    note(nodes, last_);
    return;
  }
  for (const int i : nodes_) {
    const double way = node_moved(last_, i, nodes);
    if (way == 0) continue;
    odometer_[i] += way, last_.frames[i] = nodes.frame(i);
    for (HollowPlace& h : last_.hollows)
      h.farthest = std::max(h.farthest, norm(last_.frames[i].x - h.base) + node_lever_[i]);
  }
  const double way = hollows_moved(last_, nodes);
  if (way == 0) return;
  int last = -1;  // walls of one node stand side by side
  for (const Hollow& h : shapes_.hollows)
    if (std::exchange(last, h.node) != h.node) odometer_[h.node] += way;
  note(nodes, last_);
}

// Of the nodes of both sides, those of a rigid side once.
double PairFinder::sum_over_sides(const ShapePair& pair, const std::vector<double>& of_node) const {
  double sum = 0;
  int last = -1;
  const auto add = [&](int node) {
    if (std::exchange(last, node) != node) sum += of_node[node];
  };
  for_each_point(shapes_, pair, [&](int p) { add(shapes_.points[p].node); });
  if (pair.kind == PairKind::point_hollow) add(shapes_.hollows[pair.b].node);
  return sum;
}

bool PairFinder::is_marked(const ShapePair& pair) const {
  bool marked = pair.kind == PairKind::point_hollow && marked_[shapes_.hollows[pair.b].node];
  for_each_point(shapes_, pair, [&](int p) { marked = marked || marked_[shapes_.points[p].node]; });
  return marked;
}

void PairFinder::drop_unmarked(std::vector<ShapePair>& pairs) const {
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(), [&](const ShapePair& p) { return !is_marked(p); }),
              pairs.end());
}

double PairFinder::nodes_moved(const Reference& from, const Nodes& nodes) const {
  double most = hollows_moved(from, nodes);
  for (const int i : nodes_) most = std::max(most, node_moved(from, i, nodes));
  return most;
}

// Makes a new list where the present one does not do, or lists those anew that have gone too far.
void PairFinder::keep_list(const Nodes& nodes, double reach) {
  travel(nodes);
  if (!(list_reach_ >= reach)) return make_list(nodes, reach, 0);
  const double walls = hollows_moved(reference_, nodes);
  moved_ = walls;
  for (const int i : nodes_) moved_ = std::max(moved_, moved_from_[i] = node_moved(reference_, i, nodes));
  path_ = moved_;
  if (walls > slack()) return make_list(nodes, reach, 0);
  if (moved_ > slack()) renew_list(nodes);
}

// Those that have come half as far as they may are listed anew with the others: their turn would come soon.
void PairFinder::renew_list(const Nodes& nodes) {
  marked_.assign(odometer_.size(), 0);
  std::size_t count = 0;
  for (const int i : nodes_)
    if (moved_from_[i] > 0.5 * slack()) marked_[i] = 1, ++count;
  if (2 * count > nodes_.size()) return make_list(nodes, list_reach_, 0);
  inner_.gap = -1;
  ++lists_;
  moved_ = hollows_moved(reference_, nodes);
  for (const int i : nodes_) {
    if (marked_[i]) {
      reference_.frames[i] = nodes.frame(i), reference_nodes_.set(i, nodes.frame(i)), moved_from_[i] = 0;
      for (HollowPlace& h : reference_.hollows)
        h.farthest = std::max(h.farthest, norm(reference_.frames[i].x - h.base) + node_lever_[i]);
    }
    moved_ = std::max(moved_, moved_from_[i]);
  }
  path_ = moved_;
  still_.set(reference_nodes_, nullptr);
  search_.find(still_, list_reach_ + skin_, found_, &marked_);
  drop_unmarked(found_);
  list_found(nodes, new_);
  listed_.erase(std::remove_if(listed_.begin(), listed_.end(), [&](const Listed& l) { return is_marked(l.pair); }),
                listed_.end());
  all_.clear();
  std::merge(listed_.begin(), listed_.end(), new_.begin(), new_.end(), std::back_inserter(all_));
  std::swap(listed_, all_);
  note_list(nodes);
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

// Gaps have shrunk by what both sides have travelled at most: so most pairs need no nearest places.
void PairFinder::make_inner(const Nodes& nodes, double gap) {
  ++searches_;
  inner_.gap = gap, inner_.skin = inner_skin * gap, inner_.moved = moved_;
  note(nodes, inner_.reference);
  inner_.pairs.clear();
  const double most = gap + inner_.skin;
  for (Listed& l : listed_) {
    if (least_gap(l) > most * (1 + rounding)) continue;
    if (travelled(l) != l.then) measure(nodes, l);
    if (!(l.gap > most)) inner_.pairs.push_back(l.pair);
  }
  note_points(inner_.pairs, inner_.points);
  place(inner_.points, nodes);
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
  travel(nodes);
  note(nodes, reference_);
  moved_from_.assign(node_lever_.size(), 0.0);
  if (reference_nodes_.count != nodes.count) reference_nodes_ = Nodes(nodes.count);
  for (int i = 0; i < nodes.count; ++i) reference_nodes_.set(i, nodes.frame(i));
  still_.set(reference_nodes_, nullptr);
  search_.find(still_, reach + skin_, found_);
  list_found(nodes, listed_);
  note_list(nodes);
}

void PairFinder::note_list(const Nodes& nodes) {
  list_.clear();
  for (const Listed& l : listed_) list_.push_back(l.pair);
  note_points(list_, listed_points_);
  place(listed_points_, nodes);
}

void PairFinder::place_once(const ShapePair& pair, const Nodes& nodes) {
  for_each_point(shapes_, pair, [&](int p) {
    if (std::exchange(placed_[p], searches_) != searches_) at_[p] = place_of(shapes_.points[p], nodes);
  });
}

void PairFinder::measure(const Nodes& nodes, Listed& listed) {
  place_once(listed.pair, nodes);
  listed.gap = nearness(shapes_, listed.pair, at_, nodes).gap();
  listed.then = travelled(listed);
}

// Of the pairs that were found those that are near, in ascending order: boxes overlap long before slanted capsules do.
// They are so among references, from which both nodes may have moved.
void PairFinder::list_found(const Nodes& nodes, std::vector<Listed>& out) {
  ++searches_;
  out.clear();
  for (const ShapePair& pair : found_) {
    Listed l{pair, 0, 0};
    measure(nodes, l);
    if (!(l.gap > list_reach_ + skin_ + 2 * moved_)) out.push_back(l);
  }
  std::sort(out.begin(), out.end());
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

// Marks the nodes that leave on the way what the list allows, and notes how far all may go. Whether there are any.
bool PairFinder::mark_fast(const Nodes& nodes, const PointMotion& motion) {
  way_.assign(odometer_.size(), 0.0), marked_.assign(odometer_.size(), 0);
  bool any = false;
  for (const int i : nodes_) {
    way_[i] = motion.node_way(i);
    if (moved_from_[i] + way_[i] > slack()) marked_[i] = 1, any = true;
  }
  const double walls = hollows_moved(reference_, nodes);
  for (const Hollow& h : shapes_.hollows) {
    way_[h.node] = std::max(way_[h.node], motion.hollow_way(h));
    if (walls + way_[h.node] > slack()) marked_[h.node] = 1, any = true;
  }
  return any;
}

void PairFinder::near_on_the_way(const Nodes& nodes, double kept, const PointMotion& motion, double reach,
                                 std::vector<ShapePair>& out) {
  keep_list(nodes, kept);
  out.clear();
  const bool some_are_fast = mark_fast(nodes, motion);
  if (some_are_fast) {
    search_.find(motion, reach, out, &marked_);
    drop_unmarked(out);
  }
  for (const Listed& l : listed_)
    if (least_gap(l) - sum_over_sides(l.pair, way_) <= reach * (1 + rounding) && !(some_are_fast && is_marked(l.pair)))
      out.push_back(l.pair);
  ++searches_;
  for (const ShapePair& pair : out) place_once(pair, nodes);
}

std::size_t PairFinder::bytes() const {
  return search_.bytes() + at_.size() * (sizeof(V) + sizeof(long long)) +
         list_.capacity() * (sizeof(ShapePair) + sizeof(Listed)) + 2 * reference_.frames.size() * sizeof(Frame<double>);
}

}  // namespace ls
