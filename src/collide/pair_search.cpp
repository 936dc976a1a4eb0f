#include "collide/pair_search.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr std::size_t least_parts = 4;  // of a rigid body that gets a tree

V cube(double r) {
  return {r, r, r};
}
Box around(const V& p, double r) {
  return {p - cube(r), p + cube(r)};
}

}  // namespace

PairSearch::PairSearch(const Shapes& shapes) : shapes_(shapes), exclusions_(shapes), parts_(parts_of(shapes)) {
  make_bodies();
  std::vector<std::uint8_t> has_part(shapes.points.size(), 0);
  for (const Part& p : parts_)
    for (const int point : p.points)
      if (point >= 0) has_part[point] = 1;
  for (std::size_t k = 0; k < has_part.size(); ++k)
    if (!has_part[k]) bare_.push_back(static_cast<int>(k));
}

// A part all of whose corners are on one node is rigid.
void PairSearch::make_bodies() {
  std::vector<std::vector<int>> of_node(shapes_.is_wall.size());
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Corners corners = corners_of(shapes_, parts_[k]);
    const auto node = [&](int point) { return shapes_.points[point].node; };
    const bool rigid =
        std::all_of(corners.begin(), corners.end(), [&](int p) { return node(p) == node(corners.point[0]); });
    rigid ? of_node[node(corners.point[0])].push_back(static_cast<int>(k)) : loose_.push_back(static_cast<int>(k));
  }
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < of_node.size(); ++i) {
    if (of_node[i].size() < least_parts) {
      loose_.insert(loose_.end(), of_node[i].begin(), of_node[i].end());
      continue;
    }
    Body body{static_cast<int>(i), 0, static_cast<int>(body_parts_.size())};
    boxes.clear();
    for (const int k : of_node[i]) {
      const Corners corners = corners_of(shapes_, parts_[k]);
      const auto box = [&](int p) { return around(shapes_.points[p].offset, shapes_.points[p].radius); };
      boxes.push_back(box(corners.point[0]));
      for (const int p : corners) extend(boxes.back(), box(p));
      body_parts_.push_back(k);
    }
    plant(body, boxes);
    bodies_.push_back(body);
  }
  planted_.clear();
}

// Copies of a shape share a tree.
void PairSearch::plant(Body& body, const std::vector<Box>& boxes) {
  const auto same_place = [](const V& a, const V& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  const auto same = [&](const Box& a, const Box& b) { return same_place(a.low, b.low) && same_place(a.high, b.high); };
  for (body.tree = 0; body.tree < trees_.size(); ++body.tree)
    if (std::equal(boxes.begin(), boxes.end(), planted_[body.tree].begin(), planted_[body.tree].end(), same)) return;
  trees_.emplace_back(boxes);
  planted_.push_back(boxes);
}

PairSearch::Moving PairSearch::moving(const Part& part, const PointMotion& motion) const {
  const Corners corners = corners_of(shapes_, part);
  const auto way = [&](int point) { return motion.way(shapes_.points[point].node); };
  const auto box = [&](int p) { return around(motion.place(p, 0), shapes_.points[p].radius); };
  Moving m;
  Box all = box(corners.point[0]);
  for (const int p : corners) extend(all, box(p));
  m.centre = 0.5 * (all.low + all.high), m.half = 0.5 * (all.high - all.low);
  if (motion.is_still()) return m;
  for (const int p : corners) m.way += (1.0 / corners.count) * way(p);
  for (const int p : corners) m.lever = std::max(m.lever, norm(way(p) - m.way) + motion.stray(p));
  return m;
}

PairSearch::Moving PairSearch::moving(const Body& body, const PointMotion& motion) const {
  const PartTree::Branch& root = trees_[body.tree].root();
  const Frame<double> world{}, own = motion.frame(body.node, 0);
  const Passing here(world, own, {}, 0);
  Moving m;
  m.centre = here.at + here.turn * root.centre, m.half = here.sizes * root.half;
  m.way = motion.way(body.node), m.lever = std::min(motion.turned(body.node), 2.0) * root.lever;
  return m;
}

// Which bodies and loose parts have a marked node.
void PairSearch::mark(const std::vector<std::uint8_t>& only) {
  marked_.clear();
  for (const Body& b : bodies_) marked_.push_back(only[b.node]);
  for (const int k : loose_) {
    const Corners corners = corners_of(shapes_, parts_[k]);
    const auto is_marked = [&](int p) { return only[shapes_.points[p].node] != 0; };
    marked_.push_back(std::any_of(corners.begin(), corners.end(), is_marked) ? 1 : 0);
  }
}

void PairSearch::find(const PointMotion& motion, double reach, std::vector<ShapePair>& out,
                      const std::vector<std::uint8_t>* only) {
  out.clear();
  if (only) mark(*only);
  movings_.clear();
  for (const Body& b : bodies_) movings_.push_back(moving(b, motion));
  for (const int k : loose_) movings_.push_back(moving(parts_[k], motion));
  boxes_.clear();
  for (const Moving& m : movings_) {
    const V size = m.half + cube(m.lever + 0.5 * reach);
    Box box{m.centre - size, m.centre + size};
    extend(box, {box.low + m.way, box.high + m.way});
    boxes_.push_back(box);
  }
  broad_.find(boxes_, overlaps_);
  const std::size_t bodies = bodies_.size();
  for (const auto& [i, j] : overlaps_) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);  // a < b
    if (only && !marked_[a] && !marked_[b]) continue;
    if (b < bodies)
      add_bodies(bodies_[a], bodies_[b], motion, reach, out);
    else if (a < bodies)
      add_body_and_part(bodies_[a], b - bodies, motion, reach, out);
    else
      add_loose(a - bodies, b - bodies, reach, out);
  }
  for (std::size_t h = 0; h < shapes_.hollows.size(); ++h) add_hollow(static_cast<int>(h), motion, reach, only, out);
}

