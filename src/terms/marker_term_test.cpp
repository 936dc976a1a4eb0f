#include "terms/marker_term.h"

#include "math/block_matrix.h"
#include "math/rotation.h"
#include "terms/make_terms.h"

#include <gtest/gtest.h>

namespace ls {

namespace {

// Three nodes in general poses, a marker on one, on two and on three of them.
struct Example {
  State state;
  MarkerTable table;
  MarkerFlow flow{3, true};
  Inputs in;

  Example() {
    state.nodes = Nodes(3);
    for (int i = 0; i < 3; ++i) {
      const double a = i + 1;
      state.nodes.set(
          i, Frame<double>{{0.1 * a, 0.2 - 0.05 * a, 0.03 * a * a}, turn(Vec3<double>{0.3 * a, -0.2, 0.5 / a})});
      state.nodes.set(i, Twist<double>{{0.4 - 0.1 * a, 0.2 * a, -0.3}, {1.0 - a, 0.7, 0.2 * a}});
    }
    Marker one;
    one.anchor[0] = {1, 1, {0.02, -0.01, 0.03}};
    Marker two;
    two.anchors = 2;
    two.anchor[0] = {0, 0.3, {}}, two.anchor[1] = {1, 0.7, {0.01, 0.01, 0}};
    Marker three;
    three.anchors = 3;
    three.anchor[0] = {2, 0.5, {0, 0, 0.02}}, three.anchor[1] = {0, 0.2, {}}, three.anchor[2] = {1, 0.3, {}};
    table.markers = {one, two, three};
    MarkerFlow::Point p;
    p.u = {0.3, -0.2, 0.9};
    p.resistance = {2, 3, 4, 0.3, -0.2, 0.5};
    for (std::size_t i = 0; i < 3; ++i) flow.set(i, p);
    const MarkerFlow::Spin spin{{1, 2, -1}, {0.02, 0.01, 0.03, 0.001, 0.002, -0.003}};
    flow.spins = {spin, spin, spin};
    flow.u[0][1] = -0.4;
    in.flow = &flow;
  }
  // On the nodes and, in a step of 1 s, on the markers.
  struct Given {
    Wrenches nodes{3};
    MarkerImpulses markers;
    Wrench<double> on_marker(std::size_t k) const {
      const auto &j = markers.force, &t = markers.torque;
      return {{j[0][k], j[1][k], j[2][k]}, {t[0][k], t[1][k], t[2][k]}};
    }
  };
  Given given(const State& s) const {
    Given g;
    g.nodes.need_node_columns(3);
    g.markers.duration = 1;
    for (auto* triple : {g.markers.force, g.markers.torque})
      for (int a = 0; a < 3; ++a) triple[a].assign(table.markers.size(), 0.0);
    g.nodes.impulses = &g.markers;
    Team team(1);
    make_marker_term(table)->add_wrenches(s, in, Blocks::all(3, team), g.nodes);
    g.nodes.impulses = nullptr;
    return g;
  }
  Wrenches wrenches(const State& s) const { return given(s).nodes; }
};

}  // namespace

TEST(MarkerTerm, NodesGetWhatMarkersGet) {
  const Example e;
  const auto given = e.given(e.state);
  const Wrenches& w = given.nodes;
  Vec3<double> force{}, torque{}, on_markers{}, about{};
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> f{w.force[0][i], w.force[1][i], w.force[2][i]};
    force += f;
    torque += Vec3<double>{w.torque[0][i], w.torque[1][i], w.torque[2][i]} + cross(e.state.nodes.frame(i).x, f);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const Wrench<double> on = given.on_marker(k);
    on_markers += on.force;
    about += on.torque + cross(marker_place(e.table.markers[k], e.state.nodes), on.force);
  }
  EXPECT_NEAR(norm(force - on_markers), 0, 1e-14);
  // Two anchors of one marker pull in parallel at their own places: the same torque where these are equally far off.
  EXPECT_LT(norm(torque - about), 0.2 * norm(about));
  EXPECT_GT(norm(about), 0.01);
}

