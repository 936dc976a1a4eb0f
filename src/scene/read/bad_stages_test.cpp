#include "scene/read/test_bad_scenes.h"

// What is wrong with stages, drives, holds and loads, and what the user is told about it.
namespace ls::bad_stages_test {

using namespace test::rod_parts;
using test::BadGroup;
using test::BadScene;
using test::expect_refused;

// NOLINTNEXTLINE(readability-function-size): a table
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
      {"overflow", rubber + beam + "[solver]\ndt = \"auto\"\n[[stage]]\nduration = \"3e14 s\"\ndt = \"1 us\"\n",
       "stage.0.duration"},
      {"still_field",
       "[solver]\nkind = \"static\"\nsteps = 20\n" + steps +
           "[[field]]\nrotating = { B = \"3 mT\", axis = [0, 0, 1], rate = \"90 deg/s\" }\n",
       "scene.toml:3:9: solver.steps: stage stage 1 is static and has no duration: t stands still in it, and a "
       "`rotating` "
       "field goes by t; expected a `duration`"},
      {"still_default", "[solver]\nkind = \"static\"\n" + steps + "[gravity]\ng = [0, \"1 m/s^3 * t\", 0]\n",
       "scene.toml: solver.duration: stage stage 1 is static and has no duration: t stands still in it, and gravity"},
      {"still_load",
       "[solver]\nkind = \"static\"\n" + steps +
           "[[stage]]\nsteps = 3\n[[stage.load]]\non = \"beam.end\"\nforce = [\"1 N/s * t\", 0, 0]\n",
       "stage.0.steps: stage stage 1 is static and has no duration: t stands still in it, and a load"},
      {"still_motor",
       "[solver]\nkind = \"static\"\n" + steps +
           "[[rigid]]\nname = \"arm\"\nshape = \"sphere\"\nradius = 1\nmass = 1\n"
           "[[joint]]\nname = \"j\"\nkind = \"hinge\"\na = \"arm\"\nat = [0, 0, 5]\naxis = [0, 1, 0]\n"
           "[[motor]]\non = \"j\"\nposition = \"1 rad/s * t\"\n",
       "t stands still in it, and a motor or a `reel` goes by t"},
      {"still_event",
       "[solver]\nkind = \"static\"\n" + steps +
           "[define]\nk = 0\n[[event]]\nwhen = \"s > 0.5\"\nset = { k = \"t / 1 s\" }\n",
       "t stands still in it, and an event goes by t"},
      {"no_on", drive("move = [0, 0, 0]"), "stage.0.drive.0: `on` is missing"},
      {"unknown_body", drive("on = \"baem.end\"\nmove = [0, 0, 0]"),
       "scene.toml:14:6: stage.0.drive.0.on: found \"baem.end\", but there is no body called `baem`; did you mean "
       "`beam`?"},
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

class BadStages : public testing::TestWithParam<BadGroup> {};

TEST_P(BadStages, SayWhatIsWrong) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, BadStages, testing::Values(BadGroup{"stages", stages}),
                         [](const auto& group) { return std::string(group.param.name); });

}  // namespace ls::bad_stages_test
