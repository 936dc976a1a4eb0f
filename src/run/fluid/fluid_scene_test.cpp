#include "base/error.h"
#include "output/checkpoint.h"
#include "output/files.h"
#include "output/fluid_field.h"
#include "run/estimates/time_scales.h"
#include "run/fluid/fluid_report.h"
#include "run/fluid/fluid_stepper.h"
#include "run/run.h"
#include "scene/read/test_bad_scenes.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <regex>
#include <sstream>

// Fluids in scenes, from the table to the files of a run.
namespace ls::fluid_scene_test {

namespace fs = std::filesystem;
using test::BadGroup;
using test::BadScene;
using test::expect_refused;

const std::string solver = "[solver]\nduration = \"20 ms\"\n";
const std::string water = "spacing = \"0.1 mm\"\nviscosity = \"1 mm^2/s\"\ndensity = 1000\n";
const std::string box = "size = [\"0.8 mm\", \"1 mm\", \"0.4 mm\"]\n";
const std::string channel = "[fluid]\n" + water + box + "faces = { y = \"no-slip\" }\n";
const std::string hair =
    "[material.rubber]\nyoung = \"1 MPa\"\npoisson = 0.5\ndensity = 1100\n"
    "[[rod]]\nname = \"hair\"\nmaterial = \"rubber\"\nsection = { diameter = \"60 um\" }\n"
    "line = { from = [\"0.4 mm\", 0, \"0.2 mm\"], to = [\"0.4 mm\", \"0.7 mm\", \"0.2 mm\"] }\nbonds = 7\n"
    "clamp = [\"start\"]\n";

Plan read(const std::string& text) {
  return read_text(text, "scene.toml");
}

class FluidScene : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              fmt::format("lodestone_{}", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  RunReport go(const std::string& text, const std::string& name, int threads = 1, double max_wall = 0,
               bool resume = false) {
    Plan plan = read(text);
    RunOptions o;
    o.out = folder_ / name;
    o.threads = threads;
    o.resume = resume;
    o.max_wall = max_wall;
    return run(plan, o);
  }
  std::string file(const std::string& name) const { return read_file(folder_ / name); }
  // The last row of probes.csv, by the names of its columns.
  std::map<std::string, double> last_row(const std::string& run_name) const {
    std::istringstream in(file(run_name + "/probes.csv"));
    std::string head, last;
    std::getline(in, head);
    for (std::string line; std::getline(in, line);) last = line;
    std::map<std::string, double> row;
    std::istringstream names(head), values(last);
    for (std::string name, value; std::getline(names, name, ',');) {
      std::getline(values, value, ',');
      row[name] = std::atof(value.c_str());
    }
    return row;
  }

  fs::path folder_;
};

TEST(FluidReader, ChoosesTheStep) {
  const Plan free = read(solver + channel);
  EXPECT_NEAR(free.fluid.box->relaxation_time(), 1, 1e-6);
  EXPECT_EQ(free.model.nodes, 0);
  // 1 mm/s in cells of 0.1 mm: a tenth of a cell a step of 10 ms would be slower than what viscosity asks for.
  EXPECT_NEAR(read(solver + channel + "speed = \"1 mm/s\"\n").fluid.box->relaxation_time(), 1, 1e-6);
  const Plan fast = read(solver + channel + "speed = \"50 mm/s\"\n");
  EXPECT_LE(fast.fluid.box->settings().dt, 0.1 * 1e-4 / 0.05 * (1 + 1e-9));
  EXPECT_NEAR(fluid_numbers(*fast.fluid.box, fast.fluid.speed).mach, 0.1 * std::sqrt(3.0), 1e-6);
  // Faces that move count as a speed.
  const Plan lid = read(solver + "[fluid]\n" + water + box +
                        "faces = { y = [\"no-slip\", { velocity = [\"50 mm/s * s\", 0, 0] }] }\n");
  EXPECT_NEAR(lid.fluid.speed, 0.05, 1e-9);
  // Pressures do as well: the density changes by 3 % at most.
  const Plan pressed = read(solver + "[fluid]\n" + water + box +
                            "faces = { x = [{ pressure = \"1 Pa * s\" }, { pressure = 0 }], y = \"no-slip\" }\n");
  EXPECT_LE(3 * 1.0 / pressed.fluid.box->pressure_unit(), 0.0301);
  EXPECT_EQ(pressed.fluid.speed, 0);
  // Stages last a whole number of its steps.
  const Plan stages = read(channel + "[[stage]]\nduration = \"20 ms\"\n[[stage]]\nduration = \"7 ms\"\n");
  const double dt = stages.fluid.box->settings().dt;
  for (const Stage& stage : stages.stages) EXPECT_NEAR(std::remainder(stage.duration / dt, 1.0), 0, 1e-5);
  EXPECT_TRUE(stages.warnings.empty());
}

TEST(FluidReader, TakesEitherViscosity) {
  const std::string dynamic = std::regex_replace(channel, std::regex("1 mm\\^2/s"), "1 mPa s");
  EXPECT_NEAR(read(solver + dynamic).fluid.box->settings().viscosity, 1e-6, 1e-18);
  EXPECT_NEAR(read(solver + channel).fluid.box->settings().viscosity, 1e-6, 1e-18);
}

TEST(FluidReader, DividesStepsForExplicitSolids) {
  const Plan plan = read("[solver]\nduration = \"20 ms\"\ndt = \"1 us\"\n" + hair + channel);
  const Schedule schedule(plan, time_scales(plan).dt);
  const double dt = plan.fluid.box->settings().dt;
  EXPECT_EQ(schedule.spans()[0].dt, dt);
  EXPECT_EQ(schedule.spans()[0].substeps, static_cast<int>(std::ceil(dt / 1e-6 - 1e-6)));
  EXPECT_NEAR(schedule.spans()[0].duration, 0.02, 1e-12);
  EXPECT_NE(describe_markers(plan).find("mirror images"), std::string::npos);
  EXPECT_TRUE(describe_markers(read(solver + hair + "fluid = false\n" + channel)).empty());
}

// One node that drag stops at once, among others: what is held has no say in how short the steps of the solids are.
TEST(FluidReader, FixedBodiesNeedNoMassAndNoTime) {
  const std::string block =
      "[[rigid]]\nname = \"block\"\nshape = \"box\"\nsize = [\"0.2 mm\", \"0.2 mm\", \"0.1 mm\"]\n"
      "position = [\"0.2 mm\", \"0.5 mm\", \"0.2 mm\"]\nfixed = true\n";
  for (const std::string kind : {"explicit", "implicit"}) {
    const std::string set = fmt::format("[solver]\nduration = \"20 ms\"\nkind = \"{}\"\n", kind);
    const Plan alone = read(fmt::format("{}{}{}", set, block, channel));
    EXPECT_EQ(solid_steps(alone, time_scales(alone).dt).count, 1) << kind;
  }
  const Plan rod = read(solver + hair + channel), both = read(solver + hair + block + channel);
  EXPECT_EQ(solid_steps(both, time_scales(both).dt).count, solid_steps(rod, time_scales(rod).dt).count);
}

TEST(FluidReader, RefusesSolidsThatDragStopsAtOnce) {
  const std::string light = std::regex_replace(hair, std::regex("density = 1100"), "density = 1e-3");
  const auto refusal = [](const std::string& text) {
    try {
      const Plan plan = read(text);
      return fmt::format("taken, with {} steps", solid_steps(plan, time_scales(plan).dt).count);
    } catch (const Error& e) {
      return std::string(e.what());
    }
  };
  const std::string by_drag = refusal(solver + light + channel);
  EXPECT_NE(by_drag.find("scene.toml: solver.kind"), std::string::npos) << by_drag;
  EXPECT_NE(by_drag.find("drag asks for"), std::string::npos) << by_drag;
  EXPECT_NE(by_drag.find("kind = \"implicit\""), std::string::npos) << by_drag;
  const std::string by_hand = refusal("[solver]\nduration = \"20 ms\"\ndt = \"1e-11 s\"\n" + hair + channel);
  EXPECT_NE(by_hand.find("step of 1e-11 s"), std::string::npos) << by_hand;
  EXPECT_EQ(refusal("[solver]\nkind = \"implicit\"\nduration = \"20 ms\"\n" + light + channel), "taken, with 1 steps");
  EXPECT_EQ(warn_of_solid_steps(read(solver + hair + channel), 1e-6), "");
  EXPECT_NE(warn_of_solid_steps(read(solver + hair + channel), 1e-8), "");
}

TEST(FluidReader, WarnsOfBodiesThatMeetTheirImage) {
  const auto warns = [](const std::string& faces) {
    const Plan plan = read(solver + std::regex_replace(hair, std::regex("\"0.7 mm\""), "\"0.85 mm\"") + "[fluid]\n" +
                           water + box + faces);
    return std::any_of(plan.warnings.begin(), plan.warnings.end(),
                       [](const std::string& w) { return w.find("its own image") != std::string::npos; });
  };
  EXPECT_TRUE(warns(""));
  EXPECT_FALSE(warns("faces = { x = \"no-slip\", y = \"no-slip\", z = \"no-slip\" }\n"));
}

TEST(FluidReader, WarnsOfPoorLattices) {
  const auto warning = [](const std::string& keys) {
    const Plan plan = read(solver + channel + keys);
    std::string all;
    for (const std::string& w : plan.warnings) all += w + "\n";
    return all;
  };
  EXPECT_NE(warning("dt = \"50 us\"\n").find("near 1/2"), std::string::npos);
  EXPECT_NE(warning("dt = \"10 ms\"\n").find("is long"), std::string::npos);
  EXPECT_NE(warning("dt = \"2 ms\"\nspeed = \"6 mm/s\"\n").find("Mach number"), std::string::npos);
  EXPECT_NE(warning("speed = \"200 mm/s\"\n").find("Reynolds"), std::string::npos);
}

std::vector<BadScene> fluids() {
  const auto f = [](const std::string& keys) { return solver + "[fluid]\n" + keys; };
  const auto c = [](const std::string& keys) { return solver + channel + keys; };
  const std::string faces = "[fluid]\n" + water + box;
  return {
      {"no_spacing", f(box), "`spacing` is missing"},
      {"odd_size", f(water + "size = [\"0.8 mm\", \"1.03 mm\", \"0.4 mm\"]\n"),
       "which is 10.3 spacings of 0.0001 m; expected a whole number of them, such as 0.001 m"},
      {"thin", f(water + "size = [\"0.8 mm\", \"0.1 mm\", \"0.4 mm\"]\nfaces = { y = \"no-slip\" }\n"),
       "there is only one cell between these two faces"},
      {"unit", f("spacing = 1e-4\nviscosity = \"1 Pa\"\ndensity = 1000\n" + box), "viscosity"},
      {"half_periodic", solver + faces + "faces = { x = [\"periodic\", \"no-slip\"] }\n", "needs another one opposite"},
      {"three_faces", solver + faces + "faces = { x = [\"no-slip\", \"no-slip\", \"no-slip\"] }\n",
       "expected two faces"},
      {"face", solver + faces + "faces = { x = \"sticky\" }\n", "found \"sticky\""},
      {"two_kinds", solver + faces + "faces = { x = { velocity = [0, 0, 0], pressure = 0 } }\n",
       "found both `velocity` and `pressure`"},
      {"blocked",
       solver + faces +
           "faces = { x = { velocity = [\"1 mm/s\", 0, 0] }, y = \"no-slip\", z = [{ velocity = [0, 0, "
           "\"1 mm/s\"] }, \"no-slip\"] }\n",
       "give another face a `pressure`"},
      {"pressed", solver + faces + "dt = \"1 ms\"\nfaces = { x = [{ pressure = \"1 Pa\" }, { pressure = 0 }] }\n",
       "a pressure of 1 Pa changes the density of this lattice by 30 %, expected at most 10 %: take a `dt` of at most"},
      {"weighed", solver + faces + "dt = \"1 ms\"\nbody_force = [0, \"1e4 N/m^3\", 0]\nfaces = { y = \"no-slip\" }\n",
       "changes the density of this lattice by"},
      {"pressed_hard", solver + faces + "faces = { x = [{ pressure = \"1 kPa\" }, { pressure = 0 }] }\n",
       "a speed that pressures give of 1 m/s asks for so short a step"},
      {"tau", c("dt = \"1 us\"\n"),
       "the relaxation time of the lattice is 0.5003 steps, expected at least 0.505: take a "
       "`dt` of at least"},
      {"fast", c("speed = \"10 m/s\"\n"), "a speed of 10 m/s asks for so short a step; take a `spacing` of at most"},
      {"mach", c("dt = \"2 ms\"\nspeed = \"10 mm/s\"\n"),
       "is a Mach number of 0.346 on this lattice, expected at most 0.3"},
      {"memory", f(water + "size = [\"1 m\", \"1 m\", \"1 m\"]\n"), "and this machine has"},
      {"static", "[solver]\nkind = \"static\"\n" + hair + channel, "a fluid flows in time, and stage stage 1 has none"},
      {"thermal", solver + channel + "[thermal]\ntemperature = 300\ntime = 1\n", "expected no [thermal]"},
      {"drag", solver + hair + channel + "[drag]\nviscosity = \"1 Pa s\"\n", "found [drag] beside [fluid]"},
      {"outside", solver + std::regex_replace(hair, std::regex("0.7 mm"), "1.7 mm") + channel,
       "rod.hair: `hair` is outside the fluid"},
      {"steps_and_duration", "[solver]\nduration = \"20 ms\"\nsteps = 7\n" + channel,
       "has both a `duration` and `steps`"},
      {"region", c("tracers = { count = 3, region = [[0, 0, 0], [1, 0, 0]] }\n"), "reaches out of the box along x"},
      {"region_order", c("tracers = { count = 3, region = [[\"0.5 mm\", 0, 0], [0, 0, 0]] }\n"), "lower along x"},
      {"no_tracers", c("tracers = { seed = 3 }\n"), "`count` is missing"},
      {"probe_quantity", c("[[probe]]\nof = \"fluid\"\nrecord = \"position\"\n"), "expected a quantity of the fluid"},
      {"probe_place", c("[[probe]]\nof = \"fluid\"\nat = [1, 0, 0]\nrecord = \"velocity\"\n"), "within the box"},
      {"probe_ledger", solver + hair + channel + "[[probe]]\nof = \"system\"\nrecord = \"ledger\"\n", "\"ledger\""},
      {"slice", c("[output]\nfluid = { slices = [{ axis = \"y\", at = \"3 mm\" }] }\n"),
       "outside the box of the fluid"},
      {"output_without", solver + hair + "[output]\nfluid = { volume = true }\n", "the scene has no [fluid]"},
      {"body_without", solver + hair + "fluid = true\n", "found true, but the scene has no [fluid]"},
  };
}
const BadGroup groups[] = {{"fluids", fluids}};
class BadFluids : public testing::TestWithParam<BadGroup> {};
TEST_P(BadFluids, AreRefused) {
  expect_refused(GetParam());
}
INSTANTIATE_TEST_SUITE_P(All, BadFluids, testing::ValuesIn(groups), [](const auto& group) { return group.param.name; });

// Between plates a steady force makes u = f y (H - y) / (2 mu); H^2 / nu is a second here.
TEST_F(FluidScene, PoiseuilleFlow) {
  const RunReport r = go("[solver]\nduration = \"2 s\"\n" + channel +
                             "body_force = [\"0.8 N/m^3\", 0, 0]\nprecision = \"double\"\n"
                             "[[probe]]\nname = \"all\"\nof = \"fluid\"\nrecord = [\"flow_rate\", \"mean_velocity\", "
                             "\"max_speed\", \"wall_force\", \"momentum_error\", \"mass\"]\n"
                             "[[probe]]\nname = \"middle\"\nof = \"fluid\"\nat = [\"0.4 mm\", \"0.5 mm\", \"0.2 mm\"]\n"
                             "record = [\"velocity\", \"pressure\", \"vorticity\"]\n"
                             "[[probe]]\nname = \"wall\"\nof = \"fluid\"\nat = [\"0.4 mm\", 0, \"0.2 mm\"]\n"
                             "record = [\"velocity\", \"vorticity\"]\n"
                             "[[probe]]\nname = \"side\"\nof = \"fluid\"\nat = [\"0.43 mm\", \"30 um\", \"0.2 mm\"]\n"
                             "record = [\"velocity\"]\n",
                         "a");
  EXPECT_EQ(r.status, RunStatus::done);
  const auto row = last_row("a");
  constexpr double f = 0.8, h = 1e-3, mu = 1e-3, width = 0.4e-3, length = 0.8e-3;
  EXPECT_NEAR(row.at("all.flow_rate.x") / (f * h * h * h * width / (12 * mu)), 1,
              6e-3);  // half of a cell squared / h^2
  EXPECT_NEAR(row.at("all.wall_force.x") / (f * h * width * length), 1, 1e-6);
  EXPECT_NEAR(row.at("all.mass") / (1000 * h * width * length), 1, 1e-12);
  // Walls lie on the faces: the cells' velocities are those of the parabola, and so is what is read between them.
  EXPECT_NEAR(row.at("middle.velocity.x") / (f * h * h / (8 * mu)), 1, 1e-6);
  EXPECT_NEAR(row.at("side.velocity.x") / (f * h * h / (8 * mu)), 1 - 0.94 * 0.94, 1e-6);
  EXPECT_NEAR(row.at("wall.velocity.x"), 0, 1e-18);
  EXPECT_NEAR(row.at("middle.vorticity.z") / (f * h / (2 * mu)), 0, 1e-9);
  EXPECT_NEAR(row.at("wall.vorticity.z") / (-f * h / (2 * mu)), 1, 1e-6);
  EXPECT_LT(row.at("all.momentum_error"), 1e-12);
}

TEST_F(FluidScene, WritesVolumesSlicesAndTracers) {
  go(solver + channel +
         "body_force = [\"0.8 N/m^3\", 0, 0]\ntracers = { count = 5, cycle = \"5 ms\" }\n"
         "[output]\nevery = \"10 ms\"\nfluid = { every = \"10 ms\", volume = true, slices = [{ axis = \"z\", at = 0 }] "
         "}\n",
     "a");
  for (const char* name : {"fluid/000000.vti", "fluid/000001.vti", "fluid/000001.h5", "fluid/000001.slice0.vti",
                           "fluid.pvd", "fluid_slice0.pvd", "frames/000002.tracers.vtp", "tracers.pvd", "picture.svg"})
    EXPECT_TRUE(fs::exists(folder_ / "a" / name)) << name;
  EXPECT_FALSE(fs::exists(folder_ / "a/fluid/000002.vti"));
  EXPECT_FALSE(fs::exists(folder_ / "a/states.pvd"));  // there are no solids
  const auto lines = [&](const char* name) {
    const std::string text = file(std::string("a/") + name);
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines("tracers.csv"), 1 + 3 * 5);
  EXPECT_EQ(lines("tracer_cycles.csv"), 1 + 4 * 5);
}

// What a killed run leaves goes on to the same bytes, with any number of threads.
TEST_F(FluidScene, ResumesToTheSameBytes) {
  for (const char* kind : {"explicit", "implicit"}) {
    const std::string scene =
        fmt::format("[solver]\nkind = \"{}\"\nduration = \"40 ms\"\n{}{}", kind, hair, channel) +
        "body_force = [\"30 N/m^3 * sin(2*pi*t/(10 ms))\", 0, 0]\nspeed = \"5 mm/s\"\nspin = true\n"
        "tracers = { count = 20, cycle = \"10 ms\" }\n"
        "[[probe]]\nname = \"tip\"\nof = \"hair.end\"\nrecord = [\"displacement\", \"fluid_force\"]\nevery = 1\n"
        "[[probe]]\nname = \"all\"\nof = \"fluid\"\nrecord = [\"momentum\", \"wall_force\", \"momentum_error\"]\nevery "
        "= 3\n"
        "[output]\nevery = \"10 ms\"\nfluid = { every = \"10 ms\" }\n";
    const std::string whole = std::string(kind) + "_whole", cut = std::string(kind) + "_cut";
    ASSERT_EQ(go(scene, whole).status, RunStatus::done);
    int parts = 0;  // each stops at its first look at the clock
    while (go(scene, cut, 1 + parts % 2, 1e-9, true).status == RunStatus::out_of_time && parts < 5) ++parts;
    EXPECT_GE(parts, 2);
    EXPECT_EQ(go(scene, cut, 2, 0, true).status, RunStatus::done);
    for (const char* name : {"probes.csv", "tracers.csv", "tracer_cycles.csv", "fluid.pvd", "fluid/000003.vti",
                             "frames/000004.tracers.vtp", "frames/000004.h5"})
      EXPECT_EQ(file(whole + "/" + name), file(cut + "/" + name)) << kind << " " << name;
    const auto row = last_row(whole);
    EXPECT_GT(std::abs(row.at("tip.displacement.x")), 1e-9);
  }
}

// A run may start from what another one left.
TEST_F(FluidScene, StartsFromAnotherRun) {
  const std::string probe = "[[probe]]\nname = \"all\"\nof = \"fluid\"\nrecord = [\"momentum\"]\n";
  const std::string push = "body_force = [\"0.8 N/m^3\", 0, 0]\n";
  go(solver + channel + push + probe, "a");
  const std::string start = fmt::format("[start]\nfrom = \"{}\"\n", (folder_ / "a").string());
  go(solver + channel + probe + start, "b");
  go(solver + channel + push + probe + start, "pushed");  // half of the force of a step is in the momentum
  std::istringstream in(file("pushed/probes.csv"));
  std::string line;
  std::getline(in, line);
  std::getline(in, line);  // the start
  const double before = last_row("a").at("all.momentum.x"), after = last_row("b").at("all.momentum.x");
  EXPECT_NE(line.find(fmt::format("{:.17g}", before)), std::string::npos);
  EXPECT_LT(after, before);
  EXPECT_GT(after, 0.3 * before);
  try {
    go(solver + channel + "dt = \"1 ms\"\n" + probe + start, "c");
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("another box, spacing, step"), std::string::npos) << e.what();
  }
}

