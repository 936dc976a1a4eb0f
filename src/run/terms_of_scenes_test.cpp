#include "math/rotation.h"
#include "run/probe_values.h"
#include "scene/probe_kinds.h"
#include "scene/read/test_reader.h"
#include "scene/schedule.h"

#include <algorithm>
#include <numbers>

// What a scene says, as the laws that are made from it understand it, and what it records.
namespace ls {
namespace {

using namespace test;

TEST(Reader, OverridesStiffnesses) {
  const auto twist_energy = [](const Plan& p) {
    State s = p.start;
    auto f = s.nodes.frame(1);
    f.q = turn({1e-3, 0, 0}) * f.q;  // about the rod
    s.nodes.set(1, f);
    Team alone(1);
    return energies_of(make_terms(p.model), s, Inputs{}, Energies::Wanted::all, alone)[EnergyKind::twist];
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
    const Plan plan = read_beam("", "[damping]\nbond = " + bond + "\n");
    return make_terms(plan.model).all.at(0)->limits(plan.start, {}).damping_time;
  };
  EXPECT_NEAR(longest("{ stretch = \"2 ms\", bend = 1e-3 }"), 2e-3, 1e-12);
  const double kr = 1.2e6 * std::numbers::pi / 4 * 9e-6 / 0.01;
  EXPECT_NEAR(longest("{ stretch = \"3 kg/s\" }"), 3 / kr, 1e-12);
  EXPECT_EQ(longest("{ }"), 0);
}

TEST(Fields, TheTermIsThereWhereItIsNeeded) {
  const std::string magnetic = "magnetisation_direction = [1, 0, 0]\n";
  const auto zeeman = [](const Plan& plan) {
    Schedule schedule(plan, 1e-3);
    State state = plan.start;
    schedule.begin_stage(state);
    const Inputs in = schedule.now(state.clock);
    const Terms terms = make_terms(plan.model);
    return std::ranges::count_if(terms.all,
                                 [&](const auto& t) { return t->name() == "zeeman" && t->scope(in) != Scope::idle; });
  };
  const Plan in_field = read_beam(magnetic, "[[field]]\nuniform = [0, 0, 1]\n");
  EXPECT_EQ(zeeman(in_field), 1);
  EXPECT_EQ(zeeman(read_beam(magnetic)), 0);
  EXPECT_EQ(in_field.model.bonds(), 10);
  // Without magnets no field makes one.
  EXPECT_EQ(zeeman(read_beam("", "[[field]]\nuniform = [0, 0, 1]\n")), 0);
}

constexpr const char* beam_in_fluid = R"(
[solver]
duration = "1 s"
[material.rubber]
young = "1.2 MPa"
poisson = 0.5
density = "1.1 g/cm^3"
magnetisation = "94 kA/m"
[[rod]]
name = "beam"
material = "rubber"
section = { diameter = "3 mm" }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
bonds = 10
[fluid]
spacing = 0.01
size = [0.2, 0.1, 0.1]
origin = [-0.05, -0.05, -0.05]
viscosity = 1e-4
density = 1000
)";

// What the list promises is what a run records.
TEST(Probes, EveryKindHasItsColumns) {
  Plan p = read_text(beam_in_fluid, "scene.toml");
  Work alone(p.model, 1);
  for (const ProbeKind& kind : probe_kinds())
    for (const ProbeOf of : {ProbeOf::node, ProbeOf::body, ProbeOf::system, ProbeOf::fluid, ProbeOf::place}) {
      if (!kind.is_for(of)) continue;
      Probe probe;
      probe.of = of;
      probe.record = {kind.name};
      const auto values = probe_values(p, probe, p.start, {}, alone);
      const std::size_t nodes = of == ProbeOf::body && kind.is_per_node() ? 11 : 1;
      ASSERT_EQ(values.size(), nodes * std::max<std::size_t>(1, kind.components.size())) << kind.name;
      const std::string first =
          kind.name + (nodes > 1 ? "[0]" : "") + (kind.components.empty() ? "" : "." + kind.components[0]);
      EXPECT_EQ(values[0].column, first);
    }
}

}  // namespace
}  // namespace ls
