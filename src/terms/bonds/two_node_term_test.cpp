#include "terms/bonds/two_node_term.h"

#include "base/isa.h"
#include "base/rng.h"
#include "math/rotation.h"
#include "model/bond_models.h"
#include "model/inputs.h"
#include "terms/bonds/bond_terms.h"

#include <gtest/gtest.h>

namespace ls::two_node_term_test {

using V = Vec3<double>;

State crumpled(int nodes, double size) {
  State s;
  s.nodes = Nodes(nodes);
  for (int i = 0; i < nodes; ++i) {
    const auto draw = [i, size](std::uint64_t k) {
      return size * (2 * uniform(8, 0, static_cast<std::uint64_t>(i), k) - 1);
    };
    s.nodes.set(i, Frame<double>{{draw(0), draw(1), i + draw(2)}, turn({draw(3), draw(4), draw(5)})});
    s.nodes.set(i, Twist<double>{{draw(6), draw(7), draw(8)}, {draw(9), draw(10), draw(11)}});
  }
  return s;
}

BondClass sample_class(double scale, bool damped, bool turned) {
  BondClass c;
  c.stiffness = {3 * scale, 0.9 * scale, 1.1 * scale, 0.7 * scale, 0.6 * scale, 0.4 * scale, 1.0};
  if (damped) c.damping = {0.1, 0.2, 0.3, 0.04, 0.05, 0.06, 1.0};
  if (turned) c.rest1 = turn({0.1, 0.2, -0.1}), c.rest2 = turn({-0.1, 0.05, 0.2});
  return c;
}

BondTable table_of(const std::string& kernel, std::vector<BondClass> classes, std::vector<BondEntry> bonds) {
  BondTable t;
  t.kernel = kernel;
  t.classes = std::move(classes);
  t.bonds = std::move(bonds);
  return t;
}

// Sum of the wrenches on each node, as the stepper gathers them.
std::vector<Wrench<double>> node_wrenches(Term& term, const State& s, int threads = 1) {
  Team team(threads);
  Wrenches out(s.nodes.count);
  out.need_node_columns(s.nodes.count);
  term.add_wrenches(s, Inputs{}, Blocks::all(s.nodes.count, team), out);
  std::vector<Wrench<double>> sum(static_cast<std::size_t>(s.nodes.count));
  for (int i = 0; i < s.nodes.count; ++i) {
    const auto at = [i](const Column(&c)[3], int shift) {
      return V{c[0][i + shift], c[1][i + shift], c[2][i + shift]};
    };
    sum[i].force = at(out.bond_force, block) - at(out.bond_force, block - 1) + at(out.force, 0);
    sum[i].torque = at(out.bond_torque1, block) + at(out.bond_torque2, block - 1) + at(out.torque, 0);
  }
  return sum;
}

class EveryModel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Bonds, EveryModel, testing::ValuesIn(bond_models()));

// Uniform blocks, mixed blocks and indexed bonds go through different loops: the same bonds must give the same
// wrenches.
TEST_P(EveryModel, EveryLoopGivesTheSameWrenches) {
  for (const bool damped : {false, true})
    for (const bool turned : {false, true}) {
      const int n = 37;
      const State s = crumpled(n, 0.2);
      const auto c = sample_class(1, damped, turned);
      std::vector<BondEntry> uniform, mixed, backwards;
      for (int i = 0; i + 1 < n; ++i) {
        uniform.push_back({i, i + 1, 0});
        mixed.push_back({i, i + 1, i % 3});
      }
      const auto a = node_wrenches(*make_bond_term(n, table_of(GetParam(), {c}, uniform)), s);
      const auto b = node_wrenches(*make_bond_term(n, table_of(GetParam(), {c, c, c}, mixed)), s);
      // As links: the nodes in another order, so that no bond joins neighbours.
      State t;
      t.nodes = Nodes(n);
      const auto place = [](int i) { return (i * 5) % n; };
      std::vector<BondEntry> links;
      for (int i = 0; i < n; ++i) {
        t.nodes.set(place(i), s.nodes.frame(i));
        t.nodes.set(place(i), s.nodes.twist(i));
        if (i + 1 < n) links.push_back({place(i), place(i + 1), 0});
      }
      const auto d = node_wrenches(*make_bond_term(n, table_of(GetParam(), {c}, links)), t);
      for (int i = 0; i < n; ++i) {
        EXPECT_LT(norm(a[i].force - b[i].force) + norm(a[i].torque - b[i].torque), 1e-13);
        EXPECT_LT(norm(a[i].force - d[place(i)].force) + norm(a[i].torque - d[place(i)].torque), 1e-13);
      }
    }
}

