#include "terms/contact/pair_barriers.h"

#include "terms/contact/test_contact.h"

#include <gtest/gtest.h>

namespace ls::pair_barriers_test {

// A ball on a floor, pressed to within a hundredth of the reach before and after a step.
struct PressedBall {
  test::Touchables scene;
  Inputs in;
  std::vector<PairBarriers::Place> places;

  PressedBall() {
    scene.add_ball({0, 0, 1e-2}, {}, 1e-2, 0.1, {});
    scene.add_plane({0, 0, 0}, {0, 0, 1}, {});
    scene.shapes.settings.thickness = 1e-3;
    scene.finish();
    in = scene.inputs(1e-3);
    places = {{bodies_of(*scene.model.shapes, {PairKind::point_hollow, 0, 0}), 1e-5, 500}};
  }
  // Its reach after a step that it began with this velocity.
  double reach_after(const Vec3<double>& velocity, const Vec3<double>& spin) {
    State s = scene.state;
    s.nodes.set(0, Twist<double>{velocity, spin});
    PairBarriers barriers(*scene.model.shapes, {});
    barriers.note_bodies(s, std::vector<Vec3<double>>(2), in.dt);
    barriers.meet(places, in, false, s.memory);
    barriers.keep(places, in, s.memory);
    return s.memory.near_reach.at(0);
  }
};

TEST(PairBarriers, TheReachShrinksUnderALoadThatRestsAndNotInAnImpact) {
  PressedBall ball;
  EXPECT_LT(ball.reach_after({0, 0, 0}, {}), 0.1e-3);
  EXPECT_LT(ball.reach_after({0.4, 0, 0}, {}), 0.1e-3);  // 0.4 mm a step
  EXPECT_EQ(ball.reach_after({0, 0, -2}, {}), 1e-3);     // 2 mm
  EXPECT_EQ(ball.reach_after({0, 0, 0}, {0, 300, 0}), 1e-3);
}

}  // namespace ls::pair_barriers_test