// Velocities follow displacements by a rate in an implicit step: the change of the wrenches is minus the stiffness.
TEST(MarkerTerm, StiffnessIsTheDerivativeOfDrag) {
  const Example e;
  const auto term = make_marker_term(e.table);
  NodePairs pairs;
  term->add_pattern(e.state, e.in, pairs);
  BlockMatrix matrix{BlockPattern(3, pairs)};
  constexpr double rate = 50, h = 1e-6;
  StiffnessRequest request;
  request.rate = rate;
  term->add_stiffness(e.state, e.in, request, matrix);
  for (int node = 0; node < 3; ++node)
    for (int c = 0; c < 6; ++c) {
      std::vector<double> unit(18, 0.0), product(18, 0.0);
      unit[6 * node + c] = 1;
      matrix.add_product(unit.data(), product.data());
      State high = e.state, low = e.state;
      (c < 3 ? high.nodes.v[c] : high.nodes.w[c - 3])[node] += h * rate;
      (c < 3 ? low.nodes.v[c] : low.nodes.w[c - 3])[node] -= h * rate;
      const Wrenches a = e.wrenches(high), b = e.wrenches(low);
      for (int i = 0; i < 3; ++i)
        for (int r = 0; r < 6; ++r) {
          const double change = r < 3 ? a.force[r][i] - b.force[r][i] : a.torque[r - 3][i] - b.torque[r - 3][i];
          EXPECT_NEAR(product[6 * i + r], -change / (2 * h), 1e-6 * rate);
        }
    }
}

TEST(MarkerTerm, TakesEnergyFromWhatMovesThroughStillFluid) {
  Example e;
  for (Column& u : e.flow.u) std::fill(u.begin(), u.end(), 0.0);
  for (auto& spin : e.flow.spins) spin.rotation = {};
  const Wrenches w = e.wrenches(e.state);
  double power = 0;
  for (int i = 0; i < 3; ++i) {
    const auto t = e.state.nodes.twist(i);
    power += w.force[0][i] * t.v.x + w.force[1][i] * t.v.y + w.force[2][i] * t.v.z;
    power += w.torque[0][i] * t.w.x + w.torque[1][i] * t.w.y + w.torque[2][i] * t.w.z;
  }
  EXPECT_LT(power, 0);
}

TEST(MarkerTerm, RecordsWhatItGaveAtAPose) {
  const Example e;
  Memory memory;
  memory.marker_impulse.assign(3, {});
  note_marker_impulses(e.table.markers, e.flow, e.state.nodes, 0.25, memory);
  const auto given = e.given(e.state);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(norm(memory.marker_impulse[k].force - 0.25 * given.on_marker(k).force), 0, 1e-15);
    EXPECT_NEAR(norm(memory.marker_impulse[k].torque - 0.25 * given.on_marker(k).torque), 0, 1e-15);
  }
}

TEST(MarkerTerm, WhatFloatsIsLighterAtItsMiddle) {
  Example e;
  e.in.gravity = {0, 0, -10};
  const Wrenches without = e.wrenches(e.state);
  const Vec3<double> offset{0.01, 0.02, -0.03};
  e.table.floating = {{1, offset, 0.1}};
  const Wrenches with = e.wrenches(e.state);
  EXPECT_NEAR(with.force[2][1] - without.force[2][1], 1, 1e-14);
  const Vec3<double> arm = rotate(e.state.nodes.frame(1).q, offset);
  EXPECT_NEAR(with.torque[0][1] - without.torque[0][1], arm.y, 1e-14);
  EXPECT_NEAR(with.torque[1][1] - without.torque[1][1], -arm.x, 1e-14);
}

TEST(MarkerTerm, IdleWithoutAFluid) {
  Example e;
  e.in.flow = nullptr;
  EXPECT_EQ(make_marker_term(e.table)->scope(e.in), Scope::idle);
  Terms terms;
  terms.all.push_back(make_marker_term(e.table));
  Wrenches w(3);
  w.need_node_columns(3);
  Team team(1);
  add_wrenches(terms, e.state, e.in, Blocks::all(3, team), w);
  EXPECT_EQ(w.force[0][0], 0);
}

}  // namespace ls
