#include "dipoles/tree/dipole_tree.h"

#include "dipoles/test_dipoles.h"

#include <bit>
#include <gtest/gtest.h>
#include <limits>
#include <map>

namespace ls::dipole_tree_test {

using test::Dipoles;
using test::Errors;

// Trees are kept, so that their matrices are made once: what one has computed before changes nothing.
DipoleFields by_tree(const Dipoles& d, double accuracy, int threads = 1) {
  static std::map<double, DipoleTree> trees;
  Team team(threads);
  DipoleTree& tree = trees.try_emplace(accuracy, accuracy).first->second;
  DipoleFields fields;
  tree.compute(d.set(), team, fields);
  return fields;
}

void expect_same_bits(const DipoleFields& a, const DipoleFields& b) {
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < a.field[k].size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(a.field[k][i]), std::bit_cast<std::uint64_t>(b.field[k][i])) << i;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(a.force[k][i]), std::bit_cast<std::uint64_t>(b.force[k][i])) << i;
    }
  EXPECT_EQ(a.energy, b.energy);
}

TEST(DipoleTree, IsAsAccurateAsAskedOnAGrid) {
  for (const bool is_aligned : {false, true})
    for (const double accuracy : test::accuracies({1e-3, 1e-4, 1e-5, 1e-7})) {
      const Dipoles d = test::jittered_grid(is_sanitized ? 10 : 16, is_aligned);
      const Errors e = test::direct_errors(d, by_tree(d, accuracy), 100);
      EXPECT_LT(e.field, accuracy) << "aligned " << is_aligned;
      EXPECT_LT(e.force, accuracy) << "aligned " << is_aligned;
      // Not by luck of a tree without a far field.
      EXPECT_GT(e.field, accuracy * 1e-2);
    }
}

// The rms of such scenes is that of their closest pairs, so the median counts as well. Along aligned rods forces cancel
// but at the ends: so many samples that ends are among them.
TEST(DipoleTree, ServesClustersToo) {
  for (const bool is_aligned : {false, true})
    for (const double accuracy : test::accuracies({1e-3, 1e-5, 1e-7}))
      for (const Dipoles& d : {test::clouds(is_sanitized ? 1000 : 4000, is_aligned),
                               test::straight_rods(14, is_sanitized ? 80 : 300, is_aligned)}) {
        const Errors e = test::direct_errors(d, by_tree(d, accuracy), 400);
        EXPECT_LT(e.field, accuracy);
        EXPECT_LT(e.force, accuracy);
        EXPECT_LT(e.median_field, accuracy);
      }
}

// A dense lump, a lone dipole far from it, moments of very different sizes, and a scale of length and moment that
// single precision could not hold.
TEST(DipoleTree, KnowsNoUnit) {
  for (const double length : {1e-9, 1e6})
    for (const double accuracy : test::accuracies({1e-4, 1e-7})) {
      Dipoles d = test::jittered_grid(12, false);
      d.add({500, 300, -2000});
      for (auto& m : d.m) m.push_back(1);
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < d.x[k].size(); ++i) {
          d.x[k][i] = length * (d.x[k][i] + 1e4);
          d.m[k][i] *= 1e-20 * std::pow(10.0, static_cast<int>(i % 3));
        }
      const DipoleFields f = by_tree(d, accuracy);
      const Errors e = test::direct_errors(d, f, 80);
      EXPECT_LT(e.field, accuracy);
      EXPECT_LT(e.force, accuracy);
      const int lone = d.count() - 1;
      const PairEffect right = test::direct_effect(d, lone);
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(f.field[k].back(), right.field[k],
                    3 * accuracy * std::abs(right.field[0]) + 3 * accuracy * std::abs(right.field[2]));
    }
}

TEST(DipoleTree, SumsOverFewAreExact) {
  Dipoles d;
  d.add({0, 0, 0});
  d.add({0, 0, 2});
  for (std::size_t k = 0; k < 3; ++k) d.m[k] = {k == 2 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
  const DipoleFields f = by_tree(d, 1e-6);
  EXPECT_NEAR(f.field[2][0], 2e-7 / 8, 1e-21);
  EXPECT_NEAR(f.force[2][0], 6e-7 / 16, 1e-21);  // they attract
  EXPECT_NEAR(f.force[2][1], -6e-7 / 16, 1e-21);
  EXPECT_NEAR(f.energy, -2e-7 / 8, 1e-21);
  EXPECT_EQ(by_tree(Dipoles{}, 1e-4).energy, 0);
}

// Among others at usual distances two are a millionth of a leaf apart: r^-5 is beyond single precision.
TEST(DipoleTree, ClosePairsLoseNothing) {
  for (const double apart : {1e-3, 1e-5, 1e-8, 1e-11}) {
    Dipoles d = test::jittered_grid(10, false);
    for (std::size_t k = 0; k < 3; ++k) d.x[k][501] = d.x[k][500] + apart * (1 + 0.1 * static_cast<double>(k));
    const DipoleFields f = by_tree(d, 1e-4);
    for (const int i : {500, 501}) {
      const PairEffect right = test::direct_effect(d, i);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto at = static_cast<std::size_t>(i);
        EXPECT_NEAR(f.field[k][at] / right.field[k], 1, 1e-5) << apart;
        EXPECT_NEAR(f.force[k][at] / right.force[k], 1, 1e-5) << apart;
      }
    }
  }
}

