#include "math/block_matrix.h"
#include "terms/dipoles/test_magnets.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

// Forces that are frozen over a step.
namespace ls::lagged_dipoles_test {

using namespace test_magnets;

TEST(LaggedDipoles, AreThoseOfTheStartOfAStep) {
  Model m = some_magnets();
  const State before = some_poses(), now = moved(moved(before, 1, 0, 0.05), 2, 4, 0.3);
  const auto then_all = wrenches(*make_dipole_term(m), before), now_all = wrenches(*make_dipole_term(m), now);
  m.dipoles.far_is_lagged = true;
  const auto expect = [&](const std::vector<double>& found, const std::vector<double>& wanted) {
    for (std::size_t d = 0; d < wanted.size(); ++d)
      EXPECT_NEAR(found[d], wanted[d], 1e-11 * (1 + std::abs(wanted[d]))) << d;
  };
  m.dipoles.implicit_distance = 0.0;
  const auto frozen = make_dipole_term(m);
  expect(wrenches(*frozen, now, &before.nodes), then_all);
  expect(wrenches(*frozen, moved(now, 0, 1, 0.1), &before.nodes), then_all);
  expect(wrenches(*frozen, now, &now.nodes), now_all);  // the next step
  expect(wrenches(*frozen, now), now_all);              // no step at all: static and explicit runs
  m.dipoles.implicit_distance = 100.0;
  expect(wrenches(*make_dipole_term(m), now, &before.nodes), now_all);
  // Neighbours at about 1, the others farther apart.
  m.dipoles.implicit_distance = 1.4;
  const auto mixed = make_dipole_term(m);
  const auto some = wrenches(*mixed, now, &before.nodes);
  EXPECT_GT(std::abs(some[6] - now_all[6]), 1e-6 * std::abs(now_all[6]));
  EXPECT_GT(std::abs(some[6] - then_all[6]), 1e-3 * std::abs(then_all[6]));
}

// What is frozen has no stiffness, and what is near has that of its wrenches.
TEST(LaggedDipoles, HaveTheStiffnessThatIsTheSlopeOfTheWrenches) {
  Model m = some_magnets();
  m.dipoles.far_is_lagged = true;
  const State before = some_poses(), now = moved(before, 1, 0, 0.05);
  for (const double distance : {0.0, 1.4, 100.0}) {
    m.dipoles.implicit_distance = distance;
    const auto term = make_dipole_term(m);
    Inputs in;
    in.rule.start = &before.nodes;
    NodePairs pairs;
    term->add_pattern(before, in, pairs);
    BlockMatrix k(BlockPattern(bodies, pairs));
    term->add_stiffness(now, in, moving(), k);
    constexpr int n = 6 * bodies;
    constexpr double h = 1e-5;
    double largest = 0;
    for (int d = 0; d < n; ++d) {
      const auto high = wrenches(*term, moved(now, d / 6, d % 6, h), &before.nodes),
                 low = wrenches(*term, moved(now, d / 6, d % 6, -h), &before.nodes);
      std::vector<double> x(n, 0.0), y(n, 0.0);
      x[d] = 1;
      k.add_product(x.data(), y.data());
      // Places, whose slopes are symmetric; about axes half of the torque's turn is left out.
      for (int r = 0; r < n; ++r) {
        if (r % 6 >= 3 && d % 6 >= 3) continue;
        EXPECT_NEAR(y[r], -(high[r] - low[r]) / (2 * h), 1e-6) << distance << ": " << r << ", " << d;
        largest = std::max(largest, std::abs(y[r]));
      }
    }
    if (distance == 0.0)
      EXPECT_EQ(largest, 0);
    else
      EXPECT_GT(largest, 1e-3);
  }
}

}  // namespace ls::lagged_dipoles_test