TEST_P(EveryModel, GapsBetweenRodsCarryNothing) {
  const State s = crumpled(20, 0.2);
  std::vector<BondEntry> bonds;
  for (int i = 0; i < 19; ++i)
    if (i != 9) bonds.push_back({i, i + 1, 0});
  const auto w = node_wrenches(*make_bond_term(20, table_of(GetParam(), {sample_class(1, false, false)}, bonds)), s);
  V left, right;
  for (int i = 0; i < 20; ++i) (i < 10 ? left : right) += w[i].force;
  EXPECT_LT(norm(left), 1e-13);
  EXPECT_LT(norm(right), 1e-13);
}

// Ends of rods within blocks: of one class, of several, and beside bonds of another table, whose slots are its own.
TEST_P(EveryModel, EndsOfShortRodsGoByEveryLoop) {
  const int n = 70;
  State s = crumpled(n, 0.2);
  for (int i = 11; i < n; i += 22) s.nodes.set(i, Frame<double>{s.nodes.frame(i).x, turn({3, 0.1, 0.2})});
  for (const bool damped : {false, true})
    for (const bool turned : {false, true}) {
      const auto c = sample_class(1, damped, turned);
      std::vector<BondEntry> uniform, mixed;
      for (int i = 0; i + 1 < n; ++i) {
        if (i % 11 == 10) continue;  // from 11 on every second rod sets out at a sharp turn
        uniform.push_back({i, i + 1, 0});
        mixed.push_back({i, i + 1, i % 3});
      }
      const auto a = node_wrenches(*make_bond_term(n, table_of(GetParam(), {c}, uniform)), s);
      const auto b = node_wrenches(*make_bond_term(n, table_of(GetParam(), {c, c, c}, mixed)), s);
      for (int i = 0; i < n; ++i)
        EXPECT_LT(norm(a[i].force - b[i].force) + norm(a[i].torque - b[i].torque), 1e-12) << i;
    }
}

TEST_P(EveryModel, SlotsOfAnotherTableAreLeftAlone) {
  const int n = 24;
  const State s = crumpled(n, 0.2);
  std::vector<BondEntry> odd, rest, all;
  for (int i = 0; i + 1 < n; ++i) {
    (i % 5 == 0 ? odd : rest).push_back({i, i + 1, 0});
    all.push_back({i, i + 1, 0});
  }
  const auto c = sample_class(1, true, false);
  Team team(1);
  Wrenches parts(n), whole(n);
  for (const auto* bonds : {&rest, &odd, &rest})
    make_bond_term(n, table_of(GetParam(), {c}, *bonds))->add_wrenches(s, Inputs{}, Blocks::all(n, team), parts);
  make_bond_term(n, table_of(GetParam(), {c}, all))->add_wrenches(s, Inputs{}, Blocks::all(n, team), whole);
  for (int i = block; i + 1 < block + n; ++i)
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(parts.bond_force[k][i], whole.bond_force[k][i], 1e-13) << i;
      EXPECT_NEAR(parts.bond_torque2[k][i], whole.bond_torque2[k][i], 1e-13) << i;
    }
}

