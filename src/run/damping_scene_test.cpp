#include "run/safety/energy_watch.h"
#include "run/test_rows.h"

#include <cmath>

// What falls or is drawn through something that damps it.
namespace ls::damping_scene_test {

using namespace test_rows;
class Damping : public SceneRows {};

const std::string ball = R"toml(
[[rigid]]
name = "ball"
shape = "sphere"
radius = "1 mm"
mass = "2 kg"
)toml";

const std::string probes = R"toml(
[[probe]]
of = "ball"
record = ["velocity", "force", "reaction_force"]
[[probe]]
of = "system"
record = "ledger"
)toml";

std::string solver(const std::string& kind) {
  return "[solver]\nkind = \"" + kind + "\"\ndt = \"1 ms\"\nduration = \"50 ms\"\n";
}

// The damping of one body, and that of all.
std::vector<std::string> dampings(const std::string& time) {
  return {ball + "damping = { time = \"" + time + "\" }\n", ball + "[damping]\ntime = \"" + time + "\"\n"};
}

TEST_F(Damping, WhatFallsEndsWithItsSpeed) {
  const std::string falls = "[gravity]\ng = [0, 0, -10]\n" + probes;
  for (const double time : {2e-3, 1e-3, 0.5e-3})  // beside a step of 1 ms
    for (std::string scene : dampings(std::to_string(time) + " s")) {
      scene.append(falls).append(solver("explicit"));
      const auto rows = rows_of(scene);
      const double share = 0.5e-3 / time;  // a half step's
      EXPECT_NEAR(rows.back().at("ball.velocity.z"), -10 * time * share / std::sinh(share), 0.02 * 10 * time) << scene;
      std::filesystem::remove_all(folder_);
    }
}

TEST_F(Damping, DrivesPushAgainstIt) {
  const std::string pushed = "[[drive]]\non = \"ball\"\nmove = [\"3 m/s * t\", 0, 0]\n" + probes;
  for (const std::string kind : {"explicit", "implicit"})
    for (std::string scene : dampings("10 ms")) {
      scene.append(pushed).append(solver(kind));
      const auto rows = rows_of(scene);
      EXPECT_NEAR(rows.back().at("ball.reaction_force.x"), 2 * 3 / 10e-3, 1e-9) << scene;
      EXPECT_NEAR(rows.back().at("ball.force.x"), -2 * 3 / 10e-3, 1e-9) << scene;
      EXPECT_NEAR(rows.back().at("system.ledger.drives"), 2 * 3 / 10e-3 * 3 * 50e-3, 1e-9) << scene;
      EXPECT_NEAR(rows.back().at("system.ledger.balance"), 0, 1e-9) << scene;
      std::filesystem::remove_all(folder_);
    }
}

TEST_F(Damping, StepsThatAreLongerThanItsTimeAreWarnedOf) {
  for (const std::string time : {"0.9 ms", "1.1 ms"})
    for (const std::string& damped : dampings(time)) {
      const Plan plan = read_text(solver("explicit") + damped, "scene.toml");
      const std::string warning = step_warning(plan, time_scales(plan));
      EXPECT_EQ(warning.find("longer than the 0.0009 s that damping takes") != std::string::npos, time == "0.9 ms")
          << warning;
    }
}

}  // namespace ls::damping_scene_test
