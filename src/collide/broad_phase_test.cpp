#include "collide/broad_phase.h"

#include "base/rng.h"

#include <gtest/gtest.h>

namespace ls::broad_phase_test {

using Pairs = std::vector<std::pair<int, int>>;

Pairs by_comparing_all(const std::vector<Box>& boxes) {
  Pairs pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j)
      if (overlap(boxes[i], boxes[j])) pairs.emplace_back(i, j);
  return pairs;
}

// Boxes of very different sizes, some flat, some huge.
std::vector<Box> random_boxes(int n, std::uint64_t seed, double crowd) {
  std::vector<Box> boxes;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(n); ++i) {
    const auto draw = [&](std::uint64_t k) { return uniform(seed, i, 0, k); };
    const Vec3<double> at{crowd * draw(0) - 3, crowd * draw(1), crowd * draw(2) + 7};
    const double size = draw(3) < 0.02 ? crowd : 1.0;
    boxes.push_back({at, at + size * Vec3<double>{draw(4), draw(5), draw(6) < 0.3 ? 0.0 : draw(6)}});
  }
  return boxes;
}

TEST(BroadPhase, FindsWhatComparingAllFinds) {
  BroadPhase search;
  Pairs pairs;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto boxes = random_boxes(200, seed, seed % 2 ? 4.0 : 30.0);
    search.find(boxes, pairs);
    EXPECT_EQ(pairs, by_comparing_all(boxes)) << "seed " << seed;
  }
}

TEST(BroadPhase, TakesEmptyAndDegenerateInput) {
  BroadPhase search;
  Pairs pairs{{1, 2}};
  search.find({}, pairs);
  EXPECT_TRUE(pairs.empty());
  const Vec3<double> o{};
  search.find({{o, o}, {o, o}, {{1, 1, 1}, {1, 1, 1}}}, pairs);
  EXPECT_EQ(pairs, (Pairs{{0, 1}}));
}

}  // namespace ls::broad_phase_test
