#include "terms/dipoles/dipole_term.h"

#include "math/block_matrix.h"
#include "math/rotation.h"
#include "terms/dipoles/test_magnets.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace {

using namespace ls;
using namespace ls::test_magnets;
using V = Vec3<double>;

Eigen::MatrixXd by_differences(Term& term, const State& s) {
  constexpr double h = 1e-5;
  constexpr int n = 6 * bodies;
  Eigen::MatrixXd k(n, n);
  for (int d = 0; d < n; ++d) {
    const auto high = wrenches(term, moved(s, d / 6, d % 6, h)), low = wrenches(term, moved(s, d / 6, d % 6, -h));
    for (int r = 0; r < n; ++r) k(r, d) = -(high[r] - low[r]) / (2 * h);
  }
  return 0.5 * (k + k.transpose());
}
Eigen::MatrixXd dense(Term& term, const State& s, const NodePairs& pairs, const StiffnessRequest& wanted) {
  BlockMatrix m(BlockPattern(bodies, pairs));
  term.add_stiffness(s, {}, wanted, m);
  constexpr int n = 6 * bodies;
  Eigen::MatrixXd k(n, n);
  for (int d = 0; d < n; ++d) {
    std::vector<double> x(n, 0.0), y(n, 0.0);
    x[d] = 1;
    m.add_product(x.data(), y.data());
    for (int r = 0; r < n; ++r) k(r, d) = y[r];
  }
  return k;
}
TEST(DipoleTerm, WrenchesAreSlopesOfTheEnergy) {
  const Model m = some_magnets();
  const auto term = make_dipole_term(m);
  const State s = some_poses();
  const auto w = wrenches(*term, s);
  constexpr double h = 1e-5;
  for (int d = 0; d < 6 * bodies; ++d) {
    const double high = energy(*term, moved(s, d / 6, d % 6, h)), low = energy(*term, moved(s, d / 6, d % 6, -h));
    EXPECT_NEAR(w[d], -(high - low) / (2 * h), 1e-8 * (1 + std::abs(w[d]))) << d;
  }
}

TEST(DipoleTerm, StiffnessIsTheSlopeOfTheWrenches) {
  const Model m = some_magnets();
  const auto term = make_dipole_term(m);
  const State s = some_poses();
  NodePairs pairs;
  term->add_pattern(s, {}, pairs);
  EXPECT_EQ(pairs, all_pairs());  // so few are all coupled
  const Eigen::MatrixXd k = dense(*term, s, pairs, moving()), right = by_differences(*term, s);
  EXPECT_LT((k - right).cwiseAbs().maxCoeff(), 1e-8 * right.cwiseAbs().maxCoeff());
}

// Each node keeps its own block, whoever it is coupled to.
TEST(DipoleTerm, WhatIsFarKeepsItsOwnBlock) {
  Model m = some_magnets();
  m.dipoles.implicit_distance = 0.0;
  const auto term = make_dipole_term(m);
  const State s = some_poses();
  NodePairs pairs;
  term->add_pattern(s, {}, pairs);
  EXPECT_TRUE(pairs.empty());
  const Eigen::MatrixXd k = dense(*term, s, {}, moving()), right = by_differences(*term, s);
  for (int i = 0; i < bodies; ++i)
    EXPECT_LT((k - right).block(6 * i, 6 * i, 6, 6).cwiseAbs().maxCoeff(), 1e-8 * right.cwiseAbs().maxCoeff());
  EXPECT_EQ(k.block(0, 6, 6, 6).cwiseAbs().maxCoeff(), 0);
}

TEST(DipoleTerm, ProjectedStiffnessIsPositiveAndNoLess) {
  const Model m = some_magnets();
  const auto term = make_dipole_term(m);
  const State s = some_poses();
  for (const NodePairs& pairs : {all_pairs(), NodePairs{{0, 1}}}) {
    StiffnessRequest wanted = moving();
    const Eigen::MatrixXd exact = dense(*term, s, pairs, wanted);
    wanted.projected = true;
    const Eigen::MatrixXd projected = dense(*term, s, pairs, wanted);
    const auto lowest = [](const Eigen::MatrixXd& k) {
      return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues()[0];
    };
    const double size = exact.cwiseAbs().maxCoeff();
    EXPECT_LT(lowest(exact), -1e-3 * size);
    EXPECT_GT(lowest(projected), -1e-12 * size);
    EXPECT_GT(lowest(projected - exact), -1e-12 * size);
  }
}

