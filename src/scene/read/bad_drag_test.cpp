#include "scene/read/test_bad_scenes.h"

// What is wrong with [drag], and what the user is told about it.
namespace ls::bad_drag_test {

using test::BadGroup;
using test::BadScene;
using test::expect_refused;

const std::string head =
    "[solver]\nduration = \"1 s\"\n[material.rubber]\nyoung = \"1 MPa\"\npoisson = 0.4\ndensity = 1000\n";
const std::string rod =
    "[[rod]]\nname = \"beam\"\nmaterial = \"rubber\"\nsection = { diameter = \"2 mm\" }\n"
    "line = { from = [0, 0, 0], to = [0.1, 0, 0] }\nbonds = 10\n";

std::string drag(const std::string& keys, const std::string& bodies = rod) {
  return head + bodies + "[drag]\n" + keys + "\n";
}

std::vector<BadScene> keys() {
  return {
      {"none", drag(""), "drag: `viscosity` is missing, expected a viscosity (Pa s)"},
      {"zero", drag("viscosity = 0"), "drag.viscosity: found 0, expected a value above 0"},
      {"kinematic", drag("viscosity = \"1 mm^2/s\""), "expected a viscosity (Pa s)"},
      {"law", drag("viscosity = 1\nlaw = \"stokes\""), "drag.law: found \"stokes\", expected \"slender\""},
      {"flow_unit", drag("viscosity = 1\nflow = [\"1 m\", 0, 0]"), "expected a velocity (m/s)"},
      {"flow_list", drag("viscosity = 1\nflow = 3"), "drag.flow: found 3, expected"},
      {"flow_nan", drag("viscosity = 1\nflow = [\"1 m/s * sqrt(0.05 - x / 1 m)\", 0, 0]"),
       "drag.flow: at the start the flow, or its slope, is not a number at beam[5], (0.05, 0, 0) m"},
      {"flow_pole", drag("viscosity = 1\nflow = [0, \"1 m^2/s / x\", 0]"), "is not a number at beam[0], (0, 0, 0) m"},
      {"flow_name", drag("viscosity = 1\nflow = [\"w*3 m/s\", 0, 0]"), "drag.flow"},
      {"key", drag("viscosty = 1"), "unknown key `viscosty`; did you mean `viscosity`?"},
      {"fluid", drag("viscosity = 1\n[fluid]\nspacing = 0.1\nsize = [1, 1, 1]\nviscosity = 1\ndensity = 1000"),
       "drag: found [drag] beside [fluid]"},
      {"list", head + rod + "[[drag]]\nviscosity = 1\n", "drag"},
  };
}

std::vector<BadScene> bodies() {
  const std::string stubby =
      "[[rod]]\nname = \"stub\"\nmaterial = \"rubber\"\nsection = { diameter = \"20 mm\" }\n"
      "line = { from = [0, 0, 0], to = [0.05, 0, 0] }\nbonds = 4\n";
  const std::string box =
      "[[rigid]]\nname = \"box\"\nmaterial = \"rubber\"\nshape = \"box\"\nsize = [0.01, 0.01, 0.01]\n";
  const std::string shell =
      "[[shell]]\nname = \"sheet\"\nmaterial = \"rubber\"\nthickness = \"1 mm\"\n"
      "sheet = { size = [0.1, 0.1], spacing = 0.02 }\n";
  return {
      {"stubby", drag("viscosity = 1", stubby),
       "drag: rod `stub` is 5 times as long as its radius, expected at least 10: law = \"slender\" is for slender "
       "rods"},
      {"box", drag("viscosity = 1", box), "drag: rigid body `box` is neither a rod nor a ball"},
      {"shell", drag("viscosity = 1", shell), "drag: shell `sheet` is neither a rod nor a ball"},
  };
}

const BadGroup groups[] = {{"keys", keys}, {"bodies", bodies}};

class BadDrag : public testing::TestWithParam<BadGroup> {};
TEST_P(BadDrag, IsRefused) {
  expect_refused(GetParam());
}
INSTANTIATE_TEST_SUITE_P(All, BadDrag, testing::ValuesIn(groups), [](const auto& one) { return one.param.name; });

TEST(Drag, FixedBodiesOfAnyShapeAreLeftAlone) {
  const Plan plan = read_text(drag("viscosity = 1\nflow = [\"y/0.5 s\", 0, \"sin(t/0.3 s)*1 m/s\"]",
                                   rod + "[[rigid]]\nname = \"box\"\nshape = \"box\"\nsize = [0.01, 0.01, 0.01]\n"
                                         "position = [0, 0.1, 0]\nfixed = true\n"),
                              "scene.toml");
  EXPECT_TRUE(plan.stream);
  EXPECT_EQ(plan.model.drag.size(), plan.model.bodies[0].nodes.size());
  EXPECT_TRUE(plan.warnings.empty());
}

TEST(Drag, WithHeatIsWarnedOf) {
  const Plan plan = read_text(drag("viscosity = 1") + "[thermal]\ntemperature = 300\ntime = 1\n", "scene.toml");
  ASSERT_EQ(plan.warnings.size(), 1u);
  EXPECT_NE(plan.warnings[0].find("[drag]"), std::string::npos);
}

}  // namespace ls::bad_drag_test
