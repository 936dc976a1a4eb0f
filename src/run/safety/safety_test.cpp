#include "output/files.h"
#include "run/run.h"
#include "run/safety/energy_watch.h"
#include "scene/read/reader.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

// Runs that go wrong say what, where and when, write no NaN and keep the last good state; others are left alone.
namespace ls::safety_test {

namespace fs = std::filesystem;

const std::string rubber = "[material.m]\nyoung = \"1 MPa\"\npoisson = 0.4\ndensity = \"1.1 g/cm^3\"\n";
const std::string rod = rubber +
                        "[[rod]]\nname = \"r\"\nmaterial = \"m\"\nsection = { diameter = \"3 mm\" }\n"
                        "line = { from = [0, 0, 0], to = [\"60 mm\", 0, 0] }\nbonds = 20\nclamp = [\"start\"]\n";
const std::string gravity = "[gravity]\ng = [0, 0, \"-9.81 m/s^2\"]\n";
const std::string all_probes =
    "[[probe]]\nof = \"system\"\nrecord = [\"energy\", \"max_speed\"]\nevery = 1\n"
    "[[probe]]\nname = \"each\"\nof = \"r\"\nrecord = [\"position\", \"force\", \"turn\"]\nevery = 1\n";

std::string solver(const std::string& kind, const std::string& keys) {
  return "[solver]\nkind = \"" + kind + "\"\n" + keys + "\n";
}

class Safety : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              fmt::format("lodestone_{}_{}", testing::UnitTest::GetInstance()->current_test_info()->name(), getpid());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  RunReport go(const std::string& text) {
    const Plan plan = read_text(text, "scene.toml");
    RunOptions o;
    o.out = folder_;
    o.force = true;
    warnings_.clear();
    o.tell = [&](const char*, const std::string& w) { warnings_.push_back(w); };
    return run(plan, o);
  }
  // Whatever is text among the results, and the checkpoint's state by way of the last frame.
  void expect_no_nan() const {
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (!entry.is_regular_file()) continue;
      const std::string name = entry.path().filename();
      if (!name.ends_with(".csv") && !name.ends_with(".vtp") && !name.ends_with(".svg") && name != "log.jsonl")
        continue;
      std::string text = read_file(entry.path());
      if (name.ends_with(".vtp")) text.resize(std::min(text.size(), text.find("<AppendedData")));
      for (const char* word : {"nan", "-nan", "inf,", "NaN"}) EXPECT_EQ(text.find(word), std::string::npos) << name;
    }
  }
  // The message, of a run that must end so.
  std::string diverged(const std::string& text) {
    const RunReport r = go(text);
    EXPECT_EQ(r.status, RunStatus::diverged) << text;
    expect_no_nan();
    return r.message;
  }
  nlohmann::json summary() const { return nlohmann::json::parse(read_file(folder_ / "summary.json")); }

  fs::path folder_;
  std::vector<std::string> warnings_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Safety, AStepBeyondTheCriticalOneIsWarnedOfAndEndsTheRun) {
  for (const char* dt : {"56.3 us", "60 us", "80 us"})  // the critical one is 55.7 us
    for (const std::string& more : {std::string(), std::string("[[probe]]\nof = \"system\"\nrecord = \"ledger\"\n"),
                                    std::string("[[load]]\non = \"r.end\"\nforce = [0, 0, \"1 mN*sin(300*t/1 s)\"]\n"),
                                    std::string("[damping]\ntime = \"1 s\"\n")}) {
      std::string text = solver("explicit", fmt::format("dt = \"{}\"\nduration = \"40 ms\"", dt));
      text.append(rod).append(gravity).append(more);
      const std::string message = diverged(text);
      EXPECT_TRUE(has(message, "beyond the critical one")) << message;
      EXPECT_TRUE(has(message, "r[")) << message;
      EXPECT_TRUE(has(message, "is kept")) << message;
      ASSERT_EQ(warnings_.size(), 1U);
      EXPECT_TRUE(has(warnings_[0], "beyond the critical step")) << warnings_[0];
      EXPECT_EQ(summary()["warnings"].size(), 1U);
    }
}