void PairSearch::add_bodies(const Body& a, const Body& b, const PointMotion& motion, double reach,
                            std::vector<ShapePair>& out) {
  if ((is_wall(a.node) && is_wall(b.node)) || !shapes_.may_touch(a.node, b.node)) return;
  Passing passing(motion.frame(a.node, 0), motion.frame(b.node, 0), motion.way(b.node) - motion.way(a.node), reach);
  passing.arc_a = std::min(motion.turned(a.node), 2.0), passing.arc_b = std::min(motion.turned(b.node), 2.0);
  const bool all = !exclusions_.may_exclude(a.node, b.node);
  for_each_meeting(trees_[a.tree], trees_[b.tree], passing, tree_pairs_, [&](int p, int q) {
    add_pairs(parts_[body_parts_[a.first + p]], parts_[body_parts_[b.first + q]], all, out);
  });
}

void PairSearch::add_body_and_part(const Body& a, std::size_t loose, const PointMotion& motion, double reach,
                                   std::vector<ShapePair>& out) {
  const Moving& m = movings_[bodies_.size() + loose];
  const Part& part = parts_[loose_[loose]];
  const Corners corners = corners_of(shapes_, part);
  const auto node = [&](int point) { return shapes_.points[point].node; };
  if (is_wall(a.node) && is_wall(node(corners.point[0]))) return;
  Passing passing(motion.frame(a.node, 0), Frame<double>{}, m.way - motion.way(a.node), reach);
  passing.arc_a = std::min(motion.turned(a.node), 2.0), passing.arc_b = 1;
  const bool all =
      std::none_of(corners.begin(), corners.end(), [&](int p) { return exclusions_.may_exclude(a.node, node(p)); });
  for_each_meeting(trees_[a.tree], m, passing, branches_,
                   [&](int p) { add_pairs(parts_[body_parts_[a.first + p]], part, all, out); });
}

void PairSearch::add_loose(std::size_t a, std::size_t b, double reach, std::vector<ShapePair>& out) const {
  const Moving &m = movings_[bodies_.size() + a], &n = movings_[bodies_.size() + b];
  if (crosses(n.centre - m.centre, n.way - m.way, m.half + n.half + cube(reach + m.lever + n.lever)))
    add_pairs(parts_[loose_[a]], parts_[loose_[b]], false, out);
}