TEST_F(FluidScene, StopsWhenTheFluidBlowsUp) {
  const RunReport r = go("[solver]\nduration = \"2 s\"\n" + channel + "body_force = [\"1 kN/m^3\", 0, 0]\n", "a");
  EXPECT_EQ(r.status, RunStatus::diverged);
  EXPECT_NE(r.message.find("the fluid diverged at step"), std::string::npos) << r.message;
  EXPECT_NE(r.message.find("in cell ("), std::string::npos) << r.message;
  Plan plan = read("[solver]\nduration = \"2 s\"\n" + channel + "body_force = [\"1 kN/m^3\", 0, 0]\n");
  const Checkpoint kept = read_checkpoint(folder_ / "a/checkpoint.h5");
  Team alone(1);
  EXPECT_TRUE(scan_fluid(*plan.fluid.box, kept.state.fluid, {}, alone).finite);
}

TEST_F(FluidScene, StopsWhenABodyLeavesTheBox) {
  const RunReport r = go("[solver]\nkind = \"implicit\"\nduration = \"20 ms\"\n" + hair + channel +
                             "[[drive]]\non = \"hair.start\"\nmove = [0, \"-1 mm * s\", 0]\n",
                         "a");
  EXPECT_EQ(r.status, RunStatus::diverged);
  EXPECT_NE(r.message.find("`hair` has left the box of the fluid"), std::string::npos) << r.message;
}