Model in_a_box(std::array<double, 3> box) {
  Model m = some_magnets();
  m.dipoles.method = DipoleMethod::ewald;
  m.dipoles.box = box;
  m.dipoles.accuracy = 1e-11;
  return m;
}

TEST(DipoleTerm, WrenchesAreSlopesOfTheEnergyInABox) {
  for (const bool vacuum : {false, true}) {
    Model m = in_a_box({4, 2.5, 2});
    m.dipoles.in_vacuum = vacuum;
    const auto term = make_dipole_term(m);
    const State s = some_poses();
    const auto w = wrenches(*term, s);
    const double size = std::abs(*std::ranges::max_element(w));
    constexpr double h = 1e-4;
    for (int d = 0; d < 6 * bodies; ++d) {
      const double high = energy(*term, moved(s, d / 6, d % 6, h)), low = energy(*term, moved(s, d / 6, d % 6, -h));
      EXPECT_NEAR(w[d], -(high - low) / (2 * h), 1e-6 * size) << d;
    }
  }
}

// Nodes may be anywhere: what acts on them, and their blocks, are those of the copies in the box.
TEST(DipoleTerm, CopiesOfABoxAreAllTheSame) {
  const Model m = in_a_box({4, 2.5, 2});
  const auto term = make_dipole_term(m);
  const State s = some_poses();
  State far = moved(moved(s, 1, 0, 8), 1, 2, -2);
  far = moved(far, 3, 1, 2.5);
  const auto w = wrenches(*term, s), w_far = wrenches(*term, far);
  const double size = std::abs(*std::ranges::max_element(w));
  for (int d = 0; d < 6 * bodies; ++d) EXPECT_NEAR(w[d], w_far[d], 1e-11 * size);
  for (const bool projected : {false, true}) {
    StiffnessRequest wanted = moving();
    wanted.projected = projected;
    const Eigen::MatrixXd k = dense(*term, s, {{0, 1}, {1, 3}}, wanted),
                          k_far = dense(*term, far, {{0, 1}, {1, 3}}, wanted);
    EXPECT_LT((k - k_far).cwiseAbs().maxCoeff(), 1e-10 * k.cwiseAbs().maxCoeff());
  }
}

// In a box that is large beside what is in it copies do not matter.
TEST(DipoleTerm, LargeBoxesAreNoBoxes) {
  const Model bare = some_magnets(), m = in_a_box({200, 200, 200});
  const auto alone = make_dipole_term(bare), term = make_dipole_term(m);
  const State s = some_poses();
  EXPECT_NEAR(energy(*term, s), energy(*alone, s), 1e-5 * std::abs(energy(*alone, s)));
  NodePairs pairs;
  term->add_pattern(s, {}, pairs);
  EXPECT_EQ(pairs, all_pairs());
  const Eigen::MatrixXd k = dense(*term, s, pairs, moving()), right = dense(*alone, s, pairs, moving());
  EXPECT_LT((k - right).cwiseAbs().maxCoeff(), 1e-5 * right.cwiseAbs().maxCoeff());
}

// Sums by a tree give the field of all, not its slope: that is of the nearest, here of all.
TEST(DipoleTerm, WhatIsFarInFastSumsHoldsAsInTheDirectOne) {
  Model m = some_magnets();
  m.dipoles.implicit_distance = 0.0;
  const State s = some_poses();
  const auto alone = make_dipole_term(m);
  m.dipoles.method = DipoleMethod::tree;
  m.dipoles.accuracy = 1e-3;
  const auto term = make_dipole_term(m);
  for (const bool projected : {false, true}) {
    StiffnessRequest wanted = moving();
    wanted.projected = projected;
    const Eigen::MatrixXd k = dense(*term, s, {}, wanted), right = dense(*alone, s, {}, wanted);
    if (projected) {
      EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues()[0], -1e-12 * k.cwiseAbs().maxCoeff());
    }
    EXPECT_LT((k - right).cwiseAbs().maxCoeff(), 1e-5 * right.cwiseAbs().maxCoeff());
  }
}

