#include "output/files.h"
#include "run/run.h"
#include "scene/read/reader.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

// Whole runs that are steered by their own state, and what is said of single bodies and pairs of them.
namespace ls::control_scene_test {

namespace fs = std::filesystem;

// A row of probes.csv by its columns; event is a text.
struct Row {
  std::map<std::string, double> value;
  std::string stage, event;
  double operator[](const std::string& column) const { return value.at(column); }
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line + ",");
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

class Control : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("control_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<Row> rows_of(const std::string& scene, int threads = 1) {
    RunOptions o;
    o.out = folder_;
    o.force = true;
    o.threads = threads;
    const RunReport report =
        run(read_text(scene + "[output]\npicture = false\nvtk = false\nhdf5 = false\n", "scene.toml"), o);
    EXPECT_EQ(report.status, RunStatus::done) << report.message;
    text_ = read_file(folder_ / "probes.csv");
    log_ = read_file(folder_ / "log.jsonl");
    std::istringstream in(text_);
    std::string line;
    std::getline(in, line);
    const auto header = cells_of(line);
    std::vector<Row> rows;
    while (std::getline(in, line)) {
      const auto cells = cells_of(line);
      Row row{{}, cells.front(), cells.back()};
      for (std::size_t k = 1; k + 1 < cells.size(); ++k)
        if (!cells[k].empty()) row.value[header[k]] = std::stod(cells[k]);
      rows.push_back(row);
    }
    return rows;
  }
  static std::string events(const std::vector<Row>& rows) {
    std::string all;
    for (const Row& r : rows)
      if (!r.event.empty()) all += (all.empty() ? "" : " ") + r.event;
    return all;
  }

  fs::path folder_;
  std::string text_, log_;
};

std::string solver(const std::string& kind, const std::string& dt, const std::string& duration = "") {
  return "[solver]\nkind = \"" + kind + "\"\ndt = \"" + dt + "\"\n" +
         (duration.empty() ? "" : "duration = \"" + duration + "\"\n");
}
const std::string ball = "[[rigid]]\nname = \"ball\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmass = \"4 g\"\n";
const std::string records_ball =
    "[[probe]]\nof = \"ball\"\nrecord = [\"position\", \"velocity\"]\nevery = \"stage\"\n"
    "[[probe]]\nof = \"system\"\nrecord = [\"energy\", \"ledger\"]\nevery = \"stage\"\n";

// Between two heights a magnet is switched on and off; the ball goes up and down between parabolas known in closed
// form.
const std::string bang_bang = ball + R"(moment = [0, 0, "0.05 A m^2"]
[define]
on = 0
[gravity]
g = [0, 0, "-10 m/s^2"]
[[field]]
factor = "on"
gradient = { value = "1.6 T/m", axis = [0, 0, 1] }
[[event]]
name = "pull"
when = "ball.position.z < -1 mm"
set = { on = 1 }
[[event]]
name = "let_go"
when = "ball.position.z > 1 mm"
set = { on = 0 }
)";

// A stage that switches a field at once does as much work as an event that does.
TEST_F(Control, AStageThatSwitchesDoesWorkToo) {
  const std::string stages = "[[stage]]\nduration = \"10 ms\"\n[[stage]]\nduration = \"20 ms\"\nset = { on = 1 }\n";
  const auto rows =
      rows_of(solver("implicit", "0.1 ms") + bang_bang.substr(0, bang_bang.find("[[event]]")) + records_ball + stages);
  EXPECT_NEAR(rows.back()["system.ledger.fields"], 0.05 * 1.6 * 0.5e-3, 1e-7);  // half a millimetre below its middle
  EXPECT_NEAR(rows.back()["system.ledger.balance"], 0, 1e-12);
}

