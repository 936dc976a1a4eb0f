#include "build/drag_layout.h"

#include "math/rotation.h"

#include <gtest/gtest.h>

namespace ls::drag_layout_test {

using V = Vec3<double>;

// A tapered rod along y with uneven nodes, and a ball.
TEST(DragPieces, OfRodsAddUpToTheWhole) {
  Model m;
  Nodes nodes(6);
  Body rod;
  rod.arc = {0, 0.1, 0.4, 0.6, 1.0};
  rod.nodes = {0, 1, 2, 3, 4};
  rod.flow_radius = {0.02, 0.019, 0.016, 0.014, 0.01};
  for (int i = 0; i < 5; ++i) nodes.set(i, Frame<double>{{0, rod.arc[i], 0}, turn({0.3 * i, 0.2, -0.1 * i})});
  Body ball;
  ball.kind = BodyKind::rigid;
  ball.nodes = {5};
  ball.flow_radius = {0.1};
  m.bodies = {rod, ball};
  EXPECT_NEAR(slenderness(rod), 1 / 0.015, 1e-9);
  const auto pieces = lay_drag(m, nodes, 2.0);
  ASSERT_EQ(pieces.size(), 6u);
  Drag::Params<double> sum{};
  for (std::size_t i = 0; i < 5; ++i) {
    sum.across += pieces[i].law.across, sum.along += pieces[i].law.along;
    EXPECT_LT(norm(rotate(nodes.frame(static_cast<int>(i)).q, pieces[i].axis) - V{0, 1, 0}), 1e-14);
  }
  const auto whole = slender_drag(2.0, 1 / 0.015, 0.015, 1.0);
  EXPECT_NEAR(sum.across, whole.across, 1e-12 * whole.across);
  EXPECT_NEAR(sum.along, whole.along, 1e-12 * whole.along);
  EXPECT_EQ(pieces[5].law.across, ball_drag(2.0, 0.1).across);
}

// What acts on them goes through the nodes in order, whatever the order of the bodies.
TEST(DragPieces, AreInTheOrderOfTheNodes) {
  Model m;
  Nodes nodes(4);
  for (int i = 0; i < 4; ++i) nodes.set(i, Frame<double>{{0, 0.1 * i, 0}, {}});
  Body ball, rod;
  ball.kind = BodyKind::rigid;
  ball.nodes = {3};
  ball.flow_radius = {0.1};
  rod.nodes = {2, 0, 1};
  rod.arc = {0, 0.2, 0.3};
  rod.flow_radius = {0.01, 0.01, 0.01};
  m.bodies = {ball, rod};
  const auto pieces = lay_drag(m, nodes, 1.0);
  ASSERT_EQ(pieces.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(pieces[i].node, i);
}

}  // namespace ls::drag_layout_test