// A field that jumps has an energy that no force makes up for.
TEST_F(Safety, MidpointStepsThatLoseTrackOfEnergyAreToldOf) {
  const std::string scene = solver("implicit", "dt = \"0.67 ms\"\nduration = \"0.3 s\"") + R"toml(
[material.soft]
young = "2 MPa"
poisson = 0.35
density = 1100
[[rod]]
name = "r"
material = "soft"
section = { width = "6 mm", height = "2 mm" }
line = { from = ["-200 mm", 0, 0], to = ["-50 mm", 0, 0] }
bonds = 15
magnetisation = [0, 0, "40 kA/m"]
velocity = ["1 m/s", 0, 0]
angular_velocity = ["5 rad/s", 0, 0]
[[field]]
)toml";
  EXPECT_EQ(go(scene + "uniform = [0, 0, \"1 mT\"]\n").status, RunStatus::done);
  EXPECT_TRUE(warnings_.empty());
  EXPECT_LT(summary()["energy_balance"]["midpoint_drift"].get<double>(), 1e-5);
  EXPECT_EQ(go(scene + "expression = [0, 0, \"1 mT * step(x / 1 m)\"]\n").status, RunStatus::done);
  EXPECT_GT(summary()["energy_balance"]["midpoint_drift"].get<double>(), 1e-3);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_TRUE(has(warnings_[0], "midpoint steps did not keep energy")) << warnings_[0];
}

// The last good state is one before the energy grew.
TEST_F(Safety, WhatIsKeptIsFromBeforeTheEnergyGrew) {
  (void)diverged(solver("explicit", "dt = \"56.3 us\"\nduration = \"20 ms\"") + rod + gravity);
  EXPECT_LT(std::abs(summary()["energy"]["total"].get<double>()), 1e-5);  // J; it should stay 0, and would end at 4e-4
  EXPECT_EQ(summary()["energy_balance"]["followed"], "total energy");
}

TEST_F(Safety, StableRunsAreLeftAlone) {
  const std::string ball =
      rubber +
      "[[rigid]]\nname = \"b\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmaterial = \"m\"\nposition = [0, 0, \"8 mm\"]\n"
      "[contact]\nrestitution = 1\nfriction = 0.5\n[[wall]]\nplane = { normal = [0, 0, 1] }\n";
  const std::string flung = "velocity = [0, 0, \"2 m/s\"]\nangular_velocity = [\"40 rad/s\", 0, 0]\n";
  const std::string scenes[] = {
      solver("explicit", "dt = \"55 us\"\nduration = \"50 ms\"") + rod + gravity,
      solver("explicit", "duration = \"50 ms\"") + rod + flung,
      solver("explicit", "dt = \"54 us\"\nduration = \"50 ms\"") + rod + flung,
      solver("explicit", "duration = \"0.2 s\"") + ball + gravity,
      solver("explicit", "duration = \"50 ms\"") + rod + "[thermal]\ntemperature = \"1e18 K\"\ntime = \"10 ms\"\n",
      solver("explicit", "duration = \"50 ms\"") + rod +
          "[[drive]]\non = \"r.start\"\nmove = [0, 0, \"5 mm*sin(200*t/1 s)\"]\n",
      solver("explicit", "duration = \"50 ms\"") + rod + "[gravity]\ng = [0, 0, \"100 m/s^2*sin(300*t/1 s)\"]\n",
      solver("explicit", "duration = \"50 ms\"") + rod + "[drag]\nviscosity = \"1 Pa s\"\nflow = [0, \"1 m/s\", 0]\n",
      solver("implicit", "duration = \"50 ms\"\ndt = \"0.5 ms\"") + rod +
          "[[drive]]\non = \"r.start\"\nmove = [0, 0, \"5 mm*sin(200*t/1 s)\"]\n[damping]\ntime = \"20 ms\"\n",
      solver("implicit", "duration = \"50 ms\"\ndt = \"0.5 ms\"") + rod +
          "[drag]\nviscosity = \"1 Pa s\"\nflow = [0, \"1 m/s\", 0]\n"};
  for (const std::string& text : scenes) {
    const RunReport r = go(text);
    EXPECT_EQ(r.status, RunStatus::done) << r.message << "\n" << text;
    EXPECT_TRUE(warnings_.empty());
    EXPECT_TRUE(r.warnings.empty());
  }
}

