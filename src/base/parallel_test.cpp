#include "base/parallel.h"

#include <chrono>
#include <ctime>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <vector>

namespace ls::parallel_test {

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

// s of processor time, of all threads.
double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

TEST(ThreadTeam, SleepsWhereNothingIsToBeDone) {
  Team team(4);
  const double begin = processor_time();
  for (int round = 0; round < 50; ++round) {
    team.run(4, 1, [](int, int) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
  }
  EXPECT_LT(processor_time() - begin, 0.05);  // of 0.8 s that three others could have burnt
}

TEST(ThreadTeam, WaitsAsleepForOneThatTakesLong) {
  Team team(2);
  const double begin = processor_time();
  for (int round = 0; round < 10; ++round)
    team.run(2, 1, [](int first, int) {
      if (first == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
  EXPECT_LT(processor_time() - begin, 0.05);  // of 0.2 s
}

TEST(ThreadTeam, WakesNobodyForOnePart) {
  Team team(3);
  const auto self = std::this_thread::get_id();
  for (int round = 0; round < 100; ++round)
    team.run(1, 1, [&](int first, int last) {
      EXPECT_EQ(std::this_thread::get_id(), self);
      EXPECT_EQ(last - first, 1);
    });
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

}  // namespace ls::parallel_test
