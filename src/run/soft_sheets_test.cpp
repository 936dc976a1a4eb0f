#include "base/sanitized.h"
#include "physics/cuboid_tensor.h"
#include "physics/magnets.h"
#include "scene/read/test_reader.h"
#include "scene/schedule.h"
#include "terms/dipoles/magnetic_field.h"
#include "terms/make_terms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numbers>

// Shells and networks of soft matter, from the scene to their moments.
namespace ls::soft_sheets_test {

namespace {

using V = Vec3<double>;
constexpr double field = 1e-3;  // T

struct Magnetised {
  Plan plan;
  State state;
  Inputs in;
  V moment{}, middle{};  // of all, A m^2; B at the origin, T

  Magnetised(const std::string& body, double chi, const V& b)
      : plan(read_text(
            fmt::format("[solver]\nduration = 1\n[material.soft]\nyoung = \"1 GPa\"\npoisson = 0.3\ndensity = 1000\n"
                        "susceptibility = {}\n[dipoles]\n[[field]]\nuniform = [{}, {}, {}]\n{}",
                        chi, b.x, b.y, b.z, body),
            "scene.toml")),
        state(plan.start) {
    Schedule schedule(plan, 1e-3);
    schedule.begin_stage(state);
    in = schedule.now(state.clock);
    const Terms terms = make_terms(plan.model);
    Team alone;
    for (const V& m : terms.induction->moments(state, in, alone)) moment += m;
    terms.induction->advance(state, in, state.memory);
    middle = MagneticField(plan.model, state, in).at({0, 0, 0});
  }
};

// A hollow ball of inner radius a and outer radius b in a uniform field (Jackson, 5.12): B inside, over that outside.
double shielded(double chi, double a, double b) {
  const double mu = 1 + chi, ratio = a * a * a / (b * b * b);
  return 9 * mu / ((2 * mu + 1) * (mu + 2) - 2 * ratio * (mu - 1) * (mu - 1));
}
double hollow_moment(double chi, double a, double b) {  // A m^2, over H outside
  const double mu = 1 + chi, cubes = b * b * b - a * a * a, ratio = a * a * a / (b * b * b);
  return 4 * std::numbers::pi * (2 * mu + 1) * (mu - 1) * cubes /
         ((2 * mu + 1) * (mu + 2) - 2 * ratio * (mu - 1) * (mu - 1));
}

// Around each node is a hole of bonds: the error of a curved sheet goes with their length.
TEST(SoftSheets, AHollowBallShieldsItsInside) {
  const V along = normalized(V{1, 0.5, -2});
  for (const double chi : {1000.0, 10.0, 20000.0}) {
    if (is_sanitized && chi != 1000.0) break;
    const auto ball = [&](int frequency) {
      return Magnetised(fmt::format("[[shell]]\nname = \"ball\"\nmaterial = \"soft\"\nthickness = 0.0002\nsphere = {{ "
                                    "radius = 0.1, frequency = {} }}\n",
                                    frequency),
                        chi, field * along);
    };
    const Magnetised coarse = ball(8), fine = ball(16);
    const double right = shielded(chi, 0.0999, 0.1001), moment = hollow_moment(chi, 0.0999, 0.1001) * field / mu0;
    EXPECT_NEAR(dot(fine.middle, along), right * field, 0.06 * (1 - right) * field) << chi;
    EXPECT_NEAR(dot(fine.moment, along), moment, 0.06 * moment) << chi;
    EXPECT_NEAR(dot(2 * fine.middle - coarse.middle, along), right * field, 0.015 * (1 - right) * field) << chi;
    EXPECT_NEAR(dot(2 * fine.moment - coarse.moment, along), moment, 0.015 * moment) << chi;
  }
}

// A square plate 40 times as wide as thick, whose factor as a box is known in closed form.
TEST(SoftSheets, APlateHasTheFactorsOfABox) {
  const double width = 0.2, thick = 0.005, volume = width * width * thick, chi = 0.2;
  const Sym3 box = cuboid_tensor({width, width, thick}, {});
  for (const std::string grid : {"triangular", "square"}) {
    const std::string plate = fmt::format(
        "[[shell]]\nname = \"plate\"\nmaterial = \"soft\"\nthickness = {}\nsheet = {{ size = [{}, {}], spacing = "
        "0.008, "
        "lattice = \"{}\" }}\n",
        thick, width, width, grid);
    const auto factor = [&](const V& along) {
      const Magnetised found(plate, chi, field * along);
      return (volume * chi * field / mu0 / dot(found.moment, along) - 1) / chi;
    };
    EXPECT_NEAR(factor({0, 0, 1}), box.zz, 0.02) << grid;
    EXPECT_NEAR(factor({1, 0, 0}), box.xx, 0.01) << grid;
    EXPECT_NEAR(factor({0, 1, 0}), box.yy, 0.01) << grid;
  }
}

// Forty bonds across, and twenty: of soft iron, where most of all is at stake.
TEST(SoftSheets, PlatesHardlyDependOnTheirBonds) {
  const auto moment = [](double spacing, const V& along) {
    const std::string plate = fmt::format(
        "[[shell]]\nname = \"plate\"\nmaterial = \"soft\"\nthickness = 0.005\nsheet = {{ size = [0.2, 0.2], spacing = "
        "{} "
        "}}\n",
        spacing);
    return dot(Magnetised(plate, 1000, field * along).moment, along);
  };
  for (const V& along : {V{0, 0.6, 0.8}, V{1, 0, 0}}) {
    if (is_sanitized && along.x != 0) break;
    const double fine = moment(0.005, along);
    EXPECT_NEAR(moment(0.01, along), fine, 0.1 * fine);
  }
}

// A net of struts along x and y whose meshes are wide: those along the field have its moment, those across half as much
// for a large chi of their volume.
TEST(SoftSheets, ANetIsAsItsStruts) {
  const std::string net =
      "[[network]]\nname = \"net\"\nmaterial = \"soft\"\nlattice = \"cubic\"\ncells = [4, 4, 4]\ncell = 0.05\n"
      "section = { diameter = 0.0002 }\nbonds_per_strut = 3\n";
  const double chi = 4, volume = 3 * 4 * 25 * 0.05 * std::numbers::pi / 4 * 4e-8;
  const Magnetised found(net, chi, {0, 0, field});
  const double right = volume * field / mu0 * (chi + 2 * chi / (1 + chi / 2)) / 3;
  EXPECT_NEAR(found.moment.z, right, 0.01 * right);
}

}  // namespace

}  // namespace ls::soft_sheets_test