TEST_F(Safety, StaticStepsAreHeldAgainstTheirLedger) {
  const std::string bent = rod + "[[load]]\non = \"r.end\"\nforce = [0, 0, \"20 mN*s\"]\n";
  EXPECT_TRUE(go(solver("static", "steps = 20") + bent).warnings.empty());
  EXPECT_EQ(summary()["energy_balance"]["followed"], "ledger");
  EXPECT_LT(std::abs(summary()["energy_balance"]["gained"].get<double>()),
            1e-2 * summary()["energy"]["total"].get<double>());
  // What rounding brings in while a rod is moved that nothing strains is not much of what strains it later.
  const std::string carried = rod +
                              "[[drive]]\non = \"r.start\"\nmove = [\"20 mm*s\", 0, 0]\n"
                              "[[load]]\non = \"r.end\"\nforce = [0, 0, \"if(s > 0.5, 40 mN*(s - 0.5), 0)\"]\n";
  EXPECT_TRUE(go(solver("static", "steps = 20") + carried).warnings.empty());
  // A pendulum that a motor lifts strains nothing: it is the motor's work that its rounding stands beside.
  const std::string lifted = gravity + rubber +
                             "[[rigid]]\nname = \"b\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmaterial = \"m\"\n" +
                             "[[joint]]\nname = \"j\"\nkind = \"hinge\"\na = \"b\"\nat = [0.1, 0, 0.1]\naxis = [0, 1, "
                             "0]\n[[motor]]\non = \"j\"\n" +
                             "torque = \"20 uN m*sin(5*s)\"\n";
  EXPECT_TRUE(go(solver("static", "steps = 20") + lifted).warnings.empty());
}

TEST_F(Safety, LoadsThatAreNoNumbersAreNamed) {
  const std::string at_start = rod + "[[load]]\non = \"r.end\"\nforce = [0, \"1 mN*log(t/1 s)\", 0]\n";
  const std::string later = rod + all_probes + "[[load]]\non = \"r.end\"\nforce = [0, \"1 mN*sqrt(0.5 - s)\", 0]\n";
  const std::string first = diverged(solver("explicit", "duration = \"5 ms\"") + at_start);
  EXPECT_TRUE(has(first, "the load on r[20] is not a number at t = 0 s, s = 0")) << first;
  for (const char* kind : {"explicit", "implicit", "static"}) {
    const std::string message =
        diverged(solver(kind, kind == std::string("static") ? "steps = 20" : "duration = \"5 ms\"") + later);
    EXPECT_TRUE(has(message, "the load on r[20] is not a number at ")) << message;
    EXPECT_TRUE(has(message, "s = 0.5")) << message;
    EXPECT_FALSE(has(message, "damping")) << message;
  }
}

TEST_F(Safety, GravityFieldsDrivesAndFlowsThatAreNoNumbersAreNamed) {
  const std::string head = solver("explicit", "duration = \"5 ms\"") + rod + all_probes;
  EXPECT_TRUE(has(diverged(head + "[gravity]\ng = [0, 0, \"1 m/s^2*log(0.5 - s)\"]\n"), "gravity is not a number"));
  EXPECT_TRUE(has(diverged(head + "[[drive]]\non = \"r.end\"\nmove = [0, 0, \"1 mm*log(1 - 2*s)\"]\n"),
                  "the drive of r[20], or its rate, is not a number"));
  EXPECT_TRUE(has(diverged(head + "[drag]\nviscosity = 1\nflow = [\"1 m/s*sqrt(0.5 - s)\", 0, 0]\n"),
                  "drag.flow, or its slope, is not a number at r[0], (0, 0, 0) m, at t = "));
}