TEST(BondSlots, RodsOfOneClassMakeOneRun) {
  std::vector<BondEntry> bonds, long_one;
  for (int i = 0; i < 109; ++i)
    if (i % 11 != 10) bonds.push_back({i, i + 1, 0});
  const BondSlots short_rods = BondSlots::chain(110, bonds);
  ASSERT_EQ(short_rods.runs.size(), 1U) << "whole blocks among those with gaps are not worth a run of their own";
  EXPECT_TRUE(short_rods.runs[0].has_gaps);
  EXPECT_EQ(short_rods.runs[0].cls, 0);
  EXPECT_EQ(short_rods.present[9], 1);
  EXPECT_EQ(short_rods.present[10], 0);
  for (int i = 0; i < 100; ++i) long_one.push_back({i, i + 1, i < 20 ? 0 : 1});
  const BondSlots long_rod = BondSlots::chain(101, long_one);
  ASSERT_EQ(long_rod.runs.size(), 4U) << "0 to 16, both classes, 24 to 96, the end";
  EXPECT_EQ(long_rod.runs[1].cls, -1);
  EXPECT_FALSE(long_rod.runs[2].has_gaps);
  EXPECT_TRUE(long_rod.runs[3].has_gaps);
}

TEST_P(EveryModel, ProductIsMinusTheDerivative) {
  const int n = 9;
  const State s = crumpled(n, 0.1);
  std::vector<BondEntry> bonds;
  for (int i = 0; i + 1 < n; ++i) bonds.push_back({i, i + 1, 0});
  bonds.push_back({0, 5, 0});
  const auto term = make_bond_term(n, table_of(GetParam(), {sample_class(1, false, true)}, bonds));
  std::vector<Twist<double>> move(n);
  for (int i = 0; i < n; ++i) move[i] = {{0.1 * i, 1, -0.3}, {0.2, -0.1 * i, 0.4}};
  std::vector<Wrench<double>> product(n);
  term->add_product(s, Inputs{}, move, product);
  const double h = 1e-6;
  const auto moved = [&](double by) {
    State t = s;
    for (int i = 0; i < n; ++i) {
      const auto f = s.nodes.frame(i);
      t.nodes.set(i, Frame<double>{f.x + by * move[i].v, turn(by * move[i].w) * f.q});
    }
    return node_wrenches(*term, t);
  };
  const auto plus = moved(h), minus = moved(-h);
  for (int i = 0; i < n; ++i) {
    EXPECT_LT(norm((0.5 / h) * (plus[i].force - minus[i].force) + product[i].force), 1e-7);
    EXPECT_LT(norm((0.5 / h) * (plus[i].torque - minus[i].torque) + product[i].torque), 1e-7);
  }
}

TEST_P(EveryModel, ABondBreaksAtItsLimitAndThenCarriesNothing) {
  auto c = sample_class(1, false, false);
  c.limit.stretch = 0.3;
  const auto term = make_bond_term(2, table_of(GetParam(), {c}, {{0, 1, 0}}));
  State s;
  s.nodes = Nodes(2);
  s.memory.broken = {0};
  s.nodes.set(1, Frame<double>{{0, 0, 1.09}, {}});  // tension 0.27
  term->advance(s, Inputs{}, s.memory);
  EXPECT_EQ(s.memory.broken[0], 0);
  EXPECT_GT(norm(node_wrenches(*term, s)[0].force), 0.2);
  s.nodes.set(1, Frame<double>{{0, 0, 1.11}, {}});  // 0.33
  term->advance(s, Inputs{}, s.memory);
  EXPECT_EQ(s.memory.broken[0], 1);
  EXPECT_EQ(norm(node_wrenches(*term, s)[0].force), 0);
  s.nodes.set(1, Frame<double>{{0, 0, 0.5}, {}});
  s.memory.broken = {0};
  term->advance(s, Inputs{}, s.memory);
  EXPECT_EQ(s.memory.broken[0], 0) << "compression does not break";
}

TEST(ThreadedBonds, SumsDoNotDependOnThreads) {
  const int n = 9000;
  const State s = crumpled(n, 0.1);
  std::vector<BondEntry> bonds;
  for (int i = 0; i + 1 < n; ++i) bonds.push_back({i, i + 1, 0});
  for (int i = 0; i + 7 < n; i += 3) bonds.push_back({i, i + 7, 0});
  const auto term = make_bond_term(n, table_of("exact", {sample_class(1, true, false)}, bonds));
  const auto a = node_wrenches(*term, s, 1), b = node_wrenches(*term, s, 3);
  for (int i = 0; i < n; ++i) ASSERT_EQ(norm(a[i].force - b[i].force), 0);
}

}  // namespace ls::two_node_term_test