TEST(DipoleTerm, HeldBodiesHaveNoBlocks) {
  const Model m = some_magnets();
  const auto term = make_dipole_term(m);
  const State s = some_poses();
  Inputs in;
  in.held = {{2, hold_all, s.nodes.frame(2), {}}};
  NodePairs pairs;
  term->add_pattern(s, in, pairs);
  EXPECT_EQ(pairs, (NodePairs{{0, 1}, {0, 3}, {1, 3}}));
  BlockMatrix k(BlockPattern(bodies, pairs));
  term->add_stiffness(s, in, moving(), k);
  EXPECT_EQ(k.diagonal(2)[0], 0);
  const Eigen::MatrixXd right = by_differences(*term, s);
  EXPECT_NEAR(k.diagonal(0)[0], right(0, 0), 1e-8 * right.cwiseAbs().maxCoeff());
  in.held[0].pose.x.x += 0.1;  // it is to go somewhere
  pairs.clear();
  term->add_pattern(s, in, pairs);
  EXPECT_EQ(pairs, all_pairs());
}

TEST(DipoleTerm, NearIsByTheDistanceOfNodes) {
  Model m = some_magnets();
  State s = some_poses();
  for (int i = 0; i < bodies; ++i) s.nodes.set(i, Frame<double>{{0.2 * i, 0, 0}, {}});
  for (const auto& [distance, count] : {std::pair{0.19, 0}, {0.21, 3}, {0.41, 5}, {1.0, 6}}) {
    m.dipoles.implicit_distance = distance;
    NodePairs pairs;
    make_dipole_term(m)->add_pattern(s, {}, pairs);
    EXPECT_EQ(static_cast<int>(pairs.size()), count) << distance;
  }
}

// A pair about its mean: the fastest swing of two parallel moments in line, whose turns are coupled.
TEST(DipoleTerm, StepsAreWithinTheSwingOfAPair) {
  Model m = some_magnets();
  m.nodes = 2;
  m.dipoles.samples.clear();
  for (int i = 0; i < 2; ++i) m.moment[0][i] = 100, m.moment[1][i] = m.moment[2][i] = 0;
  State s;
  s.nodes = Nodes(2);
  s.nodes.set(1, Frame<double>{{0.5, 0, 0}, {}});
  const auto term = make_dipole_term(m);
  const double torsion = 3 * 1e-7 * 1e4 / 0.125;  // of both turning to opposite sides: (2 + 1) m^2/r^3
  const double limit = 2 / std::sqrt(torsion / 1.0);
  const double step = term->limits(s, {}).step;
  EXPECT_LE(step, limit);
  EXPECT_GT(step, 0.05 * limit);
  EXPECT_EQ(term->limits(State(), {}).step, std::numeric_limits<double>::infinity());
}

// Of many only what is near is looked at, and it is enough.
TEST(DipoleTerm, StepsOfManyAreThoseOfFew) {
  const auto step_of = [](int side) {
    Model m;
    m.nodes = side * side * side;
    const auto room = static_cast<std::size_t>(padded(m.nodes));
    m.mass.assign(room, 1.0);
    for (Column& c : m.inertia) c.assign(room, 1.0);
    for (Column& c : m.moment) c.assign(room, 1.0);
    m.held.assign(static_cast<std::size_t>(m.nodes), 0);
    m.radius.assign(static_cast<std::size_t>(m.nodes), 0.1);
    m.dipoles.interact = true;
    State s;
    s.nodes = Nodes(m.nodes);
    for (int i = 0; i < m.nodes; ++i) {
      const int layer = i / (side * side);
      s.nodes.set(i, Frame<double>{{1.0 * (i % side), 1.0 * (i / side % side), 1.0 * layer}, {}});
    }
    return make_dipole_term(m)->limits(s, {}).step;
  };
  EXPECT_NEAR(step_of(13), step_of(12), 0.05 * step_of(12));
}

TEST(DipoleTerm, JoinedNodesByBonds) {
  Model m;
  m.nodes = 6;
  BondTable t;
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 3}, {5, 4}}) t.bonds.push_back({a, b, 0});
  m.bond_tables.push_back(t);
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(joined_nodes(m, 0), Pairs{});
  EXPECT_EQ(joined_nodes(m, 1), (Pairs{{0, 1}, {1, 2}, {2, 3}, {4, 5}}));
  EXPECT_EQ(joined_nodes(m, 2), (Pairs{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {4, 5}}));
  EXPECT_EQ(joined_nodes(m, 100), (Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {4, 5}}));
}

}  // namespace
