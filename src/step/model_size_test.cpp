#include "step/model_size.h"

#include "build/builder.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ls::model_size_test {

TEST(ModelSize, IsThatOfWhatCanMove) {
  Builder b;
  b.set_contact({}, false);
  RigidSpec ball;
  ball.shape = ball_shape(0.5);
  ball.fill(1);
  b.add(ball);
  ball.pose.x = {3, 0, 0};
  b.add(ball);
  b.add(plane_wall({0, 0, -100}, {0, 0, 1}));
  const auto r = b.finish();
  EXPECT_NEAR(model_size(r.model, r.state.nodes), std::sqrt(16.0 + 1 + 1), 1e-14);
}

}  // namespace ls::model_size_test
