#include "scene/read/test_bad_scenes.h"

#include <fmt/format.h>

// What is wrong in a scene, and what the user is told about it.
namespace ls::bad_scenes_test {

using namespace test::rod_parts;
using test::BadGroup;
using test::BadScene;
using test::expect_refused;

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
       "scene.toml: rod: nothing to simulate: add a [[rod]], [[shell]], [[network]] or [[rigid]], or a [fluid]"},
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
  for (const char* name : {"bond"})
    all.push_back(
        {name, good + fmt::format("[[{}]]\n", name), fmt::format("{0}: `{0}` is not available in this version", name)});
  all.push_back({"dipoles_accuracy", good + "[dipoles]\naccuracy = 1e-9\n", "expected a value from 1e-7 to 1"});
  const std::string balls = solver + "[[rigid]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\nmass = 1\n";
  const std::string moment = "moment = [1, 0, 0]\n", box = "[dipoles]\nmethod = \"ewald\"\nbox = [1, 2, 3]\n";
  all.push_back(
      {"ewald_without_box", balls + moment + "[dipoles]\nmethod = \"ewald\"\n",
       "found \"ewald\", which sums over the copies of a periodic box: expected `box = [x, y, z]` beside it"});
  all.push_back({"box_without_ewald", balls + moment + "[dipoles]\nmethod = \"tree\"\nbox = [1, 1, 1]\n",
                 "dipoles.box: found without `method = \"ewald\"`"});
  all.push_back({"surround_without_ewald", balls + moment + "[dipoles]\nsurround = \"vacuum\"\n",
                 "dipoles.surround: found without `method = \"ewald\"`"});
  all.push_back({"flat_box", balls + moment + "[dipoles]\nbox = [1, 0, 1]\n", "expected three lengths above 0"});
  all.push_back({"ewald_accuracy", balls + moment + box + "accuracy = 1e-14\n", "expected a value from 1e-12 to 1"});
  all.push_back({"ewald_surround", balls + moment + box + "surround = \"air\"\n",
                 "found \"air\", expected \"tin-foil\" or \"vacuum\""});
  all.push_back({"ewald_and_wall",
                 balls + moment +
                     "[contact]\n[[wall]]\nname = \"floor\"\nplane = { point = [0, 0, -1], normal = [0, 0, 1] }\n" +
                     box,
                 "found a periodic box beside the wall `floor`"});
  all.push_back({"ewald_round_the_box",
                 balls +
                     "dipoles = [{ position = [0.3, 0, 0], moment = [1, 0, 0] }, { position = [-0.3, 0, 0], moment = "
                     "[1, 0, 0] }]\n" +
                     box,
                 "are 0.6 m apart, so that they reach round to their own copies: expected a box whose sides are all "
                 "longer than 1.2 m"});
  const std::string iron = "[material.iron]\nyoung = \"1 GPa\"\npoisson = 0.3\ndensity = 7800\nsusceptibility = ";
  all.push_back({"ewald_round_the_box_soft",
                 iron + "3\n[solver]\nduration = 1\n[[rigid]]\nshape = \"box\"\nsize = [0.9, 0.1, 0.1]\nmaterial = "
                        "\"iron\"\nsampling = 0.1\n[dipoles]\nbox = [1, 1, 1]\n",
                 "are 0.8 m apart, so that they reach round to their own copies"});
  const auto sheet = [&](const std::string& chi, const std::string& thickness) {
    return iron + chi +
           "\n[solver]\nduration = 1\n[[shell]]\nname = \"sheet\"\nmaterial = \"iron\"\nthickness = " + thickness +
           "\nsheet = { size = [1, 1], spacing = 0.1 }\n";
  };
  all.push_back({"soft_sheet_in_itself", sheet("[1, 2, 3]", "0.01"), "which is which a curved sheet cannot tell"});
  all.push_back({"soft_sheet_thick", sheet("3", "0.6"), "several times as much as its nodes are apart"});
  all.push_back({"ewald_on_its_copy", balls + moment + "grid = { n = [2, 1, 1], spacing = [2, 0, 0] }\n" + box,
                 "are in one place, (0, 0, 0) m"});
  all.push_back({"dipoles_far", good + "[dipoles]\nfar = \"late\"\n", "dipoles.far: found \"late\", expected"});
  all.push_back({"lagged_and_soft",
                 "[material.iron]\ndensity = 7800\nsusceptibility = 3\n" + balls +
                     "material = \"iron\"\n[dipoles]\nfar = \"lagged\"\n",
                 "dipoles.far: found \"lagged\" beside a `susceptibility`"});
  all.push_back({"dipoles_distance", good + "[dipoles]\nimplicit_distance = \"-1 m\"\n", "dipoles.implicit_distance"});
  all.push_back({"dipoles_bonds", good + "[dipoles]\nexclude_bonds = -1\n", "dipoles.exclude_bonds"});
  all.push_back({"field_probe", good + "[[probe]]\nof = \"field\"\nrecord = \"B\"\n", "`at` is missing"});
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

std::vector<BadScene> results() {
  const auto p = [](const std::string& keys) { return good + "[[probe]]\n" + keys + "\n"; };
  return {
      {"no_of", p("record = \"position\""), "scene.toml:13:1: probe.0: `of` is missing"},
      {"unknown_body", p("of = \"bema.end\"\nrecord = \"position\""),
       "probe.0.of: found \"bema.end\", but there is no body called `bema`; did you mean `beam`?"},
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
                                         BadGroup{"results", results}),
                         [](const auto& group) { return std::string(group.param.name); });

TEST(BadScenesTable, TheGoodPartsAreGood) {
  EXPECT_EQ(read_text(good, "scene.toml").model.nodes, 11);
  EXPECT_EQ(read_text(stage_with(""), "scene.toml").stages.size(), 1u);
}

}  // namespace ls::bad_scenes_test
