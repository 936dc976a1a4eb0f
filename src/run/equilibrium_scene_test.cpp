#include "run/test_rows.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

// What is recorded as an equilibrium: bonds bear it, and contact balances it.
namespace ls::equilibrium_scene_test {

using namespace test_rows;
class Fractures : public SceneRows {};
class Pressed : public SceneRows {};

constexpr double ea = 1e6 * std::numbers::pi * 1e-6;  // N

// Two rods of 20 mm side by side, joined to a plate that is drawn away by 4 mm.
std::string drawn(const std::string& more, int steps, double first_limit = 0.3, int bonds = 10) {
  std::string scene = fmt::format("[solver]\nkind = \"static\"\nsteps = {}\n", steps) + R"(
[material.m]
young = "1 MPa"
poisson = 0.4
density = "1000 kg/m^3"
)";
  for (int k = 0; k < 2; ++k)
    scene += fmt::format(
        "[[rod]]\nname = \"r{0}\"\nmaterial = \"m\"\nsection = {{ diameter = \"2 mm\" }}\n"
        "line = {{ from = [0, \"{1} mm\", 0], to = [\"20 mm\", \"{1} mm\", 0] }}\nbonds = {3}\n"
        "clamp = [\"start\", \"end\"]\nfracture = {{ stretch = \"{2} N\" }}\n"
        "[[drive]]\non = \"r{0}.end\"\nmove = [\"4 mm * s\", 0, 0]\n",
        k, 10 * k, k == 0 ? first_limit : 0.5, bonds);
  return scene + R"(
[[probe]]
of = "r0.end"
record = ["reaction_force", "displacement"]
[[probe]]
of = "r1.end"
record = ["reaction_force"]
[[probe]]
of = "system"
record = ["energy", "ledger"]
)" + more;
}

TEST_F(Fractures, NoRowHasABondThatBearsMoreThanItCan) {
  for (const int steps : {1, 7, 20}) {
    const auto rows = rows_of(drawn("", steps));
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(steps) + 1);
    for (const Row& row : rows) {
      const double force = ea * row.at("r0_end.displacement.x") / 20e-3;
      EXPECT_NEAR(row.at("r0_end.reaction_force.x"), force < 0.3 ? force : 0, 1e-9) << steps;
      EXPECT_NEAR(row.at("r1_end.reaction_force.x"), force < 0.5 ? force : 0, 1e-9) << steps;
      EXPECT_NEAR(row.at("system.ledger.balance"), 0, 1e-12) << steps;
    }
    // What each had stored when it broke is lost, to the 128th of a load step in which it did.
    const double stored = (0.3 * 0.3 + 0.5 * 0.5) * 20e-3 / (2 * ea), part = 4e-3 / (128 * steps);
    EXPECT_GE(rows.back().at("system.ledger.dissipated"), stored);
    EXPECT_LE(rows.back().at("system.ledger.dissipated"), stored + (0.3 + 0.5) * part + ea / 20e-3 * part * part);
    EXPECT_NEAR(rows.back().at("system.energy.stretch"), 0, 1e-15);
    std::filesystem::remove_all(folder_);
  }
}

TEST_F(Fractures, WhatBreaksUnderTheFirstLoadsIsNotInTheFirstRow) {
  const auto rows = rows_of(drawn("[[load]]\non = \"r0[1]\"\nforce = [\"15 mN\", 0, 0]\n", 1, 5e-3, 2));
  // Half of the load is on either side: one of them is under tension, and breaks.
  EXPECT_NEAR(rows.front().at("r0_end.reaction_force.x"), -0.015, 1e-9);
}

TEST_F(Fractures, WhatComesLooseAndIsNotHeldEndsTheRun) {
  const RunReport report = go(R"(
[solver]
kind = "static"
[material.m]
young = "1 MPa"
poisson = 0.4
density = "1000 kg/m^3"
[[rod]]
name = "r"
material = "m"
section = { diameter = "2 mm" }
line = { from = [0, 0, 0], to = ["20 mm", 0, 0] }
bonds = 10
clamp = ["start"]
fracture = { stretch = "0.3 N" }
[[load]]
on = "r.end"
force = ["1 N * s", 0, 0]
)");
  EXPECT_EQ(report.status, RunStatus::diverged);
  EXPECT_NE(report.message.find("bonds break"), std::string::npos) << report.message;
}

// Forces over five decades; the last gaps are a millionth of the thickness, and less than a billionth of the model.
TEST_F(Pressed, ABallIsPushedBackByAsMuch) {
  const auto rows = rows_of(R"(
[solver]
kind = "static"
steps = 5
[contact]
thickness = "2 um"
[[wall]]
name = "floor"
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[[rigid]]
name = "ball"
shape = "sphere"
radius = "5 mm"
mass = "4 g"
position = [0, 0, "5.001 mm"]
[[rigid]]
name = "far"
shape = "sphere"
radius = "5 mm"
mass = "4 g"
position = ["3 m", 0, "5.001 mm"]
fixed = true
[[hold]]
on = "ball"
axes = ["x", "y", "rx", "ry", "rz"]
[[load]]
on = "ball"
force = [0, 0, "-10 mN - 500 N * s^8"]
[[probe]]
of = "ball"
record = ["contact_force"]
)");
  for (const Row& row : rows) {
    const double load = 0.01 + 500 * std::pow(row.at("s"), 8);
    EXPECT_NEAR(row.at("ball.contact_force.z"), load, 1e-3 * load) << row.at("s");
  }
}

}  // namespace ls::equilibrium_scene_test
