// Contacts of a ball with neighbouring facets rub as one.
#include "terms/contact/rubbing.h"

#include "math/block_matrix.h"
#include "math/rotation.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ls::rubbing_test {

using V = Vec3<double>;
constexpr double radius = 0.05, mu = 0.4, slip = 3e-5, thickness = 1e-3;

// A ball on node 0 above bodies of facets, each on a node of its own at the origin. Which triangles there are does not
// matter to friction but for who has corners in common: they form a strip, k with k + 1.
struct Scene {
  Shapes shapes;
  State state;

  explicit Scene(int bodies) {
    shapes.settings.thickness = thickness;
    shapes.points.push_back({0, {}, radius});
    shapes.spheres.push_back(0);
    state.nodes = Nodes(1 + bodies);
    for (int i = 0; i <= bodies; ++i) shapes.body_of.push_back(i), shapes.surfaces.push_back({mu});
    for (int b = 1; b <= bodies; ++b) {
      const int first = static_cast<int>(shapes.points.size());
      for (int k = 0; k < 8; ++k) shapes.points.push_back({b, {0.01 * k, 0.01 * (k % 2), 0}, 0});
      for (int k = 0; k < 6; ++k) shapes.triangles.push_back({first + k, first + k + 1, first + k + 2});
    }
    for (int i = 0; i <= bodies; ++i) state.nodes.set(i, Frame<double>{i == 0 ? V{0, 0, radius} : V{}, {}});
  }
  // What a facet does that the ball touches in a direction which leans over by an angle along x.
  static PairPush push(int body, double lean, double force) {
    PairPush p;
    p.count = 4;
    p.normal = {-std::sin(lean), 0, std::cos(lean)};
    p.normal_force = force;
    p.weight[0] = 1, p.radius[0] = radius;
    for (int k = 1; k < 4; ++k)
      p.node[k] = body, p.weight[k] = -1.0 / 3, p.lever[k] = V{0, 0, radius} - radius * p.normal;
    return p;
  }
  ShapePair facet(int k) const { return {PairKind::point_triangle, 0, k}; }
  V force_on(const Rubbing& rubbing, int node, V* torque = nullptr) const {
    Wrenches w(state.nodes.count);
    w.need_node_columns(state.nodes.count);
    rubbing.add_wrenches(state.nodes, nullptr, w);
    if (torque) *torque = {w.torque[0][node], w.torque[1][node], w.torque[2][node]};
    return {w.force[0][node], w.force[1][node], w.force[2][node]};
  }
};

TEST(Rubbing, FacetsOfOneSurfaceAreOnePlaceToABallAndCornersAreNot) {
  struct {
    double lean;
    int body, places;
  } const cases[] = {{0, 1, 1}, {0.1, 1, 1}, {0.7, 1, 2}, {0.1, 2, 2}};
  for (const auto& c : cases) {
    Scene s(2);
    Rubbing rubbing(s.shapes);
    rubbing.begin(s.state, slip);
    rubbing.note(s.facet(0), Scene::push(1, 0, 2), s.state);
    rubbing.note(s.facet(c.body == 1 ? 1 : 7), Scene::push(c.body, c.lean, 1), s.state);
    rubbing.gather(s.state);
    ASSERT_EQ(rubbing.lags().size(), static_cast<std::size_t>(c.places)) << c.lean << " " << c.body;
    if (c.places == 1) {
      EXPECT_NEAR(rubbing.lags()[0].limit, mu * std::hypot(2 + std::cos(c.lean), std::sin(c.lean)), 1e-15);
      EXPECT_EQ(rubbing.lags()[0].pair, s.facet(0));  // the strongest
    }
  }
}

TEST(Rubbing, ABallThatRollsOnFacetsIsNotResistedAndOneThatSlidesIs) {
  Scene s(1);
  Rubbing rubbing(s.shapes);
  rubbing.begin(s.state, slip);
  for (int k = 0; k < 5; ++k) rubbing.note(s.facet(k), Scene::push(1, 0.08 * (k - 2), k == 2 ? 2 : 1), s.state);
  rubbing.gather(s.state);
  const double turned = 0.02;
  s.state.nodes.set(0, Frame<double>{{radius * turned, 0, radius}, turn(V{0, turned, 0})});
  EXPECT_LT(norm(s.force_on(rubbing, 0)), 1e-9);
  s.state.nodes.set(0, Frame<double>{{2 * slip, 0, radius}, {}});
  double normal = 1;
  for (int k = 0; k < 5; ++k) normal += std::cos(0.08 * (k - 2));
  V torque, back;
  const V force = s.force_on(rubbing, 0, &torque), other = s.force_on(rubbing, 1, &back);
  EXPECT_NEAR(force.x, -mu * normal, 1e-12);
  EXPECT_LT(norm(force + other), 1e-15);
  EXPECT_LT(norm(torque + back + cross(s.state.nodes.frame(0).x, force)), 2.1 * slip * norm(force));
}

