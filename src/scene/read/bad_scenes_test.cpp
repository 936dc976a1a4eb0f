#include "scene/read/test_bad_scenes.h"

#include <fmt/format.h>

// What is wrong in a scene, and what the user is told about it.
namespace ls {
namespace {

using test::BadGroup;
using test::BadScene;
using test::expect_refused;

// A good scene in four parts, each of which a bad one may replace.
const std::string solver = "[solver]\nduration = \"1 s\"\n";
const std::string rubber = "[material.rubber]\nyoung = \"1.2 MPa\"\npoisson = 0.5\ndensity = 1100\n";
const std::string head = "[[rod]]\nname = \"beam\"\nmaterial = \"rubber\"\n";
const std::string round_section = "section = { diameter = \"3 mm\" }\n";
const std::string straight = "line = { from = [0, 0, 0], to = [0.1, 0, 0] }\nbonds = 10\n";
const std::string beam = head + round_section + straight;
const std::string good = solver + rubber + beam;
const std::string steps = rubber + beam;  // for scenes with stages

std::string rod_with(const std::string& keys) {
  return good + keys + "\n";
}
std::string stage_with(const std::string& keys) {
  return steps + "[[stage]]\nduration = \"1 s\"\n" + keys + "\n";
}

std::vector<BadScene> files() {
  return {
      {"syntax", "title = \"x\n", "scene.toml:1:"},
      {"no_value", solver + "a =\n", "scene.toml:3:4: this is no TOML"},
      {"no_quotes", "[solver]\ndt = 1 us\n", "scene.toml:2:8: this is no TOML"},
      {"quotes_hint", "[solver]\nkind = explicit\n", "needs quotes, as in \"1 us\""},
      {"greek_key", "title = \"\\u00b5 λ\"\n# λ\n[define]\nλ = 3\n",
       "scene.toml:4:1: this is no TOML: found a letter beyond ASCII"},
      {"odd_letter", good + "clamp = ʸ\n", "scene.toml:13:9: this is no TOML"},
      {"joined_lines", "title = \"\"\"a\\\n λ\"\"\"\n", "scene.toml:2:2: this is no TOML"},
      {"odd_header", "[=]\n", "this is no TOML"},
      {"odd_list", "a = [[1, [\n", "this is no TOML"},
      {"twice", solver + "duration = 3\n", "scene.toml:3:"},
      {"not_utf8", "title = \"\xff\xfe\"\n" + good, "this is no TOML"},
      {"empty", "",
       "scene.toml: nothing to simulate: add a [[rod]], [[shell]], [[network]] or [[rigid]], or a [fluid]"},
      {"only_solver", solver, "nothing to simulate: add a [[rod]], [[shell]], [[network]] or [[rigid]], or a [fluid]"},
      {"version", "version = 2\n" + good, "scene.toml:1:11: version: found 2, expected 1"},
      {"version_text", "version = \"one\"\n" + good, "version: "},
      {"title", "title = 3\n" + good, "scene.toml:1:9: title: found 3, expected a title in quotes"},
      {"unknown_table", good + "[gravty]\ng = [0, 0, 0]\n", "gravty: unknown key `gravty`; did you mean `gravity`?"},
      {"unknown_far", "zebra = 1\n" + good,
       "scene.toml:1:1: zebra: unknown key `zebra`; known here are version, title"},
      {"rods", solver + rubber + "[[rods]]\n", "rods: unknown key `rods`; did you mean `rod`?"},
      {"one_rod", solver + rubber + "[rod]\nname = \"beam\"\n",
       "rod: found a table, expected a list of tables: write [[rod]]"},
      {"two_solvers", rubber + beam + "[[solver]]\nduration = 1\n", "expected one: write [solver], not [[solver]]"},
      {"solver_number", "solver = 3\n" + rubber + beam, "solver: found 3, expected a table"},
      {"list_of_numbers", "rod = [1, 2]\n" + solver, "rod.0: found 1, expected a list of tables"},
      {"date", rod_with("clamp = 2024-01-01"), "clamp: found a date, expected \"start\" or \"end\""},
  };
}

std::vector<BadScene> features() {
  std::vector<BadScene> all;
  for (const char* name : {"bond", "joint", "motor"})
    all.push_back(
        {name, good + fmt::format("[[{}]]\n", name), fmt::format("{0}: `{0}` is not available in this version", name)});
  for (const char* name : {"dipoles"})
    all.push_back(
        {name, good + fmt::format("[{}]\n", name), fmt::format("scene.toml:13:2: {0}: `{0}` is not available", name)});
  all.push_back({"paper_rate", good + "[damping]\nrate = \"paper\"\nbond = { bend = \"1 us\" }\n",
                 "has model = \"exact\"; expected \"analytic\""});
  all.push_back({"fluid_probe", good + "[[probe]]\nof = \"fluid\"\nrecord = \"x\"\n",
                 "found \"fluid\", but the scene has no [fluid]"});
  return all;
}

std::vector<BadScene> numbers() {
  const auto s = [](const std::string& keys) { return "[solver]\n" + keys + "\n" + steps; };
  return {
      {"scheme", s("duration = 1\nkind = \"implicit\"\nscheme = \"euler\""),
       "found \"euler\", expected \"midpoint\" or"},
      {"tolerance", s("duration = 1\nkind = \"static\"\ntolerance = 0"),
       "solver.tolerance: found 0, expected a value above 0"},
      {"accuracy", s("duration = 1\nkind = \"implicit\"\naccuracy = 2"), "solver.accuracy: found 2, expected a value"},
      {"on_instability", s("duration = 1\nkind = \"static\"\non_instability = \"go\""),
       "expected \"stop\" or \"jump\""},
      {"arc_length", s("duration = 1\nkind = \"static\"\narc_length = 1"),
       "solver.arc_length: found 1, expected true or false"},
      {"static_heat", s("duration = 1\nkind = \"static\"") + "[thermal]\ntemperature = 300\ntime = 1\n",
       "heat is motion"},
      {"implicit_richardson", s("duration = 1\nkind = \"implicit\"\nrotation = \"richardson\""), "richardson"},
      {"kind", s("duration = 1\nkind = \"explict\""),
       "found \"explict\", expected \"explicit\" or \"implicit\" or \"static\"; did you mean `explicit`?"},
      {"no_length", steps, "how long? Expected [solver] `duration` or `steps`, or a [[stage]]"},
      {"zero_duration", s("duration = 0"), "solver.duration: found 0, expected a value above 0"},
      {"duration_unit", s("duration = \"3 mm\""),
       "solver.duration: found a length (m) in \"3 mm\", expected a time (s), for example \"10 ms\""},
      {"duration_list", s("duration = [1]"), "solver.duration: found a list of 1, expected a time (s)"},
      {"infinite", s("duration = inf"), "solver.duration: found inf, expected a finite number"},
      {"nan", s("duration = 1\nsafety = nan"), "solver.safety: found nan, expected a finite number"},
      {"safety", s("duration = 1\nsafety = 1.5"), "solver.safety: found 1.5, expected a value above 0 and up to 1"},
      {"negative_dt", s("duration = 1\ndt = \"-1 us\""),
       "solver.dt: found \"-1 us\" (-1e-06 s), expected a value above 0"},
      {"dt_word", s("duration = 1\ndt = \"automatic\""), "automatic"},
      {"dt_and_steps", s("duration = 1\ndt = \"1 ms\"\nsteps = 500"),
       "solver.steps: found 500 steps, but 1 s at dt = 0.001 s are 1000"},
      {"dt_too_long", s("duration = 1\ndt = 2"), "solver.duration: found 1, expected at least one step of 2 s"},
      {"too_many_steps", s("duration = 1e9\ndt = 1e-12"), "too many"},
      {"half_steps", s("steps = 10.5"), "solver.steps: found 10.5, expected a whole number"},
      {"threads", s("duration = 1\nthreads = 0"), "solver.threads: found 0, expected a whole number from 1 to 1024"},
      {"seed", s("duration = 1\nseed = -1"), "solver.seed: found -1"},
      {"true_number", s("duration = true"), "solver.duration: found true, expected a time (s)"},
      {"gravity_two", good + "[gravity]\ng = [0, 1]\n",
       "gravity.g: found a list of 2, expected [x, y, z], each an acceleration (m/s^2)"},
      {"gravity_unit", good + "[gravity]\ng = [0, \"-9.81 N\", 0]\n",
       "scene.toml:14:9: gravity.g[1]: found a force (N)"},
      {"gravity_none", good + "[gravity]\n", "scene.toml:13:1: gravity: `g` is missing"},
      {"damping_both", good + "[damping]\ntime = 1\nper_mass = 2\n", "found both `time` and `per_mass`"},
      {"damping_zero", good + "[damping]\ntime = 0\n", "damping.time: found 0, expected a value above 0"},
      {"rotational", good + "[damping]\nrotational = 3\n",
       "damping.rotational: found 3, expected a time (\"2 s\") or a rate (\"0.5/s\")"},
      {"bond_damping", good + "[damping]\nbond = { bend = \"3 kg/s\" }\n",
       "damping.bond.bend: found \"3 kg/s\", expected a time (s) or a rotational damping coefficient (N m s)"},
      {"bond_mode", good + "[damping]\nbond = { bnd = 1 }\n",
       "damping.bond.bnd: unknown key `bnd`; did you mean `bend`?"},
      {"thermal", good + "[thermal]\ntemperature = \"300 K\"\n", "thermal: `time` is missing"},
      {"cold", good + "[thermal]\ntemperature = -3\ntime = 1\n", "thermal.temperature: found -3, expected 0 or more"},
      {"start", good + "[start]\nfrom = \"\"\n", "start.from: found \"\", expected the folder of a run"},
  };
}

std::vector<BadScene> names() {
  const auto d = [](const std::string& lines) { return "[define]\n" + lines + "\n" + good; };
  return {
      {"circle", d("a = \"b\"\nb = \"c + 1\"\nc = \"2*a\""), "define.a: `a` is defined by itself: a -> b -> c -> a"},
      {"reserved", d("s = 3"), "scene.toml:2:5: define.s: `s` is a variable of its own"},
      {"function", d("sin = 3"), "is the name of a function"},
      {"odd_name", d("\"2L\" = 3"), "expected letters, digits and _"},
      {"unknown_name", d("a = \"2 * bb\""), "bb"},
      {"define_list", d("a = [1]"), "define.a: found a list of 1, expected a number or an expression in quotes"},
      {"follows", "[define]\na = 0\nb = \"2*a\"\n" + stage_with("set = { a = \"s\" }"),
       "define.b: `b` uses `a`, which a stage sets"},
      {"set_unknown", stage_with("set = { a = \"s\" }"), "stage.0.set.a: there is no `a` in [define]"},
      {"set_unit", "[define]\na = 0\n" + stage_with("set = { a = \"3 mm*s\" }"),
       "`a` is a pure number in [define]; give it a unit there"},
      {"set_other_unit", "[define]\na = \"0 mT\"\n" + stage_with("set = { a = \"3 * s\" }"),
       "stage.0.set.a: found a pure number in \"3 * s\", expected a magnetic field (T)"},
      {"set_each_other", "[define]\na = 0\nb = 0\n" + stage_with("set = { a = \"b\", b = \"s\" }"),
       "found `b` in \"b\", which the same stage sets"},
      {"set_number", stage_with("set = 3"), "stage.0.set: found 3, expected a table"},
      {"constant_wanted", "[define]\na = 1\n" + stage_with("set = { a = \"s\" }") + "[damping]\ntime = \"1 s * a\"\n",
       "damping.time: found \"1 s * a\", which a stage changes"},
  };
}

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
      {"no_table", solver + "[material]\nrubber = 3\n" + beam, "material.rubber: found 3, expected a table"},
  };
}

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
       "rod.beam.line.to: `from` and `to` are the same point"},
      {"huge", l("line = { from = [0, 0, 0], to = [1e300, 0, 0] }\nbonds = 3"), "rod.beam"},
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
      {"magnet_unit", rod_with("magnetisation = [0, 0, \"80 mT\"]"),
       "rod.beam.magnetisation[2]: found a magnetic field (T)"},
      {"velocity", rod_with("velocity = 3"), "rod.beam.velocity: found 3, expected [x, y, z], each a velocity (m/s)"},
      {"random_axes", rod_with("random_velocity = { speed = 1, axes = [\"w\"] }"),
       "found \"w\", expected \"x\" or \"y\" or \"z\""},
      {"random_nothing", rod_with("random_velocity = {}"), "rod.beam.random_velocity: expected one of `speed`, `spin`"},
      {"contact_radius", rod_with("contact_radius = 0"), "rod.beam.contact_radius: found 0"},
      {"unknown_key", rod_with("diameter = 3"), "scene.toml:13:1: rod.beam.diameter: unknown key `diameter`"},
      {"share_later", rod_with("start = \"trunk.end\""),
       "rod.beam.start: found \"trunk.end\", but there is no earlier rod `trunk`"},
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

