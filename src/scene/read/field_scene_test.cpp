#include "math/rotation.h"
#include "scene/fields.h"
#include "scene/read/reader.h"
#include "scene/schedule.h"

#include <cmath>
#include <ctime>
#include <gtest/gtest.h>
#include <numbers>

namespace ls::field_scene_test {

using V = Vec3<double>;

const std::string magnetic_beam =
    "[material.rubber]\nyoung = 1e6\npoisson = 0.4\ndensity = 1000\nmagnetisation = \"50 kA/m\"\n"
    "[[rod]]\nname = \"beam\"\nmaterial = \"rubber\"\nsection = { diameter = \"2 mm\" }\n"
    "line = { from = [0, 0, 0], to = [0.1, 0, 0] }\nbonds = 10\nmagnetisation_direction = [1, 0, 0]\n";
const std::string solver = "[solver]\nduration = \"2 s\"\ndt = \"1 ms\"\n";

Plan with_field(const std::string& field, const std::string& more = "") {
  return read_text(magnetic_beam + "[[field]]\n" + field + "\n" + solver + more, "scene.toml");
}

// The fields of a scene at a place and at a share of the first stage.
class At {
 public:
  explicit At(const Plan& plan) : schedule_(plan, 1e-3) {
    state_.nodes = plan.start.nodes;
    schedule_.begin_stage(state_);
  }
  FieldSample operator()(const V& x, double s = 0) {
    const Inputs in =
        schedule_.within(state_.clock, s * static_cast<double>(schedule_.spans()[state_.clock.stage].steps));
    FieldSample f;
    for (const auto& field : in.fields) field->add(&x, 1, 2, &f);
    return f;
  }
  // From the end of the stage under way.
  void next_stage() {
    state_.clock.step_in_stage = schedule_.spans()[state_.clock.stage].steps;
    schedule_.end_stage(state_);
    state_.clock.step_in_stage = 0;
    state_.clock.time += schedule_.spans()[state_.clock.stage].duration;
    state_.clock.stage += 1;
    schedule_.begin_stage(state_);
  }
  const State& state() const { return state_; }