// Friction that slides has no stiffness along the slide; but where an iteration has brought most of a slide back, it
// stops the rest, and all of it where the slide has changed its sign.
TEST(Rubbing, ASlideThatTurnsBackIsStoppedByItsStiffness) {
  Scene s(1);
  Rubbing rubbing(s.shapes);
  rubbing.begin(s.state, slip);
  rubbing.note(s.facet(0), Scene::push(1, 0, 2), s.state);
  BlockMatrix matrix(BlockPattern(2, {{0, 1}}));
  const auto stiffness_at = [&](double slid, bool in_time) {
    s.state.nodes.set(0, Frame<double>{{slid, 0, radius}, {}});
    matrix.clear();
    rubbing.add_stiffness(s.state.nodes, nullptr, in_time, matrix);
    return matrix.diagonal(0)[0];
  };
  const double limit = 2 * mu, none = 1e-12 * limit / slip;
  EXPECT_NEAR(stiffness_at(10 * slip, true), 0, none);
  EXPECT_NEAR(stiffness_at(9 * slip, true), 0, none);
  EXPECT_NEAR(stiffness_at(4 * slip, true), limit / (4 * slip), none);
  EXPECT_NEAR(stiffness_at(4 * slip, true), limit / (4 * slip), none) << "asked again about the same state";
  EXPECT_NEAR(stiffness_at(4 * slip, false), 0, none) << "equilibria are judged by the tangent";
  EXPECT_NEAR(stiffness_at(-5 * slip, true), limit / (5 * slip), none);
  EXPECT_NEAR(stiffness_at(-5.5 * slip, true), 0, none);
}

// A solve that begins where the last one from the same start came to takes up that one's friction, but where it is told
// that something has changed.
TEST(Rubbing, ASolveGoesOnWithTheFrictionOfTheLast) {
  Scene s(1);
  for (const std::uint8_t changed : {0, 1}) {
    Rubbing rubbing(s.shapes);
    for (const double push : {2.0, 3.0}) {
      rubbing.begin(s.state, slip);
      rubbing.note(s.facet(0), Scene::push(1, 0, push), s.state);
    }
    rubbing.go_on({changed, 0});
    ASSERT_EQ(rubbing.lags().size(), 1U);
    EXPECT_EQ(rubbing.lags()[0].limit, mu * (changed ? 3 : 2));
  }
}

// What a contact is stretched by goes along from facet to facet, however many push.
TEST(Rubbing, ABallKeepsItsStretchWhenItRollsOnToFurtherFacets) {
  Scene s(1);
  Rubbing rubbing(s.shapes);
  rubbing.begin(s.state, slip);
  for (int k = 0; k < 3; ++k) rubbing.note(s.facet(k), Scene::push(1, 0.05 * (k - 1), k == 1 ? 2 : 1), s.state);
  rubbing.gather(s.state);
  s.state.nodes.set(0, Frame<double>{{0.4 * slip, 0, radius}, {}});
  const V held = s.force_on(rubbing, 0);
  EXPECT_LT(held.x, -0.5 * mu * 4);
  rubbing.keep(s.state.nodes, {s.facet(2).key()}, s.state.memory);  // the strongest has let go by then
  EXPECT_EQ(s.state.memory.stuck, std::vector{s.facet(2).key()});
  Rubbing next(s.shapes);
  next.begin(s.state, slip);
  for (int k = 3; k < 6; ++k) next.note(s.facet(k), Scene::push(1, 0.05 * (k - 4), k == 4 ? 2 : 1), s.state);
  next.gather(s.state);
  ASSERT_EQ(next.lags().size(), 1u);
  EXPECT_NEAR(norm(s.force_on(next, 0) - held), 0, 1e-12);
}

}  // namespace ls::rubbing_test
