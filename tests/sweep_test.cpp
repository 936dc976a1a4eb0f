// Many runs of one scene, from outside.
#include "tests/sweep.h"

namespace ls::program::sweep_test {

// A free rod that falls for 20 ms: whatever its bonds, it moves by g t^2 / 2.
const std::string falling_rod = R"(title = "Falling rod"
[define]
g = 1
[solver]
duration = "20 ms"
dt = "20 us"
[material.rubber]
young = "1 MPa"
poisson = 0.45
density = "1.1 g/cm^3"
[[rod]]
name = "rod"
material = "rubber"
section = { diameter = "6 mm" }
line = { from = [0, 0, 0], to = ["100 mm", 0, 0] }
bonds = 4
[gravity]
g = [0, "-g * 1 m/s^2", 0]
[output]
every = "10 ms"
[[probe]]
name = "tip"
of = "rod.end"
record = ["displacement"]
)";

TEST(SweepProgram, RunsAllCombinationsIntoOneTable) {
  Scratch s;
  write(s / "rod.toml", falling_rod);
  const std::string line = "sweep " + s.text("rod.toml") + " --over rod.rod.bonds=4,8 --over define.g=0:10:3";
  const auto a = lodestone(line + " --jobs 2 --out " + s.text("two"));
  ASSERT_EQ(a.code, 0) << a.text;
  EXPECT_NE(a.text.find("6 of 6 runs done, 0 failed"), std::string::npos) << a.text;
  EXPECT_EQ(a.text.find('\r'), std::string::npos) << "a pipe gets no carriage returns";
  const auto rows = table(s / "two/table.csv");
  ASSERT_EQ(rows.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    Row row = rows[k];
    EXPECT_EQ(row["run"], std::to_string(k));
    EXPECT_EQ(row["folder"], "00" + std::to_string(k));
    EXPECT_EQ(row["rod.rod.bonds"], k < 3 ? "4" : "8");
    EXPECT_EQ(row["define.g"], std::to_string(5 * (k % 3)));
    EXPECT_EQ(row["status"], "done");
    EXPECT_EQ(row["steps"], "1000");
    EXPECT_GT(std::stod(row["wall_seconds"]), 0);
    EXPECT_NEAR(std::stod(row["tip.displacement.y"]), -5.0 * static_cast<double>(k % 3) * 0.02 * 0.02 / 2, 1e-12);
    EXPECT_EQ(nlohmann::json::parse(contents(s / ("two/00" + std::to_string(k)) / "summary.json"))["bonds"],
              k < 3 ? 4 : 8);
  }
  ASSERT_EQ(lodestone(line + " --jobs 1 --out " + s.text("one")).code, 0);
  for (std::size_t k = 0; k < 6; ++k)
    expect_same_run(s / ("one/00" + std::to_string(k)), s / ("two/00" + std::to_string(k)));
  ASSERT_EQ(lodestone("run " + s.text("rod.toml") + " --quiet --set rod.rod.bonds=8 --set define.g=5 --out " +
                      s.text("alone"))
                .code,
            0);
  expect_same_run(s / "alone", s / "two/004");
}

TEST(SweepProgram, BadInputIsExitCodeTwoAndLeavesNothing) {
  Scratch s;
  write(s / "rod.toml", falling_rod);
  const std::string scene = "sweep " + s.text("rod.toml") + " --out " + s.text("out");
  for (const auto& [over, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "--over"},
           {" --over rod.rod.bonds", "KEY=A,B,C"},
           {" --over define.g=0:1:0", "whole number"},
           {" --over define.g=1,2 --over define.g=3,4", "twice"},
           {" --over define.g=1,2 --set define.g=3", "--set"},
           {" --over define.g=0:1:1000 --over rod.rod.bonds=1:200:200", "100000"},
           {" --over rod.rod.bonds=4,8,-3", "run 002 (rod.rod.bonds=-3)"},
           {" --over 'rod.rod.section.diameter=1 mm:3 mT:3'", "same unit"},
           {" --over 'rod.rod.section.diameter=1 mT:3 mT:3'", "run 000 (rod.rod.section.diameter=1 mT)"},
           {" --over rod.rad.bonds=4,8", "did you mean `rod`?"},
           {" --over define.g=1,2 --resume --force", "--resume"},
           {" --over define.g=1,2 --jobs 0", "--jobs"}}) {
    const auto a = lodestone(scene + over);
    EXPECT_EQ(a.code, 2) << over << "\n" << a.text;
    EXPECT_NE(a.text.find(said), std::string::npos) << over << "\n" << a.text;
    EXPECT_FALSE(fs::exists(s / "out")) << over;
  }
  EXPECT_EQ(lodestone("sweep /no/such/scene.toml --over a=1").code, 2);
  EXPECT_EQ(lodestone("sweep " + s.text("rod.toml") + " --over define.g=1 --out " + s.text("rod.toml")).code, 2);
  EXPECT_EQ(lodestone("sweep " + s.text("rod.toml") + " --over define.g=1 --out /proc/no/such/place").code, 4);
  const auto help = lodestone("sweep --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.text.find("Example"), std::string::npos);
}

