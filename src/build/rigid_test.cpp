#include "build/rigid.h"

#include "base/error.h"
#include "base/sanitized.h"
#include "build/builder.h"
#include "collide/pair_finder.h"
#include "math/rotation.h"

#include <gtest/gtest.h>
#include <numbers>

namespace ls::rigid_test {

using V = Vec3<double>;
using std::numbers::pi;

std::vector<std::array<int, 3>> turned_over(std::vector<std::array<int, 3>> triangles) {
  for (auto& t : triangles) std::swap(t[1], t[2]);
  return triangles;
}

// The sum over triangles must find what the formula of the box says, wherever the box lies.
TEST(RigidShapes, ASurfaceEnclosesWhatTheFormulaSays) {
  const RigidShape box = box_shape({0.2, 0.3, 0.5});
  std::vector<V> points = box.points;
  for (V& p : points) p += V{7, -3, 2};
  const RigidShape found = mesh_shape({points, box.triangles});
  EXPECT_NEAR(found.solid.volume, 0.03, 1e-15);
  EXPECT_LT(norm(found.solid.centre - V{7, -3, 2}), 1e-13);
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found.solid.inertia[r][k], box.solid.inertia[r][k], 1e-14);
  EXPECT_EQ(found.edges.size(), 18U);
}

TEST(RigidShapes, APrismOfManySidesIsACylinder) {
  constexpr int sides = is_sanitized ? 400 : 2000;
  constexpr double error = 40.0 / (sides * sides);
  const RigidShape round = cylinder_shape(0.1, 0.4, sides);
  const RigidShape prism = mesh_shape({round.points, round.triangles});
  EXPECT_NEAR(prism.solid.volume / round.solid.volume, 1, error);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(prism.solid.inertia[k][k] / round.solid.inertia[k][k], 1, error);
}

// As long as thin it is a rod; without length it is a ball.
TEST(RigidShapes, ACapsuleLiesBetweenABallAndARod) {
  const RigidShape b = ball_shape(0.1), short_one = capsule_shape(0.1, 1e-9), long_one = capsule_shape(1e-4, 1);
  EXPECT_NEAR(short_one.solid.volume / b.solid.volume, 1, 1e-7);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(short_one.solid.inertia[k][k] / b.solid.inertia[k][k], 1, 1e-7);
  EXPECT_NEAR(long_one.solid.inertia[0][0] / long_one.solid.volume, 1.0 / 12, 1e-4);
  EXPECT_NEAR(b.solid.volume, 4 * pi / 3 * 1e-3, 1e-17);
}

// By summing small cubes.
TEST(RigidShapes, TheInertiaOfACapsuleIsThatOfItsVolume) {
  const double r = 0.3, l = 0.8, h = 0.01;
  double volume = 0, across = 0, along = 0;
  for (double x = -0.3 + h / 2; x < 0.3; x += h)
    for (double y = -0.3 + h / 2; y < 0.3; y += h)
      for (double z = -0.7 + h / 2; z < 0.7; z += h) {
        const double beyond = std::max(0.0, std::abs(z) - l / 2);
        if (x * x + y * y + beyond * beyond > r * r) continue;
        const double v = h * h * h;
        volume += v, across += v * (y * y + z * z), along += v * (x * x + y * y);
      }
  const Solid s = capsule_shape(r, l).solid;
  EXPECT_NEAR(s.volume / volume, 1, 1e-3);
  EXPECT_NEAR(s.inertia[0][0] / across, 1, 1e-3);
  EXPECT_NEAR(s.inertia[2][2] / along, 1, 1e-3);
}

TEST(RigidShapes, RoundingLeavesTheSizeAsItIs) {
  for (const RigidShape& s : {box_shape({0.2, 0.4, 0.6}, 0.05), cylinder_shape(0.1, 0.6, 4, 0.05)}) {
    double most_x = 0, most_z = 0;
    for (const V& p : s.points) most_x = std::max(most_x, p.x + s.radius), most_z = std::max(most_z, p.z + s.radius);
    EXPECT_NEAR(most_x, 0.1, 1e-15);
    EXPECT_NEAR(most_z, 0.3, 1e-15);
  }
}

