#include "math/block_matrix.h"
#include "terms/dipoles/dipole_term.h"

#include <algorithm>
#include <gtest/gtest.h>

// How far the magnets of soft rods are coupled in the matrix.
namespace ls::node_coupling_test {

namespace {

constexpr int nodes = 300;
constexpr double spacing = 1.01e-3;  // m

// A straight rod of magnets across it, 2 mm thick.
Model magnetic_rod(double bending) {
  Model m;
  m.nodes = nodes;
  const auto room = static_cast<std::size_t>(padded(nodes));
  m.mass.assign(room, 1e-6);
  for (Column& c : m.inertia) c.assign(room, 1e-12);
  for (Column& c : m.moment) c.assign(room, 0.0);
  m.held.assign(nodes, 0);
  m.radius.assign(nodes, 1e-3);
  m.body_of.assign(nodes, 0);
  m.bodies.resize(1);
  BondTable t;
  t.classes.resize(1);
  t.classes[0].stiffness = {.kr = 1, .kb1 = bending / spacing, .kb2 = bending / spacing, .l = spacing};
  for (int i = 0; i < nodes; ++i) {
    m.moment[1][i] = 1e-4;
    m.bodies[0].nodes.push_back(i);
    if (i > 0) t.bonds.push_back({i - 1, i, 0});
  }
  m.bond_tables.push_back(t);
  m.dipoles.interact = true;
  return m;
}
State straight() {
  State s;
  s.nodes = Nodes(nodes);
  for (int i = 0; i < nodes; ++i) s.nodes.set(i, Frame<double>{{spacing * i, 0, 0}, {1, {}}});
  return s;
}
// The farthest that two coupled nodes are apart, in places along the rod.
int farthest(const Model& m, const Inputs& in = {}) {
  const State s = straight();
  NodePairs pairs;
  make_dipole_term(m)->add_pattern(s, in, pairs);
  int most = 0;
  for (const auto& [a, b] : pairs) most = std::max(most, b - a);
  return most;
}

}  // namespace

TEST(NodeCoupling, OfStiffRodsReachesThreeDiameters) {
  EXPECT_EQ(farthest(magnetic_rod(1e3)), 5);  // nearer than 6 mm
}

// Four times what it resists with, 12.36 EI s/L^4, is what is left out at most: 2 x 24e-7 m^2/(4 s r^4), and r goes
// with the fourth root of EI.
TEST(NodeCoupling, ReachesTheFartherTheSofterARodIs) {
  const int some = farthest(magnetic_rod(2e-5)), more = farthest(magnetic_rod(2e-5 / 16));
  EXPECT_GE(some, 10);
  EXPECT_NEAR(static_cast<double>(more) / some, 2, 0.4);
}

TEST(NodeCoupling, EndsWhereNeighboursGetTooMany) {
  const int most = farthest(magnetic_rod(1e-14));
  EXPECT_GE(most, 100);
  EXPECT_LE(most, 250);
}

TEST(NodeCoupling, OfShortStepsHasInertiaToo) {
  const State start = straight();
  Inputs in;
  in.rule.start = &start.nodes;
  in.rule.dt = 1e-7;
  EXPECT_EQ(farthest(magnetic_rod(1e-10), in), 5);
  in.rule.dt = 1;
  EXPECT_GT(farthest(magnetic_rod(1e-10), in), 40);
}

TEST(NodeCoupling, AGivenDistanceIsWhatItIs) {
  Model m = magnetic_rod(1e-14);
  m.dipoles.implicit_distance = 20.5 * spacing;
  EXPECT_EQ(farthest(m), 20);
}

}  // namespace ls::node_coupling_test
