// Stopping and going on must not change a bit.
#include "output/checkpoint.h"
#include "tests/program.h"

#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is not in <csignal>
#include <thread>

namespace ls::program::resume_test {

void expect_same_results(const fs::path& a, const fs::path& b) {
  EXPECT_EQ(contents(a / "probes.csv"), contents(b / "probes.csv"));
  EXPECT_EQ(contents(a / "states.lammpstrj"), contents(b / "states.lammpstrj"));
  EXPECT_EQ(contents(a / "states.pvd"), contents(b / "states.pvd"));
  EXPECT_EQ(contents(a / "states.xdmf"), contents(b / "states.xdmf"));
  std::vector<std::string> frames;
  for (const auto& f : fs::directory_iterator(a / "frames")) frames.push_back(f.path().filename().string());
  EXPECT_GE(frames.size(), 10u);
  std::size_t others = 0;
  for ([[maybe_unused]] const auto& f : fs::directory_iterator(b / "frames")) ++others;
  EXPECT_EQ(frames.size(), others);
  for (const auto& name : frames) EXPECT_EQ(contents(a / "frames" / name), contents(b / "frames" / name)) << name;
  EXPECT_EQ(contents(a / "picture.svg"), contents(b / "picture.svg"));

  const auto ca = read_checkpoint(a / "checkpoint.h5"), cb = read_checkpoint(b / "checkpoint.h5");
  EXPECT_EQ(ca.state.clock.step, cb.state.clock.step);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(ca.state.nodes.x[k], cb.state.nodes.x[k]);
    EXPECT_EQ(ca.state.nodes.v[k], cb.state.nodes.v[k]);
    EXPECT_EQ(ca.state.nodes.w[k], cb.state.nodes.w[k]);
    EXPECT_EQ(ca.state.nodes.f[k], cb.state.nodes.f[k]);
    EXPECT_EQ(ca.state.nodes.t[k], cb.state.nodes.t[k]);
  }
  for (int k = 0; k < 4; ++k) EXPECT_EQ(ca.state.nodes.q[k], cb.state.nodes.q[k]);

  auto sa = nlohmann::json::parse(contents(a / "summary.json")),
       sb = nlohmann::json::parse(contents(b / "summary.json"));
  for (auto* s : {&sa, &sb}) s->erase("wall_seconds"), s->erase("machine");
  EXPECT_EQ(sa, sb);
}

TEST(Resume, AfterMaxWallGivesTheSameBytes) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("500 ms"));
  ASSERT_EQ(lodestone("run " + s.text("rod.toml") + " --quiet --out " + s.text("whole")).code, 0);
  const std::string part = "run " + s.text("rod.toml") + " --quiet --resume --max-wall 0.05 --out " + s.text("parts");
  int rounds = 0;
  for (; rounds < 200; ++rounds) {
    ASSERT_EQ(lodestone(part).code, 0);
    if (nlohmann::json::parse(contents(s / "parts/summary.json"))["status"] == "done") break;
  }
  EXPECT_GE(rounds, 2);
  expect_same_results(s / "whole", s / "parts");
}

