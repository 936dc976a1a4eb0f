#include "scene/read/reader.h"

#include "math/rotation.h"
#include "model/inputs.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <numbers>

namespace ls {
namespace {

const std::string rubber = R"(
[material.rubber]
young = "1.2 MPa"
poisson = 0.5
density = "1.1 g/cm^3"
magnetisation = "94 kA/m"
)";
const std::string beam = R"(
[[rod]]
name = "beam"
material = "rubber"
section = { diameter = "3 mm" }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
bonds = 10
)";
const std::string one_second = R"(
[solver]
duration = "1 s"
)";

// Tables of the scene first: keys of the rod may follow the last line.
Plan read(const std::string& text, const std::vector<std::string>& sets = {}) {
  return read_text(text, "scene.toml", sets);
}
Plan read_beam(const std::string& keys, const std::string& tables = "") {
  return read(one_second + rubber + beam + keys + tables);
}
std::string error_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    read(text, sets);
  } catch (const Error& e) {
    EXPECT_EQ(e.fault(), Fault::input);
    return e.what();
  }
  return "no error";
}

TEST(Reader, BuildsARod) {
  const Plan p = read("title = \"A beam\"\nversion = 1\n" + one_second + rubber + beam + "clamp = [\"start\"]\n");
  EXPECT_EQ(p.title, "A beam");
  EXPECT_EQ(p.file, "scene.toml");
  EXPECT_EQ(p.model.nodes, 11);
  EXPECT_EQ(p.model.bonds(), 10);
  EXPECT_EQ(p.model.bodies.at(0).name, "beam");
  EXPECT_EQ(p.start.nodes.frame(10).x.x, 0.1);
  EXPECT_EQ(p.model.held[0], hold_all);
  EXPECT_EQ(p.model.held[10], 0);
  const double mass = 1100 * std::numbers::pi / 4 * 9e-6 * 0.01;
  EXPECT_NEAR(p.model.mass[5], mass, 1e-12 * mass);
  EXPECT_NEAR(p.model.mass[0], mass / 2, 1e-12 * mass);
  EXPECT_EQ(p.stages.size(), 1u);
  EXPECT_EQ(p.stages[0].name, "stage 1");
  EXPECT_EQ(p.stages[0].duration, 1);
  EXPECT_EQ(p.solver.dt, 0);
  EXPECT_EQ(p.first_values, (std::vector<double>{0, 0}));
}

// The section's width runs along its own x axis, so that bending about the width axis has I = w h^3/12.
TEST(Reader, WidthDirectionIsTheSectionsXAxis) {
  const std::string rod = R"(
[[rod]]
material = "rubber"
section = { width = "4 mm", height = "1 mm", width_direction = [0, 0, 1] }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
bonds = 10
)";
  const Plan p = read(one_second + rubber + rod);
  EXPECT_EQ(p.model.bodies[0].name, "rod1");
  const auto q = p.start.nodes.frame(3).q;
  EXPECT_NEAR(axis_x(q).z, 1, 1e-15);
  EXPECT_NEAR(axis_z(q).x, 1, 1e-15);
  const double about_width = 1100 * 0.01 * 4e-3 * 1e-9 / 12;
  EXPECT_NEAR(p.model.inertia[0][3], about_width, 1e-12 * about_width);
  EXPECT_NEAR(p.model.inertia[1][3], 16 * about_width, 1e-11 * about_width);
}

TEST(Reader, WidthDirectionIsMeantAfterTheTurn) {
  const std::string rod = R"(
[[rod]]
material = "rubber"
section = { width = "4 mm", height = "1 mm", width_direction = [0, 0, 1] }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
origin = [0, 0, "0.5 m"]
turn = [0, 0, "90 deg"]
bonds = 10
)";
  const Plan p = read(one_second + rubber + rod);
  EXPECT_NEAR(p.start.nodes.frame(10).x.y, 0.1, 1e-15);
  EXPECT_NEAR(p.start.nodes.frame(10).x.z, 0.5, 1e-15);
  EXPECT_NEAR(axis_x(p.start.nodes.frame(4).q).z, 1, 1e-15);
}

