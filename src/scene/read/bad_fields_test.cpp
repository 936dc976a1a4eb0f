#include "scene/read/test_bad_scenes.h"

// What is wrong with fields and magnets, and what the user is told about it.
namespace ls::bad_fields_test {

using namespace test::rod_parts;
using test::BadGroup;
using test::BadScene;
using test::expect_refused;

// A scene with a field, and with a magnet.
std::string field(const std::string& keys) {
  return good + "[[field]]\n" + keys + "\n";
}
std::string magnet(const std::string& keys) {
  return field("magnet = { " + keys + " }");
}

std::vector<BadScene> fields() {
  return {
      {"no_kind", field("factor = 2"), "field.0: expected one of `uniform`, `gradient`, `rotating`, `expression`"},
      {"two_kinds", field("uniform = [0, 0, 1]\npotential = \"1 mT * x\""), "found both `uniform` and `potential`"},
      {"misspelt_kind", field("unifrom = [0, 0, 1]"),
       "field.0.unifrom: unknown key `unifrom`; did you mean `uniform`?"},
      {"one_field", good + "[field]\nuniform = [0, 0, 1]\n", "write [[field]]"},
      {"uniform_unit", field("uniform = [0, 0, \"80 kA/m\"]"),
       "scene.toml:14:18: field.0.uniform[2]: found a magnetisation (A/m) in \"80 kA/m\", expected a magnetic field"},
      {"uniform_two", field("uniform = [0, 1]"),
       "field.0.uniform: found a list of 2, expected [x, y, z], each a magnetic"},
      {"uniform_place", field("uniform = [0, 0, \"1 T/m * x\"]"), "field.0.uniform[2]"},
      {"gradient_unit", field("gradient = { value = \"3 T\", axis = [0, 1, 0] }"),
       "field.0.gradient.value: found a magnetic field (T) in \"3 T\", expected"},
      {"gradient_axis", field("gradient = { value = 3 }"), "field.0.gradient: `axis` is missing"},
      {"rotating", field("rotating = { B = \"3 mT\", axis = [0, 0, 1], rate = \"3 s\" }"),
       "field.0.rotating.rate: found a time"},
      {"hertz", field("rotating = { B = \"3 mT\", axis = [0, 0, 1], rate = \"5 Hz\" }"),
       "field.0.rotating.rate: found \"5 Hz\": Hz counts cycles and is no angle per time; expected \"5 turn/s\""},
      {"kilohertz", field("rotating = { B = \"3 mT\", axis = [0, 0, 1], rate = \"-2 kHz\" }"),
       "expected \"-2000 turn/s\""},
      {"named_hertz",
       field("rotating = { B = \"3 mT\", axis = [0, 0, 1], rate = \"2*g\" }\n[define]\nf = \"5 Hz\"\ng = \"f\""),
       "Hz counts cycles"},
      {"spin_in_hertz", rod_with("angular_velocity = [0, 0, \"2 Hz\"]"),
       "rod.beam.angular_velocity[2]: found \"2 Hz\""},
      {"drive_in_hertz",
       stage_with("[[stage.drive]]\non = \"beam.end\"\nturn = { axis = [1, 0, 0], angle = \"5 Hz * t\" }"),
       "stage.0.drive.0.turn.angle: found \"5 Hz * t\": Hz counts cycles"},
      {"rotating_b", field("rotating = { b = \"3 mT\", axis = [0, 0, 1], rate = 1 }"),
       "unknown key `b`; did you mean `B`?"},
      {"expression_unit", field("expression = [\"x\", 0, 0]"),
       "found a length (m) in \"x\", expected a magnetic field"},
      {"expression_name", field("expression = [\"1 mT * q\", 0, 0]"), "field.0.expression[0]"},
      {"potential_unit", field("potential = \"1 T * x^2\""), "field.0.potential: found"},
      {"factor_unit", field("uniform = [0, 0, 1]\nfactor = \"1 mT\""), "field.0.factor: found a magnetic field (T)"},
      {"field_key", field("uniform = [0, 0, 1]\nfactr = 2"), "unknown key `factr`; did you mean `factor`?"},
      {"names", field("name = \"a\"\nuniform = [0, 0, 1]\n[[field]]\nname = \"a\"\nuniform = [0, 0, 1]"),
       "there are two fields `a`"},
      {"rod_name", field("name = \"beam\"\nuniform = [0, 0, 1]"), "there is a rod `beam`"},
  };
}

std::vector<BadScene> magnets() {
  return {
      {"no_shape", magnet("moment = [0, 0, 1]"), "field.0.magnet: `shape` is missing"},
      {"shape", magnet("shape = \"cube\", size = [1, 1, 1]"), "found \"cube\", expected \"cuboid\" or \"cylinder\""},
      {"no_size", magnet("shape = \"cuboid\", moment = [0, 0, 1]"), "field.0.magnet: `size` is missing"},
      {"zero_size", magnet("shape = \"cuboid\", size = [1, 0, 1], moment = [0, 0, 1]"),
       "field.0.magnet.size[1]: found 0, expected a value above 0"},
      {"negative", magnet("shape = \"sphere\", diameter = \"-1 mm\", moment = [0, 0, 1]"), "expected a value above 0"},
      {"no_radius", magnet("shape = \"loop\", current = 1"), "field.0.magnet: expected one of `diameter`, `radius`"},
      {"no_length", magnet("shape = \"cylinder\", radius = 1, moment = [0, 0, 1]"),
       "field.0.magnet: `length` is missing"},
      {"unmagnetised", magnet("shape = \"sphere\", radius = 1"), "expected one of `magnetisation`, `moment`"},
      {"no_moment", magnet("shape = \"dipole\", magnetisation = [0, 0, 1]"), "field.0.magnet: `moment` is missing"},
      {"no_strength", magnet("shape = \"sphere\", radius = 1, magnetisation = [0, 0, 0]"), "it would be no magnet"},
      {"moment_unit", magnet("shape = \"dipole\", moment = [0, 0, \"1 kA/m\"]"), "field.0.magnet.moment[2]: found"},
      {"remanence", magnet("shape = \"sphere\", radius = 1, magnetisation = [0, 0, \"1.3 T\"]"),
       "found a magnetic field (T) in \"1.3 T\", expected a magnetisation (A/m)"},
      {"no_current", magnet("shape = \"coil\", radius = 1, length = 1"), "field.0.magnet: `current` is missing"},
      {"loop_moment", magnet("shape = \"loop\", radius = 1, current = 1, moment = [0, 0, 1]"), "unknown key `moment`"},
      {"orientation", magnet("shape = \"dipole\", moment = [0, 0, 1], orientation = [0, 0, \"1 m\"]"),
       "field.0.magnet.orientation[2]: found a length"},
  };
}

// Magnets that are driven, or that stand where a rod is.
std::vector<BadScene> places_of_magnets() {
  const std::string named = "[[field]]\nname = \"hand\"\nmagnet = { shape = \"dipole\", moment = [0, 0, 1], ";
  const std::string drive = "[[stage.drive]]\non = \"hand\"\nmove = [\"1 mm*s\", 0, 0]\n";
  const std::string magnetised =
      solver + rubber + "magnetisation = 1e4\n" + beam + "magnetisation_direction = [1, 0, 0]\n";
  return {
      {"drive_moving", steps + named + "position = [\"t * 1 m/s\", 0, 0] }\n[[stage]]\nduration = 1\n" + drive,
       "says by itself how it moves"},
      {"drive_twice", steps + named + "position = [1, 0, 0] }\n[[stage]]\nduration = 1\n" + drive + drive,
       "\"hand\" has a drive already"},
      {"drive_affine", steps + named + "position = [1, 0, 0] }\n[[stage]]\nduration = 1\n" + drive + "affine = true\n",
       "it is for the ends of rods"},
      {"drive_field",
       steps + "[[field]]\nname = \"b\"\nuniform = [0, 0, 1]\n[[stage]]\nduration = 1\n"
               "[[stage.drive]]\non = \"b\"\nmove = [0, 0, 0]\n",
       "there is no body called `b`"},
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

class BadFields : public testing::TestWithParam<BadGroup> {};

TEST_P(BadFields, SayWhatIsWrong) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, BadFields,
                         testing::Values(BadGroup{"fields", fields}, BadGroup{"magnets", magnets},
                                         BadGroup{"places_of_magnets", places_of_magnets}),
                         [](const auto& group) { return std::string(group.param.name); });

}  // namespace ls::bad_fields_test