TEST_F(Safety, MotorsReelsAndMomentsThatAreNoNumbersAreNamed) {
  const std::string arm =
      rubber + "[[rigid]]\nname = \"b\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmaterial = \"m\"\nmoment = [1, 0, 0]\n";
  const std::string hinge =
      "[[joint]]\nname = \"j\"\nkind = \"hinge\"\na = \"b\"\nat = [0.1, 0, 0]\naxis = [0, 1, 0]\n[[motor]]\non = "
      "\"j\"\n";
  for (const char* kind : {"implicit", "explicit"}) {
    const std::string head = solver(kind, "duration = \"50 ms\"\ndt = \"1 ms\"") + arm;
    EXPECT_TRUE(has(diverged(head + hinge + "torque = \"1 mN m*j.rate/abs(j.rate)\"\n"),
                    "what the motor `motor1` is told to do is not a number at t = 0 s"));
    EXPECT_TRUE(has(diverged(head + hinge + "torque = \"1 uN m*sqrt(0.5 - s)\"\n"), "the motor `motor1` is told"));
    EXPECT_TRUE(has(diverged(head + "moment_factor = \"log(0.5 - s)\"\n[[field]]\nuniform = [0, \"1 uT\", 0]\n"),
                    "the moment_factor of b is not a number"));
  }
  const std::string head = solver("implicit", "duration = \"50 ms\"\ndt = \"1 ms\"") + arm;
  EXPECT_TRUE(has(diverged(head + hinge + "position = \"0.1*sqrt(s)\"\n"),
                  "what the motor `motor1` is told to do, or its rate, is not a number at t = 0 s"));
  const std::string line =
      "[[rod]]\nname = \"r\"\nmaterial = \"m\"\nsection = { diameter = \"3 mm\" }\nline = { from = [0, 0, 0.06], to = "
      "[0, "
      "0, 0] }\nbonds = 6\nclamp = [\"start\"]\n[[joint]]\nname = \"j\"\nkind = \"rope\"\nrod = \"r\"\na = \"b\"\n";
  EXPECT_TRUE(has(diverged(head + line + "reel = \"1 mm*log(0.5 - s)\"\n"),
                  "what the reel of the rope `j` is told to do, or its rate, is not a number at"));
}

// Formulas are tried at some times of every stage before the start; what they are between those, the run sees.
TEST_F(Safety, WhatDrivesAFluidIsNamed) {
  const std::string box = solver("explicit", "duration = \"2 s\"") +
                          "[fluid]\nspacing = \"0.1 mm\"\nviscosity = \"1 mm^2/s\"\ndensity = 1000\n"
                          "size = [\"0.4 mm\", \"0.6 mm\", \"0.4 mm\"]\n";
  const std::string probe = "[[probe]]\nof = \"fluid\"\nrecord = \"max_speed\"\nevery = 1\n";
  const auto lid = [&](const std::string& formula) {
    return box + "faces = { y = [\"no-slip\", { velocity = [\"1 mm/s*" + formula + "\", 0, 0] }] }\n" + probe;
  };
  const auto pushed = [&](const std::string& formula) {
    return box + "body_force = [\"1 N/m^3*" + formula + "\", 0, 0]\n" + probe;
  };
  for (const std::string& text :
       {lid("log(t/1 s)"), lid("sqrt(0.5 - s)"), pushed("log(t/1 s)"), pushed("sqrt(0.5 - s)")})
    try {
      (void)read_text(text, "scene.toml");
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_TRUE(has(e.what(), "is not a number at t = ")) << e.what();
    }
  const std::string hidden = "sqrt(abs(s - 0.508) - 0.004)";  // no number from 0.504 to 0.512
  const std::string message = diverged(lid(hidden));
  EXPECT_TRUE(has(message, "the velocity or pressure of the high face of fluid.faces.y is not a number")) << message;
  EXPECT_TRUE(has(diverged(pushed(hidden)), "fluid.body_force is not a number"));
}

TEST_F(Safety, ContactDeeperThanItsLawIsNamed) {
  for (const char* dt : {"0.1 us", "1 us"}) {
    const std::string message = diverged(
        solver("explicit", fmt::format("dt = \"{}\"\nduration = \"0.3 ms\"", dt)) + rubber +
        "[[rigid]]\nname = \"b\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmaterial = \"m\"\nposition = [0, 0, \"6 "
        "mm\"]\nvelocity = [0, 0, \"-50 m/s\"]\n[contact]\nfriction = 0.3\nrestitution = 0.8\n"
        "[[wall]]\nname = \"floor\"\nplane = { normal = [0, 0, 1] }\n"
        "[[probe]]\nof = \"b\"\nrecord = [\"position\", \"velocity\", \"force\"]\nevery = 1\n");
    EXPECT_TRUE(has(message, "`b` and `floor` are pressed into each other by 0.0045")) << message;
    EXPECT_FALSE(has(message, "damping")) << message;
  }
}