TEST_F(Control, SwitchesAMagnetByWhereABallIs) {
  const std::string steered = bang_bang + records_ball;
  for (const char* kind : {"explicit", "implicit"}) {
    const bool is_explicit = kind[0] == 'e';
    const auto rows = rows_of(solver(kind, is_explicit ? "20 us" : "0.1 ms", "0.12 s") + steered);
    EXPECT_EQ(events(rows), "pull let_go pull") << kind;
    ASSERT_EQ(rows.size(), 5u) << kind;
    // It falls by 10 m/s^2, and is pulled up by 0.05 A m^2 * 1.6 T/m / 4 g - 10 m/s^2, too.
    const double first = std::sqrt(2e-3 / 10), low = std::sqrt(2 * 2e-3 / 10 + 2 * 1e-3 / 10);
    EXPECT_NEAR(rows[1]["time"], first, 2e-4) << kind;
    EXPECT_NEAR(rows[1]["ball.velocity.z"], -10 * first, 2e-3) << kind;
    EXPECT_NEAR(rows[2]["time"] - rows[1]["time"], first + low, 1e-3) << kind;
    // What the magnet did as it was switched is all that came in, and the ledger knows it.
    const double moved = rows.back()["system.energy.total"] - rows.front()["system.energy.total"];
    EXPECT_NEAR(rows.back()["system.ledger.fields"], moved, is_explicit ? 2e-6 : 1e-12) << kind;
    EXPECT_NEAR(rows.back()["system.ledger.balance"], 0, is_explicit ? 2e-6 : 1e-12) << kind;
    EXPECT_NE(log_.find("\"name\":\"let_go\""), std::string::npos);
  }
}

// A load that goes by the state is a spring, to the order of the step.
TEST_F(Control, LoadsMayGoByTheState) {
  const std::string spring = ball +
                             "position = [\"1 cm\", 0, 0]\n[[load]]\non = \"ball\"\nforce = "
                             "[\"-1 N/m*ball.position.x\", 0, 0]\n" +
                             records_ball;
  const double turn = std::sqrt(1 / 4e-3) * 0.2;
  double before = 0;
  for (const auto& [dt, most] : {std::pair{"40 us", 3e-5}, {"20 us", 1.5e-5}}) {
    const auto rows = rows_of(solver("explicit", dt, "0.2 s") + spring);
    const double off = std::abs(rows.back()["ball.position.x"] - 0.01 * std::cos(turn));
    EXPECT_LT(off, most) << dt;
    if (before > 0) {
      EXPECT_NEAR(before / off, 2, 0.1);
    }
    before = off;
  }
}

TEST_F(Control, EventsHappenOnceOrAgain) {
  const std::string swing = ball +
                            "position = [\"1 cm\", 0, 0]\n[[load]]\non = \"ball\"\nforce = "
                            "[\"-1 N/m*ball.position.x\", 0, 0]\n[define]\nn = 0\nm = 0\n"
                            "[[event]]\nname = \"again\"\nwhen = \"ball.position.x < 0\"\nset = { n = \"n + 1\" }\n"
                            "[[event]]\nname = \"once\"\nwhen = \"ball.position.x < 0\"\nonce = true\nset = { m = 1 }\n"
                            "[[event]]\nname = \"wide\"\nwhen = \"ball.position.x < 0\"\nhysteresis = \"2 cm\"\n"
                            "[[event]]\nname = \"third\"\nwhen = \"n > 2 and m == 1\"\n" +
                            records_ball;
  // The period is 0.397 s: it is below 0 from a quarter of it on, and again a period later.
  const auto rows = rows_of(solver("explicit", "0.1 ms", "1 s") + swing);
  EXPECT_EQ(events(rows), "again;once;wide again again third");
}

TEST_F(Control, StagesEndByTheStateAndByEvents) {
  const std::string falls = ball + R"([define]
push = "0 N"
[gravity]
g = [0, 0, "-10 m/s^2"]
[[event]]
name = "fast"
when = "ball.velocity.z < -0.3 m/s"
set = { push = "2*ball.velocity.z * 0.1 N s/m" }
end_stage = true
once = true
[[load]]
on = "ball"
force = [0, 0, "push"]
[[probe]]
name = "load"
of = "ball"
record = ["force"]
every = "stage"
[[stage]]
name = "fall"
duration = "1 s"
until = "ball.position.z < -2 mm"
set = { push = "1 mN*s" }
[[stage]]
name = "faster"
duration = "1 s"
set = { push = "2 mN*s" }
[[stage]]
name = "pushed"
duration = "2 ms"
)" + records_ball;
  for (const auto& [kind, dt] : {std::pair{"explicit", "0.1 ms"}, {"implicit", "0.5 ms"}}) {
    const auto rows = rows_of(solver(kind, dt) + falls);
    ASSERT_EQ(rows.size(), 4u) << kind;
    EXPECT_EQ(rows[1].stage, "fall");
    EXPECT_NEAR(rows[1]["ball.position.z"], -2e-3, 2e-4) << kind;
    EXPECT_EQ(rows[2].stage, "faster");
    EXPECT_EQ(rows[2].event, "fast");
    EXPECT_NEAR(rows[2]["ball.velocity.z"], -0.3, 6e-3) << kind;
    // What the event has set outlives the stage, whatever that said itself.
    EXPECT_NEAR(rows[3]["load.force.z"], -4e-2 + 0.2 * rows[2]["ball.velocity.z"], 1e-6) << kind;
  }
}

