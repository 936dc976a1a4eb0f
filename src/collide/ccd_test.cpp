#include "collide/ccd.h"

#include "base/rng.h"
#include "math/rotation.h"

#include <gtest/gtest.h>

namespace ls::ccd_test {

using V = Vec3<double>;

// Two parts on a node each, or a point and a wall, that fly and tumble across each other's way.
struct Throw {
  Shapes shapes;
  Nodes nodes{2};
  Move move;
  ShapePair pair;

  Throw(PairKind kind, std::uint64_t seed) {
    const auto draw = [&](std::uint64_t k) {
      return V{2 * uniform(seed, k, 0, 0) - 1, 2 * uniform(seed, k, 0, 1) - 1, 2 * uniform(seed, k, 0, 2) - 1};
    };
    const double radius = seed % 3 == 0 ? 0.0 : 0.05 * uniform(seed, 99, 0, 0);
    const auto point = [&](int node, const V& offset) {
      shapes.points.push_back({node, offset, radius});
      return static_cast<int>(shapes.points.size()) - 1;
    };
    shapes.is_wall = {0, 0};
    const bool edges = kind == PairKind::edges;
    pair = {kind, 0, 0};
    const int a = point(0, draw(1));
    if (edges) shapes.edges.push_back({a, point(0, draw(2))});
    if (kind == PairKind::spheres) pair.b = point(1, draw(3));
    if (kind == PairKind::point_edge || edges) {
      const int p = point(1, draw(4)), q = point(1, draw(5));
      shapes.edges.push_back({p, q});
      pair.b = edges ? 1 : 0;
    }
    if (kind == PairKind::point_triangle) {
      const int p = point(1, draw(6)), q = point(1, draw(7)), r = point(1, draw(8));
      shapes.triangles.push_back({p, q, r});
    }
    if (kind == PairKind::point_hollow) {
      const HollowKind sort[3] = {HollowKind::plane, HollowKind::sphere, HollowKind::cylinder};
      shapes.hollows.push_back({sort[seed % 3], 1, draw(9), normalized(draw(10)), 4.0});
    }
    const double speed = std::pow(10.0, 1 + 2 * uniform(seed, 98, 0, 0));
    for (int c = 0; c < 3; ++c) move.v[c].assign(8, 0.0), move.w[c].assign(8, 0.0);
    for (int i = 0; i < 2; ++i) {
      const V at = kind == PairKind::point_hollow ? V{} : (i == 0 ? 1.0 : -1.0) * V{3, 0, 0} + 0.2 * draw(20 + i);
      nodes.set(i, Frame<double>{at, turn(3.0 * draw(30 + i))});
      const V v = speed * ((i == 0 ? -1.0 : 1.0) * V{1, 0, 0} + 0.02 * draw(40 + i)), w = 2.0 * draw(50 + i);
      move.v[0][i] = v.x, move.v[1][i] = v.y, move.v[2][i] = v.z;
      move.w[0][i] = w.x, move.w[1][i] = w.y, move.w[2][i] = w.z;
    }
  }
};

class FastPairs : public testing::TestWithParam<PairKind> {};

// Whatever the speed, from 10 to 1000 times the size of the parts in one move: up to the share that is allowed they
// never come nearer than asked, and what stops them is that they are nearly there.
TEST_P(FastPairs, NeverPassThroughEachOther) {
  int stopped = 0, for_nothing = 0;  // the latter go on in the next move
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Throw t(GetParam(), seed);
    std::vector<V> at;
    place_points(t.shapes, t.nodes, at);
    PointMotion motion(t.shapes);
    motion.set(t.nodes, &t.move);
    const auto gap = [&](double share) {
      if (t.pair.kind != PairKind::point_hollow)
        return nearness(t.shapes, t.pair, [&](int p) { return motion.place(p, share); }).gap();
      const Hollow& h = t.shapes.hollows[0];
      return distance_from(h, motion.frame(1, share), motion.place(0, share)).distance - t.shapes.points[0].radius;
    };
    const double first = gap(0);
    if (first <= 0) continue;
    const double least = 0.1 * std::min(first, 0.1);
    const Nearness now = nearness(t.shapes, t.pair, at, t.nodes);
    ASSERT_NEAR(now.gap(), first, 1e-12 * (1 + first));
    // To first order the nearest places come nearer by what closing() says.
    const double e = 1e-9, slope = (gap(0) - gap(e)) / e, size = norm(motion.way(0) - motion.way(1)) + 10;
    ASSERT_NEAR(motion.closing(t.pair, now), slope, 1e-3 * size) << "seed " << seed;
    const double share = allowed_share(t.shapes, t.pair, now, motion, least, 1.0);
    ASSERT_GT(share, 0) << "seed " << seed;
    constexpr int samples = 1000;
    for (int k = 0; k <= samples; ++k) ASSERT_GT(gap(share * k / samples), 0.99 * least) << "seed " << seed;
    if (share == 1) continue;
    ++stopped;
    if (gap(share) > 1.1 * least + 0.02 * first) ++for_nothing;
  }
  EXPECT_LE(for_nothing, stopped / 10);
  EXPECT_GE(stopped, GetParam() == PairKind::spheres || GetParam() == PairKind::point_edge ? 3 : 30);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FastPairs,
                         testing::Values(PairKind::spheres, PairKind::point_edge, PairKind::point_triangle,
                                         PairKind::edges, PairKind::point_hollow));

}  // namespace ls::ccd_test