// What holds at every cell of a block holds at the same cell of a slice, and vorticity is that of the velocities.
TEST(FluidField, BlocksAndSlicesAgree) {
  const Plan plan = read(solver + channel);
  const Fluid& fluid = *plan.fluid.box;
  FluidState s = first_fluid(plan);
  const auto& n = fluid.settings().cells;
  constexpr double k = 2 * std::numbers::pi / 8;  // 8 cells along x, which is periodic
  for (int z = 0; z < n[2]; ++z)
    for (int y = 0; y < n[1]; ++y)
      for (int x = 0; x < n[0]; ++x)
        fluid.lattice().set(s, x, y, z, 1 + 0.01 * y, {1e-3 * y, 1e-3 * std::sin(k * x), 0});
  Team team(2);
  const FluidBlock all = read_block(fluid, s, {}, {}, n, team);
  const FluidBlock slice = read_block(fluid, s, {}, {0, 4, 0}, {n[0], 1, n[2]}, team);
  for (int z = 0; z < n[2]; ++z)
    for (int x = 0; x < n[0]; ++x) {
      const std::size_t a = all.index(x, 4, z), b = slice.index(x, 0, z);
      EXPECT_EQ(all.velocity[a], slice.velocity[b]);
      EXPECT_EQ(all.vorticity[a], slice.vorticity[b]);
      const double unit = 1e-3 / fluid.settings().dt;
      EXPECT_NEAR(all.vorticity[a][2] / unit, std::sin(k) * std::cos(k * x) - 1, 1e-4);
      EXPECT_NEAR(all.pressure[a] / (fluid.pressure_unit() / 3 * 0.04), 1, 1e-4);
    }
  EXPECT_NEAR(all.vorticity[all.index(0, 0, 0)][2] * fluid.settings().dt / 1e-3, std::sin(k) - 1, 1e-4);
  const FluidScan scan = scan_fluid(fluid, s, {}, team);
  EXPECT_EQ(scan.cell[1], n[1] - 1);
  EXPECT_NEAR(scan.speed / fluid.speed_unit(), 1e-3 * std::hypot(9, 1), 1e-7);
}

}  // namespace ls::fluid_scene_test
