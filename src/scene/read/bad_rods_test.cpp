#include "scene/read/test_bad_scenes.h"

// What is wrong with rods and their materials, and what the user is told about it.
namespace ls::bad_rods_test {

using namespace test::rod_parts;
using test::BadGroup;
using test::BadScene;
using test::expect_refused;

std::vector<BadScene> materials() {
  const auto m = [](const std::string& keys) { return solver + "[material.rubber]\n" + keys + "\n" + beam; };
  return {
      {"negative_modulus", m("young = \"-1 MPa\"\npoisson = 0.3\ndensity = 1000"),
       "scene.toml:4:9: material.rubber.young: found \"-1 MPa\" (-1e+06 Pa), expected a value above 0"},
      {"modulus_unit", m("young = \"1 mm\"\npoisson = 0.3\ndensity = 1000"),
       "found a length (m) in \"1 mm\", expected a pressure (Pa), for example \"1.2 MPa\""},
      {"poisson_high", m("young = 1e6\npoisson = 0.6\ndensity = 1000"),
       "material.rubber.poisson: found 0.6, expected a value above -1 and up to 0.5"},
      {"poisson_low", m("young = 1e6\npoisson = -1\ndensity = 1000"), "material.rubber.poisson: found -1"},
      {"shear_low", m("young = 1e6\nshear = 1e5\ndensity = 1000"),
       "material.rubber.shear: found 100000, expected at least a third of `young`"},
      {"both_moduli", m("young = 1e6\npoisson = 0.3\nshear = 4e5"), "found both `poisson` and `shear`"},
      {"no_shear", m("young = 1e6\ndensity = 1000"),
       "scene.toml:3:1: material.rubber: expected one of `poisson`, `shear`"},
      {"no_young", m("poisson = 0.3\ndensity = 1000"), "material.rubber: `young` is missing"},
      {"misspelt", m("yuong = 1e6\npoisson = 0.3\ndensity = 1000"),
       "scene.toml:4:1: material.rubber.yuong: unknown key `yuong`; did you mean `young`?"},
      {"no_density", m("young = 1e6\npoisson = 0.3"), "its material has no `density`; expected one, or a `node_mass`"},
      {"no_modulus", m("density = 1000"), "its material has no `young`; expected one, or all four of `stiffness`"},
      {"densty", m("young = 1e6\npoisson = 0.3\ndensty = 1000"), "unknown key `densty`; did you mean `density`?"},
      {"restitution", m("young = 1e6\npoisson = 0.3\ndensity = 1000\nrestitution = 1.5"),
       "expected a value from 0 to 1"},
      {"friction", m("young = 1e6\npoisson = 0.3\ndensity = 1000\nfriction = -0.1"),
       "friction: found -0.1, expected 0 or more"},
      {"milli", m("young = \"1.2 mPa\"\npoisson = 0.3\ndensity = 1000"),
       "material.rubber.young: found \"1.2 mPa\", which is 0.0012 Pa and softer than any solid; did you mean MPa?"},
      {"no_table", solver + "[material]\nrubber = 3\n" + beam, "material.rubber: found 3, expected a table"},
  };
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<BadScene> rods() {
  const auto r = [](const std::string& keys) { return solver + rubber + head + keys + "\n"; };
  const auto s = [](const std::string& section) {
    return solver + rubber + head + "section = " + section + "\n" + straight;
  };
  const auto l = [](const std::string& line) { return solver + rubber + head + round_section + line + "\n"; };
  return {
      {"no_material", solver + rubber + "[[rod]]\n" + round_section + straight,
       "scene.toml:7:1: rod.0: `material` is missing"},
      {"unknown_material", solver + "[material.rubbr]\n" + beam,
       "rod.beam.material: there is no [material.rubber]; did you mean `rubbr`?"},
      {"two_names", good + beam, "there are two rods `beam`"},
      {"name_dot", solver + rubber + "[[rod]]\nname = \"a.b\"\n",
       "found \"a.b\", expected a name of letters, digits, _ and -"},
      {"name_system", solver + rubber + "[[rod]]\nname = \"system\"\n", "which is not a rod's to take"},
      {"no_section", r(straight), "rod.beam: `section` is missing"},
      {"section_number", s("3"), "rod.beam.section: found 3, expected a table"},
      {"section_kind", s("{ diamter = 1 }"),
       "rod.beam.section.diamter: unknown key `diamter`; did you mean `diameter`?"},
      {"section_both", s("{ diameter = 1, width = 2, height = 1 }"), "found both `diameter` and `width`"},
      {"section_half", s("{ width = \"3 mm\" }"), "rod.beam.section: `height` is missing"},
      {"zero_diameter", s("{ diameter = 0 }"), "rod.beam.section.diameter: found 0, expected a value above 0"},
      {"tapered_to_nothing", s("{ diameter = \"3 mm - 3 mm * u\" }"),
       "found a size of 0 m at u = 1, expected a value above 0"},
      {"width_along", s("{ width = 1e-3, height = 2e-3, width_direction = [1, 0, 0] }"),
       "runs along the rod; expected a direction across it"},
      {"width_zero", s("{ width = 1e-3, height = 2e-3, width_direction = [0, 0, 0] }"),
       "found a vector of no length, expected a direction"},
      {"tapered_by_t", s("{ diameter = \"3 mm * t\" }"), "rod.beam.section.diameter: found"},
      {"no_line", l("bonds = 10"), "rod.beam: expected one of `line`, `arc`, `helix`, `points`"},
      {"two_lines", l(straight + "arc = { radius = 1, angle = 1 }"), "found both `line` and `arc`"},
      {"no_length", l("line = { from = [0, 0, 0], to = [0, 0, 0] }\nbonds = 3"),
       "rod.beam.line.to: `from` and `to` are the same point"},
      {"no_to", l("line = { from = [0, 0, 0] }\nbonds = 3"), "rod.beam.line: `to` is missing"},
      {"no_bonds", l("line = { from = [0, 0, 0], to = [1, 0, 0] }"), "rod.beam: `bonds` is missing"},
      {"zero_bonds", l("line = { from = [0, 0, 0], to = [1, 0, 0] }\nbonds = 0"),
       "rod.beam.bonds: found 0, expected a whole number from 1 to 50000000"},
      {"many_bonds", l("line = { from = [0, 0, 0], to = [1, 0, 0] }\nbonds = 60000000"),
       "rod.beam.bonds: found 60000000"},
      {"half_bonds", l("line = { from = [0, 0, 0], to = [1, 0, 0] }\nbonds = \"7/2\""),
       "rod.beam.bonds: found \"7/2\", expected a whole number"},
      {"arc_angle", l("arc = { radius = 1, angle = \"-90 deg\" }\nbonds = 4"),
       "rod.beam.arc.angle: found \"-90 deg\" (-1.5708), expected a value above 0"},
      {"helix_angle", l("helix = { radius = 1, length = 1, pitch_angle = \"200 deg\" }\nbonds = 4"),
       "expected an angle between -180 deg and 180 deg"},
      {"one_point", l("points = [[0, 0, 0]]"), "rod.beam.points: found a list of 1, expected at least two points"},
      {"same_point", l("points = [[0, 0, 0], [1, 0, 0], [1, 0, 0]]"),
       "rod.beam.points[2]: found the point before it again"},
      {"flat_point", l("points = [[0, 0], [1, 0]]"), "rod.beam.points[0]: found a list of 2, expected [x, y, z]"},
      {"two_origins", l("arc = { radius = 1, angle = 1, origin = [0, 0, 0] }\norigin = [0, 0, 0]\nbonds = 4"),
       "`origin` is given twice"},
      {"tiny", l("line = { from = [0, 0, 0], to = [1e-300, 0, 0] }\nbonds = 3"),
       "rod.beam.line.to: found a rod so short that its length is 0"},
      {"huge", l("line = { from = [0, 0, 0], to = [1e300, 0, 0] }\nbonds = 3"),
       "rod.beam.line.to[0]: found 1e+300, expected less than 1e100: its square is too large for a number"},
      {"far", l(straight + "origin = [0, \"1e200 km\", 0]"),
       "rod.beam.origin[1]: found \"1e200 km\" (1e+203 m), expected less"},
      {"coarse_arc", l("arc = { radius = \"10 mm\", angle = \"700 deg\" }\nbonds = 2"),
       "rod.beam.bonds: found 2, expected at least 4: the arc turns by 350 deg from one node to the next"},
      {"half_turns", l("arc = { radius = \"10 mm\", angle = \"360 deg\" }\nbonds = 2"), "expected at least 3"},
      {"coarse_helix", l("helix = { radius = \"10 mm\", pitch_angle = \"80 deg\", length = \"1 m\" }\nbonds = 10"),
       "rod.beam.bonds: found 10, expected at least 32: the helix turns by 564.3 deg from one node to the next"},
      {"coarse_left_helix",
       l("helix = { radius = \"10 mm\", pitch_angle = \"-80 deg\", length = \"1 m\" }\nbonds = 31"),
       "expected at least 32"},
      {"endless_helix", l("helix = { radius = 1e-300, pitch_angle = 1, length = 1 }\nbonds = 31"),
       "more than any number of bonds could follow"},
      {"coarse_points", l("points = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0.1], [1, 0, 0.1]]\nbonds = 1"),
       "rod.beam.bonds: found 1, expected at least some 4, or the `points` themselves, that is 5"},
      {"curled", l(straight + "rest_curvature = [628.3, 0, 0]"),
       "rod.beam.rest_curvature: found a rest shape that turns by 360 deg from one node to the next"},
      {"curled_enough", l(straight + "rest_curvature = [0, 300, 300]"), "expected at least 14 `bonds`"},
  };
}

std::vector<BadScene> rod_keys() {
  return {
      {"clamp", rod_with("clamp = [\"strat\"]"),
       "rod.beam.clamp[0]: found \"strat\", expected \"start\" or \"end\"; did you mean `start`?"},
      {"clamp_pin", rod_with("clamp = [\"end\"]\npin = [\"end\"]"), "rod.beam.pin[0]: found \"end\" a second time"},
      {"model", rod_with("model = \"exakt\""),
       "expected \"exact\" or \"corotational\" or \"vector\"; did you mean `exact`?"},
      {"calibration", rod_with("calibration = \"short-cylinder\""), "needs a Poisson's ratio below 0.5"},
      {"inertia", rod_with("sphere_diameter = 1"), "rod.beam.sphere_diameter: it belongs to inertia = \"sphere\""},
      {"node_mass", rod_with("node_mass = \"3 mm\""), "found a length (m) in \"3 mm\", expected a mass (kg)"},
      {"stiffness_empty", rod_with("stiffness = {}"),
       "rod.beam.stiffness: expected one of `stretch`, `shear`, `bend`, `twist`, `b1`"},
      {"stiffness_b", rod_with("stiffness = { b1 = 1 }"), "b1 to b4 belong to model = \"vector\""},
      {"stiffness_some_b", rod_with("model = \"vector\"\nstiffness = { b1 = 1, b2 = 2 }"),
       "rod.beam.stiffness: `b3` is missing"},
      {"stiffness_unit", rod_with("stiffness = { bend = \"3 N/m\" }"), "expected a torque or energy (N m)"},
      {"fracture", rod_with("fracture = { stretch = -1 }"),
       "rod.beam.fracture.stretch: found -1, expected a value above 0"},
      {"fracture_empty", rod_with("fracture = {}"), "rod.beam.fracture: expected one of"},
      {"rest_both", rod_with("rest = \"as drawn\"\nrest_curvature = [0, 0, 1]"),
       "found both `rest` and `rest_curvature`"},
      {"curved_twice",
       solver + rubber + head + round_section +
           "arc = { radius = 1, angle = 1 }\nbonds = 4\nrest_curvature = [0, 0, 0]\n",
       "rod.beam.rest_curvature: it is for a rod that is drawn straight"},
      {"rest", rod_with("rest = \"straight\""), "rod.beam.rest: found \"straight\", expected \"as drawn\""},
      {"curvature", rod_with("rest_curvature = [0, 0, \"1 m\"]"),
       "rest_curvature[2]: found a length (m) in \"1 m\", expected a curvature (1/m)"},
      {"magnet", rod_with("magnetisation_direction = [1, 0, 0]"), "its material has no `magnetisation`"},
      {"no_magnet", rod_with("sampling = \"1 mm\""), "rod.beam.sampling: found a rod that is no magnet"},
      {"magnet_unit", rod_with("magnetisation = [0, 0, \"80 mT\"]"),
       "rod.beam.magnetisation[2]: found a magnetic field (T)"},
      {"velocity", rod_with("velocity = 3"), "rod.beam.velocity: found 3, expected [x, y, z], each a velocity (m/s)"},
      {"random_axes", rod_with("random_velocity = { speed = 1, axes = [\"w\"] }"),
       "found \"w\", expected \"x\" or \"y\" or \"z\""},
      {"random_nothing", rod_with("random_velocity = {}"), "rod.beam.random_velocity: expected one of `speed`, `spin`"},
      {"contact_radius", rod_with("contact_radius = 0"), "rod.beam.contact_radius: found 0"},
      {"unknown_key", rod_with("diameter = 3"), "scene.toml:13:1: rod.beam.diameter: unknown key `diameter`"},
      {"share_later", rod_with("start = \"trunk.end\""),
       "rod.beam.start: found \"trunk.end\", but there is no earlier rod called `trunk`; there are none before it"},
      {"share_elsewhere",
       good + "[[rod]]\nname = \"b\"\nmaterial = \"rubber\"\n" + round_section + straight + "start = \"beam.end\"\n",
       "scene.toml:13:1: rod.b: its start lies 0.1 m from the node it should share"},
      {"share_node",
       good + "[[rod]]\nname = \"b\"\nmaterial = \"rubber\"\n" + round_section + straight + "start = \"beam[11]\"\n",
       "rod.b.start: found \"beam[11]\", expected a node from [0] to [10]"},
      {"share_rod",
       good + "[[rod]]\nname = \"b\"\nmaterial = \"rubber\"\n" + round_section + straight + "start = \"beam\"\n",
       "expected one node, for example \"beam.end\""},
  };
}

class BadRods : public testing::TestWithParam<BadGroup> {};

TEST_P(BadRods, SayWhatIsWrong) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, BadRods,
                         testing::Values(BadGroup{"materials", materials}, BadGroup{"rods", rods},
                                         BadGroup{"rod_keys", rod_keys}),
                         [](const auto& group) { return std::string(group.param.name); });

}  // namespace ls::bad_rods_test
