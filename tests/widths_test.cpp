// Registers of eight doubles and of four give the same bits, in every solver.
#include "tests/kill_scenes.h"
#include "tests/program.h"

namespace ls::program::widths_test {

bool runs_with(const std::string& isa) {
  return lodestone("check '" LODESTONE_SOURCE_DIR "/scenes/swing.toml'", "LODESTONE_ISA=" + isa).code == 0;
}

// A rod that is twisted until it touches itself, a magnet that bends, a shell that is pushed in, balls that pull each
// other: what iterates carries a difference in the last bit far.
struct Scene {
  const char* name;
  const char* sets;
};
class Widths : public testing::TestWithParam<Scene> {};

TEST_P(Widths, GiveTheSameBytes) {
  if (!runs_with("avx512") || !runs_with("avx2")) GTEST_SKIP() << "this machine has only one of the two";
  const Scratch scratch;
  const Scene scene = GetParam();
  for (const std::string isa : {"avx2", "avx512"}) {
    const Answer a = lodestone("run '" LODESTONE_SOURCE_DIR "/scenes/" + std::string(scene.name) + ".toml' --out '" +
                                   scratch.text(isa) + "' " + scene.sets,
                               "LODESTONE_ISA=" + isa);
    ASSERT_EQ(a.code, 0) << a.text;
  }
  const std::string probes = contents(scratch / "avx2/probes.csv");
  EXPECT_GT(probes.size(), 200u);
  EXPECT_EQ(probes, contents(scratch / "avx512/probes.csv"));
}

// The sums over copies: plain and on a mesh.
TEST(WidthsOfEwaldSums, GiveTheSameBytes) {
  if (!runs_with("avx512") || !runs_with("avx2")) GTEST_SKIP() << "this machine has only one of the two";
  const Scratch scratch;
  for (const std::string name : {"implicit_ewald", "explicit_ewald"}) {
    write(scratch / "scene.toml", scene_to_kill(name));
    for (const std::string isa : {"avx2", "avx512"}) {
      const Answer a = lodestone("run " + scratch.text("scene.toml") + " --quiet --out " + scratch.text(name + isa),
                                 "LODESTONE_ISA=" + isa);
      ASSERT_EQ(a.code, 0) << a.text;
    }
    const std::string probes = contents(scratch / (name + "avx2") / "probes.csv");
    EXPECT_GT(probes.size(), 1000u) << name;
    EXPECT_EQ(probes, contents(scratch / (name + "avx512") / "probes.csv")) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, Widths,
                         testing::Values(Scene{"magnetic_beam", "--set 'solver.kind=\"static\"'"},
                                         Scene{"magnetic_beam", "--set 'solver.kind=\"implicit\"'"},
                                         Scene{"twisted_rod", ""},
                                         Scene{"twisted_rod", "--set 'rod.rod.model=\"corotational\"'"},
                                         Scene{"dome", ""}, Scene{"swing", ""},
                                         Scene{"linkage", "--set 'solver.duration=\"0.4 s\"'"},
                                         Scene{"electromagnet", "--set 'solver.duration=\"0.1 s\"'"},
                                         Scene{"magnetic_balls", "--set 'solver.duration=\"0.1 s\"'"},
                                         Scene{"magnetic_chain", "--set 'solver.duration=\"0.5 s\"'"}),
                         [](const auto& p) { return std::string(p.param.name) + "_" + std::to_string(p.index); });

}  // namespace ls::program::widths_test
