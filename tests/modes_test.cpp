// Natural frequencies of a scene, from outside.
#include "tests/sweep.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::program::modes_test {

// A straight rubber rod along x. What stands at `supports` and after the rest is up to the test.
std::string straight_rod(const std::string& solver, const std::string& supports, const std::string& more = "") {
  return "title = \"Rod\"\n[solver]\n" + solver + R"(
[material.rubber]
young = "1 MPa"
poisson = 0.45
density = "1 g/cm^3"
[[rod]]
name = "rod"
material = "rubber"
section = { diameter = "2 mm" }
line = { from = [0, 0, 0], to = ["200 mm", 0, 0] }
bonds = 40
)" + supports +
         "\n" + more;
}

// Hz, of the first bending with its root beta L: sqrt(EI/(rho A)) = sqrt(E/rho) d/4.
double bending(double beta) {
  return beta * beta * std::sqrt(1e6 / 1e3) * 0.5e-3 / (0.2 * 0.2) / (2 * std::numbers::pi);
}

double frequency(const std::vector<Row>& rows, std::size_t k) {
  return std::stod(rows.at(k).at("frequency_Hz"));
}

TEST(ModesProgram, FindsTheFrequenciesOfACantilever) {
  Scratch s;
  write(s / "rod.toml", straight_rod("kind = \"static\"\nduration = \"1 s\"", "clamp = [\"start\"]"));
  const auto a = lodestone("modes " + s.text("rod.toml") + " --count 4 --out " + s.text("out"));
  ASSERT_EQ(a.code, 0) << a.text;
  const auto rows = table(s / "out/modes.csv");
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const double right = bending(k < 2 ? 1.8751040687 : 4.6940911330);
    EXPECT_NEAR(frequency(rows, k) / right, 1, 2e-3) << k;
    EXPECT_EQ(rows[k].at("mode"), std::to_string(k + 1));
    EXPECT_EQ(rows[k].at("stable"), "1");
    EXPECT_NEAR(std::stod(rows[k].at("omega_squared")), std::pow(2 * std::numbers::pi * frequency(rows, k), 2),
                1e-9 * std::stod(rows[k].at("omega_squared")));
    const std::string file = "out/modes/vibration-00" + std::to_string(k + 1);
    for (const char* ending : {".csv", ".vtp", ".pvd", "/00.vtp", "/15.vtp"})
      EXPECT_GT(contents(s / (file + ending)).size(), 100u) << file << ending;
  }
  EXPECT_FALSE(fs::exists(s / "out/modes/vibration-005.csv"));
  EXPECT_NE(contents(s / "out/modes.svg").find("Mode 4: "), std::string::npos);
  EXPECT_NE(contents(s / "out/modes/vibration-001.pvd").find("vibration-001/15.vtp"), std::string::npos);
}

TEST(ModesProgram, AScaleIsChosenThatCanBeSeen) {
  Scratch s;
  write(s / "rod.toml", straight_rod("kind = \"static\"\nduration = \"1 s\"", "clamp = [\"start\"]"));
  ASSERT_EQ(lodestone("modes " + s.text("rod.toml") + " --quiet --count 1 --out " + s.text("out")).code, 0);
  std::string text = contents(s / "out/modes/vibration-001.csv");
  write(s / "table.csv", text.substr(text.find('\n') + 1));  // without its comment
  const auto rows = table(s / "table.csv");
  ASSERT_EQ(rows.size(), 41u);
  const auto at = [&](const char* key) { return std::stod(rows.back().at(key)); };
  EXPECT_NEAR(std::hypot(at("dy"), at("dz")), 0.02, 1e-6) << "a tenth of the length";
  EXPECT_NEAR(at("dx"), 0, 1e-9);
}

// A dynamic scene that has not come to rest: the modes are those about the equilibrium, here that of a heavy rod that
// hangs down, which is stiffer than without its weight.
TEST(ModesProgram, GoesToTheEquilibriumOfADynamicScene) {
  Scratch s;
  const std::string clamp = "clamp = [\"start\"]";
  const std::string gravity = "[gravity]\ng = [\"9.81 m/s^2\", \"0.3 m/s^2\", 0]";
  write(s / "moving.toml", straight_rod("duration = \"50 ms\"", clamp, gravity));
  write(s / "still.toml", straight_rod("kind = \"static\"\nduration = \"1 s\"", clamp, gravity));
  for (const char* name : {"moving", "still"}) {
    const auto a = lodestone("modes " + s.text(name) + ".toml --count 4 --out " + s.text(name));
    ASSERT_EQ(a.code, 0) << a.text;
    EXPECT_EQ(a.text.find("from where the run ended") != std::string::npos, std::string(name) == "moving");
  }
  const auto moving = table(s / "moving/modes.csv"), still = table(s / "still/modes.csv");
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(frequency(moving, k) / frequency(still, k), 1, 1e-6) << k;
  EXPECT_GT(frequency(still, 0), 1.5 * bending(1.8751040687));
}

