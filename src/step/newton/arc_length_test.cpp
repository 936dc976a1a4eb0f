#include "step/newton/arc_length.h"

#include "math/rotation.h"
#include "step/model_size.h"
#include "step/test_rods.h"

#include <gtest/gtest.h>

namespace ls::arc_length_test {

// A cantilever is bent down by far in one long step along its branch; a bar lies across its way.
TEST(ArcLength, DoesNotPassThroughWhatIsInTheWay) {
  auto rod = test::soft_rod("exact", 20);
  rod.hold_start = hold_all;
  Builder builder;
  builder.set_contact({}, false);
  builder.add(rod);
  RigidSpec bar;
  bar.name = "bar";
  bar.shape = capsule_shape(1e-3, 0.06);
  bar.pose = {{0.08, 0, -0.012}, turn(Vec3<double>{1.5707963267948966, 0, 0})};
  bar.fill(1000);
  bar.fixed = true;
  builder.add(bar);
  auto b = builder.finish();
  Work work(b.model, 1);
  NewtonWork newton(b.model, work.terms);
  newton.size = model_size(b.model, b.state.nodes);
  const int bar_node = b.model.nodes - 1, tip = 20;
  Inputs in;
  in.contact = ContactLaw::barrier;
  for (const int i : {0, bar_node}) in.held.push_back({i, hold_all, b.state.nodes.frame(i), {}});
  const InputsAt at = [&](double s) {
    Inputs now = in;
    now.loads = {{{tip}, {1.0}, {0, 0, -0.02 * s}, {}, false}};
    return now;
  };
  start_arc(b.model, b.state);
  for (int k = 0; k < 3; ++k) {
    const ArcResult r = step_arc(b.model, at, b.state, work, newton, {0.5, {}});
    if (r.outcome != Outcome::done) break;  // what can't be followed is told; what passes through is not
    EXPECT_GT(contact_report(b.model, work.terms, b.state, at(r.s)).min_gap, 0);
  }
  // Where the rod crosses the bar it is above it.
  for (int i = 1; i <= tip; ++i) {
    const auto low = b.state.nodes.frame(i - 1).x, high = b.state.nodes.frame(i).x;
    if (low.x <= 0.08 && high.x > 0.08) {
      EXPECT_GT(low.z, -0.012) << i;
    }
  }
  EXPECT_GT(b.state.nodes.frame(tip).x.z, -0.05);
  EXPECT_LT(b.state.nodes.frame(tip).x.z, -1e-3);
}

}  // namespace ls::arc_length_test