TEST(Reader, DrawsArcsHelicesAndPoints) {
  const std::string head = "[[rod]]\nmaterial = \"rubber\"\nsection = { diameter = \"3 mm\" }\n";
  const auto last = [&](const std::string& line) {
    const Plan p = read(one_second + rubber + head + line);
    return p.start.nodes.frame(p.model.nodes - 1).x;
  };
  const auto arc = last("arc = { radius = 0.2, angle = \"90 deg\", origin = [1, 0, 0] }\nbonds = 8\n");
  EXPECT_NEAR(arc.x, 1.2, 1e-15);
  EXPECT_NEAR(arc.y, 0.2, 1e-15);
  const auto helix = last("helix = { radius = 0.1, pitch_angle = \"60 deg\", length = 2 }\nbonds = 8\n");
  EXPECT_NEAR(helix.z, 1, 1e-15);
  EXPECT_NEAR(std::hypot(helix.x, helix.y), 0.1, 1e-15);
  const auto points = last("points = [[0, 0, 0], [0, \"1 cm\", 0], [0, \"1 cm\", \"2 cm\"]]\n");
  EXPECT_EQ(points.z, 0.02);
}

TEST(Reader, TapersSections) {
  const std::string rod = R"(
[[rod]]
material = "rubber"
section = { diameter = "d - 0.5*d*u" }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
bonds = 10
[define]
d = "4 mm"
)";
  const Plan p = read(one_second + rubber + rod);
  EXPECT_NEAR(p.model.radius[0], 2e-3, 1e-15);
  EXPECT_NEAR(p.model.radius[10], 1e-3, 1e-15);
  EXPECT_NEAR(p.model.mass[5] / p.model.mass[0], 2 * 0.75 * 0.75, 1e-12);
}

TEST(Reader, MagnetisationIsGivenInWorldAxesAsDrawn) {
  const std::string rod = R"(
[[rod]]
material = "rubber"
section = { diameter = "3 mm" }
arc = { radius = 0.2, angle = "90 deg" }
bonds = 8
)";
  const auto moment = [](const Plan& p, int i) {
    const auto& m = p.model.moment;
    return rotate(p.start.nodes.frame(i).q, Vec3<double>{m[0][i], m[1][i], m[2][i]});
  };
  const double volume = std::numbers::pi / 4 * 9e-6 * 0.2 * std::numbers::pi / 16;
  const Plan fixed = read(one_second + rubber + rod + "magnetisation_direction = [0, 2, 0]\n");
  for (const int i : {1, 4, 7}) {
    EXPECT_NEAR(moment(fixed, i).y, 94e3 * volume, 1e-12 * 94e3 * volume) << i;
    EXPECT_NEAR(moment(fixed, i).x, 0, 1e-12 * 94e3 * volume) << i;
  }
  const Plan graded = read(one_second + rubber + rod + "magnetisation = [0, \"8 kA/m * u\", \"1 kA/m\"]\n");
  EXPECT_NEAR(moment(graded, 4).y, 4e3 * volume, 1e-9 * volume);
  EXPECT_NEAR(moment(graded, 4).z, 1e3 * volume, 1e-9 * volume);
  const Plan none = read(one_second + rubber + rod);
  EXPECT_TRUE(none.model.moment[0].empty());
  EXPECT_EQ(none.warnings.size(), 1u);
}