TEST(ModesProgram, AFreeRodFloats) {
  Scratch s;
  write(s / "rod.toml", straight_rod("duration = \"1 ms\"", ""));
  const auto a = lodestone("modes " + s.text("rod.toml") + " --json --count 8 --out " + s.text("out"));
  ASSERT_EQ(a.code, 0) << a.text;
  const auto last = nlohmann::json::parse(a.text.substr(a.text.rfind('\n', a.text.size() - 2) + 1));
  EXPECT_EQ(last["status"], "done");
  EXPECT_EQ(last["floating"], 6);
  EXPECT_EQ(last["unstable"], 0);
  const auto rows = table(s / "out/modes.csv");
  ASSERT_EQ(rows.size(), 8u);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_LT(std::abs(frequency(rows, k)), 1e-3 * frequency(rows, 6));
    EXPECT_EQ(rows[k].at("stable"), "1");
  }
  for (std::size_t k = 6; k < 8; ++k) EXPECT_NEAR(frequency(rows, k) / bending(4.7300407449), 1, 4e-3);
}

// Two magnets in a row, U = -k (2 cos a cos b - sin a sin b), that turn in their places: k and 3 k over the inertia, by
// twos. Balls spin about their moments as they like.
TEST(ModesProgram, MagnetsSwingWithEachOther) {
  constexpr double m = 0.1, apart = 0.03, inertia = 0.4 * 4e-3 * 5e-3 * 5e-3;
  std::string scene = "title = \"Magnets\"\n[solver]\nkind = \"static\"\nduration = \"1 s\"\n";
  for (const int x : {0, 30})
    scene += fmt::format(R"([[rigid]]
name = "b{0}"
shape = "sphere"
radius = "5 mm"
mass = "4 g"
position = ["{0} mm", 0, 0]
moment = [0.1, 0, 0]
[[hold]]
on = "b{0}"
axes = ["x", "y", "z"]
)",
                         x);
  const double slowest = std::sqrt(1e-7 * m * m / std::pow(apart, 3) / inertia) / (2 * std::numbers::pi);
  for (const std::string distance : {"\"auto\"", "0"}) {
    Scratch s;
    write(s / "two.toml", fmt::format("{}[dipoles]\nimplicit_distance = {}\n", scene, distance));
    const auto a = lodestone("modes " + s.text("two.toml") + " --json --out " + s.text("out"));
    ASSERT_EQ(a.code, 0) << a.text;
    const auto last = nlohmann::json::parse(a.text.substr(a.text.rfind('\n', a.text.size() - 2) + 1));
    EXPECT_EQ(last["floating"], 2);
    const auto rows = table(s / "out/modes.csv");
    ASSERT_EQ(rows.size(), 6u);
    for (std::size_t k = 2; k < 6; ++k)
      EXPECT_NEAR(frequency(rows, k) / slowest, k < 4 ? 1 : std::sqrt(3.0), 1e-9) << distance << k;
  }
}

// Straight up on its clamp, four times as heavy as it can bear (7.837 EI/L^3 over its weight per length).
TEST(ModesProgram, TellsThatAStateIsUnstable) {
  Scratch s;
  write(s / "rod.toml",
        straight_rod("duration = \"1 ms\"", "clamp = [\"start\"]", "[gravity]\ng = [\"-1 m/s^2\", 0, 0]"));
  const auto a = lodestone("modes " + s.text("rod.toml") + " --count 3 --out " + s.text("out"));
  ASSERT_EQ(a.code, 0) << a.text;
  EXPECT_NE(a.text.find("The state is unstable"), std::string::npos) << a.text;
  const auto rows = table(s / "out/modes.csv");
  EXPECT_LT(frequency(rows, 0), -0.1);
  EXPECT_EQ(rows[0].at("stable"), "0");
  EXPECT_EQ(rows[1].at("stable"), "0");
  EXPECT_EQ(rows[2].at("stable"), "1");
}

TEST(ModesProgram, BadInputAndNoEquilibriumHaveTheirExitCodes) {
  Scratch s;
  write(s / "rod.toml", straight_rod("kind = \"static\"\nduration = \"1 s\"", "clamp = [\"start\"]"));
  const std::string line = "modes " + s.text("rod.toml") + " --quiet --count 2 --out " + s.text("out");
  EXPECT_EQ(lodestone(line + " --set rod.rod.bonds=0").code, 2);
  EXPECT_EQ(lodestone(line + " --count 0").code, 2);
  EXPECT_EQ(lodestone("modes " + s.text("none.toml") + " --out " + s.text("out")).code, 2);
  EXPECT_FALSE(fs::exists(s / "out"));
  ASSERT_EQ(lodestone(line).code, 0);
  EXPECT_EQ(lodestone(line).code, 2) << "the folder is not empty";
  EXPECT_EQ(lodestone(line + " --force").code, 0);

  write(s / "falls.toml", straight_rod("duration = \"1 ms\"", "", "[gravity]\ng = [0, \"-1 m/s^2\", 0]"));
  const auto a = lodestone("modes " + s.text("falls.toml") + " --out " + s.text("falls"));
  EXPECT_EQ(a.code, 3);
  EXPECT_NE(a.text.find("no equilibrium"), std::string::npos) << a.text;
}

}  // namespace ls::program::modes_test
