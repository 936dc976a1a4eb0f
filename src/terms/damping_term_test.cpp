#include "terms/damping_term.h"

#include "base/rng.h"
#include "math/block_matrix.h"
#include "math/rotation.h"
#include "model/inertia.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ls::damping_term_test {

using V = Vec3<double>;

// Nodes that move and turn anyhow, every third of them damped.
struct Setting {
  Model model;
  State state;
  Inputs in;
  std::unique_ptr<Term> term;

  explicit Setting(int nodes) {
    model.nodes = nodes;
    state.nodes = Nodes(nodes);
    model.mass.assign(static_cast<std::size_t>(padded(nodes)), 2.0);
    for (int k = 0; k < 3; ++k) model.inertia[k].assign(static_cast<std::size_t>(padded(nodes)), 0.3 + 0.1 * k);
    for (int i = 0; i < nodes; ++i) {
      const auto draw = [i](std::uint64_t k) { return 2 * uniform(5, 0, static_cast<std::uint64_t>(i), k) - 1; };
      state.nodes.set(i, Frame<double>{{draw(0), draw(1), draw(2)}, turn(2 * V{draw(3), draw(4), draw(5)})});
      state.nodes.set(i, Twist<double>{{draw(6), draw(7), draw(8)}, {draw(9), draw(10), draw(11)}});
      if (i % 3 == 1) model.damping.push_back({i, 3.0 + i, 0.5 * i});
    }
    term = make_damping_term(model);
  }
  Wrenches wrenches(int threads = 1) const {
    Team team(threads);
    Wrenches w(model.nodes);
    w.need_node_columns(model.nodes);
    term->add_wrenches(state, in, Blocks::all(model.nodes, team), w);
    return w;
  }
};
V force(const Wrenches& w, int i) {
  return {w.force[0][i], w.force[1][i], w.force[2][i]};
}
V torque(const Wrenches& w, int i) {
  return {w.torque[0][i], w.torque[1][i], w.torque[2][i]};
}

TEST(DampingTerm, TakesMomentumAtItsRateAndOfItsNodesAlone) {
  const Setting s(9);
  const Wrenches w = s.wrenches();
  for (int i = 0; i < 9; ++i) {
    const double rate = i % 3 == 1 ? 3.0 + i : 0, spin_rate = i % 3 == 1 ? 0.5 * i : 0;
    const Twist<double> t = s.state.nodes.twist(i);
    const V spin = angular_momentum(s.model, i, s.state.nodes.frame(i).q, t.w);
    EXPECT_LT(norm(force(w, i) + rate * 2.0 * t.v), 1e-14) << i;
    EXPECT_LT(norm(torque(w, i) + spin_rate * spin), 1e-14) << i;
  }
}

TEST(DampingTerm, StiffnessIsTheSlopeOfTheWrench) {
  constexpr double rate = 7, e = 1e-6;
  Setting s(3);
  BlockMatrix h(BlockPattern(3, {}));
  h.clear();
  StiffnessRequest request;
  request.rate = rate;
  s.term->add_stiffness(s.state, s.in, request, h);
  const Twist<double> t = s.state.nodes.twist(1);
  for (int k = 0; k < 6; ++k) {  // velocities follow displacements; what turns with them is of second order
    double d[6] = {};
    d[k] = rate * e;
    s.state.nodes.set(1, Twist<double>{t.v + V{d[0], d[1], d[2]}, t.w + V{d[3], d[4], d[5]}});
    const Wrenches up = s.wrenches();
    s.state.nodes.set(1, Twist<double>{t.v - V{d[0], d[1], d[2]}, t.w - V{d[3], d[4], d[5]}});
    const Wrenches down = s.wrenches();
    for (int r = 0; r < 6; ++r) {
      const auto at = [&](const Wrenches& w) { return r < 3 ? w.force[r][1] : w.torque[r - 3][1]; };
      EXPECT_NEAR(h.diagonal(1)[6 * r + k], -(at(up) - at(down)) / (2 * e), 1e-6) << r << k;
    }
  }
  for (int k = 0; k < 36; ++k) EXPECT_EQ(h.diagonal(0)[k], 0.0);
  h.clear();
  s.term->add_stiffness(s.state, s.in, {}, h);  // at rest
  for (int k = 0; k < 36; ++k) EXPECT_EQ(h.diagonal(1)[k], 0.0);
}

// Explicit steps damp velocities themselves.
TEST(DampingTerm, IsNoForceOfExplicitSteps) {
  Setting s(3);
  EXPECT_EQ(s.term->scope(s.in), Scope::nodes);
  s.in.kicks = true;
  EXPECT_EQ(s.term->scope(s.in), Scope::idle);
  EXPECT_TRUE(s.term->limits(s.state, s.in).dissipates);
  EXPECT_EQ(s.term->limits(s.state, s.in).step, std::numeric_limits<double>::infinity());
}

TEST(DampingTermThreads, GiveTheSameBits) {
  const Setting s(3000);
  const Wrenches one = s.wrenches(1), four = s.wrenches(4);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3000; ++i) {
      ASSERT_EQ(one.force[k][i], four.force[k][i]);
      ASSERT_EQ(one.torque[k][i], four.torque[k][i]);
    }
}

}  // namespace ls::damping_term_test
