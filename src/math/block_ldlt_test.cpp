#include "math/block_ldlt.h"

#include "base/rng.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace ls::block_ldlt_test {

struct Example {
  BlockMatrix a;
  Eigen::MatrixXd dense;
};

// A random symmetric matrix with the given couplings; shift makes it definite.
Example example(int size, const std::vector<std::pair<int, int>>& pairs, double shift) {
  Example e{BlockMatrix(BlockPattern(size, pairs)), Eigen::MatrixXd::Zero(6 * size, 6 * size)};
  std::uint64_t state = 1;
  const auto number = [&] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 11) / 9007199254740992.0 - 0.5;
  };
  for (const auto& [a, b] : pairs) {
    double h[12][12];
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j <= i; ++j) h[i][j] = h[j][i] = number() + (i == j ? shift : 0);
    e.a.add_pair(a, b, h);
    const auto at = [first = a, second = b](int i) { return i < 6 ? 6 * first + i : 6 * second + i - 6; };
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) e.dense(at(i), at(j)) += h[i][j];
  }
  return e;
}

std::vector<std::pair<int, int>> chain(int size) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i + 1 < size; ++i) pairs.emplace_back(i, i + 1);
  return pairs;
}
std::vector<std::pair<int, int>> net(int side) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      if (i + 1 < side) pairs.emplace_back(side * (i + 1) + j, side * i + j);
      if (j + 1 < side) pairs.emplace_back(side * i + j, side * i + j + 1);
    }
  return pairs;
}

// Solves with some degrees of freedom held and compares with a dense solver; returns the number of negative pivots.
int check(const Example& e, const std::vector<std::uint8_t>& held) {
  const int size = e.a.pattern().size;
  std::vector<int> free;
  for (int i = 0; i < 6 * size; ++i)
    if (!((held[i / 6] >> (i % 6)) & 1)) free.push_back(i);
  const Eigen::MatrixXd a = e.dense(free, free);
  Eigen::VectorXd b(6 * size);
  for (int i = 0; i < 6 * size; ++i) b[i] = std::sin(1.0 + i);
  const Eigen::VectorXd x = a.ldlt().solve(b(free));
  BlockLdlt ldlt(e.a.pattern());
  EXPECT_TRUE(ldlt.factor(e.a, held));
  std::vector<double> y(b.data(), b.data() + b.size());
  ldlt.solve(y.data());
  Eigen::VectorXd found = Eigen::Map<Eigen::VectorXd>(y.data(), 6 * size);
  EXPECT_LT((found(free) - x).norm(), 1e-9 * x.norm());
  EXPECT_NEAR(found.norm(), found(free).norm(), 1e-12 * found.norm());
  Eigen::VectorXd eigenvalues = a.selfadjointView<Eigen::Lower>().eigenvalues();
  EXPECT_EQ((eigenvalues.array() < 0).count(), ldlt.negative_pivots());
  return ldlt.negative_pivots();
}

TEST(BlockLdlt, SolvesAChainAndANet) {
  for (const auto& pairs : {chain(12), net(5)}) {
    const int size = pairs.back().second + 1 > 20 ? 25 : 12;
    std::vector<std::uint8_t> held(static_cast<std::size_t>(size), 0);
    EXPECT_EQ(check(example(size, pairs, 8), held), 0);
    held[0] = 63, held[3] = 5, held[size - 1] = 56;
    EXPECT_EQ(check(example(size, pairs, 8), held), 0);
    EXPECT_GT(check(example(size, pairs, 0.3), held), 0);
  }
}

TEST(BlockLdlt, ARodHasNoFill) {
  auto pairs = chain(200);
  BlockLdlt ldlt{BlockPattern(200, pairs)};
  EXPECT_EQ(ldlt.blocks(), 199);
  for (auto& p : pairs) p = {(7 * p.first) % 200, (7 * p.second) % 200};  // the same chain, numbered wildly
  EXPECT_EQ(BlockLdlt(BlockPattern(200, pairs)).blocks(), 199);
}