TEST(Reader, GridsOfRodsKnowTheirNumbers) {
  const Plan p =
      read_beam("grid = { n = [2, 3, 1], spacing = [1, 2, 0] }\nmagnetisation = [\"i * 1 A/m\", \"j * 2 A/m\", 0]\n",
                "[[probe]]\nname = \"p\"\nof = \"beam[4].end\"\nrecord = [\"position\"]\n");
  ASSERT_EQ(p.model.bodies.size(), 6U);
  EXPECT_EQ(p.model.bodies[4].name, "beam[4]");  // i = 1, j = 1
  const int end = p.model.bodies[4].nodes.back();
  EXPECT_NEAR(norm(p.start.nodes.frame(end).x - Vec3<double>{1.1, 2, 0}), 0, 1e-15);
  EXPECT_EQ(p.probes[0].index, end);
  const int middle = p.model.bodies[4].nodes[5];
  const Vec3<double> m =
      rotate(p.start.nodes.frame(middle).q,
             Vec3<double>{p.model.moment[0][middle], p.model.moment[1][middle], p.model.moment[2][middle]});
  EXPECT_NEAR(m.y / m.x, 2, 1e-12);
  EXPECT_NE(error_of(one_second + rubber + beam + "grid = { n = [2, 3, 1] }\n").find("spacing"), std::string::npos);
  EXPECT_NE(error_of(one_second + rubber + beam + "velocity = [\"i * 1 m/s\", 0, 0]\n").find("i"), std::string::npos);
}

TEST(Reader, SharesNodesOfEarlierRods) {
  const std::string branch = R"(
[[rod]]
name = "branch"
material = "rubber"
section = { diameter = "2 mm" }
line = { from = ["0.05 m", 0, 0], to = ["0.05 m", "0.1 m", 0] }
bonds = 4
start = "beam[5]"
)";
  const Plan p = read(one_second + rubber + beam + branch);
  EXPECT_EQ(p.model.nodes, 11 + 4);
  EXPECT_EQ(p.model.bodies[1].nodes.front(), 5);
}

TEST(Reader, StartsWithMotion) {
  const Plan p = read_beam("velocity = [0, \"3 m/s * u\", 0]\nangular_velocity = [0, 0, \"2 rpm\"]\n");
  EXPECT_EQ(p.start.nodes.v[1][0], 0);
  EXPECT_NEAR(p.start.nodes.v[1][10], 3, 1e-15);
  EXPECT_NEAR(p.start.nodes.w[2][4], std::numbers::pi / 15, 1e-15);
  const Plan r = read_beam("random_velocity = { speed = \"1 cm/s\", axes = [\"x\", \"y\"], seed = 7 }\n");
  EXPECT_EQ(r.start.nodes.v[2][3], 0);
  EXPECT_NE(r.start.nodes.v[1][3], r.start.nodes.v[1][4]);
  EXPECT_LE(std::hypot(r.start.nodes.v[0][3], r.start.nodes.v[1][3]), 0.01);
}

TEST(Reader, OverridesStiffnesses) {
  const auto twist_energy = [](const Plan& p) {
    State s = p.start;
    auto f = s.nodes.frame(1);
    f.q = turn({1e-3, 0, 0}) * f.q;  // about the rod
    s.nodes.set(1, f);
    std::vector<EnergyPart> parts;
    Team alone(1);
    p.model.terms[0]->add_energy(s, Inputs{}, parts, alone);
    return parts.at(3).value;
  };
  const std::string rod = R"(
[[rod]]
material = "rubber"
section = { diameter = "3 mm" }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
bonds = 1
)";
  const Plan p = read(one_second + rubber + rod + "stiffness = { twist = \"4 N m\" }\n");
  EXPECT_NEAR(twist_energy(p), 2e-6, 1e-12);
  const Plan b = read(one_second + rubber + rod +
                      "model = \"vector\"\nstiffness = { b1 = 1, b2 = \"-2 N m\", b3 = \"6 N m\", b4 = \"4 N m\" }\n");
  EXPECT_NEAR(twist_energy(b), 2e-6, 1e-10);
}