// Their search starts from the fields that the last step left: a run that goes on must know them to the last bit.
TEST(Resume, InducedMomentsAreFoundAgain) {
  Scratch s;
  write(s / "soft.toml", R"toml([solver]
kind = "explicit"
dt = "0.05 ms"
duration = "100 ms"
[material.iron]
density = "7.8 g/cm^3"
susceptibility = 80
saturation = "500 kA/m"
[[rigid]]
name = "magnet"
shape = "sphere"
radius = "5 mm"
mass = "4 g"
moment = ["0.4 A m^2", 0, 0]
angular_velocity = [0, 0, "20 rad/s"]
[[rigid]]
name = "ball"
shape = "sphere"
radius = "3 mm"
material = "iron"
position = ["20 mm", "5 mm", 0]
count = 3
spacing = [0, "11 mm", 0]
[dipoles]
[[field]]
uniform = [0, "10 mT * sin(t / 7 ms)", "20 mT"]
[[probe]]
of = "ball[1]"
record = ["moment", "position"]
every = "1 ms"
[[probe]]
of = "system"
record = "energy"
every = "3 ms"
)toml");
  ASSERT_EQ(lodestone("run " + s.text("soft.toml") + " --quiet --out " + s.text("whole")).code, 0);
  const std::string part = "run " + s.text("soft.toml") + " --quiet --resume --max-wall 0.02 --out " + s.text("parts");
  int rounds = 0;
  for (; rounds < 300; ++rounds) {
    ASSERT_EQ(lodestone(part).code, 0);
    if (nlohmann::json::parse(contents(s / "parts/summary.json"))["status"] == "done") break;
  }
  EXPECT_GE(rounds, 2);
  EXPECT_EQ(contents(s / "whole/probes.csv"), contents(s / "parts/probes.csv"));
  EXPECT_GT(nlohmann::json::parse(contents(s / "whole/summary.json"))["induction_iterations"], 2000);
  EXPECT_EQ(nlohmann::json::parse(contents(s / "whole/summary.json"))["induction_iterations"],
            nlohmann::json::parse(contents(s / "parts/summary.json"))["induction_iterations"]);
}

// What couples magnets stands in the matrix from the first step on of a run that goes on.
TEST(Resume, BranchesOfMagnetsGoOn) {
  Scratch s;
  std::string scene = R"toml([solver]
kind = "static"
arc_length = true
[material.rubber]
young = "1 MPa"
poisson = 0.4
density = "1.5 g/cm^3"
magnetisation = "200 kA/m"
[dipoles]
[[field]]
uniform = ["-60 mT * s", "3 mT", 0]
[[stage]]
name = "on"
duration = "1 s"
steps = 40
[[probe]]
of = "rod0.end"
record = "position"
every = 1
)toml";
  for (const int k : {0, 1})
    scene += fmt::format(R"toml([[rod]]
name = "rod{0}"
material = "rubber"
section = {{ diameter = "2 mm" }}
line = {{ from = [0, "{1} mm", 0], to = ["30 mm", "{1} mm", 0] }}
bonds = 15
magnetisation_direction = [1, 0, 0]
clamp = ["start"]
)toml",
                         k, 6 * k);
  write(s / "arc.toml", scene);
  ASSERT_EQ(lodestone("run " + s.text("arc.toml") + " --quiet --out " + s.text("whole")).code, 0);
  int rounds = 0;
  for (; rounds < 100; ++rounds) {
    const double wall = 0.02 * (1 + rounds);  // a step takes as long as it takes
    ASSERT_EQ(lodestone(fmt::format("run {} --quiet --resume --max-wall {} --out {}", s.text("arc.toml"), wall,
                                    s.text("parts")))
                  .code,
              0);
    if (nlohmann::json::parse(contents(s / "parts/summary.json"))["status"] == "done") break;
  }
  EXPECT_GE(rounds, 2);
  EXPECT_EQ(contents(s / "whole/probes.csv"), contents(s / "parts/probes.csv"));
}

TEST(Resume, CtrlCLeavesACheckpoint) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("20 s"));
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = s.text("out" + std::to_string(signal));
    const pid_t child = start({"run", s.text("rod.toml"), "--quiet", "--out", out});
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    kill(child, signal);
    EXPECT_EQ(wait_for(child), 128 + signal);
    EXPECT_TRUE(fs::exists(out + "/checkpoint.h5"));
    EXPECT_EQ(nlohmann::json::parse(contents(out + "/summary.json"))["status"], "interrupted");
  }
}

// Starts the run again and again and kills it at random moments; returns how many kills it survived until it was done
// or had enough of them.
int kill_at_random(const Scratch& s, int most, double longest) {
  std::mt19937 random(11);
  std::uniform_real_distribution<> moment(0.002, longest);
  int kills = 0;
  for (int round = 0; kills < most && round < 10 * most; ++round) {
    const pid_t child = start({"run", s.text("rod.toml"), "--quiet", "--resume", "--out", s.text("killed")});
    std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
    kill(child, SIGKILL);
    if (wait_for(child) == 128 + SIGKILL) ++kills;
    std::error_code e;
    if (fs::exists(s / "killed/checkpoint.h5", e) && read_checkpoint(s / "killed/checkpoint.h5").finished) break;
  }
  return kills;
}