// A column with n blocks below its diagonal takes n (n + 1) / 2 products.
TEST(BlockLdlt, KnowsHowMuchWorkItIs) {
  EXPECT_EQ(BlockLdlt(BlockPattern(50, chain(50))).products(), 49);
  std::vector<std::pair<int, int>> all;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < i; ++j) all.emplace_back(j, i);
  EXPECT_EQ(BlockLdlt(BlockPattern(9, all)).products(), 8 * 9 * 10 / 6);
}

TEST(BlockLdlt, TellsWhatHangsOnNothing) {
  auto e = example(4, chain(3), 8);
  BlockLdlt ldlt(e.a.pattern());
  EXPECT_TRUE(ldlt.factor(e.a, std::vector<std::uint8_t>(4, 0)));
  EXPECT_EQ(ldlt.floating(), 3);
}

// Springs that hold a chain together, but for the row that is pushed apart: it is named, once.
TEST(BlockLdlt, NamesRowsWithNegativePivots) {
  BlockMatrix a{BlockPattern(5, chain(5))};
  for (int i = 0; i < 5; ++i)
    for (int c = 0; c < 6; ++c) a.diagonal(i)[7 * c] = i == 3 && c < 2 ? -2.0 : 2.0;
  BlockLdlt ldlt(a.pattern());
  ASSERT_TRUE(ldlt.factor(a, std::vector<std::uint8_t>(5, 0)));
  EXPECT_EQ(ldlt.negative_pivots(), 2);
  EXPECT_EQ(ldlt.negative_rows(), std::vector<int>{3});
  for (int c = 0; c < 2; ++c) a.diagonal(3)[7 * c] = 2;
  ASSERT_TRUE(ldlt.factor(a, std::vector<std::uint8_t>(5, 0)));
  EXPECT_TRUE(ldlt.negative_rows().empty());
}

TEST(BlockLdlt, RefusesWhatIsNoNumber) {
  auto e = example(4, chain(4), 8);
  e.a.diagonal(2)[0] = std::nan("");
  BlockLdlt ldlt(e.a.pattern());
  EXPECT_FALSE(ldlt.factor(e.a, std::vector<std::uint8_t>(4, 0)));
  EXPECT_EQ(ldlt.lost(), 2);
}

// A free chain of springs: six motions that nothing resists. Loads in balance have an answer all the same.
TEST(BlockLdlt, HoldsWhatFloats) {
  BlockMatrix a{BlockPattern(5, chain(5))};
  for (int i = 0; i < 4; ++i) {
    double h[12][12] = {};
    for (int c = 0; c < 6; ++c) h[c][c] = h[6 + c][6 + c] = 1.0 + c, h[c][6 + c] = h[6 + c][c] = -1.0 - c;
    a.add_pair(i, i + 1, h);
  }
  BlockLdlt ldlt(a.pattern());
  ASSERT_TRUE(ldlt.factor(a, std::vector<std::uint8_t>(5, 0)));
  EXPECT_EQ(ldlt.floating(), 4);
  EXPECT_EQ(ldlt.negative_pivots(), 0);
  std::vector<double> load(30, 0.0), x, back(30, 0.0);
  for (int c = 0; c < 6; ++c) load[c] = 0.1 * (c + 1), load[24 + c] = -load[c];
  x = load;
  ldlt.solve(x.data());
  a.add_product(x.data(), back.data());
  for (int i = 0; i < 30; ++i) EXPECT_NEAR(back[i], load[i], 1e-13);
}

TEST(BlockMatrix, MultipliesBothTriangles) {
  const auto e = example(25, net(5), 1);
  Eigen::VectorXd x(150), y = Eigen::VectorXd::Zero(150);
  for (int i = 0; i < 150; ++i) x[i] = std::cos(0.3 * i);
  e.a.add_product(x.data(), y.data());
  EXPECT_LT((y - e.dense * x).norm(), 1e-12 * y.norm());
}

}  // namespace ls::block_ldlt_test