std::vector<BadScene> stages() {
  const auto drive = [](const std::string& keys) { return stage_with("[[stage.drive]]\n" + keys); };
  const auto load = [](const std::string& keys) { return stage_with("[[stage.load]]\n" + keys); };
  const std::string move = "on = \"beam.end\"\nmove = [\"1 mm*s\", 0, 0]\n";
  return {
      {"no_length", steps + "[[stage]]\nname = \"a\"\n",
       "scene.toml:11:1: stage.a: `duration` is missing, expected a time (s), for example \"2 s\", or a number of "
       "`steps`"},
      {"two_lengths", good + "[[stage]]\nduration = 1\n",
       "the scene has stages: expected `duration` and `steps` there"},
      {"two_names", stage_with("name = \"a\"\n[[stage]]\nname = \"a\"\nduration = 1"), "there are two stages `a`"},
      {"comma", stage_with("name = \"a,b\""), "expected a name of letters, digits, spaces, _ and -"},
      {"one_stage", steps + "[stage]\nduration = 1\n", "write [[stage]]"},
      {"until", stage_with("until = \"3 * s\""),
       "stage.0.until: found a pure number in \"3 * s\", expected a condition"},
      {"dt_twice", stage_with("dt = \"1 ms\"\nsolver = { dt = \"2 ms\" }"), "found `dt` twice"},
      {"solver_key", stage_with("solver = { kind = \"statics\" }"), "found \"statics\", expected"},
      {"no_on", drive("move = [0, 0, 0]"), "stage.0.drive.0: `on` is missing"},
      {"unknown_body", drive("on = \"baem.end\"\nmove = [0, 0, 0]"),
       "scene.toml:14:6: stage.0.drive.0.on: found \"baem.end\", but there is no rod `baem`; did you mean `beam`?"},
      {"unknown_part", drive("on = \"beam.tip\"\nmove = [0, 0, 0]"),
       "expected \"beam.start\", \"beam.end\", \"beam.all\" or a node"},
      {"whole_rod", drive("on = \"beam\"\nmove = [0, 0, 0]"), "expected one node, for example \"beam.end\""},
      {"nothing", drive("on = \"beam.end\""), "stage.0.drive.0: expected one of `move`, `turn`"},
      {"all_free", drive("on = \"beam.end\"\nmove = [\"free\", \"free\", \"free\"]"), "nothing is driven"},
      {"move_unit", drive("on = \"beam.end\"\nmove = [\"3 * s\", 0, 0]"),
       "stage.0.drive.0.move[0]: found a pure number in \"3 * s\", expected a length (m)"},
      {"turn_axis", drive("on = \"beam.end\"\nturn = { angle = \"s\" }"), "stage.0.drive.0.turn: `axis` is missing"},
      {"turn_zero", drive("on = \"beam.end\"\nturn = { axis = [0, 0, 0], angle = \"s\" }"),
       "found a vector of no length"},
      {"free_about",
       drive(
           "on = \"beam.end\"\nmove = [\"free\", 0, 0]\nturn = { axis = [1, 0, 0], angle = \"s\", about = [0, 0, 0] }"),
       "no direction is \"free\""},
      {"affine_middle", drive("on = \"beam[4]\"\nmove = [0, 0, 0]\naffine = true"),
       "only the start or the end of a rod"},
      {"affine_turn", drive("on = \"beam.end\"\nturn = { axis = [1, 0, 0], angle = \"s\" }\naffine = true"),
       "it needs a `move`"},
      {"driven_twice", drive(move + "[[stage.drive]]\n" + move),
       "scene.toml:16:1: stage.0.drive.1: x of \"beam.end\" is already driven by the drive in line 13"},
      {"driven_everywhere", drive(move + "[[drive]]\n" + move), "is already driven by the drive in line"},
      {"turned_about_twice",
       drive(move +
             "[[stage.drive]]\non = \"beam[10]\"\nturn = { axis = [1, 0, 0], angle = \"s\", about = [0, 0, 0] }"),
       "x of \"beam[10]\" is already driven"},
      {"driven_and_held", drive(move + "[[stage.hold]]\non = \"beam\"\naxes = [\"x\"]"),
       "is already held by the hold in line"},
      {"hold_axis", stage_with("[[stage.hold]]\non = \"beam.end\"\naxes = [\"q\"]"),
       "stage.0.hold.0.axes[0]: found \"q\", expected \"x\" or \"y\""},
      {"hold_nothing", stage_with("[[stage.hold]]\non = \"beam.end\"\naxes = []"), "expected at least one of"},
      {"load_nothing", load("on = \"beam.end\""), "stage.0.load.0: expected one of `force`, `torque`, `per_length`"},
      {"load_rod", load("on = \"beam\"\nforce = [0, 0, 0]"), "or a load `per_length`"},
      {"load_node", load("on = \"beam.end\"\nper_length = [0, 0, 0]"), "expected a whole rod, \"beam\""},
      {"load_both", load("on = \"beam\"\nper_length = [0, 0, 0]\nforce = [0, 0, 0]"), "expected two loads"},
      {"load_unit", load("on = \"beam\"\nper_length = [0, \"1 N\", 0]"),
       "per_length[1]: found a force (N) in \"1 N\", expected a stiffness or force per length (N/m)"},
      {"load_frame", load("on = \"beam.end\"\nforce = [0, 0, 0]\nframe = \"local\""),
       "found \"local\", expected \"world\" or \"body\""},
  };
}

