#include "scene/read/test_reader.h"

#include <filesystem>
#include <fstream>

namespace ls::reader_test {

using test::beam;
using test::error_of;
using test::one_second;
using test::read;
using test::read_beam;
using test::rubber;

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

}  // namespace ls::reader_test
