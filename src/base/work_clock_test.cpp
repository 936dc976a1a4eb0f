#include "base/work_clock.h"

#include <gtest/gtest.h>
#include <thread>

namespace ls::work_clock_test {

using namespace std::chrono_literals;

TEST(WorkClock, WaitingIsNoWorkOfOneThread) {
  const WorkClock one(1), several(2);
  std::this_thread::sleep_for(60ms);
  EXPECT_LT(one.seconds(), 0.03);
  EXPECT_GE(several.seconds(), 0.06);
}

TEST(WorkClock, WorkIsWork) {
  const WorkClock one(1), several(2);
  double x = 1;
  while (one.seconds() < 0.02) x = x / 3 + 1;
  EXPECT_GT(x, 1);
  EXPECT_GE(several.seconds(), 0.0199);  // two clocks, which need not run quite alike
}

}  // namespace ls::work_clock_test
