#include "base/parallel.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace ls {
namespace {

TEST(ThreadTeam, CoversEveryIndexOnce) {
  for (const int threads : {1, 2, 3, 7}) {
    Team team(threads);
    for (const int count : {0, 1, 2, 5, 100, 1001}) {
      std::vector<int> seen(static_cast<std::size_t>(count), 0);
      team.run(count, 1, [&](int first, int last) {
        for (int i = first; i < last; ++i) ++seen[i];
      });
      EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), 0), count);
      for (const int n : seen) EXPECT_EQ(n, 1);
    }
  }
}

TEST(ThreadTeam, EachRoundSeesTheOneBefore) {
  Team team(2);
  std::vector<double> a(4096, 0.0), b(4096, 0.0);
  for (int round = 0; round < 2000; ++round) {
    team.run(4096, 1, [&](int first, int last) {
      for (int i = first; i < last; ++i) a[i] = b[4095 - i] + 1;
    });
    team.run(4096, 1, [&](int first, int last) {
      for (int i = first; i < last; ++i) b[i] = a[4095 - i] + 1;
    });
  }
  for (const double x : b) EXPECT_EQ(x, 4000.0);
}

TEST(ThreadTeam, OneActiveThreadWorksAlone) {
  Team team(3);
  team.set_active(1);
  int calls = 0;
  team.run(1000, 1, [&](int first, int last) {
    ++calls;
    EXPECT_EQ(first, 0);
    EXPECT_EQ(last, 1000);
  });
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace ls
