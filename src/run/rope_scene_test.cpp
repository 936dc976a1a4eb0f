#include "base/sanitized.h"
#include "run/test_rows.h"

#include <cmath>
#include <fmt/format.h>

// Weights on ropes that are reeled, and motors that hold what touches.
namespace ls::rope_scene_test {

namespace fs = std::filesystem;

using namespace test_rows;
class Ropes : public SceneRows {};

// A ball of 2 kg hangs on a light line of 1 m, by its centre. EA = 6.3 kN: the line is 3 mm longer than at rest.
constexpr double weight = 2 * 9.81, stretch = weight / 6283.19;  // N, m of each metre
std::string hanging(const std::string& solver, const std::string& line, const std::string& place,
                    const std::string& joint) {
  return "[solver]\n" + solver + R"(
[gravity]
g = [0, 0, "-9.81 m/s^2"]
[material.line]
young = "2 GPa"
poisson = 0.4
density = "1 kg/m^3"
[[rod]]
name = "line"
material = "line"
section = { diameter = "2 mm" }
line = )" +
         line +
         "\nbonds = 8\n[[rigid]]\nname = \"ball\"\nshape = \"sphere\"\nradius = \"5 cm\"\nmass = \"2 kg\"\nposition "
         "= " +
         place + "\n[[joint]]\nname = \"hoist\"\nkind = \"rope\"\nrod = \"line\"\na = \"ball\"\n" + joint + R"(
[[probe]]
of = "ball"
record = ["position", "velocity"]
every = 1
[[probe]]
of = "joint hoist"
record = ["travel", "rate", "force", "error"]
every = 1
[[probe]]
of = "system"
record = ["energy", "ledger"]
every = 1
)";
}
const std::string down = "{ from = [0, 0, 0], to = [0, 0, \"-1 m\"] }", below = "[0, 0, \"-1 m\"]";

TEST_F(Ropes, AWeightHangsHigherByWhatIsReeledIn) {
  const auto rows = rows_of(hanging("kind = \"static\"\nsteps = 8", down, below, "reel = \"-10 cm * s\""));
  ASSERT_EQ(rows.size(), 9u);
  const Row &first = rows.front(), &last = rows.back();
  EXPECT_NEAR(first.at("ball.position.z"), -(1 + stretch), 1e-6);
  EXPECT_NEAR(last.at("ball.position.z"), -0.9 * (1 + stretch), 1e-6);  // the same strain of a shorter line
  EXPECT_NEAR(last.at("joint_hoist.travel"), 0.9, 1e-12);
  EXPECT_NEAR(last.at("joint_hoist.force.z"), weight, 1e-5 * weight);
  EXPECT_LT(last.at("joint_hoist.error"), 1e-6);
  // The reel lifts the weight, and has what was stored in the tenth that it wound up.
  const double lifted = weight * 0.1 * (1 + stretch), stored = 0.5 * weight * stretch * 0.1;
  EXPECT_NEAR(last.at("system.ledger.motors"), lifted - stored, 1e-4 * lifted);
  EXPECT_NEAR(last.at("system.ledger.balance"), 0, 1e-6 * lifted);
}

TEST_F(Ropes, AMotorTakesALongerRopeIn) {
  const std::string motor = "[[motor]]\non = \"hoist\"\nposition = \"-20 cm * s\"\n";
  const auto rows = rows_of(hanging("kind = \"implicit\"\nduration = \"2 s\"\ndt = \"10 ms\"", down, below,
                                    "length = \"1.001 m\"\n" + motor));
  const Row& last = rows.back();
  EXPECT_NEAR(rows.front().at("joint_hoist.travel"), 1.001, 1e-12);
  EXPECT_NEAR(last.at("joint_hoist.travel"), 0.801, 1e-12);
  EXPECT_NEAR(last.at("joint_hoist.rate"), -0.1, 1e-12);
  EXPECT_NEAR(last.at("ball.position.z"), -0.801, 0.01);  // it goes up and down on the line by some millimetres
  EXPECT_NEAR(last.at("system.ledger.motors"), 0.2 * weight, 0.02 * weight);
  EXPECT_NEAR(last.at("system.ledger.balance"), 0, 1e-6 * weight);
}