TEST(RigidShapes, OpenAndInvertedSurfacesAreRefused) {
  const RigidShape box = box_shape({1, 1, 1});
  const auto said = [&](const std::vector<std::array<int, 3>>& triangles) -> std::string {
    try {
      mesh_shape({box.points, triangles});
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  auto open = box.triangles;
  open.erase(open.begin());
  for (const char* part : {"open", "0, 6, 8"}) EXPECT_NE(said(open).find(part), std::string::npos) << said(open);
  auto one_turned = box.triangles;
  std::swap(one_turned[4][0], one_turned[4][1]);
  EXPECT_NE(said(one_turned).find("4"), std::string::npos) << said(one_turned);
  EXPECT_NE(said(turned_over(box.triangles)).find("inside out"), std::string::npos);
  EXPECT_NE(said({}).find("no triangles"), std::string::npos);
}

RigidSpec box_at(const V& at, const V& turned) {
  RigidSpec r;
  r.name = "box";
  r.shape = box_shape({0.2, 0.3, 0.5});
  r.pose = {at, turn(turned)};
  r.fill(1000);
  return r;
}

TEST(RigidBodies, HaveTheirMassAndAxes) {
  Builder b;
  RigidSpec spec = box_at({1, 2, 3}, {0.3, -0.2, 0.9});
  spec.velocity = {1, 0, 0};
  spec.moment = {0, 0, 5};
  b.add(spec);
  const auto r = b.finish();
  ASSERT_EQ(r.model.nodes, 1);
  EXPECT_EQ(r.model.bodies[0].kind, BodyKind::rigid);
  EXPECT_NEAR(r.model.mass[0], 30, 1e-12);
  EXPECT_NEAR(r.model.inertia[0][0], 30.0 / 12 * (0.09 + 0.25), 1e-12);
  EXPECT_NEAR(r.model.inertia[2][0], 30.0 / 12 * (0.04 + 0.09), 1e-12);
  EXPECT_NEAR(r.model.moment[2][0], 5, 1e-14);
  EXPECT_EQ(r.state.nodes.twist(0).v.x, 1);
  EXPECT_LT(norm(axis_z(r.state.nodes.frame(0).q) - rotate(turn(V{0.3, -0.2, 0.9}), V{0, 0, 1})), 1e-15);
}

// A surface whose own axes are not the principal ones: its corners must be where they were drawn.
TEST(RigidBodies, TakePrincipalAxes) {
  const Quat<double> drawn = turn(V{0.4, 0.5, -0.3});
  RigidShape box = box_shape({0.2, 0.3, 0.5});
  for (V& p : box.points) p = rotate(drawn, p) + V{0.1, 0, 0};
  RigidSpec spec = box_at({1, 2, 3}, {0.3, -0.2, 0.9});
  spec.shape = mesh_shape({box.points, box.triangles});
  spec.fill(1000);
  Builder b;
  b.set_contact({}, false);
  b.add(spec);
  const auto r = b.finish();
  std::vector<double> found{r.model.inertia[0][0], r.model.inertia[1][0], r.model.inertia[2][0]};
  std::sort(found.begin(), found.end());
  EXPECT_NEAR(found[0], 30.0 / 12 * (0.04 + 0.09), 1e-12);
  EXPECT_NEAR(found[2], 30.0 / 12 * (0.09 + 0.25), 1e-12);
  std::vector<V> at;
  place_points(*r.model.shapes, r.state.nodes, at);
  ASSERT_EQ(at.size(), 8U);
  for (std::size_t k = 0; k < 8; ++k)
    EXPECT_LT(norm(at[k] - (spec.pose.x + rotate(spec.pose.q, box.points[k]))), 1e-14);
}

TEST(Walls, AreHeldNodesWithoutWeight) {
  Builder b;
  b.set_contact({}, false);
  RigidSpec ball;
  ball.shape = ball_shape(0.01);
  ball.fill(1000);
  b.add(ball);
  b.add(plane_wall({0, 0, -0.1}, {0, 0, 1}));
  b.add(box_wall({-1, -2, -3}, {1, 2, 3}, true));
  b.add(cylinder_wall({0, 0, -2}, {0, 0, 2}, 0.5, true));
  b.add(box_wall({2, 2, 2}, {3, 3, 3}, false));
  const auto r = b.finish();
  const Shapes& s = *r.model.shapes;
  EXPECT_EQ(s.hollows.size(), 1U + 6 + 3);
  EXPECT_EQ(s.surfaces.size(), 5U);
  EXPECT_EQ(s.triangles.size(), 12U);
  EXPECT_NEAR(s.settings.thickness, 1e-3, 1e-18) << "of the ball, not of walls";
  for (int i = 1; i < 5; ++i) {
    EXPECT_EQ(r.model.held[i], hold_all);
    EXPECT_LT(r.model.mass[i], 1e-20);
    EXPECT_EQ(s.is_wall[i], 1);
  }
  // Seen from the ball at the origin: how far it is to each surface.
  const double expected[] = {0.1, 1, 1, 2, 2, 3, 3, 0.5, 2, 2};
  for (std::size_t h = 0; h < s.hollows.size(); ++h)
    EXPECT_NEAR(distance_from(s.hollows[h], r.state.nodes.frame(s.hollows[h].node), V{}).distance, expected[h], 1e-15);
}

TEST(Walls, AnObstacleIsNearWhereItIsDrawn) {
  Builder b;
  b.set_contact({}, false);
  RigidSpec ball;
  ball.shape = ball_shape(0.01);
  ball.fill(1000);
  ball.pose.x = {0, 0, 0.5};
  b.add(ball);
  b.add(cylinder_wall({-1, 0, 0}, {1, 0, 0}, 0.2, false));
  const auto r = b.finish();
  PairFinder finder(*r.model.shapes);
  double least = 1;
  for (const ShapePair& p : finder.near(r.state.nodes, 1.0))
    least = std::min(least, nearness(*r.model.shapes, p, finder.at(), r.state.nodes).gap());
  EXPECT_NEAR(least, 0.5 - 0.2 - 0.01, 1e-15);
}

TEST(RigidBodies, SharpOnesHaveAThicknessByTheirSize) {
  Builder b;
  b.set_contact({}, false);
  b.add(box_at({}, {}));
  const auto r = b.finish();
  EXPECT_NEAR(r.model.shapes->settings.thickness, 1e-3 * std::sqrt(0.04 + 0.09 + 0.25), 1e-15);
}

}  // namespace ls::rigid_test
