#include "math/rotation.h"
#include "run/probe_values.h"
#include "scene/probe_kinds.h"
#include "scene/read/test_reader.h"
#include "scene/schedule.h"

#include <algorithm>
#include <fmt/format.h>
#include <numbers>

// What a scene says, as the laws that are made from it understand it, and what it records.
namespace ls::terms_of_scenes_test {

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

// Two cubes in line, 0.25 m apart.
constexpr const char* two_magnets = R"(
[solver]
kind = "implicit"
dt = "1 ms"
duration = "1 s"
[dipoles]
[[rigid]]
name = "a"
shape = "box"
size = [0.1, 0.1, 0.1]
mass = 0.1
moment = [10, 0, 0]
[[rigid]]
name = "b"
shape = "box"
size = [0.1, 0.1, 0.1]
mass = 0.1
position = [0.25, 0, 0]
orientation = [0, 0, "90 deg"]
moment = [0, -10, 0]
)";

double value_of_probe(const Plan& p, const Probe& probe, const std::string& column) {
  Work alone(p.model, 1);
  for (const ProbeValue& v : probe_values(p, probe, p.start, {}, alone))
    if (v.column == column) return v.value;
  ADD_FAILURE() << column;
  return 0;
}

TEST(Dipoles, ProbesSayWhatActs) {
  const Plan p = read_text(two_magnets, "scene.toml");
  Probe node;
  node.of = ProbeOf::node;
  node.index = 0;
  node.record = {"magnetic_force", "magnetic_torque", "moment"};
  const double r = 0.25;
  EXPECT_NEAR(value_of_probe(p, node, "magnetic_force.x"), 6e-7 * 100 / (r * r * r * r), 1e-15);
  EXPECT_NEAR(value_of_probe(p, node, "magnetic_torque.z"), 0, 1e-15);
  node.index = 1;
  EXPECT_NEAR(value_of_probe(p, node, "magnetic_force.x"), -6e-7 * 100 / (r * r * r * r), 1e-15);
  EXPECT_NEAR(value_of_probe(p, node, "moment.x"), 10, 1e-14);
  Probe system;
  system.record = {"energy"};
  EXPECT_NEAR(value_of_probe(p, system, "energy.dipole"), -2e-7 * 100 / (r * r * r), 1e-17);
  Probe field;
  field.of = ProbeOf::field;
  field.at = {0.5, 0, 0};
  field.record = {"B"};
  EXPECT_NEAR(value_of_probe(p, field, "B.x"), 2e-7 * 10 * (1 / (r * r * r) + 8), 1e-16);
}

// The same moment in samples, in dipoles one by one and in the middle: from afar they are one.
TEST(Dipoles, SamplesAreTheWhole) {
  const auto force = [](const std::string& magnet) {
    std::string text = two_magnets;
    const std::string old = "moment = [10, 0, 0]", far = "position = [0.25";
    text.replace(text.find(old), old.size(), magnet);
    text.replace(text.find(far), far.size(), "position = [5.0");
    const Plan p = read_text(text, "scene.toml");
    Probe node;
    node.of = ProbeOf::node;
    node.record = {"magnetic_force"};
    return value_of_probe(p, node, "magnetic_force.x");
  };
  const double whole = force("moment = [10, 0, 0]");
  EXPECT_NEAR(force("moment = [10, 0, 0]\nsampling = \"25 mm\""), whole, 1e-6 * whole);
  EXPECT_NEAR(force("magnetisation = [1e4, 0, 0]\nsampling = \"25 mm\""), whole, 1e-6 * whole);
  EXPECT_NEAR(force("dipoles = [{ position = [0, 0.01, 0], moment = [4, 0, 0] }, { position = [0, -0.01, 0], moment = "
                    "[6, 0, 0] }]"),
              whole, 1e-4 * whole);
}

// Energies of cubic lattices for a moment of 1 A m^2 each, in units of mu0/(4 pi).
TEST(Dipoles, PeriodicBoxes) {
  const auto scene = [](int n, const std::string& more) {
    return read_text(fmt::format("[solver]\nduration = 1\n"
                                 "[[rigid]]\nshape = \"sphere\"\nradius = 0.1\nmass = 1\nmoment = [0, 0, 1]\n"
                                 "grid = {{ n = [{0}, {0}, {0}], spacing = [1, 1, 1] }}\n"
                                 "[dipoles]\nbox = [{0}, {0}, {0}]\naccuracy = 1e-10\n{1}",
                                 n, more),
                     "scene.toml");
  };
  Probe system, field;
  system.record = {"energy"};
  field.of = ProbeOf::field;
  field.record = {"B"};
  field.at = {0.5, 0.5, -7.5};  // in the middle of a cell, somewhere
  constexpr double unit = 1e-7;
  const Plan one = scene(1, ""), eight = scene(2, ""), vacuum = scene(2, "surround = \"vacuum\"\n");
  EXPECT_NEAR(value_of_probe(one, system, "energy.dipole") / unit, -2.09439510239321, 1e-9);
  EXPECT_NEAR(value_of_probe(eight, system, "energy.dipole") / unit, -16.75516081914559, 1e-9);
  // As at the dipoles themselves, by symmetry: mu0/3 times the magnetisation, and in a ball in vacuum nothing.
  EXPECT_NEAR(value_of_probe(one, field, "B.z") / unit, 4 * std::numbers::pi / 3, 1e-9);
  EXPECT_NEAR(value_of_probe(eight, field, "B.z") / unit, 4 * std::numbers::pi / 3, 1e-9);
  EXPECT_NEAR(value_of_probe(eight, field, "B.x") / unit, 0, 1e-9);
  EXPECT_NEAR(value_of_probe(vacuum, field, "B.z") / unit, 0, 1e-9);
  EXPECT_NEAR(value_of_probe(vacuum, system, "energy.dipole") / unit, 0, 1e-9);
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
    for (const ProbeOf of :
         {ProbeOf::node, ProbeOf::body, ProbeOf::system, ProbeOf::fluid, ProbeOf::place, ProbeOf::field}) {
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

}  // namespace ls::terms_of_scenes_test