TEST(Reader, DampsBondsByTimeOrCoefficient) {
  const auto longest = [](const std::string& bond) {
    return read_beam("", "[damping]\nbond = " + bond + "\n").model.terms[0]->longest_damping_time();
  };
  EXPECT_NEAR(longest("{ stretch = \"2 ms\", bend = 1e-3 }"), 2e-3, 1e-12);
  const double kr = 1.2e6 * std::numbers::pi / 4 * 9e-6 / 0.01;
  EXPECT_NEAR(longest("{ stretch = \"3 kg/s\" }"), 3 / kr, 1e-12);
  EXPECT_EQ(longest("{ }"), 0);
}

TEST(Reader, DampsMotionByTimeOrRate) {
  const Damping time = read_beam("", "[damping]\ntime = \"0.5 s\"\n").damping;
  EXPECT_EQ(time.rate, 2);
  EXPECT_EQ(time.spin_rate, 2);
  const Damping rate = read_beam("", "[damping]\nper_mass = 3\nrotational = \"0.1 s\"\n").damping;
  EXPECT_EQ(rate.rate, 3);
  EXPECT_EQ(rate.spin_rate, 10);
  EXPECT_EQ(read_beam("", "[damping]\nper_mass = 3\nrotational = 0\n").damping.spin_rate, 0);
}

TEST(Reader, DefinesInAnyOrder) {
  const std::string define = "[define]\nL = \"2 * half\"\nhalf = \"h0 + 1 mm\"\nh0 = \"49 mm\"\n";
  const Plan p = read(define + one_second + rubber + beam, {"rod.beam.line.to=[\"L\", 0, 0]"});
  EXPECT_NEAR(p.start.nodes.x[0][10], 0.1, 1e-16);
}

// Words that are units here and names there make no circle: g is the gram, and the name of an acceleration.
TEST(Reader, DefinesMayBeCalledLikeUnits) {
  const std::string define = "[define]\nm = \"5 g\"\ng = \"9.81 m/s^2\"\nweight = \"m*g\"\n";
  const Plan p = read(define + one_second + rubber + beam + "[gravity]\ng = [0, \"-g\", \"-weight/m\"]\n");
  const std::vector<double> at{0, 0};
  EXPECT_NEAR(p.gravity[1](at), -9.81, 1e-15);
  EXPECT_NEAR(p.gravity[2](at), -9.81, 1e-15);
}

TEST(Reader, StagesChangeWhatIsDefined) {
  const std::string stages = R"(
[define]
force = "0 mN"
lambda = 2
[[stage]]
duration = "1 s"
set = { lambda = "45 * s", force = "3 mN * s" }
[[stage]]
name = "pull back"
steps = 100
set = { lambda = "lambda - s" }
until = "lambda < 0 or t > 3 s"
[[stage.load]]
on = "beam.end"
force = [0, "force * lambda", 0]
)";
  const Plan p = read(stages + rubber + beam);
  EXPECT_EQ(p.variables, (std::vector<std::string>{"t", "s", "lambda", "force"}));
  EXPECT_EQ(p.first_values, (std::vector<double>{0, 0, 2, 0}));
  EXPECT_EQ(p.stages[0].name, "stage 1");
  EXPECT_EQ(p.stages[0].set.size(), 2u);
  EXPECT_EQ(p.stages[0].set[0].first, 2);
  EXPECT_EQ(p.stages[1].steps, 100);
  const std::vector<double> at{0, 0.5, 3, 0.1};
  EXPECT_EQ(p.stages[1].set[0].second(at), 2.5);
  EXPECT_NEAR((*p.stages[1].loads[0].force[1])(at), 0.3, 1e-15);
  EXPECT_EQ((*p.stages[1].until)(at), 0);
}