// all: none of the pairs is excluded.
void PairSearch::add_one_way(const Part& p, const Part& q, bool all, std::vector<ShapePair>& out) const {
  if (q.kind == PairKind::spheres && p.kind != PairKind::spheres) return;  // the sphere's point does it
  const PairKind kind = q.kind == PairKind::edges ? PairKind::point_edge : q.kind;
  for (const int point : p.points) {
    const ShapePair pair{kind, point, q.index};
    if (point >= 0 && (all || !exclusions_.excluded(pair))) out.push_back(pair);
  }
}

void PairSearch::add_pairs(const Part& p, const Part& q, bool all, std::vector<ShapePair>& out) const {
  if (p.kind == PairKind::spheres && q.kind == PairKind::spheres) {
    const ShapePair pair{PairKind::spheres, std::min(p.index, q.index), std::max(p.index, q.index)};
    if (all || !exclusions_.excluded(pair)) out.push_back(pair);
    return;
  }
  add_one_way(p, q, all, out);
  add_one_way(q, p, all, out);
  for (const int e : p.edges)
    for (const int f : q.edges) {
      const ShapePair pair{PairKind::edges, std::min(e, f), std::max(e, f)};
      if (e >= 0 && f >= 0 && (all || !exclusions_.excluded(pair))) out.push_back(pair);
    }
}

// The distance from a wall is concave along a straight way, so it is least at an end of it; and no two places differ
// in it by more than they are apart.
void PairSearch::add_hollow(int hollow, const PointMotion& motion, double reach, const std::vector<std::uint8_t>* only,
                            std::vector<ShapePair>& out) {
  const Hollow& h = shapes_.hollows[hollow];
  const auto is_wanted = [&](int node) { return !only || (*only)[h.node] || (*only)[node]; };
  const auto frame = motion.frame(h.node, 0);
  const HollowMotion wall = motion_of(h, motion, 0);
  const V wall_way = motion.way(h.node);
  const double shift = std::min(motion.turned(h.node), 2.0) * norm(h.at), tilt = std::min(norm(wall.tilt), 2.0);
  const auto is_near = [&](const V& from, const V& way, double size) {
    const V to = from + way - wall_way;
    const double far = std::max(norm(from - wall.base), norm(to - wall.base)) + size;
    const double least = std::min(distance_from(h, frame, from).distance, distance_from(h, frame, to).distance);
    return least <= reach + size + shift + tilt * far;
  };
  const auto add = [&](int point) {
    if (point < 0) return;
    const ShapePoint& p = shapes_.points[point];
    if (!is_wall(p.node) && is_wanted(p.node) && shapes_.may_touch(p.node, h.node) &&
        is_near(motion.place(point, 0), motion.way(p.node), p.radius + motion.stray(point)))
      out.push_back({PairKind::point_hollow, point, hollow});
  };
  const auto add_part = [&](int part) {
    for (const int p : parts_[part].points) add(p);
  };
  for (const Body& b : bodies_) {
    if (is_wall(b.node) || !is_wanted(b.node) || !shapes_.may_touch(b.node, h.node)) continue;
    const auto own = motion.frame(b.node, 0);
    const double arc = std::min(motion.turned(b.node), 2.0);
    const PartTree& tree = trees_[b.tree];
    branches_.assign(1, 0);
    while (!branches_.empty()) {
      const PartTree::Branch& branch = tree[branches_.back()];
      branches_.pop_back();
      const double size = norm(branch.half) + arc * branch.lever;
      if (!is_near(own.x + rotate(own.q, branch.centre), motion.way(b.node), size)) continue;
      if (branch.child < 0)
        add_part(body_parts_[b.first + branch.part]);
      else
        branches_.push_back(branch.child), branches_.push_back(branch.child + 1);
    }
  }
  for (const int part : loose_) add_part(part);
  for (const int point : bare_) add(point);
}

std::size_t PairSearch::bytes() const {
  std::size_t sum = parts_.size() * sizeof(Part) + exclusions_.bytes() + body_parts_.size() * sizeof(int);
  for (const PartTree& t : trees_) sum += t.bytes();
  return sum + (bodies_.size() + loose_.size()) * (sizeof(Moving) + sizeof(Box));
}

}  // namespace ls
