#include "scene/read/test_bad_scenes.h"

// What is wrong with events, pairs and what expressions ask of the state, and what the user is told about it.
namespace ls::bad_control_test {

using test::BadGroup;
using test::BadScene;
using test::expect_refused;

const std::string rubber = "[material.rubber]\nyoung = \"1 MPa\"\npoisson = 0.4\ndensity = 1000\n";
const std::string beam =
    "[[rod]]\nname = \"beam\"\nmaterial = \"rubber\"\nsection = { diameter = \"3 mm\" }\nline = { from = [0, 0, 0], to "
    "= [0.1, "
    "0, 0] }\nbonds = 10\n";
const std::string ball =
    "[[rigid]]\nname = \"ball\"\nshape = \"sphere\"\nradius = \"5 mm\"\nmaterial = \"rubber\"\nposition = [0, 0, 1]\n";
const std::string body = "[define]\nk = \"1 N\"\nn = 2\n[solver]\nduration = 1\n" + rubber + beam + ball;

std::string event(const std::string& keys) {
  return body + "[[event]]\nname = \"e\"\n" + keys + "\n";
}
std::string when(const std::string& condition) {
  return event("when = \"" + condition + "\"");
}
std::string pair(const std::string& keys) {
  return body + "[contact]\n[[pair]]\n" + keys + "\n";
}

std::vector<BadScene> events() {
  return {
      {"no_when", event("once = true"), "event.e: `when` is missing"},
      {"number", event("when = 1"), "event.e.when: found 1, expected a condition"},
      {"no_condition", when("t"), "found a time (s) in \"t\", expected a condition"},
      {"always", when("3 > 2"), "which is always the same"},
      {"once", event("when = \"t > 1 s\"\nonce = 1"), "event.e.once: found 1, expected true or false"},
      {"end_stage", event("when = \"t > 1 s\"\nend_stage = \"now\""), "expected true or false"},
      {"unset", event("when = \"t > 1 s\"\nset = { q = 1 }"),
       "event.e.set.q: there is no `q` in [define]; an event changes what is defined there"},
      {"sets_t", event("when = \"t > 1 s\"\nset = { t = 1 }"), "there is no `t` in [define]"},
      {"sets_wrong", event("when = \"t > 1 s\"\nset = { k = \"1 m\" }"),
       "found a length (m) in \"1 m\", expected a force"},
      {"sets_unit", event("when = \"t > 1 s\"\nset = { n = \"1 m\" }"), "but `n` is a pure number in [define]"},
      {"sets_each_other", event("when = \"t > 1 s\"\nset = { n = \"2*k/1 N\", k = \"3 N\" }"),
       "which the same event sets"},
      {"set_no_table", event("when = \"t > 1 s\"\nset = 3"), "expected a table"},
      {"hysteresis_unit", event("when = \"ball.position.x > 1 m\"\nhysteresis = \"1 s\""),
       "event.e.hysteresis: found a time (s) in \"1 s\", expected a length"},
      {"hysteresis_negative", event("when = \"ball.position.x > 1 m\"\nhysteresis = \"-1 m\""), "expected 0 or more"},
      {"hysteresis_of_two", event("when = \"t > 1 s or t < 0.5 s\"\nhysteresis = \"1 s\""),
       "found more than one comparison of two values, beside `hysteresis`"},
      {"twice", event("when = \"t > 1 s\"") + "[[event]]\nname = \"e\"\nwhen = \"t > 2 s\"\n",
       "there are two events `e`"},
      {"fold", body + "[[event]]\nname = \"fold\"\nwhen = \"t > 2 s\"\n", "`fold` is an event of static runs"},
      {"key", event("when = \"t > 1 s\"\nonec = true"), "unknown key `onec`; did you mean `once`?"},
      {"section_uses_it",
       body + "[[event]]\nwhen = \"t > 1 s\"\nset = { n = 1 }\n[[rod]]\nname = \"b\"\nmaterial = "
              "\"rubber\"\nsection = { diameter = \"n*1 mm\" }\nline = { from = [0, 1, 0], to = [1, 1, 0] "
              "}\nbonds = 3\n",
       "which a stage changes"},
  };
}

std::vector<BadScene> states() {
  return {
      {"body", when("bal.position.x > 1 m"), "there is no body called `bal`; did you mean `ball`?"},
      {"quantity", when("ball.postion.x > 1 m"), "`ball` has no quantity `postion`; did you mean `position`?"},
      {"not_its_own", when("system.position.x > 1 m"), "`system` has no quantity `position`; there are "},
      {"rod_only", when("ball.negative_pivots > 1"), "`ball` has no quantity `negative_pivots`"},
      {"component", when("ball.position.w > 1 m"),
       "`position` has several components; expected \"ball.position.x\" or"},
      {"quaternion", when("ball.orientation > 1"),
       "`orientation` has several components; expected \"ball.orientation.w\""},
      {"energies", when("system.energy > 1 J"), "`energy` has several components; expected \"system.energy.kinetic\""},
      {"vector", when("ball.velocity > 1 m"), "velocity"},
      {"no_component", when("beam.length.x > 1 m"), "`length` has no components; expected \"beam.length\""},
      {"which_node", when("beam.position.x > 1 m"), "of which node? Expected one, for example \"beam[0].position\""},
      {"node", when("beam[11].position.x > 1 m"), "expected a node from [0] to [10]"},
      {"part", when("beam.middle.position.x > 1 m"), "expected \"beam.start\", \"beam.end\""},
      {"dimension", when("ball.position.x > 1 s"), "length"},
      {"load", body + "[[load]]\non = \"ball\"\nforce = [\"ball.position.x\", 0, 0]\n",
       "found a length (m) in \"ball.position.x\", expected a force"},
      {"factor", body + "[[field]]\nuniform = [0, 0, \"1 T\"]\nfactor = \"ball.position.x\"\n",
       "found a length (m) in \"ball.position.x\", expected a pure number"},
      {"fluid", when("fluid.mass > 1 kg"), "the scene has no [fluid]"},
      {"dipoles", when("system.energy.dipole > 1 J"), "`energy` has several components"},
      {"joint_or_body",
       when("ball.force.x > 1 N") + "[[joint]]\nname = \"ball\"\nkind = \"ball\"\na = \"ball\"\nat = [0, 0, 1]\n",
       "`ball` is a joint and a body; expected a [[probe]] with another name"},
      {"no_contact", when("contact(ball, beam)"), "nothing touches anything: the scene has no [contact]"},
      {"one_body", when("contact(ball)"), "contact needs two bodies"},
      {"constant",
       body +
           "[contact]\n[[wall]]\nname = \"w\"\nplane = { normal = [0, 0, 1], point = [0, 0, \"ball.position.x\"] }\n",
       "unknown name \"ball.position.x\""},
      {"define", "[define]\nq = \"2*ball.position.x\"\n[solver]\nduration = 1\n" + rubber + ball, "unknown name"},
      {"other_call", when("touch(ball, beam)"), "unknown function \"touch\""},
      {"unmagnetic", body + "[[rigid]]\nname = \"q\"\nshape = \"sphere\"\nradius = 1\nmass = 1\nmoment_factor = 2\n",
       "found a body without a `moment`"},
      {"factor_unit",
       body + "[[rigid]]\nname = \"q\"\nshape = \"sphere\"\nradius = 1\nmass = 1\nmoment = [1, 0, 0]\nmoment_factor = "
              "\"q.position.x\"\n",
       "found a length (m) in \"q.position.x\", expected a pure number"},
  };
}

std::vector<BadScene> pairs() {
  return {
      {"no_contact", body + "[[pair]]\nof = [\"ball\", \"beam\"]\nfriction = 1\n", "but the scene has no [contact]"},
      {"no_of", pair("friction = 1"), "`of` is missing, expected two bodies"},
      {"one", pair("of = [\"ball\"]\nfriction = 1"), "expected two bodies"},
      {"word", pair("of = \"ball\"\nfriction = 1"), "expected two bodies"},
      {"unknown", pair("of = [\"ball\", \"bean\"]\nfriction = 1"), "but no body is called so; did you mean `beam`?"},
      {"unknown_many", pair("of = [\"ball\", \"cube[*]\"]\nfriction = 1"),
       "no body is called so; there are `beam`, `ball`"},
      {"nothing", pair("of = [\"ball\", \"beam\"]"), "nothing is said of the two"},
      {"contact_true", pair("of = [\"ball\", \"beam\"]\ncontact = true"), "nothing is said of the two"},
      {"both", pair("of = [\"ball\", \"beam\"]\ncontact = false\nfriction = 1"), "what does not touch has neither"},
      {"friction", pair("of = [\"ball\", \"beam\"]\nfriction = -1"), "expected 0 or more"},
      {"restitution", pair("of = [\"ball\", \"beam\"]\nrestitution = 2"), "expected a value from 0 to 1"},
      {"contradicts", pair("of = [\"ball\", \"beam\"]\nfriction = 1\n[[pair]]\nof = [\"be*\", \"*\"]\nfriction = 0.5"),
       "it contradicts the [[pair]] in line"},
      {"contradicts_contact",
       pair("of = [\"ball\", \"beam\"]\nfriction = 1\n[[pair]]\nof = [\"beam\", \"ball\"]\ncontact = false"),
       "their `contact` would be one and the other"},
      {"key", pair("of = [\"ball\", \"beam\"]\nfrction = 1"), "unknown key `frction`"},
  };
}

std::vector<BadScene> bodies() {
  return {
      {"points_and_count", body + "points = [[0, 0, 0]]\ncount = 2\nspacing = [1, 0, 0]\n",
       "found both `count` and `points`"},
      {"points_empty", body + "points = []\n", "found an empty list, expected one place at least"},
      {"points_flat", body + "points = [0, 1, 2]\n", "expected [x, y, z], each a length"},
      {"points_unit", body + "points = [[0, 0, \"1 s\"]]\n", "expected a length"},
      {"points_spacing", body + "points = [[0, 0, 0]]\nspacing = [1, 0, 0]\n", "it belongs to `count`"},
      {"damping_nothing", body + "damping = {}\n", "found nothing that damps"},
      {"damping_both", body + "damping = { time = 1, per_mass = 1 }\n", "found both `time` and `per_mass`"},
      {"damping_bond", body + "damping = { time = 1, bond = { bend = 1 } }\n", "unknown key `bond`"},
      {"damping_number", body + "damping = 3\n", "expected a table"},
      {"damping_wall",
       body + "[contact]\n[[wall]]\nname = \"w\"\nplane = { normal = [0, 0, 1] }\ndamping = { time = 1 }\n",
       "unknown key `damping`"},
  };
}

class BadControl : public testing::TestWithParam<BadGroup> {};
TEST_P(BadControl, IsToldWhatIsWrong) {
  expect_refused(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Scenes, BadControl,
                         testing::Values(BadGroup{"events", events}, BadGroup{"states", states},
                                         BadGroup{"pairs", pairs}, BadGroup{"bodies", bodies}),
                         [](const auto& group) { return std::string(group.param.name); });

}  // namespace ls::bad_control_test