TEST_F(Control, SpeedIsTheLengthOfTheVelocity) {
  const auto rows = rows_of(
      solver("explicit", "1 ms", "0.2 s") + ball + "velocity = [0.3, 0, 0]\n" +
      "[gravity]\ng = [0, 0, -10]\n[[event]]\nname = \"fast\"\nwhen = \"ball.velocity > 0.501 m/s\"\n" + records_ball);
  ASSERT_EQ(events(rows), "fast");
  EXPECT_NEAR(rows[1]["time"], 0.041, 1e-9);  // the first step beyond 0.4013 m/s down
}

TEST_F(Control, BodiesThatTouchAreSeen) {
  const std::string drop =
      "[material.m]\nyoung = \"10 MPa\"\npoisson = 0.3\ndensity = 1000\nrestitution = 0.5\n"
      "[[rigid]]\nname = \"ball\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmaterial = \"m\"\n"
      "position = [0, 0, \"6 mm\"]\npoints = [[0, 0, 0], [0, \"1 m\", \"5 mm\"]]\n[contact]\nthickness = \"0.02 mm\"\n"
      "[[wall]]\nname = \"floor\"\nplane = { normal = [0, 0, 1] }\n[gravity]\ng = [0, 0, -10]\n"
      "[[event]]\nname = \"one\"\nwhen = \"contact(ball[0], floor)\"\nonce = true\n"
      "[[event]]\nname = \"any\"\nwhen = \"contact(floor, ball)\"\nonce = true\n"
      "[[event]]\nname = \"other\"\nwhen = \"contact(ball[1], floor)\"\nonce = true\n"
      "[[event]]\nname = \"never\"\nwhen = \"contact(ball[1], ball[0])\"\n"
      "[[probe]]\nname = \"ball\"\nof = \"ball[0]\"\nrecord = \"position\"\nevery = \"stage\"\n";
  for (const auto& [kind, dt] : {std::pair{"explicit", "20 us"}, {"implicit", "1 ms"}}) {
    const auto rows = rows_of(solver(kind, dt, "60 ms") + drop);
    EXPECT_EQ(events(rows), "one;any other") << kind;
    EXPECT_NEAR(rows[1]["time"], std::sqrt(2e-3 / 10), 1.5e-3) << kind;
    EXPECT_NEAR(rows[2]["time"], std::sqrt(12e-3 / 10), 1.5e-3) << kind;
  }
}

TEST_F(Control, LoadStepsOfStaticRunsAreLookedAt) {
  const auto rows = rows_of(R"([solver]
kind = "static"
[define]
p = "0 N"
[material.m]
young = "1 MPa"
poisson = 0.4
density = 1000
[[rod]]
name = "beam"
material = "m"
section = { diameter = "6 mm" }
line = { from = [0, 0, 0], to = ["120 mm", 0, 0] }
bonds = 10
clamp = ["start"]
[[event]]
name = "low"
when = "beam.end.displacement.y < -5 mm"
end_stage = true
[[stage]]
name = "push"
steps = 20
set = { p = "-10 mN*s" }
[[stage]]
name = "back"
steps = 2
set = { p = "p - p*s" }
[[load]]
on = "beam.end"
force = [0, "p", 0]
[[probe]]
name = "tip"
of = "beam.end"
record = ["displacement"]
)");
  ASSERT_GE(rows.size(), 4u);
  const Row &last = rows[rows.size() - 3], &before = rows[rows.size() - 4];
  EXPECT_EQ(last.event, "low");
  EXPECT_LT(last["tip.displacement.y"], -5e-3);
  EXPECT_GT(before["tip.displacement.y"], -5e-3);
  EXPECT_NEAR(rows.back()["tip.displacement.y"], 0, 1e-9);
}

