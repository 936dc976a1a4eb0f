#include "scene/read/test_bad_scenes.h"

// What is wrong with rigid bodies, walls and contact, and what the user is told about it.
namespace ls::bad_bodies_test {

using test::BadGroup;
using test::BadScene;
using test::expect_refused;

const std::string solver = "[solver]\nduration = \"1 s\"\n";
const std::string steel = "[material.steel]\nyoung = \"200 GPa\"\npoisson = 0.3\ndensity = 7800\n";
const std::string ball = "[[rigid]]\nname = \"ball\"\nmaterial = \"steel\"\nshape = \"sphere\"\nradius = \"5 mm\"\n";
const std::string good = solver + steel + ball;

std::string with(const std::string& text) {
  return good + text + "\n";
}
std::string rigid(const std::string& keys) {
  return solver + steel + "[[rigid]]\nname = \"cube\"\n" + keys + "\n";
}
std::string wall(const std::string& keys) {
  return good + "[contact]\n[[wall]]\nname = \"w\"\n" + keys + "\n";
}

std::vector<BadScene> contact() {
  const auto kind = [](const std::string& keys, const std::string& law) {
    return "[solver]\nduration = 1\n" + keys + "\n" + steel + ball + "[contact]\n" + law + "\n";
  };
  return {
      {"law", with("[contact]\nlaw = \"hertz\""),
       "contact.law: found \"hertz\", expected \"hertz-mindlin\" or \"barrier\""},
      {"hertz_implicit", kind("kind = \"implicit\"", "law = \"hertz-mindlin\""),
       "contact.law: found \"hertz-mindlin\", but stage 1 is solved by kind = \"implicit\", which needs \"barrier\""},
      {"hertz_static", kind("kind = \"static\"", "law = \"hertz-mindlin\""),
       "kind = \"static\", which needs \"barrier\""},
      {"barrier_explicit", kind("", "law = \"barrier\""),
       "contact.law: found \"barrier\", but stage 1 is solved by kind = \"explicit\", which needs \"hertz-mindlin\""},
      {"midpoint", kind("kind = \"implicit\"\nscheme = \"midpoint\"", ""),
       "solver.scheme: found \"midpoint\", but bodies touch: expected \"backward-euler\""},
      {"geometry", with("[contact]\ngeometry = \"ball\""), "expected \"capsule\" or \"sphere\""},
      {"friction", with("[contact]\nfriction = -1"), "contact.friction: found -1, expected 0 or more"},
      {"restitution", with("[contact]\nrestitution = 2"), "contact.restitution: found 2, expected a value from 0 to 1"},
      {"thickness", with("[contact]\nthickness = 0"), "contact.thickness: found 0, expected a value above 0"},
      {"thickness_unit", with("[contact]\nthickness = \"1 N\""), "found a force (N) in \"1 N\", expected a length (m)"},
      {"stiffness", with("[contact]\nstiffness = \"1 N\""), "found a force (N) in \"1 N\", expected a stiffness"},
      {"slip", with("[contact]\nslip_speed = 0"), "contact.slip_speed: found 0, expected a value above 0"},
      {"exclude", with("[contact]\nexclude = 0.1\nexclude_bonds = 2"), "found both `exclude` and `exclude_bonds`"},
      {"resolve", with("[contact]\nresolve_overlaps = 1"), "contact.resolve_overlaps: found 1, expected true or false"},
      {"key", with("[contact]\nfrction = 1"), "unknown key `frction`; did you mean `friction`?"},
      {"stage", steel + ball + "[[stage]]\nduration = 1\ncontact = true\n",
       "stage.0.contact: found true, but the scene has no [contact]"},
      {"stage_word", steel + ball + "[contact]\n[[stage]]\nduration = 1\ncontact = \"off\"\n",
       "stage.0.contact: found \"off\", expected true or false"},
  };
}

std::vector<BadScene> walls() {
  return {
      {"no_contact", with("[[wall]]\nplane = { normal = [0, 0, 1] }"),
       "found a wall, but nothing touches: add [contact]"},
      {"only_walls", solver + "[contact]\n[[wall]]\nplane = { normal = [0, 0, 1] }\n", "nothing to simulate"},
      {"kind", wall(""), "wall.w: expected one of `plane`, `box`, `sphere`, `cylinder`"},
      {"two_kinds", wall("plane = { normal = [0, 0, 1] }\nsphere = { radius = 1 }"), "found both `plane` and `sphere`"},
      {"misspelt", wall("plan = { normal = [0, 0, 1] }"), "unknown key `plan`; did you mean `plane`?"},
      {"no_normal", wall("plane = { point = [0, 0, -1] }"), "wall.w.plane: `normal` is missing"},
      {"zero_normal", wall("plane = { normal = [0, 0, 0] }"), "found a vector of no length, expected a direction"},
      {"plane_inside", wall("plane = { normal = [0, 0, 1] }\ninside = true"), "a plane has no inside"},
      {"box_order", wall("box = { from = [1, 1, 1], to = [0, 2, 2] }"), "found a box without volume"},
      {"box_half", wall("box = { from = [1, 1, 1] }"), "wall.w.box: `to` is missing"},
      {"box_both", wall("box = { from = [1, 1, 1], centre = [0, 0, 0] }"), "found both `from` and `centre`"},
      {"sphere_radius", wall("sphere = { radius = 0 }"), "wall.w.sphere.radius: found 0, expected a value above 0"},
      {"cylinder_ends", wall("cylinder = { from = [0, 0, 0], to = [0, 0, 0], radius = 1 }"),
       "the cylinder has no length"},
      {"endless_obstacle", wall("cylinder = { axis = [0, 0, 1], radius = 1 }\ninside = false"),
       "an obstacle has ends; expected `from` and `to`"},
      {"name", wall("plane = { normal = [0, 0, 1], point = [0, 0, -1] }\n[[wall]]\nname = \"ball\""),
       "there are two bodies `ball`"},
      {"material", wall("plane = { normal = [0, 0, 1], point = [0, 0, -1] }\nmaterial = \"steal\""),
       "there is no [material.steal]; did you mean `steel`?"},
      {"load", wall("plane = { normal = [0, 0, 1], point = [0, 0, -1] }\n[[load]]\non = \"w\"\nforce = [1, 0, 0]"),
       "found \"w\", a wall: no load can move it"},
      {"hold_and_drive",
       wall("plane = { normal = [0, 0, 1], point = [0, 0, -1] }\n[[hold]]\non = \"w\"\n[[drive]]\non = \"w\"\n"
            "move = [0, 0, \"1 mm * s\"]"),
       "x of \"w\" is already held"},
      {"part", wall("plane = { normal = [0, 0, 1], point = [0, 0, -1] }\n[[drive]]\non = \"w.end\"\nmove = [0, 0, 0]"),
       "found \"w.end\", expected \"w\": it has no parts"},
  };
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<BadScene> rigids() {
  return {
      {"no_shape", rigid(""), "rigid.cube: expected one of `shape`, `mesh`"},
      {"shape", rigid("shape = \"cube\""),
       "found \"cube\", expected \"sphere\" or \"capsule\" or \"box\" or \"cylinder\""},
      {"no_radius", rigid("shape = \"sphere\""), "rigid.cube: `radius` is missing"},
      {"no_size", rigid("shape = \"box\""), "rigid.cube: `size` is missing"},
      {"flat", rigid("shape = \"box\"\nsize = [1, 1, 0]\nmass = 1"), "expected three lengths above 0"},
      {"box_radius", rigid("shape = \"box\"\nsize = [1, 1, 1]\nradius = 1\nmass = 1"),
       "found `radius`, which a box does not have"},
      {"sphere_length", rigid("shape = \"sphere\"\nlength = 1\nradius = 1\nmass = 1"),
       "found `length`, which a sphere does not have"},
      {"rounding", rigid("shape = \"box\"\nsize = [1, 1, 0.2]\nrounding = 0.1\nmass = 1"),
       "expected less than half of its smallest size, 0.1 m"},
      {"sides", rigid("shape = \"cylinder\"\nradius = 1\nlength = 1\nsides = 2\nmass = 1"),
       "rigid.cube.sides: found 2, expected a whole number from 3"},
      {"no_mass", rigid("shape = \"sphere\"\nradius = 1"), "how heavy is it?"},
      {"no_density", solver + "[material.air]\n[[rigid]]\nshape = \"sphere\"\nradius = 1\nmaterial = \"air\"\n",
       "its material has no `density`; expected one, or a `mass`"},
      {"zero_mass", rigid("shape = \"sphere\"\nradius = 1\nmass = 0"), "rigid.cube.mass: found 0, expected a value"},
      {"inertia_alone", rigid("shape = \"sphere\"\nradius = 1\ninertia = [1, 1, 1]"), "`mass` is missing"},
      {"inertia", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\ninertia = [1, 1, 3]"),
       "found moments that no body has"},
      {"position", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\nposition = [0, 0]"),
       "rigid.cube.position: found a list"},
      {"orientation", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\norientation = { axis = [0, 0, 1] }"),
       "rigid.cube.orientation: `angle` is missing"},
      {"fixed_flying", rigid("shape = \"sphere\"\nradius = 1\nfixed = true\nvelocity = [1, 0, 0]"),
       "found a body that stands still and has a velocity"},
      {"moment", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\nmoment = [0, 0, \"1 T\"]"), "rigid.cube.moment[2]"},
      {"dipoles", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\ndipoles = 3"), "expected a list of tables"},
      {"dipole_place", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\ndipoles = [{ moment = [1, 0, 0] }]"),
       "`position` is missing"},
      {"dipoles_and_moment",
       rigid("shape = \"sphere\"\nradius = 1\nmass = 1\nmoment = [1, 0, 0]\ndipoles = [{ position = [0, 0, 0], moment "
             "= [1, "
             "0, 0] }]"),
       "found both `moment` and `dipoles`"},
      {"sampling_of_nothing", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\nsampling = 0.1"),
       "found a body without a `moment`"},
      {"sampling_too_coarse", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\nmoment = [1, 0, 0]\nsampling = \"3 m\""),
       "which leaves the body without cells: expected 2 m at most"},
      {"sampling_too_fine", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\nmoment = [1, 0, 0]\nsampling = \"5 mm\""),
       "expected no more than 10000000"},
      {"sampling_of_dipoles",
       rigid("shape = \"sphere\"\nradius = 1\nmass = 1\nsampling = 1\ndipoles = [{ position = [0, 0, 0], moment = [1, "
             "0, 0] "
             "}]"),
       "found both `dipoles` and `sampling`"},
      {"susceptibility", solver + "[material.m]\nsusceptibility = -1\n", "expected a value above -1"},
      {"susceptibilities", solver + "[material.m]\nsusceptibility = [1, -0.5, 1]\n", "all above 0 or all below"},
      {"saturation_alone", solver + "[material.m]\nsaturation = \"1 MA/m\"\n",
       "a `saturation` without a `susceptibility` above 0"},
      {"saturation_of_a_diamagnet", solver + "[material.m]\nsusceptibility = -0.1\nsaturation = \"1 MA/m\"\n",
       "a `saturation` without a `susceptibility` above 0"},
      {"saturation_of_three", solver + "[material.m]\nsusceptibility = [1, 2, 1]\nsaturation = \"1 MA/m\"\n",
       "expected one number"},
      {"curve_alone", solver + "[material.m]\nsusceptibility = 5\ncurve = \"langevin\"\n",
       "a `curve` without a `saturation`"},
      {"soft_cells",
       solver + "[material.m]\nsusceptibility = 5\ndensity = 1\n[[rigid]]\nshape = \"sphere\"\nradius = 1\nmaterial = "
                "\"m\"\nsampling = 0.1\n",
       "of a body with a `susceptibility` expected no more than 1000"},
      {"soft_in_one_place",
       solver + "[material.m]\nsusceptibility = 5\ndensity = 1\n[[rigid]]\nname = \"a\"\nshape = \"sphere\"\nradius = "
                "1\nmaterial = \"m\"\n[[rigid]]\nname = \"b\"\nshape = \"sphere\"\nradius = 2\nmaterial = "
                "\"m\"\n[dipoles]\n",
       "a dipole of a and one of b are in one place"},
      {"dipoles_in_one_place",
       rigid("shape = \"sphere\"\nradius = 1\nmass = 1\nmoment = [1, 0, 0]") +
           "[[rigid]]\nname = \"other\"\nshape = \"sphere\"\nradius = 1\nmass = 1\nmoment = [1, 0, 0]\n[dipoles]\n",
       "a dipole of cube and one of other are in one place"},
      {"dipoles_of_one_body_in_one_place",
       rigid("shape = \"sphere\"\nradius = 1\nmass = 1\ndipoles = [{ position = [0, 0, 0], moment = [1, 0, 0] }, { "
             "position "
             "= [0, 0, 0], moment = [1, 0, 0] }]") +
           "[dipoles]\n",
       "two of its dipoles are in one place"},
      {"count_and_grid", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\ncount = 2\ngrid = { n = [1, 1, 1] }"),
       "found both `count` and `grid`"},
      {"count_spacing", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\ncount = 2"), "`spacing` is missing"},
      {"spacing_alone", rigid("shape = \"sphere\"\nradius = 1\nmass = 1\nspacing = [1, 0, 0]"),
       "it belongs to `count`"},
      {"too_many",
       rigid("shape = \"sphere\"\nradius = 1\nmass = 1\ngrid = { n = [1000, 1000, 1000], spacing = [1, 1, 1] }"),
       "found more than 1000000 bodies"},
      {"name", with(ball), "there are two bodies `ball`"},
      {"name_of_many", with("count = 2\nspacing = [1, 0, 0]\n" + ball), "there are two bodies `ball`"},
      {"one_of_many", with("count = 2\nspacing = [1, 0, 0]\n[[probe]]\nof = \"ball\"\nrecord = \"position\""),
       "found \"ball\", expected one of \"ball[0]\" to \"ball[1]\""},
      {"beyond", with("count = 2\nspacing = [1, 0, 0]\n[[probe]]\nof = \"ball[2]\"\nrecord = \"position\""),
       "expected one of \"ball[0]\" to \"ball[1]\""},
      {"part", with("[[probe]]\nof = \"ball.end\"\nrecord = \"position\""), "expected \"ball\": it has no parts"},
      {"per_length", with("[[load]]\non = \"ball\"\nper_length = [1, 0, 0]"), "a load per length is for rods"},
      {"affine", with("[[drive]]\non = \"ball\"\nmove = [0, 0, 0]\naffine = true"), "it is for the ends of rods"},
      {"richardson",
       "[solver]\nduration = 1\nrotation = \"richardson\"\n[[rigid]]\nname = \"cube\"\nshape = \"box\"\n"
       "size = [1, 2, 3]\nmass = 1\n",
       "which is for spheres only; `cube` is none"},
      {"memory",
       rigid("shape = \"cylinder\"\nradius = 0.01\nlength = 0.01\nsides = 1000\nmass = 1\n"
             "grid = { n = [100, 100, 100], spacing = [1, 1, 1] }"),
       "1e+06 bodies of 3996 triangles and 0 dipoles need some 1.8e+03 GB"},
  };
}

class BadBodies : public testing::TestWithParam<BadGroup> {};

TEST_P(BadBodies, SayWhatIsWrong) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, BadBodies,
                         testing::Values(BadGroup{"contact", contact}, BadGroup{"walls", walls},
                                         BadGroup{"rigids", rigids}),
                         [](const auto& group) { return std::string(group.param.name); });

TEST(BadBodiesTable, TheGoodPartsAreGood) {
  EXPECT_EQ(read_text(good, "scene.toml").model.nodes, 1);
  EXPECT_EQ(read_text(wall("sphere = { radius = 1 }"), "scene.toml").model.nodes, 2);
  EXPECT_EQ(read_text(rigid("shape = \"sphere\"\nradius = 1\nmass = 1"), "scene.toml").model.mass[0], 1);
}

}  // namespace ls::bad_bodies_test