// Excluded neighbours are a hundred times stronger than all the rest: what is left must be as accurate as without them.
// And a pair whose members see each other only through expansions.
TEST(DipoleTree, LeavesExcludedPairsOut) {
  Dipoles d = test::jittered_grid(13, true);
  for (int i = 0; i + 1 < d.count(); i += 2) {
    const auto at = static_cast<std::size_t>(i);
    for (std::size_t k = 0; k < 3; ++k) d.x[k][at + 1] = d.x[k][at] + 0.02 * (1 + static_cast<double>(k));
    d.excluded.push_back({i + 1, i});
  }
  d.excluded.push_back({0, d.count() - 1});
  d.excluded.push_back({17, 2000});
  for (const double accuracy : test::accuracies({1e-4, 1e-7})) {
    const DipoleFields f = by_tree(d, accuracy);
    const Errors e = test::direct_errors(d, f, 80);
    EXPECT_LT(e.field, accuracy);
    EXPECT_LT(e.force, accuracy);
    double energy = 0;
    for (int i = 0; i < d.count(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        energy -= 0.5 * d.m[k][static_cast<std::size_t>(i)] * f.field[k][static_cast<std::size_t>(i)];
    EXPECT_NEAR(f.energy, energy, 1e-12 * std::abs(energy));
  }
}

TEST(DipoleTree, ForcesBalance) {
  for (const bool is_aligned : {false, true}) {
    const Dipoles d = test::jittered_grid(16, is_aligned);
    const double accuracy = 1e-4;
    const DipoleFields f = by_tree(d, accuracy);
    double square = 0;
    std::array<double, 3> sum{};
    for (std::size_t k = 0; k < 3; ++k)
      for (const double force : f.force[k]) {
        sum[k] += force;
        square += force * force;
      }
    // Errors of single forces add up like random ones.
    const double bound = accuracy * std::sqrt(square);
    for (const double s : sum) EXPECT_LT(std::abs(s), bound);
  }
}

// The force is the derivative of the exact energy to the accuracy asked, and so it is of the energy that the tree has,
// though not to rounding.
TEST(DipoleTree, ForceIsNearlyTheSlopeOfTheEnergy) {
  Dipoles d = test::jittered_grid(is_sanitized ? 6 : 12, false);
  const double accuracy = 1e-4, step = 1e-2;
  const DipoleFields f = by_tree(d, accuracy);
  double square = 0;
  for (const auto& column : f.force)
    for (const double force : column) square += force * force / d.count();
  for (const std::size_t i : {0U, 77U, 150U})
    for (std::size_t k = 0; k < 3; ++k) {
      const auto energy_at = [&](double offset) {
        Dipoles moved = d;
        moved.x[k][i] += offset;
        return by_tree(moved, accuracy).energy;
      };
      const double slope =
          (8 * (energy_at(step) - energy_at(-step)) - (energy_at(2 * step) - energy_at(-2 * step))) / (12 * step);
      EXPECT_NEAR(f.force[k][i], -slope, 3 * accuracy * std::sqrt(square));
    }
}

TEST(DipoleTree, CoincidentOrWrongNumbersDoNotHang) {
  Dipoles d = test::jittered_grid(6, false);
  for (auto& x : d.x) std::fill(x.begin(), x.end(), 1.0);
  EXPECT_FALSE(std::isfinite(by_tree(d, 1e-4).energy));
  d = test::jittered_grid(6, false);
  d.x[1][5] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(by_tree(d, 1e-4).energy));
  EXPECT_TRUE(std::isnan(by_tree(d, 1e-4).field[0][0]));
}

TEST(DipoleTreeThreads, GiveTheSameBits) {
  for (const double accuracy : test::accuracies({1e-4, 1e-7}))
    for (const Dipoles& d : {test::jittered_grid(12, true), test::clouds(2000, false)}) {
      const DipoleFields one = by_tree(d, accuracy);
      for (const int threads : {2, 3}) expect_same_bits(one, by_tree(d, accuracy, threads));
    }
}

// As the docs have it: 1000 samples of 10^5 dipoles.
TEST(SlowDipoleTree, AccuracyOfManyDipoles) {
  for (const bool is_aligned : {false, true}) {
    const Dipoles d = test::jittered_grid(46, is_aligned);
    for (const double accuracy : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
      const Errors e = test::direct_errors(d, by_tree(d, accuracy), 1000);
      EXPECT_LT(e.field, accuracy) << "aligned " << is_aligned;
      EXPECT_LT(e.force, accuracy) << "aligned " << is_aligned;
    }
  }
}

}  // namespace ls::dipole_tree_test