// Twice the factor is twice the moment, in fields and among dipoles.
TEST_F(Control, MomentsGoByTheirFactor) {
  const auto scene = [](double moment, const std::string& factor) {
    const std::string m = "moment = [0, 0, " + std::to_string(moment) + "]\n" + factor;
    return solver("implicit", "1 ms", "20 ms") + ball + m + "[[rigid]]\nname = \"other\"\nshape = \"box\"\n" +
           "size = [0.01, 0.01, 0.01]\nmass = 0.01\nposition = [0.05, 0, 0.01]\nsampling = 0.005\n" + m +
           "[dipoles]\n[[field]]\ngradient = { value = \"0.1 T/m\", axis = [0, 0, 1] }\n" +
           "[[probe]]\nname = \"q\"\nof = \"other\"\nrecord = [\"position\", \"velocity\", \"angular_velocity\", "
           "\"moment\"]\nevery = \"stage\"\n" +
           records_ball;
  };
  const auto whole = rows_of(scene(0.25, "")), half = rows_of(scene(0.5, "moment_factor = \"if(t < 1 s, 0.5, 3)\"\n"));
  ASSERT_EQ(whole.size(), half.size());
  for (const auto& [column, value] : whole.back().value)
    EXPECT_NEAR(half.back()[column], value, 1e-12 * (1 + std::abs(value))) << column;
  EXPECT_GT(std::abs(whole.back()["q.velocity.z"]), 1e-6);
  // Switched off in the middle, what flies goes on as it is, and the ledger has what that took.
  const auto off = rows_of(scene(0.5, "moment_factor = \"if(t < 10 ms, 1, 0)\"\n"));
  EXPECT_EQ(off.back()["q.moment.z"], 0);
  EXPECT_EQ(off.back()["system.energy.dipole"], 0);
  EXPECT_LT(std::abs(off.back()["system.ledger.balance"]), 1e-6 * off.back()["system.energy.kinetic"]);
}

TEST_F(Control, DampingIsOfOneBodyAlone) {
  const std::string two =
      ball +
      "velocity = [1, 0, 0]\nangular_velocity = [0, 2, 0]\ndamping = { time = \"50 ms\", "
      "rotational = \"0.1 s\" }\n[[rigid]]\nname = \"free\"\nshape = \"sphere\"\nradius = 0.01\n"
      "mass = 1\nposition = [0, 1, 0]\nvelocity = [1, 0, 0]\n[[probe]]\nname = \"b\"\nof = \"ball\"\n"
      "record = [\"velocity\", \"angular_velocity\"]\nevery = \"stage\"\n[[probe]]\nof = \"free\"\n"
      "record = \"velocity\"\nevery = \"stage\"\n" +
      records_ball;
  for (const auto& [kind, dt] : {std::pair{"explicit", "0.1 ms"}, {"explicit", "1 ms"}, {"implicit", "0.2 ms"}}) {
    const auto rows = rows_of(solver(kind, dt, "0.1 s") + two);
    EXPECT_NEAR(rows.back()["b.velocity.x"], std::exp(-2.0), 2e-5) << kind;
    EXPECT_NEAR(rows.back()["b.angular_velocity.y"], 2 * std::exp(-1.0), 3e-5) << kind;
    EXPECT_NEAR(rows.back()["free.velocity.x"], 1, 1e-12) << kind;
    EXPECT_NEAR(rows.back()["system.ledger.balance"], 0, 1e-6) << kind;
  }
}

// Two cubes slide on one floor, each with its own friction, and a third falls through it.
TEST_F(Control, PairsHaveTheirOwnFrictionOrDoNotTouch) {
  const std::string slide =
      "[material.m]\nyoung = \"100 MPa\"\npoisson = 0.3\ndensity = 2500\nrestitution = 0.3\n[gravity]\ng = [0, 0, "
      "-10]\n"
      "[[rigid]]\nname = \"cube\"\nshape = \"box\"\nsize = [0.02, 0.02, 0.02]\nrounding = 0.001\nmaterial = \"m\"\n"
      "position = [0, 0, 0.01005]\nvelocity = [0.4, 0, 0]\npoints = [[0, 0, 0], [0, 0.1, 0], [0, 0.2, 0]]\n"
      "[contact]\nfriction = 0.5\nthickness = \"0.1 mm\"\n[[wall]]\nname = \"floor\"\nplane = { normal = [0, 0, 1] }\n"
      "[[pair]]\nof = [\"cube[1]\", \"floor\"]\nfriction = 0.1\n[[pair]]\nof = [\"floor\", \"cube[2]\"]\ncontact = "
      "false\n"
      "[[probe]]\nname = \"a\"\nof = \"cube[0]\"\nrecord = \"velocity\"\nevery = \"stage\"\n"
      "[[probe]]\nname = \"b\"\nof = \"cube[1]\"\nrecord = \"velocity\"\nevery = \"stage\"\n"
      "[[probe]]\nname = \"c\"\nof = \"cube[2]\"\nrecord = [\"position\", \"velocity\"]\nevery = \"stage\"\n";
  for (const auto& [kind, dt] : {std::pair{"explicit", "20 us"}, {"implicit", "1 ms"}}) {
    const auto rows = rows_of(solver(kind, dt, "0.1 s") + slide);
    EXPECT_NEAR(rows.back()["a.velocity.x"], 0, 2e-3) << kind;
    EXPECT_NEAR(rows.back()["b.velocity.x"], 0.3, 5e-3) << kind;
    EXPECT_NEAR(rows.back()["c.velocity.x"], 0.4, 1e-9) << kind;
    EXPECT_NEAR(rows.back()["c.position.z"], 0.01005 - 0.05, 1e-3) << kind;
  }
}

