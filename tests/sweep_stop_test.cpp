// Sweeps that are stopped on their way.
#include "output/checkpoint.h"
#include "tests/sweep.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is not in <csignal>
#include <thread>

namespace ls::program::sweep_stop_test {

// How long things take depends on what else the machine does.
template <class Condition>
bool comes_true(Condition condition) {
  for (int k = 0; k < 3000; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::string status_of(const fs::path& run) {
  if (!fs::exists(run / "summary.json")) return "";
  return nlohmann::json::parse(contents(run / "summary.json"))["status"];
}

// The runs are far too long to end by themselves. Those that a killed sweep leaves behind stop as well.
TEST(SweepStop, SignalsLeaveCheckpointsAndATable) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("1000 s"));
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    const fs::path out = s / ("out" + std::to_string(signal));
    const pid_t sweep = start(
        {"sweep", s.text("rod.toml"), "--over=solver.seed=1,2,3", "--jobs=2", "--quiet", "--out=" + out.string()});
    for (const char* run : {"000", "001"})
      EXPECT_TRUE(comes_true([&] { return fs::exists(out / run / "checkpoint.h5"); })) << signal;
    kill(sweep, signal);
    EXPECT_EQ(wait_for(sweep), 128 + signal);
    for (const char* run : {"000", "001"}) {
      EXPECT_TRUE(comes_true([&] { return status_of(out / run) == "interrupted"; })) << signal;
      EXPECT_FALSE(read_checkpoint(out / run / "checkpoint.h5").finished);
    }
    EXPECT_FALSE(fs::exists(out / "002"));
    const auto rows = table(out / "table.csv");
    EXPECT_EQ(rows.size(), signal == SIGKILL ? 0u : 2u);
    for (const auto& row : rows) EXPECT_EQ(row.at("status"), "interrupted");
  }
}

TEST(SweepStop, ResumeGivesTheSameBytes) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("200 ms"));
  const std::string line = "sweep " + s.text("rod.toml") + " --over solver.seed=1,2,3 --jobs 2 --quiet --out ";
  ASSERT_EQ(lodestone(line + s.text("whole")).code, 0);
  const pid_t sweep =
      start({"sweep", s.text("rod.toml"), "--over=solver.seed=1,2,3", "--jobs=2", "--quiet", "--out=" + s.text("out")});
  EXPECT_TRUE(comes_true([&] { return fs::exists(s / "out/001/checkpoint.h5"); }));
  kill(sweep, SIGINT);
  EXPECT_EQ(wait_for(sweep), 130);
  ASSERT_EQ(lodestone(line + s.text("out") + " --resume").code, 0);
  const auto rows = table(s / "out/table.csv");
  ASSERT_EQ(rows.size(), 3u);
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("status"), "done");
    expect_same_run(s / "whole" / row.at("folder"), s / "out" / row.at("folder"));
  }
}

TEST(SweepStop, ASceneThatIsEditedMeanwhileEndsTheSweep) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("200 ms"));
  const pid_t sweep =
      start({"sweep", s.text("rod.toml"), "--over=solver.seed=1,2", "--jobs=1", "--quiet", "--out=" + s.text("out")});
  EXPECT_TRUE(comes_true([&] { return fs::exists(s / "out/000/checkpoint.h5"); }));
  write(s / "rod.toml", swinging_rod("201 ms"));
  EXPECT_EQ(wait_for(sweep), 2);
  auto rows = table(s / "out/table.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["status"], "done");
  EXPECT_FALSE(fs::exists(s / "out/001"));
}

}  // namespace ls::program::sweep_stop_test
