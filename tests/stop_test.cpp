// A run stops soon when it is asked to, whatever its solver is doing, and loses nothing.
#include "output/checkpoint.h"
#include "tests/program.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is not in <csignal>
#include <thread>

namespace ls::program::stop_test {

using Wall = std::chrono::steady_clock;
double seconds_since(Wall::time_point t) {
  return std::chrono::duration<double>(Wall::now() - t).count();
}

const std::string rubber = "[material.m]\nyoung = \"1 MPa\"\npoisson = 0.4\ndensity = \"1 g/cm^3\"\nfriction = 0.3\n";

// A block of struts that sags: its matrix fills in, so that a step takes a good part of a second.
std::string sagging(const std::string& steps) {
  return "[solver]\nkind = \"implicit\"\ndt = \"2 ms\"\nsteps = " + steps + "\n" + rubber +
         "[[network]]\nname = \"a\"\nmaterial = \"m\"\nlattice = \"cubic\"\ncells = [10, 10, 8]\ncell = \"10 mm\"\n"
         "section = { diameter = \"1 mm\" }\nbonds_per_strut = 2\nclamp = [\"low_z\"]\n"
         "[gravity]\ng = [\"5 m/s^2\", 0, \"-9.81 m/s^2\"]\n"
         "[output]\ncheckpoint = \"0.2 s\"\n";
}

// Struts between two plates: they buckle, touch and slide.
const std::string squeezed =
    "[solver]\nkind = \"static\"\non_instability = \"jump\"\n" + rubber +
    "[contact]\nthickness = \"0.1 mm\"\n"
    "[[network]]\nname = \"block\"\nmaterial = \"m\"\nlattice = \"cubic\"\ncells = [2, 2, 1]\ncell = \"10 mm\"\n"
    "section = { diameter = \"1.2 mm\" }\nbonds_per_strut = 4\n"
    "[[wall]]\nname = \"floor\"\nplane = { point = [0, 0, \"-0.65 mm\"], normal = [0, 0, 1] }\n"
    "[[wall]]\nname = \"plate\"\nplane = { point = [0, 0, \"10.65 mm\"], normal = [0, 0, -1] }\n"
    "[output]\ncheckpoint = \"1 h\"\n"
    "[[stage]]\nsteps = 5\n[[stage.drive]]\non = \"plate\"\nmove = [0, 0, \"-1.2 mm * s\"]\n"
    "[[stage]]\nsteps = 3\n[[stage.drive]]\non = \"plate\"\nmove = [0, 0, \"0.4 mm * s\"]\n"
    "[[probe]]\nof = \"system\"\nrecord = [\"contacts\", \"min_gap\", \"energy\"]\n";

// Its own memory and nodes; times of the wall differ.
void expect_same(const fs::path& a, const fs::path& b) {
  EXPECT_EQ(contents(a / "probes.csv"), contents(b / "probes.csv"));
  EXPECT_EQ(contents(a / "states.pvd"), contents(b / "states.pvd"));
  EXPECT_EQ(contents(a / "picture.svg"), contents(b / "picture.svg"));
  const auto ca = read_checkpoint(a / "checkpoint.h5"), cb = read_checkpoint(b / "checkpoint.h5");
  EXPECT_TRUE(ca.finished && cb.finished);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(ca.state.nodes.x[k], cb.state.nodes.x[k]);
    EXPECT_EQ(ca.state.nodes.v[k], cb.state.nodes.v[k]);
    EXPECT_EQ(ca.state.nodes.f[k], cb.state.nodes.f[k]);
  }
  EXPECT_EQ(ca.state.memory.ledger.dissipated, cb.state.memory.ledger.dissipated);
}

nlohmann::json summary_of(const fs::path& folder) {
  return nlohmann::json::parse(contents(folder / "summary.json"));
}

TEST(Stop, MaxWallIsKeptWhereStepsAreFewAndSlow) {
  Scratch s;
  write(s / "sagging.toml", sagging("200"));
  const auto begin = Wall::now();
  const Answer a = lodestone("run " + s.text("sagging.toml") + " --max-wall 1 --out " + s.text("out"));
  EXPECT_LT(seconds_since(begin), 2.5);
  EXPECT_EQ(a.code, 0) << a.text;
  EXPECT_NE(a.text.find("with a checkpoint"), std::string::npos) << a.text;
  EXPECT_EQ(summary_of(s / "out")["status"], "out of time");
  EXPECT_LT(summary_of(s / "out")["wall_seconds"], 2);
}