// Two balls of one material drop on one floor; one of them has a pair of its own with it.
TEST_F(Control, PairsHaveTheirOwnRestitution) {
  const auto rows = rows_of(
      solver("explicit", "10 us", "60 ms") +
      "[material.m]\nyoung = \"10 MPa\"\npoisson = 0.3\ndensity = 1000\nrestitution = 0.9\n[gravity]\ng = [0, 0, -10]\n"
      "[[rigid]]\nname = \"ball\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmaterial = \"m\"\n"
      "position = [0, 0, \"10 mm\"]\npoints = [[0, 0, 0], [0, \"1 m\", 0], [0, \"2 m\", 0]]\n[contact]\n"
      "[[wall]]\nname = \"floor\"\nplane = { normal = [0, 0, 1] }\n"
      "[[pair]]\nof = [\"ball[1]\", \"floor\"]\nrestitution = 0.4\n"
      "[[pair]]\nof = [\"ball[2]\", \"floor\"]\nrestitution = 1\n[[probe]]\nname = \"a\"\nof = \"ball[0]\"\n"
      "record = \"velocity\"\nevery = \"stage\"\n[[probe]]\nname = \"b\"\nof = \"ball[1]\"\nrecord = \"velocity\"\n"
      "every = \"stage\"\n[[probe]]\nname = \"c\"\nof = \"ball[2]\"\nrecord = \"velocity\"\nevery = \"stage\"\n"
      "[[event]]\nname = \"up\"\nwhen = \"c.velocity.z > 0 and b.velocity.z > 0 and not contact(ball, floor)\"\nonce = "
      "true\n");
  ASSERT_EQ(events(rows), "up");
  const double since = rows[1]["time"] - std::sqrt(2 * 5e-3 / 10), meets = std::sqrt(2 * 10 * 5e-3);
  constexpr double in_touch = 10 * 1e-3;  // what gravity does in the millisecond that it lasts
  EXPECT_NEAR(rows[1]["a.velocity.z"] + 10 * since, 0.9 * meets, in_touch);
  EXPECT_NEAR(rows[1]["b.velocity.z"] + 10 * since, 0.4 * meets, in_touch);
  EXPECT_NEAR(rows[1]["c.velocity.z"] + 10 * since, meets, in_touch);
}

// A pendulum that is let go sideways passes the bottom a quarter of its period later; there its hinge ends the stage.
TEST_F(Control, HingesAreWatched) {
  const auto rows = rows_of(solver("implicit", "1 ms") + ball +
                            "position = [\"1 m\", 0, 0]\n[gravity]\ng = [0, 0, -10]\n[[joint]]\nname = \"pivot\"\n"
                            "kind = \"hinge\"\na = \"ball\"\nat = [0, 0, 0]\naxis = [0, 1, 0]\n"
                            "[[event]]\nname = \"bottom\"\nwhen = \"abs(pivot.angle) > 90 deg\"\nend_stage = true\n"
                            "[[stage]]\nduration = \"2 s\"\n" +
                            records_ball);
  ASSERT_EQ(events(rows), "bottom");
  EXPECT_NEAR(rows.back()["time"], 1.8540747 / std::sqrt(10), 3e-3);  // K(1/2) sqrt(l/g)
  EXPECT_NEAR(rows.back()["ball.position.z"], -1, 1e-3);
}

class ControlThreads : public Control {};

TEST_F(ControlThreads, GiveTheSameBytes) {
  const std::string scene = solver("implicit", "0.2 ms", "40 ms") + bang_bang + records_ball;
  (void)rows_of(scene, 1);
  const std::string one = text_;
  (void)rows_of(scene, 4);
  EXPECT_EQ(one, text_);
}

}  // namespace ls::control_scene_test