// The energy over the frequency of a pendulum stays, where its length goes slowly: the angle grows with L^(-3/4).
TEST_F(Ropes, APendulumThatIsShortenedSlowlyKeepsItsAction) {
  if (is_sanitized) GTEST_SKIP() << "long, and the motor's rope goes the same way";
  constexpr double angle = 0.05;
  const std::string end = "[" + std::to_string(std::sin(angle)) + ", 0, " + std::to_string(-std::cos(angle)) + "]";
  const auto rows = rows_of(hanging("kind = \"implicit\"\nduration = \"40 s\"\ndt = \"20 ms\"\ntolerance = 1e-6",
                                    "{ from = [0, 0, 0], to = " + end + " }", end, "reel = \"-40 cm * s\""));
  double before = 0, after = 0, least = 1;
  for (const Row& row : rows) {
    const double time = row.at("time"), length = row.at("joint_hoist.travel");
    const double action = std::abs(row.at("ball.position.x")) * std::pow(length, -0.25);  // its root
    if (time < 4) before = std::max(before, action);
    if (time > 37) after = std::max(after, action);
    least = std::min(least, length);
  }
  EXPECT_NEAR(least, 0.6, 1e-6);
  EXPECT_NEAR(before, angle, 0.01 * angle);
  EXPECT_NEAR(after, angle, 0.01 * angle);
  EXPECT_NEAR(rows.back().at("system.ledger.balance"), 0, 1e-5 * rows.back().at("system.ledger.motors"));
}

// It follows the ball up, a step late.
TEST_F(Ropes, AReelMayGoByTheState) {
  const auto rows = rows_of(hanging("kind = \"implicit\"\nduration = \"0.2 s\"\ndt = \"10 ms\"", down, below,
                                    "reel = \"(ball.position.z + 1 m) / 2 - 10 cm * s\""));
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const double shorter = 0.5 * (rows[k - 1].at("ball.position.z") + 1) - 0.1 * rows[k].at("s");
    EXPECT_NEAR(rows[k].at("joint_hoist.travel"), 1 + shorter, 1e-12) << k;
  }
}

TEST_F(Ropes, ATenthIsTheLeast) {
  const RunReport report =
      go(hanging("kind = \"implicit\"\nduration = \"1 s\"\ndt = \"10 ms\"", down, below, "reel = \"-2 m * s\""));
  EXPECT_EQ(report.status, RunStatus::diverged);
  EXPECT_NE(report.message.find("the rope `hoist` would be"), std::string::npos) << report.message;
}

// Two hinges hold a bar that a motor is to turn about one of them.
TEST_F(Ropes, JointsThatAskForWhatCannotBeAreNamed) {
  for (const std::string solver :
       {"kind = \"implicit\"\nduration = \"1 s\"\ndt = \"10 ms\"", "kind = \"static\"\nduration = \"1 s\"\nsteps = 5"})
    for (const std::string motor : {"position = \"30 deg * s\"", "velocity = \"30 deg / (1 s)\""}) {
      if (solver.find("static") != std::string::npos && motor.find("velocity") != std::string::npos) continue;
      fs::remove_all(folder_);
      const RunReport report = go(fmt::format(R"toml([solver]
{}
[[rigid]]
name = "bar"
shape = "box"
size = ["20 cm", "2 cm", "2 cm"]
mass = "0.1 kg"
[[joint]]
name = "left"
kind = "hinge"
a = "bar"
at = ["-10 cm", 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "right"
kind = "hinge"
a = "bar"
at = ["10 cm", 0, 0]
axis = [0, 1, 0]
[[motor]]
on = "left"
{}
)toml",
                                              solver, motor));
      EXPECT_EQ(report.status, RunStatus::diverged);
      EXPECT_NE(report.message.find("joints `left`, `right`"), std::string::npos) << report.message;
    }
}