// Runs rod.toml once whole and once killed without warning at so many random moments in a row: both end in the same
// bits. share: how long it may live at most between two kills, of the whole.
void expect_same_after_kills(const Scratch& s, int wanted, double share) {
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(lodestone("run " + s.text("rod.toml") + " --quiet --out " + s.text("whole")).code, 0);
  const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // How far it gets between two kills depends on what else the machine does: where it was done too soon, again, with
  // shorter lives.
  int kills = 0;
  for (double longest = 0.03 + share * whole; kills < wanted && longest > 0.005; longest *= 0.6) {
    fs::remove_all(s / "killed");
    kills = kill_at_random(s, wanted, longest);
  }
  EXPECT_EQ(kills, wanted);
  ASSERT_EQ(lodestone("run " + s.text("rod.toml") + " --quiet --resume --out " + s.text("killed")).code, 0);
  expect_same_results(s / "whole", s / "killed");
}

TEST(Resume, TwentyKillsGiveTheSameBytes) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("500 ms"));
  expect_same_after_kills(s, 20, 0.06);
}

// The same of a fluid with a filament and tracers in it.
TEST(Resume, KillsInAFluidGiveTheSameBytes) {
  Scratch s;
  write(s / "rod.toml", R"toml(title = "Filament in a stream"
[solver]
kind = "implicit"
duration = "0.5 s"
[material.silicone]
young = "0.2 MPa"
poisson = 0.49
density = 1100
[[rod]]
name = "hair"
material = "silicone"
section = { diameter = "60 um" }
line = { from = ["1 mm", 0, "0.5 mm"], to = ["1 mm", "1 mm", "0.5 mm"] }
bonds = 10
clamp = ["start"]
[fluid]
spacing = "0.1 mm"
size = ["3 mm", "2 mm", "1 mm"]
viscosity = "10 mPa s"
density = 1000
faces = { y = ["no-slip", { velocity = ["10 mm/s * sin(2*pi*t/(0.1 s))", 0, 0] }] }
tracers = { count = 50, cycle = "0.1 s" }
[output]
every = "25 ms"
checkpoint = "10 ms"
dump = true
fluid = { every = "50 ms", slices = [{ axis = "z", at = "0.5 mm" }] }
[[probe]]
of = "hair.end"
record = ["displacement", "fluid_force"]
every = 7
)toml");
  expect_same_after_kills(s, 8, 0.2);
  for (const char* name : {"tracers.csv", "tracer_cycles.csv", "fluid_slice0.pvd", "fluid/000009.slice0.vti"})
    EXPECT_EQ(contents(s / "whole" / name), contents(s / "killed" / name)) << name;
  const auto a = read_checkpoint(s / "whole/checkpoint.h5"), b = read_checkpoint(s / "killed/checkpoint.h5");
  ASSERT_EQ(a.state.fluid.populations.size(), b.state.fluid.populations.size());
  EXPECT_EQ(
      std::memcmp(a.state.fluid.populations.data(), b.state.fluid.populations.data(), a.state.fluid.populations.size()),
      0);
}

// Long enough for several threads to take part: short rods are stepped by one.
TEST(ThreadedRun, SameBytesForOneAndTwoThreads) {
  Scratch s;
  write(s / "rod.toml", swinging_rod("1 ms"));
  const std::string line = "run " + s.text("rod.toml") +
                           " --quiet --set rod.rod.bonds=20000 --set rod.rod.line.to='[\"200 m\",0,0]'"
                           " --set 'output.every=\"1 ms\"' --threads ";
  ASSERT_EQ(lodestone(line + "1 --out " + s.text("one")).code, 0);
  ASSERT_EQ(lodestone(line + "2 --out " + s.text("two")).code, 0);
  EXPECT_EQ(contents(s / "one/probes.csv"), contents(s / "two/probes.csv"));
  EXPECT_EQ(contents(s / "one/states.lammpstrj"), contents(s / "two/states.lammpstrj"));
}

}  // namespace ls::program::resume_test
