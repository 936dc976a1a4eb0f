#include "terms/drag_term.h"

#include "base/rng.h"
#include "math/block_matrix.h"
#include "math/rotation.h"
#include "model/field_sampling.h"
#include "model/model.h"

#include <gtest/gtest.h>

namespace ls::drag_term_test {

using V = Vec3<double>;

// A flow that shears, turns and strains, and bends a little.
class Vortex final : public Field {
 public:
  void add(const V* x, int points, int order, FieldSample* out) const override {
    for (int i = 0; i < points; ++i)
      add_sample(
          []<class T>(const Vec3<T>& p) {
            return Vec3<T>{0.3 - 2.0 * p.y, p.x + 0.5 * p.z, 0.4 * p.x};
          },
          x[i], order, 1.0, out[i]);
  }
};

// Nodes in a row, moving and turning anyhow; every fourth belongs to two pieces, every fifth to none.
struct Setting {
  Model model;
  State state;
  Inputs in;
  std::unique_ptr<Term> term;

  explicit Setting(int nodes) {
    model.nodes = nodes;
    state.nodes = Nodes(nodes);
    model.mass.assign(static_cast<std::size_t>(padded(nodes)), 2.0);
    for (auto& c : model.inertia) c.assign(static_cast<std::size_t>(padded(nodes)), 0.5);
    std::vector<DragPiece>& pieces = model.drag;
    for (int i = 0; i < nodes; ++i) {
      const auto draw = [i](std::uint64_t k) { return 2 * uniform(3, 0, static_cast<std::uint64_t>(i), k) - 1; };
      const auto vec = [&](std::uint64_t k) { return V{draw(k), draw(k + 1), draw(k + 2)}; };
      state.nodes.set(i, Frame<double>{vec(0), turn(2 * vec(3))});
      state.nodes.set(i, Twist<double>{vec(6), vec(9)});
      if (i % 5 != 3) pieces.push_back({i, normalized(vec(12)), {2.0, 1.2, 0.3, 0.7}});
      if (i % 4 == 0) pieces.push_back({i, normalized(vec(15)), {0.5, 0.3, 0, 0.1}});
    }
    in.stream = std::make_shared<Vortex>();
    term = make_drag_term(model);
  }
  Wrenches wrenches(int threads = 1) const {
    Team team(threads);
    Wrenches w(state.nodes.count);
    w.need_node_columns(state.nodes.count);
    term->add_wrenches(state, in, Blocks::all(state.nodes.count, team), w);
    return w;
  }
  // As in an implicit step: velocities follow displacements.
  void displace(int node, int direction, double by, double rate) {
    double d[6] = {};
    d[direction] = by;
    const V dx{d[0], d[1], d[2]}, angle{d[3], d[4], d[5]};
    const Frame<double> f = state.nodes.frame(node);
    const Twist<double> t = state.nodes.twist(node);
    state.nodes.set(node, Frame<double>{f.x + dx, turn(angle) * f.q});
    state.nodes.set(node, Twist<double>{t.v + rate * dx, t.w + rate * angle});
  }
};
double component(const Wrenches& w, int node, int k) {
  return k < 3 ? w.force[k][node] : w.torque[k - 3][node];
}

TEST(DragTerm, StiffnessIsTheSymmetricSlopeOfTheWrench) {
  constexpr double rate = 3, e = 1e-5;
  Setting s(6);
  BlockMatrix h(BlockPattern(6, {}));
  h.clear();
  StiffnessRequest request;
  request.rate = rate;
  s.term->add_stiffness(s.state, s.in, request, h);
  for (int i = 0; i < 6; ++i) {
    double slope[6][6];
    for (int k = 0; k < 6; ++k) {
      const State kept = s.state;
      s.displace(i, k, e, rate);
      const Wrenches up = s.wrenches();
      s.state = kept;
      s.displace(i, k, -e, rate);
      const Wrenches down = s.wrenches();
      s.state = kept;
      for (int r = 0; r < 6; ++r) slope[r][k] = -(component(up, i, r) - component(down, i, r)) / (2 * e);
    }
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c)
        EXPECT_NEAR(h.diagonal(i)[6 * r + c], 0.5 * (slope[r][c] + slope[c][r]), 1e-8) << i << " " << r << c;
  }
}

TEST(DragTerm, WhatGoesWithTheStreamFeelsNothing) {
  Setting s(6);
  for (int i = 0; i < 6; ++i) {
    const V x = s.state.nodes.frame(i).x;
    // Half the curl of (0.3 - 2 y, x + z/2, 0.4 x).
    s.state.nodes.set(i, Twist<double>{{0.3 - 2 * x.y, x.x + 0.5 * x.z, 0.4 * x.x}, {-0.25, -0.2, 1.5}});
  }
  const Wrenches w = s.wrenches();
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(component(w, i, k), 0, 1e-14);
}

TEST(DragTerm, AtRestThereIsNoStiffness) {
  Setting s(6);
  BlockMatrix h(BlockPattern(6, {}));
  h.clear();
  s.term->add_stiffness(s.state, s.in, {}, h);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 36; ++k) EXPECT_EQ(h.diagonal(i)[k], 0.0);
  EXPECT_TRUE(s.term->limits(s.state, s.in).dissipates);
  EXPECT_EQ(s.term->limits(s.state, s.in).damping_time, 0.0);
}

TEST(DragTerm, ExplicitStepsAreBoundByTheFastestRelaxation) {
  Setting s(6);  // of two pieces: m/c = 2/(2 + 0.5), I/c = 0.5/(0.7 + 0.1) at least
  EXPECT_NEAR(s.term->limits(s.state, s.in).step, 0.5 / 0.8, 1e-12);
}

TEST(DragTermThreads, GiveTheSameBits) {
  const Setting s(3000);
  const Wrenches one = s.wrenches(1), three = s.wrenches(3);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(one.force[k], three.force[k]);
    EXPECT_EQ(one.torque[k], three.torque[k]);
  }
}

}  // namespace ls::drag_term_test