TEST(Reader, DrivesHoldsAndLoads) {
  const std::string stages = R"(
[[stage]]
duration = "1 s"
[[stage.drive]]
on = "beam.end"
move = ["-8 mm * s", "free", 0]
affine = true
turn = { axis = [2, 0, 0], angle = "90 deg * s" }
[[stage.hold]]
on = "beam[3]"
axes = ["z", "rx"]
[[stage.load]]
on = "beam"
per_length = [0, "-2 N/m", 0]
[[hold]]
on = "beam.start"
[[load]]
on = ["beam[1]", "beam[2]"]
torque = [0, 0, "1 mN m"]
frame = "body"
)";
  const Stage s = read(rubber + beam + stages).stages.at(0);
  ASSERT_EQ(s.drives.size(), 1u);
  const Drive& d = s.drives[0];
  EXPECT_EQ(d.node, 10);
  EXPECT_TRUE(d.move[0] && !d.move[1] && d.move[2]);
  EXPECT_TRUE(d.affine && d.is_end);
  EXPECT_EQ(d.body, 0);
  EXPECT_EQ(d.axis.x, 1);
  ASSERT_EQ(s.holds.size(), 2u);
  EXPECT_EQ(s.holds[0].mask, hold_all);
  EXPECT_EQ(s.holds[1].mask, 4 + 8);
  ASSERT_EQ(s.loads.size(), 2u);
  EXPECT_EQ(s.loads[0].node, (std::vector<int>{1, 2}));
  EXPECT_TRUE(s.loads[0].in_body_axes);
  EXPECT_EQ(s.loads[1].node.size(), 11u);
  EXPECT_NEAR(s.loads[1].weight[0], 0.005, 1e-16);
}

TEST(Reader, ProbesAndOutput) {
  const std::string tables = R"(
[[probe]]
of = "beam[7]"
record = "displacement"
[[probe]]
name = "all"
of = "beam.all"
record = ["max_abs", "energy"]
every = 100
[[probe]]
of = "system"
record = ["energy"]
every = "stage"
[output]
every = "20 ms"
dump = true
vtk = false
checkpoint = "1 min"
)";
  const Plan p = read_beam("", tables);
  EXPECT_EQ(p.probes[0].name, "beam_7");
  EXPECT_EQ(p.probes[0].index, 7);
  EXPECT_EQ(p.probes[0].every.time, 1 / 200.0);
  EXPECT_EQ(p.probes[1].every.steps, 100);
  EXPECT_EQ(p.probes[1].of, ProbeOf::body);
  EXPECT_EQ(p.probes[2].every.time, 0);
  EXPECT_TRUE(p.output.frames_given && p.output.dump && !p.output.vtk && p.output.hdf5);
  EXPECT_EQ(p.output.frames.time, 0.02);
  EXPECT_EQ(p.output.checkpoint, 60);
  const Plan steps = read(rubber + beam + "[solver]\nsteps = 1000\n[[probe]]\nof = \"beam\"\nrecord = \"length\"\n");
  EXPECT_EQ(steps.probes[0].every.steps, 5);
}