// A motor holds the last thing that a joint leaves free, and something else lies beside it.
TEST_F(Ropes, AMotorHoldsAWeightBesideWhatTouches) {
  for (const std::string joint : {"kind = \"slider\"\n", "kind = \"hinge\"\n"}) {
    const bool slides = joint.find("slider") != std::string::npos;
    const auto rows = rows_of(R"([solver]
kind = "implicit"
dt = "10 ms"
duration = "0.2 s"
[gravity]
g = [0, 0, "-9.81 m/s^2"]
[contact]
friction = 0.3
[[wall]]
name = "floor"
plane = { normal = [0, 0, 1], point = [0, 0, "-1 m"] }
[[rigid]]
name = "arm"
shape = "box"
size = ["20 cm", "10 cm", "10 cm"]
mass = "1 kg"
[[rigid]]
name = "ball"
shape = "sphere"
radius = "10 cm"
mass = "1 kg"
position = [0, 0, "-89.9 cm"]
[[probe]]
of = "joint j"
record = ["travel", "force", "error"]
every = 1
[[joint]]
name = "j"
a = "arm"
at = ["-10 cm", 0, 0]
)" + joint + (slides ? "axis = [0, 0, 1]\n" : "axis = [0, 1, 0]\n") +
                              "[[motor]]\non = \"j\"\nposition = " + (slides ? "\"1 cm * s\"\n" : "\"10 deg * s\"\n"));
    ASSERT_EQ(rows.size(), 21u) << joint;
    EXPECT_NEAR(rows.back().at("joint_j.travel"), slides ? 0.01 : std::acos(-1.0) / 18, 1e-6) << joint;
    EXPECT_LT(rows.back().at("joint_j.error"), 1e-6) << joint;
    EXPECT_NEAR(rows.back().at("joint_j.force.z"), 9.81, 0.05) << joint;
    fs::remove_all(folder_);
  }
}

// A pendulum on a post that is driven to and fro: the drive has to pull at it, whatever the solver.
TEST_F(Ropes, ADrivenPostIsPulledByWhatHangsOnIt) {
  std::vector<Row> last;
  for (const std::string solver : {"kind = \"implicit\"\ndt = \"1 ms\"\n", "kind = \"explicit\"\ndt = \"0.2 ms\"\n"}) {
    const auto rows = rows_of("[solver]\nduration = \"0.3 s\"\n" + solver + R"toml([gravity]
g = [0, 0, "-9.81 m/s^2"]
[[rigid]]
name = "post"
shape = "sphere"
radius = "2 cm"
mass = "1 kg"
fixed = true
[[rigid]]
name = "bob"
shape = "sphere"
radius = "5 cm"
mass = "2 kg"
position = ["30 cm", 0, "-40 cm"]
[[joint]]
kind = "hinge"
a = "bob"
b = "post"
at = [0, 0, 0]
axis = [0, 1, 0]
[[drive]]
on = "post"
move = ["5 cm * sin(8*t/(1 s))", 0, 0]
[[probe]]
of = "post"
record = ["reaction_force", "reaction_torque"]
every = 1
[[probe]]
of = "bob"
record = ["force"]
every = 1
[[probe]]
of = "system"
record = "ledger"
every = 1
)toml");
    last.push_back(rows.back());
    EXPECT_NEAR(last.back().at("system.ledger.balance"), 0, 1e-4) << solver;  // J
    fs::remove_all(folder_);
  }
  EXPECT_GT(std::abs(last[0].at("system.ledger.drives")), 0.1);
  EXPECT_NEAR(last[1].at("system.ledger.drives"), last[0].at("system.ledger.drives"), 1e-3);
  for (const char* force : {"post.reaction_force.x", "post.reaction_force.z", "bob.force.x", "bob.force.z"})
    EXPECT_NEAR(last[1].at(force), last[0].at(force), 0.05) << force;
  EXPECT_GT(last[0].at("post.reaction_force.z"), 15);  // N, the post's own weight being 9.81
}

}  // namespace ls::rope_scene_test