std::vector<BadScene> fields() {
  const auto f = [](const std::string& keys) { return good + "[[field]]\n" + keys + "\n"; };
  const auto m = [&](const std::string& keys) { return f("magnet = { " + keys + " }"); };
  const std::string named = "[[field]]\nname = \"hand\"\nmagnet = { shape = \"dipole\", moment = [0, 0, 1], ";
  const std::string drive = "[[stage.drive]]\non = \"hand\"\nmove = [\"1 mm*s\", 0, 0]\n";
  const std::string magnetised =
      solver + rubber + "magnetisation = 1e4\n" + beam + "magnetisation_direction = [1, 0, 0]\n";
  return {
      {"no_kind", f("factor = 2"), "field.0: expected one of `uniform`, `gradient`, `rotating`, `expression`"},
      {"two_kinds", f("uniform = [0, 0, 1]\npotential = \"1 mT * x\""), "found both `uniform` and `potential`"},
      {"misspelt_kind", f("unifrom = [0, 0, 1]"), "field.0.unifrom: unknown key `unifrom`; did you mean `uniform`?"},
      {"one_field", good + "[field]\nuniform = [0, 0, 1]\n", "write [[field]]"},
      {"uniform_unit", f("uniform = [0, 0, \"80 kA/m\"]"),
       "scene.toml:14:18: field.0.uniform[2]: found a magnetisation (A/m) in \"80 kA/m\", expected a magnetic field"},
      {"uniform_two", f("uniform = [0, 1]"), "field.0.uniform: found a list of 2, expected [x, y, z], each a magnetic"},
      {"uniform_place", f("uniform = [0, 0, \"1 T/m * x\"]"), "field.0.uniform[2]"},
      {"gradient_unit", f("gradient = { value = \"3 T\", axis = [0, 1, 0] }"),
       "field.0.gradient.value: found a magnetic field (T) in \"3 T\", expected"},
      {"gradient_axis", f("gradient = { value = 3 }"), "field.0.gradient: `axis` is missing"},
      {"rotating", f("rotating = { B = \"3 mT\", axis = [0, 0, 1], rate = \"3 s\" }"),
       "field.0.rotating.rate: found a time"},
      {"rotating_b", f("rotating = { b = \"3 mT\", axis = [0, 0, 1], rate = 1 }"),
       "unknown key `b`; did you mean `B`?"},
      {"expression_unit", f("expression = [\"x\", 0, 0]"), "found a length (m) in \"x\", expected a magnetic field"},
      {"expression_name", f("expression = [\"1 mT * q\", 0, 0]"), "field.0.expression[0]"},
      {"potential_unit", f("potential = \"1 T * x^2\""), "field.0.potential: found"},
      {"factor_unit", f("uniform = [0, 0, 1]\nfactor = \"1 mT\""), "field.0.factor: found a magnetic field (T)"},
      {"field_key", f("uniform = [0, 0, 1]\nfactr = 2"), "unknown key `factr`; did you mean `factor`?"},
      {"names", f("name = \"a\"\nuniform = [0, 0, 1]\n[[field]]\nname = \"a\"\nuniform = [0, 0, 1]"),
       "there are two fields `a`"},
      {"rod_name", f("name = \"beam\"\nuniform = [0, 0, 1]"), "there is a rod `beam`"},
      {"no_shape", m("moment = [0, 0, 1]"), "field.0.magnet: `shape` is missing"},
      {"shape", m("shape = \"cube\", size = [1, 1, 1]"), "found \"cube\", expected \"cuboid\" or \"cylinder\""},
      {"no_size", m("shape = \"cuboid\", moment = [0, 0, 1]"), "field.0.magnet: `size` is missing"},
      {"zero_size", m("shape = \"cuboid\", size = [1, 0, 1], moment = [0, 0, 1]"),
       "field.0.magnet.size[1]: found 0, expected a value above 0"},
      {"negative", m("shape = \"sphere\", diameter = \"-1 mm\", moment = [0, 0, 1]"), "expected a value above 0"},
      {"no_radius", m("shape = \"loop\", current = 1"), "field.0.magnet: expected one of `diameter`, `radius`"},
      {"no_length", m("shape = \"cylinder\", radius = 1, moment = [0, 0, 1]"), "field.0.magnet: `length` is missing"},
      {"unmagnetised", m("shape = \"sphere\", radius = 1"), "expected one of `magnetisation`, `moment`"},
      {"no_moment", m("shape = \"dipole\", magnetisation = [0, 0, 1]"), "field.0.magnet: `moment` is missing"},
      {"no_strength", m("shape = \"sphere\", radius = 1, magnetisation = [0, 0, 0]"), "it would be no magnet"},
      {"moment_unit", m("shape = \"dipole\", moment = [0, 0, \"1 kA/m\"]"), "field.0.magnet.moment[2]: found"},
      {"remanence", m("shape = \"sphere\", radius = 1, magnetisation = [0, 0, \"1.3 T\"]"),
       "found a magnetic field (T) in \"1.3 T\", expected a magnetisation (A/m)"},
      {"no_current", m("shape = \"coil\", radius = 1, length = 1"), "field.0.magnet: `current` is missing"},
      {"loop_moment", m("shape = \"loop\", radius = 1, current = 1, moment = [0, 0, 1]"), "unknown key `moment`"},
      {"orientation", m("shape = \"dipole\", moment = [0, 0, 1], orientation = [0, 0, \"1 m\"]"),
       "field.0.magnet.orientation[2]: found a length"},
      {"drive_moving", steps + named + "position = [\"t * 1 m/s\", 0, 0] }\n[[stage]]\nduration = 1\n" + drive,
       "says by itself how it moves"},
      {"drive_twice", steps + named + "position = [1, 0, 0] }\n[[stage]]\nduration = 1\n" + drive + drive,
       "\"hand\" has a drive already"},
      {"drive_affine", steps + named + "position = [1, 0, 0] }\n[[stage]]\nduration = 1\n" + drive + "affine = true\n",
       "it is for the ends of rods"},
      {"drive_field",
       steps + "[[field]]\nname = \"b\"\nuniform = [0, 0, 1]\n[[stage]]\nduration = 1\n"
               "[[stage.drive]]\non = \"b\"\nmove = [0, 0, 0]\n",
       "there is no rod `b`"},
      {"on_a_dipole", magnetised + "[[field]]\nmagnet = { shape = \"dipole\", moment = [0, 0, 1] }\n",
       "field.0: at the start it is not finite at beam[0], (0, 0, 0) m"},
      {"on_a_wire", magnetised + "[[field]]\nmagnet = { shape = \"loop\", radius = \"50 mm\", current = 1 }\n",
       "it is not finite at beam[5], (0.05, 0, 0) m"},
      {"on_an_edge",
       magnetised + "[[field]]\nmagnet = { shape = \"cuboid\", size = [\"2 cm\", \"1 cm\", \"1 cm\"], "
                    "moment = [0, 1, 0], position = [0, \"5 mm\", \"5 mm\"] }\n",
       "it is not finite at beam["},
  };
}

