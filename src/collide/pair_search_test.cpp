#include "collide/pair_search.h"

#include "base/sanitized.h"
#include "collide/pair_finder.h"
#include "collide/test_shapes.h"
#include "collide/touchable.h"

#include <gtest/gtest.h>
#include <set>

namespace ls::pair_search_test {

using test::RandomShapes;
using V = Vec3<double>;
using ShapePairs = std::vector<ShapePair>;

// All pairs that could ever touch: points and triangles, points and edges that belong to no triangle, balls, edges,
// points and walls.
ShapePairs all_pairs(const Shapes& s) {
  ShapePairs all;
  const Exclusions exclusions(s);
  const auto add = [&](PairKind kind, int a, int b) {
    if (!exclusions.excluded(ShapePair{kind, a, b})) all.push_back({kind, a, b});
  };
  const int points = static_cast<int>(s.points.size()), edges = static_cast<int>(s.edges.size());
  const std::vector<std::uint8_t> within_face = edges_within_faces(s);
  std::set<std::pair<int, int>> sides;
  for (const ShapeTriangle& t : s.triangles)
    for (const auto& [a, b] : {std::pair(t.a, t.b), std::pair(t.b, t.c), std::pair(t.c, t.a)})
      sides.insert(std::minmax({a, b}));
  for (std::size_t i = 0; i < s.spheres.size(); ++i)
    for (std::size_t j = i + 1; j < s.spheres.size(); ++j) add(PairKind::spheres, s.spheres[i], s.spheres[j]);
  for (int e = 0; e < edges; ++e) {
    const bool side = sides.contains(std::minmax({s.edges[e].a, s.edges[e].b}));
    for (int p = 0; p < points && !side; ++p) add(PairKind::point_edge, p, e);
    for (int f = e + 1; f < edges; ++f)
      if (!within_face[e] && !within_face[f]) add(PairKind::edges, e, f);
  }
  for (std::size_t t = 0; t < s.triangles.size(); ++t)
    for (int p = 0; p < points; ++p) add(PairKind::point_triangle, p, static_cast<int>(t));
  for (std::size_t h = 0; h < s.hollows.size(); ++h)
    for (int p = 0; p < points; ++p)
      if (!s.is_wall[s.points[p].node]) all.push_back({PairKind::point_hollow, p, static_cast<int>(h)});
  std::sort(all.begin(), all.end());
  return all;
}

double gap_at(const Shapes& s, const ShapePair& pair, const std::vector<V>& at, const PointMotion& motion,
              double share) {
  if (pair.kind != PairKind::point_hollow) return nearness(s, pair, [&](int p) { return at[p]; }).gap();
  const Hollow& h = s.hollows[pair.b];
  return distance_from(h, motion.frame(h.node, share), at[pair.a]).distance - s.points[pair.a].radius;
}

// Of all pairs, those that come so near at one of some times of a motion.
ShapePairs by_looking_at_all(const Shapes& s, const ShapePairs& all, const PointMotion& motion, double reach) {
  ShapePairs near;
  std::vector<std::vector<V>> at;
  const int times = motion.is_still() ? 0 : 24;
  for (int k = 0; k <= times; ++k) {
    at.emplace_back();
    for (int p = 0; p < static_cast<int>(s.points.size()); ++p)
      at.back().push_back(motion.place(p, k / std::max(1.0, static_cast<double>(times))));
  }
  for (const ShapePair& pair : all)
    for (int k = 0; k <= times; ++k) {
      if (gap_at(s, pair, at[k], motion, k / std::max(1.0, static_cast<double>(times))) > reach) continue;
      near.push_back(pair);
      break;
    }
  return near;
}

void expect_found(const ShapePairs& wanted, ShapePairs found, std::uint64_t seed) {
  std::sort(found.begin(), found.end());
  ShapePairs missed;
  std::set_difference(wanted.begin(), wanted.end(), found.begin(), found.end(), std::back_inserter(missed));
  EXPECT_TRUE(missed.empty()) << "seed " << seed << ": " << missed.size() << " of " << wanted.size() << " missed";
  EXPECT_TRUE(std::adjacent_find(found.begin(), found.end()) == found.end()) << "seed " << seed;
}

// However long the way and however large the turns, up to several rounds in one move.
TEST(PairSearch, MissesNothingOnTheWay) {
  const double ways[] = {0.05, 0.5, 5}, angles[] = {0.0, 0.3, 2.0, 9.0};
  std::size_t wanted_in_all = 0;
  for (std::uint64_t seed = 0; seed < (is_sanitized ? 5 : 12); ++seed) {
    RandomShapes r = test::mixed_shapes(seed, 1.0);
    const Nodes nodes = r.nodes();
    const Move move = r.random_move(ways[seed % 3], angles[seed % 4], seed % 5 == 0);
    PointMotion motion(r.shapes);
    motion.set(nodes, &move);
    const ShapePairs wanted = by_looking_at_all(r.shapes, all_pairs(r.shapes), motion, 0.03);
    PairFinder finder(r.shapes);
    ShapePairs found;
    finder.near_on_the_way(nodes, 0.03, motion, 0.03, found);
    expect_found(wanted, found, seed);
    wanted_in_all += wanted.size();
  }
  EXPECT_GT(wanted_in_all, is_sanitized ? 300u : 1000u);
}

// While everything moves and turns, little by little and by leaps, the kept list has what is near at each moment.
TEST(PairSearch, TheKeptListMissesNothing) {
  for (std::uint64_t seed = 20; seed < 24; ++seed) {
    RandomShapes r = test::mixed_shapes(seed, 0.8);
    PairFinder finder(r.shapes);
    PointMotion motion(r.shapes), still(r.shapes);
    Nodes nodes = r.nodes();
    const ShapePairs all = all_pairs(r.shapes);
    for (int step = 0; step < 12; ++step) {
      const bool leap = step % 6 == 5;
      const Move move = r.random_move(leap ? 0.3 : 0.004, leap ? 2.0 : 0.01, true);
      motion.set(nodes, &move);
      Nodes next = nodes;
      for (int i = 0; i < nodes.count; ++i) next.set(i, motion.frame(i, 1.0));
      nodes = next;
      still.set(nodes, nullptr);
      const ShapePairs found = finder.near(nodes, 0.02);
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
      expect_found(by_looking_at_all(r.shapes, all, still, 0.02), found, seed);
      const ShapePairs inner = finder.within(nodes, 0.02, 0.01);
      EXPECT_TRUE(std::is_sorted(inner.begin(), inner.end()));
      expect_found(by_looking_at_all(r.shapes, all, still, 0.01), inner, seed);
      EXPECT_LE(inner.size(), finder.near(nodes, 0.02).size());
      for (const ShapePair& pair : found) {
        const int point = pair.kind == PairKind::edges ? r.shapes.edges[pair.a].a : pair.a;
        ASSERT_EQ(norm(finder.at()[point] - still.place(point, 0)), 0);
      }
    }
    EXPECT_LT(finder.lists(), 12) << "seed " << seed;  // it was kept
  }
}

// How much is listed beside what was asked for goes by the bodies that there are many of, not by the largest.
TEST(PairSearch, ALongBodyFarAwayAddsNothingToTheList) {
  RandomShapes r(5);
  for (int k = 0; k < 5; ++k) r.add_ring(0.1, 0.1, 16, 10, 0.0);
  PairFinder alone(r.shapes);
  const auto few = alone.near(r.nodes(), 1e-3).size();
  ASSERT_GT(few, 0u);
  r.add_ring(0.1, 5, 16, 10, 0.0);
  r.frames.back().x = {100, 0, 0};
  PairFinder finder(r.shapes);
  EXPECT_EQ(finder.near(r.nodes(), 1e-3).size(), few);
}

// A magnet that is led around others and touches nothing by a rule: no list is made anew for it, and none of its ways
// counts, while what the others do still does.
TEST(PairSearch, WhatMayTouchNothingFliesAboutUnseen) {
  RandomShapes r(5);
  for (int k = 0; k < 5; ++k) r.add_ring(0.1, 0.1, 8, 5, 0.0), r.shapes.body_of.back() = k;
  r.shapes.surfaces.resize(5);
  const int led = 4;
  r.shapes.group_of = {0, 0, 0, 0, 1};
  r.shapes.rules = {{0, 1, false, {}, {}}};
  EXPECT_EQ(touches_something(r.shapes), (std::vector<std::uint8_t>{1, 1, 1, 1, 0}));
  PairFinder finder(r.shapes);
  PointMotion motion(r.shapes);
  const auto listed = finder.near(r.nodes(), 1e-3);
  ASSERT_FALSE(listed.empty());
  for (const int mover : {led, 0}) {
    Move move = r.random_move(0, 0, true);
    move.v[0][static_cast<std::size_t>(mover)] = 0.7;
    const Nodes nodes = r.nodes();
    motion.set(nodes, &move);
    EXPECT_EQ(motion.longest(), mover == led ? 0 : 0.7);
    r.frames[static_cast<std::size_t>(mover)].x.x += 0.7;
    finder.near(r.nodes(), 1e-3);
    EXPECT_EQ(finder.lists(), mover == led ? 1 : 2);
    if (mover == led) {
      EXPECT_EQ(finder.list(), listed);
    }
  }
}

// Edges within the faces of rigid bodies, as the diagonals of boxes, are in no pair: what is left tells how near two
// bodies are all the same, wherever they are.
TEST(PairSearch, EdgesWithinFacesAreNotNeeded) {
  RandomShapes r(5);
  r.add_ring(0.4, 0.3, 6, 4, 0.0), r.add_ring(0.4, 0.3, 6, 4, 0.01);
  const std::vector<std::uint8_t> within = edges_within_faces(r.shapes);
  EXPECT_EQ(std::count(within.begin(), within.end(), 1), 2 * 6 * 4);  // one of three
  ShapePairs found;
  PointMotion still(r.shapes);
  std::vector<V> at;
  int compared = 0;
  for (int k = 0; k < 300; ++k) {
    for (auto& f : r.frames) f = r.random_frame(0.6);
    const Nodes nodes = r.nodes();
    place_points(r.shapes, nodes, at);
    const auto gap = [&](const ShapePair& pair) { return nearness(r.shapes, pair, at, nodes).gap(); };
    double left = 1e300, least = 1e300;
    still.set(nodes, nullptr);
    PairSearch(r.shapes).find(still, 3.0, found);
    for (const ShapePair& pair : found) least = std::min(least, gap(pair));
    for (int e = 0; e < 72; ++e)
      for (int f = 72; f < 144; ++f)
        if (within[e] || within[f]) left = std::min(left, gap({PairKind::edges, e, f}));
    if (least < 0.02) continue;  // they may be within each other
    EXPECT_GE(left, least * (1 - 1e-9)) << k;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST(PairSearch, CopiesOfAShapeShareATree) {
  RandomShapes r(3);
  for (int k = 0; k < 5; ++k) r.add_ring(2.0, 0.2, 8, 5, 0.0);
  r.add_ring(2.0, 0.3, 8, 5, 0.0);
  EXPECT_EQ(PairSearch(r.shapes).trees(), 2u);
}

}  // namespace ls::pair_search_test
