#include "base/rng.h"
#include "physics/dipole_pair.h"
#include "terms/dipoles/dipole_sum.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace ls;
using V = Vec3<double>;

V triple(const Column (&c)[3], int i) {
  return {c[0][i], c[1][i], c[2][i]};
}

struct Cloud {
  DipoleColumns at;
  DipoleEffects out;

  explicit Cloud(int count) {
    at.count = count;
    const auto room = static_cast<std::size_t>(padded(count));
    for (int c = 0; c < 3; ++c) {
      at.x[c].assign(room, 0.0), at.m[c].assign(room, 0.0), out.b[c] = out.force[c] = at.m[c];
      for (int i = 0; i < count; ++i) {
        at.x[c][i] = uniform(3, 0, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(c));
        at.m[c][i] = uniform(3, 1, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(c)) - 0.5;
      }
    }
    for (std::size_t i = static_cast<std::size_t>(count); i < room; ++i) at.x[0][i] = 1e12 * static_cast<double>(i);
  }
};

void expect_plain_sums(const Cloud& cloud, const DipoleRules& rules) {
  const int n = cloud.at.count;
  std::vector<V> b(n), f(n);
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      const std::pair nodes{rules.node[i], rules.node[j]};
      if (nodes.first == nodes.second || std::ranges::find(rules.apart, nodes) != rules.apart.end()) continue;
      const auto p =
          dipole_pair(triple(cloud.at.x, i) - triple(cloud.at.x, j), triple(cloud.at.m, i), triple(cloud.at.m, j));
      b[i] += 1e-7 * p.b1, b[j] += 1e-7 * p.b2;
      f[i] += 1e-7 * p.force, f[j] += -1e-7 * p.force;
    }
  for (int i = 0; i < n; ++i) {
    EXPECT_LT(norm(triple(cloud.out.b, i) - b[i]), 1e-11 * norm(b[i]) + 1e-18) << i << " of " << n;
    EXPECT_LT(norm(triple(cloud.out.force, i) - f[i]), 1e-11 * norm(f[i]) + 1e-18) << i << " of " << n;
  }
}

TEST(DirectSum, EveryPairOnce) {
  Team alone;
  for (const int n : {2, 7, 8, 63, 64, 65, 130, 200}) {
    DipoleRules rules;
    for (int i = 0; i < n; ++i) rules.node.push_back(i);
    Cloud cloud(n);
    make_direct_sum(rules)->find(cloud.at, cloud.out, alone);
    expect_plain_sums(cloud, rules);
  }
}

TEST(DirectSum, LeavesOutWhatBelongsTogether) {
  Team alone;
  for (const int per_node : {3, 64, 100, 200}) {
    constexpr int n = 330;
    DipoleRules rules;
    for (int i = 0; i < n; ++i) rules.node.push_back(i / per_node);
    for (int k = 0; k + 1 <= rules.node.back(); k += 2) rules.apart.emplace_back(k, k + 1);
    Cloud cloud(n);
    make_direct_sum(rules)->find(cloud.at, cloud.out, alone);
    expect_plain_sums(cloud, rules);
  }
}

// One body that begins and ends within tiles, others around it.
TEST(DirectSum, BodiesOfAnySize) {
  Team alone;
  DipoleRules rules;
  for (int i = 0; i < 300; ++i) rules.node.push_back(i < 30 ? i : i < 280 ? 30 : i);
  Cloud cloud(300);
  make_direct_sum(rules)->find(cloud.at, cloud.out, alone);
  expect_plain_sums(cloud, rules);
}

// On a shaken grid, so that no pair is so near that it hides the rest.
TEST(TreeSum, GivesWhatTheDirectSumGives) {
  constexpr int side = 12, n = side * side * side;
  Cloud exact(n), fast(n);
  DipoleRules rules;
  for (int i = 0; i < n; ++i) {
    rules.node.push_back(i / 3);
    const int grid[3] = {i % side, i / side % side, i / side / side};
    for (int c = 0; c < 3; ++c) exact.at.x[c][i] = fast.at.x[c][i] = grid[c] + 0.4 * exact.at.x[c][i];
  }
  for (int k = 0; k + 1 <= rules.node.back(); k += 2) rules.apart.emplace_back(k, k + 1);
  Team alone;
  make_direct_sum(rules)->find(exact.at, exact.out, alone);
  for (const double accuracy : {1e-3, 1e-5}) {
    make_tree_sum(rules, accuracy)->find(fast.at, fast.out, alone);
    double field = 0, force = 0, off_field = 0, off_force = 0;
    for (int i = 0; i < n; ++i) {
      const V b = triple(exact.out.b, i), f = triple(exact.out.force, i);
      const V db = triple(fast.out.b, i) - b, df = triple(fast.out.force, i) - f;
      field += dot(b, b), force += dot(f, f), off_field += dot(db, db), off_force += dot(df, df);
    }
    EXPECT_LT(std::sqrt(off_field / field), accuracy);
    EXPECT_LT(std::sqrt(off_force / force), accuracy);
  }
}

TEST(DirectSumThreads, SameBits) {
  DipoleRules rules;
  for (int i = 0; i < 1500; ++i) rules.node.push_back(i / 2);
  Cloud first(1500), second(1500);
  Team alone, three(3);
  make_direct_sum(rules)->find(first.at, first.out, alone);
  make_direct_sum(rules)->find(second.at, second.out, three);
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(first.out.b[c], second.out.b[c]);
    EXPECT_EQ(first.out.force[c], second.out.force[c]);
  }
}

}  // namespace