TEST(SweepProgram, OneRunThatDivergesDoesNotStopTheOthers) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("50 ms"));
  const auto a = lodestone("sweep " + s.text("rod.toml") + " --over 'solver.dt=400 us,10 us' --jobs 1 --json --out " +
                           s.text("o"));
  EXPECT_EQ(a.code, 3) << a.text;
  EXPECT_NE(a.text.find("run 000 (solver.dt=400 us): "), std::string::npos) << a.text;
  EXPECT_NE(contents(s / "o/sweep.log").find("diverged at step"), std::string::npos);
  auto rows = table(s / "o/table.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["status"], "diverged");
  EXPECT_EQ(rows[0]["solver.dt"], "400 us");
  EXPECT_EQ(rows[1]["status"], "done");
  EXPECT_EQ(rows[1]["steps"], "10000");
  nlohmann::json last;
  std::istringstream lines(a.text);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("error: ")) last = nlohmann::json::parse(line);
  EXPECT_EQ(last["status"], "failed");
  EXPECT_EQ(last["runs_done"], 1);
  EXPECT_EQ(last["runs_failed"], 1);
}

// A folder in the way is a run that fails for another reason than its numbers.
TEST(SweepProgram, OneRunThatCannotWriteDoesNotStopTheOthers) {
  Scratch s;
  write(s / "rod.toml", falling_rod);
  fs::create_directories(s / "out/001");
  write(s / "out/001/precious.txt", "keep me");
  const auto a = lodestone("sweep " + s.text("rod.toml") + " --over define.g=1,2,3 --force --out " + s.text("out"));
  EXPECT_EQ(a.code, 2) << a.text;
  EXPECT_NE(a.text.find("run 001 (define.g=2): "), std::string::npos) << a.text;
  EXPECT_EQ(contents(s / "out/001/precious.txt"), "keep me");
  auto rows = table(s / "out/table.csv");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["status"], "done");
  EXPECT_EQ(rows[1]["status"], "failed");
  EXPECT_EQ(rows[1]["tip.displacement.y"], "");
  EXPECT_EQ(rows[2]["status"], "done");
}

TEST(SweepProgram, ResumeDoesOnlyWhatIsMissing) {
  Scratch s;
  write(s / "rod.toml", falling_rod);
  const std::string line = "sweep " + s.text("rod.toml") + " --out " + s.text("out") + " --over ";
  ASSERT_EQ(lodestone(line + "define.g=1,2,3").code, 0);
  const std::string before = contents(s / "out/table.csv");
  EXPECT_EQ(lodestone(line + "define.g=1,2,3").code, 2) << "not empty";
  EXPECT_EQ(lodestone(line + "define.g=1,2,3 --resume").code, 0);
  EXPECT_EQ(contents(s / "out/table.csv"), before) << "nothing was run: even the wall times are the same";

  const auto written = fs::last_write_time(s / "out/000/summary.json");
  fs::remove_all(s / "out/001");
  EXPECT_EQ(lodestone(line + "define.g=1,2,3 --resume").code, 0);
  EXPECT_EQ(fs::last_write_time(s / "out/000/summary.json"), written);
  auto rows = table(s / "out/table.csv");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_NEAR(std::stod(rows[1]["tip.displacement.y"]), -0.0004, 1e-12);

  EXPECT_EQ(lodestone(line + "define.g=1,2,3,4 --resume").code, 0) << "more values at the end";
  EXPECT_EQ(table(s / "out/table.csv").size(), 4u);
  for (const char* other : {"define.g=1,5,3,4 --resume", "define.g=1,2,3 --resume",
                            "define.g=1,2,3,4 --resume "
                            "--set rod.rod.bonds=5"}) {
    const auto a = lodestone(line + other);
    EXPECT_EQ(a.code, 2) << other << a.text;
    EXPECT_EQ(table(s / "out/table.csv").size(), 4u) << other;
  }
}

TEST(SweepProgram, ForceRemovesOldRunsAndNothingElse) {
  Scratch s;
  write(s / "rod.toml", falling_rod);
  const std::string line = "sweep " + s.text("rod.toml") + " --out " + s.text("out") + " --over ";
  ASSERT_EQ(lodestone(line + "define.g=1,2,3").code, 0);
  fs::create_directories(s / "out/2024");
  write(s / "out/notes.txt", "mine");
  ASSERT_EQ(lodestone(line + "define.g=7 --force").code, 0);
  auto rows = table(s / "out/table.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["define.g"], "7");
  EXPECT_FALSE(fs::exists(s / "out/001"));
  EXPECT_TRUE(fs::exists(s / "out/2024"));
  EXPECT_TRUE(fs::exists(s / "out/notes.txt"));
}

TEST(SweepProgram, RunsWithOtherColumnsShareTheTable) {
  Scratch s;
  write(s / "rod.toml", falling_rod + "[[probe]]\nname = \"all\"\nof = \"rod.all\"\nrecord = [\"position\"]\n");
  ASSERT_EQ(lodestone("sweep " + s.text("rod.toml") + " --over rod.rod.bonds=2,4 --out " + s.text("out")).code, 0);
  auto rows = table(s / "out/table.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(std::stod(rows[0]["all.position[2].x"]), 0.1, 1e-12);
  EXPECT_NEAR(std::stod(rows[1]["all.position[2].x"]), 0.05, 1e-12);
  EXPECT_EQ(rows[0].at("all.position[4].x"), "");
  EXPECT_NEAR(std::stod(rows[1]["all.position[4].x"]), 0.1, 1e-12);
}

}  // namespace ls::program::sweep_test
