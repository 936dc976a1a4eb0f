#include "step/newton/newton.h"
#include "step/test_rods.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ls::refine_test {

// A force in the middle of a rod of 30 000 bonds between two clamps: what the matrix leaves of it, solved for again,
// would change the plain solution by a good part of itself, and the refined one by far less.
TEST(Refine, LeavesLittleOfTheRightSideOfAVeryLongRod) {
  constexpr int bonds = 30000, middle = bonds / 2;
  constexpr double length = 0.3, diameter = 3.1e-3, young = 1.3e6, force = 1e-6;
  RodSpec r;
  r.name = "rod";
  r.line = line({0, 0, 0}, {length, 0, 0}, bonds, {0, 0, 1});
  const Elasticity e{young, 433e3};
  r.section = [e](double) { return circular_section(diameter, e.poisson()); };
  r.material = [e](double) { return e; };
  r.density = [](double) { return 1200.0; };
  r.hold_start = r.hold_end = hold_all;
  const auto made = test::built(r);
  const Model& m = made.model;
  Work work(m, 1);
  NewtonWork newton(m, work.terms);
  Inputs in;
  for (const int end : {0, bonds}) in.held.push_back({end, hold_all, made.state.nodes.frame(end), {}});
  ASSERT_EQ(newton.longest_chain, bonds);
  ASSERT_TRUE(factor_stiffness(m, in, in.held, made.state, newton));
  std::fill(newton.solution.begin(), newton.solution.end(), 0.0);
  newton.solution[dofs * middle + 2] = force;
  auto plain = newton.solution;
  newton.ldlt.solve(plain.data());
  solve_refined(newton);
  const auto left = [&](const std::vector<double>& u) {
    std::vector<double> more(u.size(), 0.0);
    newton.stiffness.add_product(u.data(), more.data());
    for (double& v : more) v = -v;
    more[dofs * middle + 2] += force;
    newton.ldlt.solve(more.data());
    const auto size = [&](const std::vector<double>& a) { return largest_move(a, m.nodes).length; };
    return size(more) / size(u);
  };
  EXPECT_GT(left(plain), 0.05);
  EXPECT_LT(left(newton.solution), 0.25 * left(plain)) << left(plain);
}

}  // namespace ls::refine_test