TEST(Reader, SetsValuesFromTheCommandLine) {
  const std::string stage = "[[stage]]\nname = \"heat up\"\nduration = \"1 s\"\n[define]\nn = 3\n";
  const std::string scene = rubber + beam + stage;
  EXPECT_EQ(read(scene, {"rod.beam.bonds=64"}).model.bonds(), 64);
  EXPECT_EQ(read(scene, {"rod.0.bonds=\"2*n\"", "define.n=4"}).model.bonds(), 8);
  EXPECT_EQ(read(scene, {"solver.dt=1 us"}).solver.dt, 1e-6);
  EXPECT_EQ(read(scene, {"solver.dt=\"1 us\"", "solver.threads=2"}).solver.threads, 2);
  EXPECT_EQ(read(scene, {"solver.dt=auto"}).solver.dt, 0);
  EXPECT_EQ(read(scene, {"stage.0.duration=3"}).stages[0].duration, 3);
  EXPECT_EQ(read(scene, {"stage.\"heat up\".duration=\"2 s\""}).stages[0].duration, 2);
  EXPECT_EQ(read(scene, {"rod.beam.line.to.0=\"0.2 m\""}).start.nodes.x[0][10], 0.2);
  EXPECT_EQ(read(scene, {"title=Größe"}).title, "Größe");
  EXPECT_EQ(read(scene, {"title=\"Größe\""}).title, "Größe");
  EXPECT_EQ(error_of(scene, {"rod.bean.bonds=4"}),
            "--set: rod.bean.bonds: there is nothing named `bean` here; did you mean `beam`?");
  EXPECT_EQ(error_of(scene, {"rod.beam.bond=4"}), "--set: rod.beam.bond: unknown key `bond`; did you mean `bonds`?");
  EXPECT_EQ(error_of(scene, {"rod.beam.bonds=-4"}),
            "--set: rod.beam.bonds: found -4, expected a whole number from 1 to 50000000");
  EXPECT_EQ(error_of(scene, {"solvr.dt=4"}), "--set: solvr: unknown key `solvr`; did you mean `solver`?");
  EXPECT_NE(error_of(scene, {"solver.dt"}).find("expected KEY=VALUE"), std::string::npos);
  EXPECT_NE(error_of(scene, {"=3"}).find("expected KEY=VALUE"), std::string::npos);
  EXPECT_NE(error_of(scene, {"solver..dt=3"}).find("expected names with dots"), std::string::npos);
  EXPECT_NE(error_of(scene, {"rod.7.bonds=3"}).find("no item 7 in a list of 1"), std::string::npos);
  EXPECT_NE(error_of(scene, {"rod.beam.bonds.x=3"}).find("can't be a key of a plain value"), std::string::npos);
  EXPECT_NE(error_of(scene, {"rod.beam.material=rubbr"}).find("did you mean `rubber`?"), std::string::npos);
}

TEST(Reader, LettersBeyondAsciiStandInQuotes) {
  const std::string text =
      "\xef\xbb\xbftitle = \"Größe 'µ' \\\" λ\" # λ \"\n[define]\n\"λ\" = '3 µm'\n" + one_second + rubber + beam;
  const Plan p = read(text + "[gravity]\ng = [0, \"-λ / (1 s)^2\", \"\"\"\n0 m/s^2\"\"\"]\n");
  EXPECT_EQ(p.title, "Größe 'µ' \" λ");
  EXPECT_EQ(p.gravity[1](std::vector<double>{0, 0}), -3e-6);
}

TEST(Reader, RichardsonIsForSpheres) {
  const std::string solver = "[solver]\nduration = 1\nrotation = \"richardson\"\n";
  EXPECT_TRUE(read(solver + rubber + beam + "inertia = \"sphere\"\n").solver.richardson);
  EXPECT_NE(error_of(solver + rubber + beam).find("scene.toml:3:12: solver.rotation: found \"richardson\""),
            std::string::npos);
}

TEST(Reader, ParticlesNeedNoMaterialConstants) {
  const std::string bare = "[material.none]\n";
  const std::string keys = R"(
node_mass = "1 g"
inertia = "sphere"
stiffness = { stretch = 100, shear = 40, bend = 11, twist = 7 }
)";
  const Plan p = read(one_second + bare + beam + keys, {"rod.beam.material=none"});
  EXPECT_EQ(p.model.mass[0], 1e-3);
  EXPECT_EQ(p.model.mass[5], 1e-3);
  EXPECT_NEAR(p.model.inertia[0][5], 0.1 * 1e-3 * 9e-6, 1e-20);
}

TEST(Reader, FilesThatCantBeRead) {
  const auto folder = std::filesystem::temp_directory_path() / "lodestone_reader_test";
  std::filesystem::create_directories(folder);
  const auto error = [](const std::string& file) {
    try {
      read_scene(file);
    } catch (const Error& e) {
      EXPECT_EQ(e.fault(), Fault::input);
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error(folder / "none.toml"), (folder / "none.toml").string() + ": there is no such file");
  EXPECT_EQ(error(folder), folder.string() + ": this is a folder, expected a scene file");
  std::ofstream(folder / "a.toml") << one_second << rubber << beam;
  EXPECT_EQ(read_scene(folder / "a.toml").text, one_second + rubber + beam);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ls
