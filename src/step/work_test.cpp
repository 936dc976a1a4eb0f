#include "step/work.h"

#include <gtest/gtest.h>

namespace ls::work_test {

long long now = 0;  // ns, by the clock of these tests: a busy machine's would have a say in what they find

long long test_clock() {
  return now;
}

// Takes so many steps, each as long as `ms` says for the threads at work, and counts those of more than one.
template <class F>
int steps_together(Pace& pace, Team& team, int steps, const F& ms) {
  int together = 0;
  for (int i = 0; i < steps; ++i) {
    pace.start_step(team, 1'000'000);  // so large a model that a trial is of two steps
    if (team.active() > 1) ++together;
    now += static_cast<long long>(1e6 * ms(team.active()));
    pace.end_step(team);
  }
  return together;
}

TEST(ThreadedPace, GivesUpThreadsThatDoNotPay) {
  Team team(2);
  Pace pace(test_clock);
  EXPECT_LE(steps_together(pace, team, 500, [](int active) { return active > 1 ? 3.0 : 0.3; }), 6);
  EXPECT_EQ(team.active(), 1);
}

TEST(ThreadedPace, TakesThreadsThatPay) {
  Team team(2);
  Pace pace(test_clock);
  EXPECT_GE(steps_together(pace, team, 200, [](int active) { return active > 1 ? 0.3 : 3.0; }), 190);
}

// As when another program takes the second core: not after hundreds of steps that each wait for it, but soon.
TEST(ThreadedPace, StopsWhereThreadsBecomeSlow) {
  Team team(2);
  Pace pace(test_clock);
  ASSERT_GE(steps_together(pace, team, 20, [](int active) { return active > 1 ? 0.5 : 2.0; }), 15);
  EXPECT_LE(steps_together(pace, team, 60, [](int active) { return active > 1 ? 10.0 : 2.0; }), 10);
}

}  // namespace ls::work_test