TEST_F(Safety, TwoBallsThatMeetTooFastAreNamed) {
  const std::string message =
      diverged(solver("explicit", "dt = \"0.2 us\"\nduration = \"0.3 ms\"") + rubber +
               "[[rigid]]\nname = \"a\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmaterial = \"m\"\n"
               "velocity = [\"60 m/s\", 0, 0]\n"
               "[[rigid]]\nname = \"b\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmaterial = \"m\"\n"
               "position = [\"12 mm\", 0, 0]\nvelocity = [\"-60 m/s\", 0, 0]\n[contact]\n");
  EXPECT_TRUE(has(message, "`a` and `b` are pressed into each other")) << message;
}

// Before the first equilibrium there is nothing to keep; what is left in the folder is started over.
TEST_F(Safety, StoppedBeforeTheFirstStateARunStartsOver) {
  const Plan plan = read_text(
      solver("static", "steps = 5") + rod + "[[load]]\non = \"r.end\"\nforce = [0, 0, \"20 mN*s\"]\n", "scene.toml");
  std::atomic<int> stop{1};
  RunOptions o;
  o.out = folder_;
  o.stop = &stop;
  const RunReport stopped = run(plan, o);
  EXPECT_EQ(stopped.status, RunStatus::interrupted);
  EXPECT_FALSE(stopped.has_checkpoint);
  EXPECT_FALSE(fs::exists(folder_ / "checkpoint.h5"));
  EXPECT_EQ(summary()["status"], "interrupted");
  stop = 0;
  o.resume = true;
  const RunReport done = run(plan, o);
  EXPECT_EQ(done.status, RunStatus::done);
  EXPECT_EQ(done.steps, 5);
}

TEST_F(Safety, BranchesAndDrivesTellTheCauseToo) {
  const std::string branch = diverged("[solver]\nkind = \"static\"\narc_length = true\nsteps = 10\n" + rod +
                                      "[[load]]\non = \"r.end\"\nforce = [0, \"1 mN*sqrt(0.5 - s)\", 0]\n");
  EXPECT_TRUE(has(branch, "the load on r[20] is not a number at s = 0.5")) << branch;
  const std::string fast =
      diverged(solver("explicit", "duration = \"5 ms\"") + rod +
               "[[drive]]\non = \"r.end\"\nturn = { axis = [1, 0, 0], angle = \"3000 turn*s\" }\n");
  EXPECT_TRUE(has(fast, "r[20] turned by more than half a turn in one step by its drive")) << fast;
}

// A body without bonds has no bond damping to take more of.
TEST_F(Safety, AdviceFitsTheBody) {
  const std::string message =
      diverged(solver("explicit", "dt = \"1 ms\"\nduration = \"1 s\"") + rubber +
               "[[rigid]]\nname = \"top\"\nshape = \"box\"\nsize = [\"1 mm\", \"2 mm\", \"4 mm\"]\nmaterial = \"m\"\n"
               "angular_velocity = [\"6000 rad/s\", \"10 rad/s\", 0]\n");
  EXPECT_TRUE(has(message, "top turned by more than half a turn in one step")) << message;
  EXPECT_FALSE(has(message, "damping")) << message;
}

// A whole turn of an end in one step is taken in parts, each of which tells which way it goes.
TEST_F(Safety, AWholeTurnInOneImplicitStepIsTakenInParts) {
  const RunReport r = go(solver("implicit", "dt = \"50 ms\"\nsteps = 1") + rod +
                         "[[drive]]\non = \"r.end\"\nturn = { axis = [1, 0, 0], angle = \"360 deg * s\" }\n"
                         "[[probe]]\nof = \"system\"\nrecord = \"energy\"\n");
  EXPECT_EQ(r.status, RunStatus::done) << r.message;
  expect_no_nan();
  // G J (2 pi)^2/2L, and what moves beside it: the drive sets the rod in motion.
  const double shear = 1e6 / 2.8, polar = M_PI * std::pow(3e-3, 4) / 32;
  EXPECT_GT(summary()["energy"]["twist"].get<double>(), 0.5 * shear * polar * 4 * M_PI * M_PI / (2 * 0.06));
}

}  // namespace ls::safety_test