 private:
  Schedule schedule_;
  State state_;
};

void expect_near(const V& a, const V& b, double tolerance) {
  EXPECT_LE(norm(a - b), tolerance) << a.x << " " << a.y << " " << a.z << " but not " << b.x << " " << b.y << " "
                                    << b.z;
}

TEST(Fields, UniformFollowsTime) {
  const Plan plan = with_field("uniform = [\"3 mT\", \"2 mT * t / 1 s\", 0]\nfactor = \"1 + s\"");
  At at(plan);
  expect_near(at({1, 2, 3}).b, {3e-3, 0, 0}, 1e-18);
  const FieldSample f = at({1, 2, 3}, 0.5);
  expect_near(f.b, {4.5e-3, 3e-3, 0}, 1e-17);
  expect_near(f.gradient.c1, {}, 0);
}

TEST(Fields, GradientIsThatOfTheBeams) {
  const Plan plan = with_field("gradient = { value = \"2 T/m\", axis = [0, 1, 0], centre = [\"50 mm\", 0, 0] }");
  At at(plan);
  const FieldSample f = at({0.15, 0.2, 0.3});
  expect_near(f.b, {-0.1, 0.4, -0.3}, 1e-15);  // b (-x/2, y, -z/2)
  expect_near(f.gradient.c1, {-1, 0, 0}, 1e-15);
  expect_near(f.gradient.c2, {0, 2, 0}, 1e-15);
  expect_near(f.gradient.c3, {0, 0, -1}, 1e-15);
  EXPECT_TRUE(plan.warnings.empty());
}

TEST(Fields, RotatingGoesByTheRightHand) {
  const Plan plan =
      with_field("rotating = { B = \"80 mT\", axis = [0, 0, 2], rate = \"90 deg/s\", phase = \"30 deg\" }");
  At at(plan);
  const double a = std::numbers::pi / 6;
  expect_near(at({}).b, {0.08 * std::cos(a), 0.08 * std::sin(a), 0}, 1e-16);
  expect_near(at({}, 0.5).b, {-0.08 * std::sin(a), 0.08 * std::cos(a), 0}, 1e-16);  // after a quarter turn
  const Plan about_x = with_field("rotating = { B = 1, axis = [1, 0, 0], rate = 1 }");
  const Plan about_y = with_field("rotating = { B = 1, axis = [0, 1, 0], rate = 1 }");
  const Plan down = with_field("rotating = { B = 1, axis = [0, 0, -1], rate = \"90 deg/s\" }");
  expect_near(At(about_x)({}).b, {0, 1, 0}, 1e-15);
  expect_near(At(about_y)({}).b, {0, 0, 1}, 1e-15);
  expect_near(At(down)({}, 0.5).b, {0, -1, 0}, 1e-15);
}

// The same field three ways: formula, potential, gradient.
TEST(Fields, PotentialAndExpressionAgree) {
  const Plan formula = with_field("expression = [\"-1 T/m * x\", \"2 T/m * y\", \"-1 T/m * z + 3 mT\"]");
  const Plan potential = with_field("potential = \"0.5 T/m * (x^2 - 2*y^2 + z^2) - 3 mT * z\"");
  At a(formula), b(potential);
  const V x{0.1, -0.2, 0.3};
  expect_near(a(x).b, {-0.1, -0.4, -0.297}, 1e-15);
  expect_near(b(x).b, {-0.1, -0.4, -0.297}, 1e-15);
  expect_near(a(x).gradient.c2, b(x).gradient.c2, 1e-15);
  EXPECT_TRUE(formula.warnings.empty()) << formula.warnings[0];
  EXPECT_TRUE(potential.warnings.empty());
}

// A dipole along z as a formula: third derivatives of its potential against the closed form.
TEST(Fields, DerivativesOfFormulasAreExact) {
  const Plan potential =
      with_field("potential = \"2e-7 T m^3 * (z - 0.3 m) / ((x - 0.2 m)^2 + y^2 + (z - 0.3 m)^2)^1.5\"");
  const Plan magnet =
      with_field("magnet = { shape = \"dipole\", moment = [0, 0, \"2 A m^2\"], position = [0.2, 0, 0.3] }");
  At a(potential), b(magnet);
  const V x{0.1, -0.2, 0.25};
  const FieldSample p = a(x), q = b(x);
  expect_near(p.b, q.b, 1e-13 * norm(q.b));
  const Mat3<double>*ours[] = {&p.gradient, &p.second[0], &p.second[1], &p.second[2]},
        *right[] = {&q.gradient, &q.second[0], &q.second[1], &q.second[2]};
  for (int k = 0; k < 4; ++k) {
    const double scale = norm(right[k]->c1) + norm(right[k]->c2) + norm(right[k]->c3);
    expect_near(ours[k]->c1, right[k]->c1, 1e-13 * scale);
    expect_near(ours[k]->c2, right[k]->c2, 1e-13 * scale);
    expect_near(ours[k]->c3, right[k]->c3, 1e-13 * scale);
  }
  EXPECT_TRUE(potential.warnings.empty()) << potential.warnings[0];
}

TEST(Fields, MagnetsByTheirMoment) {
  // Far away all of them are the dipole of that moment.
  const V x{3, 2, -1}, right = PointDipole{{0, 0, 2}}.field(x);
  for (const char* magnet :
       {"shape = \"cuboid\", size = [\"1 cm\", \"2 cm\", \"1 cm\"], moment = [0, 0, 2]",
        "shape = \"cylinder\", diameter = \"1 cm\", length = \"2 cm\", moment = [0, 0, 2]",
        "shape = \"cylinder\", radius = \"1 cm\", length = \"2 cm\", magnetisation = [0, 0, \"1 MA/m / pi\"]",
        "shape = \"sphere\", diameter = \"1 cm\", moment = [0, 0, 2]",
        "shape = \"loop\", radius = \"1 cm\", turns = 20, current = \"1 kA / pi\"",
        "shape = \"coil\", diameter = \"2 cm\", length = \"1 cm\", turns = 20, current = \"1 kA / pi\"",
        "shape = \"dipole\", moment = [\"-2 A m^2\", 0, 0], orientation = [0, \"90 deg\", 0]"}) {
    const Plan plan = with_field("magnet = { " + std::string(magnet) + ", position = [1, 1, 1] }");
    expect_near(At(plan)(x + V{1, 1, 1}).b, right, 1e-4 * norm(right));
  }
}

TEST(Fields, MagnetsFollowTheirExpressions) {
  const Plan plan = with_field(
      "magnet = { shape = \"dipole\", moment = [0, 0, 1], position = [0, \"10 cm + 1 cm * t / 1 s\", 0], "
      "orientation = [\"90 deg * s\", 0, 0] }");
  At at(plan);
  const V x{0.3, 0.1, 0.2};
  expect_near(at(x).b, PointDipole{{0, 0, 1}}.field(x - V{0, 0.1, 0}), 1e-20);
  expect_near(at(x, 1).b, PointDipole{{0, -1, 0}}.field(x - V{0, 0.12, 0}), 1e-18);
}

const std::string driven_magnet =
    magnetic_beam +
    "[[field]]\nname = \"hand\"\nmagnet = { shape = \"dipole\", moment = [0, 0, 1], position = [0.2, 0, 0] }\n"
    "[[stage]]\nname = \"come\"\nduration = 1\ndt = \"1 ms\"\n"
    "[[stage.drive]]\non = \"hand\"\nmove = [\"-5 cm * s\", 0, 0]\n"
    "turn = { axis = [0, 1, 0], angle = \"90 deg * s\" }\n"
    "[[stage]]\nname = \"wait\"\nduration = 1\ndt = \"1 ms\"\n"
    "[[stage]]\nname = \"round\"\nduration = 1\ndt = \"1 ms\"\n"
    "[[stage.drive]]\non = \"hand\"\nturn = { axis = [0, 0, 1], angle = \"90 deg * s\", about = [0, 0, 0] }\n";

TEST(Fields, DrivesMoveMagnetsFromWhereTheLastStageLeftThem) {
  const Plan plan = read_text(driven_magnet, "scene.toml");
  At at(plan);
  const V x{0.05, 0.02, 0.01};
  expect_near(at(x).b, PointDipole{{0, 0, 1}}.field(x - V{0.2, 0, 0}), 1e-18);
  expect_near(at(x, 1).b, PointDipole{{1, 0, 0}}.field(x - V{0.15, 0, 0}), 1e-18);
  at.next_stage();
  expect_near(at(x, 0.4).b, PointDipole{{1, 0, 0}}.field(x - V{0.15, 0, 0}), 1e-18);
  at(x, 1);
  at.next_stage();
  expect_near(at(x).b, PointDipole{{1, 0, 0}}.field(x - V{0.15, 0, 0}), 1e-18);
  expect_near(at(x, 1).b, PointDipole{{0, 1, 0}}.field(x - V{0, 0.15, 0}), 1e-17);
}

TEST(Fields, ResumeFindsMagnetsWhereTheyWere) {
  const Plan plan = read_text(driven_magnet, "scene.toml");
  At at(plan);
  const V x{0.05, 0.02, 0.01};
  at(x, 1);
  at.next_stage();
  State s = at.state();
  s.clock.step_in_stage = 500;
  Schedule resumed(plan, 1e-3);
  resumed.resume_stage(s);
  FieldSample f;
  const Inputs now = resumed.now(s.clock);
  for (const auto& field : now.fields) field->add(&x, 1, 0, &f);
  const V right = at(x, 0.5).b;
  EXPECT_EQ(f.b.x, right.x);
  EXPECT_EQ(f.b.y, right.y);
  EXPECT_EQ(f.b.z, right.z);
}

std::string only_warning(const Plan& plan) {
  EXPECT_EQ(plan.warnings.size(), 1u);
  return plan.warnings.empty() ? "" : plan.warnings[0];
}

TEST(Fields, WarningsSayWhatCanBeNoMagneticField) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const std::string sources = only_warning(with_field("expression = [\"2 T/m * x\", 0, 0]"));
  has(sources, "the field in line 13: div B is not 0");
  has(sources, "it is 2 T/m, 1 of the size of grad B");
  has(only_warning(with_field("name = \"shear\"\nexpression = [\"2 T/m * y\", 0, 0]")),
      "field `shear`: curl B is not 0");
  has(only_warning(with_field("potential = \"1 T/m * (x^2 - y^2 + 0.1*z^2)\"")), "div B is not 0");
  // It is nothing until a stage makes it something.
  const std::string stages = "[[stage]]\nname = \"grow\"\nsteps = 10\ndt = \"1 ms\"\nset = { g = \"1 T/m * s\" }\n";
  has(only_warning(read_text(
          "[define]\ng = \"0 T/m\"\n" + magnetic_beam + "[[field]]\nexpression = [0, 0, \"g * x\"]\n" + stages,
          "scene.toml")),
      "curl B is not 0");
  has(only_warning(read_text(magnetic_beam + solver, "scene.toml")), "there is no [[field]]");
}

// Of a plate whole planes of samples lie beside each other along one axis or another.
TEST(Fields, ManySamplesAreReadInNoTime) {
  const std::clock_t begin = std::clock();
  const Plan plan = read_text(
      "[solver]\nkind = \"implicit\"\ndt = \"1 ms\"\nduration = \"1 s\"\n[dipoles]\nmethod = \"direct\"\n"
      "[[rigid]]\nshape = \"box\"\nsize = [\"1 mm\", \"40 cm\", \"40 cm\"]\nmass = \"1 kg\"\nsampling = \"1 mm\"\n"
      "moment = [\"1 A m^2\", 0, 0]\n",
      "scene.toml");
  EXPECT_EQ(all_dipoles(plan.model).size(), 160'000U);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 3);  // s; all pairs of a plane: some 10
}

}  // namespace ls::field_scene_test