TEST(Stop, MaxWallIsKeptWhereThereIsOneNode) {
  Scratch s;
  write(s / "ball.toml", "[solver]\nkind = \"implicit\"\ndt = \"1 ms\"\nsteps = 100000\n" + rubber +
                             "[[rigid]]\nname = \"b\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmaterial = \"m\"\n"
                             "position = [0, 0, \"6 mm\"]\n[contact]\n[[wall]]\nplane = { normal = [0, 0, 1] }\n"
                             "[gravity]\ng = [0, 0, \"-9.81 m/s^2\"]\n[output]\nevery = \"1 s\"\n");
  const auto begin = Wall::now();
  ASSERT_EQ(lodestone("run " + s.text("ball.toml") + " --quiet --max-wall 0.3 --out " + s.text("out")).code, 0);
  EXPECT_LT(seconds_since(begin), 1.5);
  EXPECT_EQ(summary_of(s / "out")["status"], "out of time");
}

// `lodestone run … | head` closes what a run prints to.
TEST(Stop, ARunOutlivesWhoReadsWhatItPrints) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("1 s"));
  lodestone("run " + s.text("rod.toml") + " --json --out " + s.text("out") + " | true");
  EXPECT_EQ(summary_of(s / "out")["status"], "done");
}

TEST(Stop, AFileThatMayNotGrowIsAnErrorThatNamesIt) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("2 s"));
  const Answer a = lodestone("run " + s.text("rod.toml") + " --quiet --out " + s.text("out"), "ulimit -f 100;");
  EXPECT_EQ(a.code, 4) << a.text;
  EXPECT_NE(a.text.find(s.text("out")), std::string::npos) << a.text;
  EXPECT_NE(a.text.find("File too large"), std::string::npos) << a.text;
  EXPECT_EQ(lodestone("run " + s.text("rod.toml") + " --quiet --resume --out " + s.text("out")).code, 0);
}

TEST(Stop, CheckpointsAreWrittenWhileOneStepLasts) {
  Scratch s;
  write(s / "sagging.toml", sagging("200"));
  const pid_t child = start({"run", s.text("sagging.toml"), "--quiet", "--out", s.text("out")});
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_TRUE(fs::exists(s / "out/checkpoint.h5"));
  kill(child, SIGKILL);
  wait_for(child);
}

// At several moments, by each of the signals: the program ends within a second, and what it left goes on to the bits of
// a run that nobody disturbed. Lives grow, lest one step outlasts them all.
void expect_soon_and_same(const std::string& scene, double first_life) {
  Scratch s;
  write(s / "scene.toml", scene);
  ASSERT_EQ(lodestone("run " + s.text("scene.toml") + " --quiet --out " + s.text("whole")).code, 0);
  const int signals[] = {SIGTERM, SIGINT, SIGHUP};
  int stopped = 0;
  double life = first_life;
  for (int round = 0; round < 40; ++round, life *= 1.6) {
    const int signal = signals[round % 3];
    const pid_t child = start({"run", s.text("scene.toml"), "--quiet", "--resume", "--out", s.text("parts")});
    std::this_thread::sleep_for(std::chrono::duration<double>(life));
    const auto asked = Wall::now();
    kill(child, signal);
    const int code = wait_for(child);
    EXPECT_LT(seconds_since(asked), 1.5);
    if (code == 0) break;
    ++stopped;
    ASSERT_EQ(code, 128 + signal) << round;
    EXPECT_EQ(summary_of(s / "parts")["status"], "interrupted");
  }
  EXPECT_GE(stopped, 2);
  ASSERT_EQ(lodestone("run " + s.text("scene.toml") + " --quiet --resume --out " + s.text("parts")).code, 0);
  expect_same(s / "whole", s / "parts");
}

TEST(Stop, SignalsAreHeardWhileAStaticStepSlides) {
  expect_soon_and_same(squeezed, 0.1);
}

TEST(Stop, SignalsAreHeardWithinImplicitSteps) {
  expect_soon_and_same(sagging("3") + "[[probe]]\nof = \"system\"\nrecord = \"energy\"\n", 0.2);
}

}  // namespace ls::program::stop_test