std::vector<BadScene> results() {
  const auto p = [](const std::string& keys) { return good + "[[probe]]\n" + keys + "\n"; };
  return {
      {"no_of", p("record = \"position\""), "scene.toml:13:1: probe.0: `of` is missing"},
      {"unknown_body", p("of = \"bema.end\"\nrecord = \"position\""),
       "probe.0.of: found \"bema.end\", but there is no rod `bema`; did you mean `beam`?"},
      {"unknown_quantity", p("of = \"beam.end\"\nrecord = [\"postion\"]"),
       "probe.0.record[0]: found \"postion\", expected a quantity of a node; did you mean `position`?"},
      {"quantity_of_rod", p("of = \"beam.end\"\nrecord = [\"max_abs\"]"),
       "found \"max_abs\", expected a quantity of a node; there are position"},
      {"quantity_of_system", p("of = \"system\"\nrecord = [\"position\"]"), "expected a quantity of the system"},
      {"nothing", p("of = \"system\"\nrecord = []"), "expected at least one quantity"},
      {"quantity_twice", p("of = \"system\"\nrecord = [\"energy\", \"energy\"]"), "found \"energy\" twice"},
      {"name_twice", p("of = \"system\"\nrecord = \"energy\"\n[[probe]]\nof = \"system\"\nrecord = \"momentum\""),
       "there are two probes `system`"},
      {"every_zero", p("of = \"system\"\nrecord = \"energy\"\nevery = 0"),
       "probe.0.every: found 0, expected a whole number of at least 1"},
      {"every_unit", p("of = \"system\"\nrecord = \"energy\"\nevery = \"1 mm\""), "expected a time (s)"},
      {"every_kind", p("of = \"system\"\nrecord = \"energy\"\nevery = true"),
       "probe.0.every: found true, expected a time (\"10 ms\"), a number of steps (100) or \"stage\""},
      {"output_flag", good + "[output]\nvtk = \"yes\"\n", "output.vtk: found \"yes\", expected true or false"},
      {"output_key", good + "[output]\nhdf = true\n", "output.hdf: unknown key `hdf`; did you mean `hdf5`?"},
      {"checkpoint", good + "[output]\ncheckpoint = -1\n", "output.checkpoint: found -1, expected a value above 0"},
  };
}

class BadScenes : public testing::TestWithParam<BadGroup> {};

TEST_P(BadScenes, SayWhatIsWrong) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, BadScenes,
                         testing::Values(BadGroup{"files", files}, BadGroup{"features", features},
                                         BadGroup{"numbers", numbers}, BadGroup{"names", names},
                                         BadGroup{"materials", materials}, BadGroup{"rods", rods},
                                         BadGroup{"rod_keys", rod_keys}, BadGroup{"stages", stages},
                                         BadGroup{"fields", fields}, BadGroup{"results", results}),
                         [](const auto& group) { return std::string(group.param.name); });

TEST(BadScenesTable, TheGoodPartsAreGood) {
  EXPECT_EQ(read_text(good, "scene.toml").model.nodes, 11);
  EXPECT_EQ(read_text(stage_with(""), "scene.toml").stages.size(), 1u);
}

}  // namespace
}  // namespace ls
