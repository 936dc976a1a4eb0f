#include "step/newton/rest.h"

#include "base/rng.h"
#include "math/rotation.h"
#include "step/energy.h"
#include "step/test_rods.h"

#include <gtest/gtest.h>

namespace ls::rest_test {

using V = Vec3<double>;

// Moves every node by a little of its own.
void shake(State& s, double distance, double angle) {
  for (int i = 0; i < s.nodes.count; ++i) {
    const auto r = [&](int c) {
      return uniform(3, 1, 6 * static_cast<std::uint64_t>(i) + static_cast<std::uint64_t>(c), 0) - 0.5;
    };
    const auto f = s.nodes.frame(i);
    s.nodes.set(i, Frame<double>{f.x + distance * V{r(0), r(1), r(2)}, turn(angle * V{r(3), r(4), r(5)}) * f.q});
    s.nodes.set(i, Twist<double>{{r(1), r(2), r(3)}, {r(4), r(5), r(0)}});
  }
}

V centre_of_mass(const Model& m, const State& s) {
  V sum{};
  double mass = 0;
  for (int i = 0; i < m.nodes; ++i) sum += m.mass[i] * s.nodes.frame(i).x, mass += m.mass[i];
  return (1 / mass) * sum;
}

// In small motions about equilibrium, mass times displacement is kept: what floats does not go away.
TEST(Rest, AFreeRodComesToRestWhereItIs) {
  auto r = test::built(test::soft_rod("exact", 24));
  shake(r.state, 1e-5, 1e-3);
  const V before = centre_of_mass(r.model, r.state);
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  const Inputs in;
  const auto rest = find_rest(r.model, in, r.state, work, newton);
  ASSERT_TRUE(rest.ok());
  EXPECT_LT(rest.moved, 1e-3);
  EXPECT_GT(rest.moved, 1e-6);
  EXPECT_LT(total_energy(r.model, in, r.state, work), 1e-20) << "straight, still, unstrained";
  EXPECT_NEAR(norm(centre_of_mass(r.model, r.state) - before), 0, 1e-8);
}

TEST(Rest, AFreeRodThatFallsHasNone) {
  auto r = test::built(test::soft_rod("exact", 8));
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  Inputs in;
  in.gravity = {0, -9.81, 0};
  EXPECT_FALSE(find_rest(r.model, in, r.state, work, newton).ok());
}

// Its weight bends it by far more than its length if that were linear: the start is no guess of the end.
TEST(Rest, ASoftCantileverFindsItsWayDown) {
  auto r = test::built(test::soft_rod("exact", 24));
  Inputs in = test::clamped_at(r, 0, 1e-5);
  in.gravity = {0, -200, 0};
  Work work(r.model, 1);
  NewtonWork newton(r.model, work.terms);
  const auto rest = find_rest(r.model, in, r.state, work, newton);
  ASSERT_TRUE(rest.ok());
  double force = 0;
  for (int i = 1; i < r.model.nodes; ++i) force = std::max(force, norm(r.state.nodes.wrench(i).force));
  const double weight = 200 * 1000 * 0.1 * 1.2566e-5;  // N
  EXPECT_LT(force, 1e-7 * weight);
  EXPECT_LT(r.state.nodes.frame(24).x.y, -0.08);
  ASSERT_TRUE(factor_stiffness(r.model, in, in.held, r.state, newton));
  EXPECT_EQ(newton.ldlt.negative_pivots(), 0);
}

}  // namespace ls::rest_test
