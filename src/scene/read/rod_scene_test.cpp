#include "base/memory.h"
#include "math/rotation.h"
#include "model/inputs.h"
#include "scene/body_numbers.h"
#include "scene/read/test_reader.h"

#include <cmath>
#include <numbers>

// What rods of a scene become.
namespace ls::rod_scene_test {

using test::beam;
using test::error_of;
using test::one_second;
using test::read;
using test::read_beam;
using test::rubber;

TEST(RodScene, BuildsARod) {
  const Plan p = read("title = \"A beam\"\nversion = 1\n" + one_second + rubber + beam + "clamp = [\"start\"]\n");
  EXPECT_EQ(p.title, "A beam");
  EXPECT_EQ(p.file, "scene.toml");
  EXPECT_EQ(p.model.nodes, 11);
  EXPECT_EQ(p.model.bonds(), 10);
  EXPECT_EQ(p.model.bodies.at(0).name, "beam");
  EXPECT_EQ(p.start.nodes.frame(10).x.x, 0.1);
  EXPECT_EQ(p.model.held[0], hold_all);
  EXPECT_EQ(p.model.held[10], 0);
  const double mass = 1100 * std::numbers::pi / 4 * 9e-6 * 0.01;
  EXPECT_NEAR(p.model.mass[5], mass, 1e-12 * mass);
  EXPECT_NEAR(p.model.mass[0], mass / 2, 1e-12 * mass);
  EXPECT_EQ(p.stages.size(), 1u);
  EXPECT_EQ(p.stages[0].name, "stage 1");
  EXPECT_EQ(p.stages[0].duration, 1);
  EXPECT_EQ(p.solver.dt, 0);
  EXPECT_EQ(p.first_values, (std::vector<double>{0, 0}));
}

// The section's width runs along its own x axis, so that bending about the width axis has I = w h^3/12.
TEST(RodScene, WidthDirectionIsTheSectionsXAxis) {
  const std::string rod = R"(
[[rod]]
material = "rubber"
section = { width = "4 mm", height = "1 mm", width_direction = [0, 0, 1] }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
bonds = 10
)";
  const Plan p = read(one_second + rubber + rod);
  EXPECT_EQ(p.model.bodies[0].name, "rod1");
  const auto q = p.start.nodes.frame(3).q;
  EXPECT_NEAR(axis_x(q).z, 1, 1e-15);
  EXPECT_NEAR(axis_z(q).x, 1, 1e-15);
  const double about_width = 1100 * 0.01 * 4e-3 * 1e-9 / 12;
  EXPECT_NEAR(p.model.inertia[0][3], about_width, 1e-12 * about_width);
  EXPECT_NEAR(p.model.inertia[1][3], 16 * about_width, 1e-11 * about_width);
}

TEST(RodScene, WidthDirectionIsMeantAfterTheTurn) {
  const std::string rod = R"(
[[rod]]
material = "rubber"
section = { width = "4 mm", height = "1 mm", width_direction = [0, 0, 1] }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
origin = [0, 0, "0.5 m"]
turn = [0, 0, "90 deg"]
bonds = 10
)";
  const Plan p = read(one_second + rubber + rod);
  EXPECT_NEAR(p.start.nodes.frame(10).x.y, 0.1, 1e-15);
  EXPECT_NEAR(p.start.nodes.frame(10).x.z, 0.5, 1e-15);
  EXPECT_NEAR(axis_x(p.start.nodes.frame(4).q).z, 1, 1e-15);
}

TEST(RodScene, DrawsArcsHelicesAndPoints) {
  const std::string head = "[[rod]]\nmaterial = \"rubber\"\nsection = { diameter = \"3 mm\" }\n";
  const auto last = [&](const std::string& line) {
    const Plan p = read(one_second + rubber + head + line);
    return p.start.nodes.frame(p.model.nodes - 1).x;
  };
  const auto arc = last("arc = { radius = 0.2, angle = \"90 deg\", origin = [1, 0, 0] }\nbonds = 8\n");
  EXPECT_NEAR(arc.x, 1.2, 1e-15);
  EXPECT_NEAR(arc.y, 0.2, 1e-15);
  const auto helix = last("helix = { radius = 0.1, pitch_angle = \"60 deg\", length = 2 }\nbonds = 8\n");
  EXPECT_NEAR(helix.z, 1, 1e-15);
  EXPECT_NEAR(std::hypot(helix.x, helix.y), 0.1, 1e-15);
  const auto points = last("points = [[0, 0, 0], [0, \"1 cm\", 0], [0, \"1 cm\", \"2 cm\"]]\n");
  EXPECT_EQ(points.z, 0.02);
}

TEST(RodScene, TapersSections) {
  const std::string rod = R"(
[[rod]]
material = "rubber"
section = { diameter = "d - 0.5*d*u" }
line = { from = [0, 0, 0], to = ["0.1 m", 0, 0] }
bonds = 10
[define]
d = "4 mm"
)";
  const Plan p = read(one_second + rubber + rod);
  EXPECT_NEAR(p.model.radius[0], 2e-3, 1e-15);
  EXPECT_NEAR(p.model.radius[10], 1e-3, 1e-15);
  const auto frustum = [](double a, double b) { return a * a + a * b + b * b; };
  EXPECT_NEAR(p.model.mass[5] / p.model.mass[0], 2 * frustum(0.775, 0.725) / frustum(1, 0.975), 1e-12);
}

// The moment of a magnetised tip is that of its length, wherever it begins between two nodes.
TEST(RodScene, MagnetisedTipsHaveTheirWholeMoment) {
  const std::string keys = "magnetisation = [\"if(u > 0.8, 60 kA/m, 0 kA/m)\", 0, 0]\n";
  const std::string scene = one_second + rubber + beam + keys;
  for (const int bonds : {7, 50, 100}) {
    const Plan p = read(scene, {"rod.beam.bonds=" + std::to_string(bonds)});
    double sum = 0;
    for (int i = 0; i < p.model.nodes; ++i) sum += rotate(p.start.nodes.frame(i).q, moment_of(p.model, i)).x;
    const double whole = 6e4 * 0.02 * std::numbers::pi / 4 * 9e-6;
    EXPECT_NEAR(sum, whole, 1e-9 * whole) << bonds;
  }
}

TEST(RodScene, NumbersTellItsUnits) {
  const Plan p = read_beam("magnetisation = [\"50 kA/m\", 0, 0]\n",
                           "[gravity]\ng = [0, \"-10 m/s^2\", 0]\n[[field]]\nuniform = [0, \"20 mT * s\", 0]\n");
  const auto all = body_numbers(p);
  ASSERT_EQ(all.size(), 1u);
  const BodyNumbers& n = all[0];
  const double d = 3e-3, area = std::numbers::pi / 4 * d * d, i = area * d * d / 16;
  EXPECT_NEAR(n.length, 0.1, 1e-12);
  EXPECT_NEAR(n.mass, 1100 * area * 0.1, 1e-12);
  EXPECT_NEAR(n.moment, 5e4 * area * 0.1, 1e-12);
  EXPECT_NEAR(n.ea, 1.2e6 * area, 1e-6 * n.ea);
  EXPECT_NEAR(n.ei, 1.2e6 * i, 1e-6 * n.ei);
  EXPECT_NEAR(n.gj, 0.4e6 * 2 * i, 1e-6 * n.gj);
  EXPECT_NEAR(n.slenderness, 0.1 / d, 1e-9);
  EXPECT_NEAR(n.magnetic, 5e4 * 0.02 * area * 0.01 / (1.2e6 * i), 1e-6 * n.magnetic);
  EXPECT_NEAR(n.gravity, 1100 * 10 * area * 1e-3 / (1.2e6 * i), 1e-6 * n.gravity);
  EXPECT_TRUE(absurdities(n).empty());
  const auto told = [&](const std::string& set) {
    const auto found = body_numbers(read(one_second + rubber + beam, {set}));
    std::string text;
    for (const std::string& what : absurdities(found.at(0))) text += what + "\n";
    return text;
  };
  EXPECT_NE(told("material.rubber.young=1.2").find("Young's modulus were 1.2 Pa"), std::string::npos);
  EXPECT_NE(told("material.rubber.density=1.1e6").find("density of 1.1e+06"), std::string::npos);
  EXPECT_NE(told("rod.beam.section.diameter=3").find("times as long as thick"), std::string::npos);
  EXPECT_NE(told("rod.beam.line.to.0=1e5").find("1e+05 m long"), std::string::npos);
}

TEST(RodScene, WhatStandsFixedHasTheMassThatItWasGivenOrNone) {
  const std::string block = "[[rigid]]\nshape = \"box\"\nsize = [1, 1, 1]\nfixed = true\n";
  EXPECT_EQ(body_numbers(read(one_second + block)).at(0).mass, 0);
  EXPECT_EQ(body_numbers(read(one_second + block + "mass = 3\n")).at(0).mass, 3);
}

TEST(RodScene, MoreThanMemoryIsRefusedBeforeItIsTaken) {
  if (memory_there() < 55e9) {  // else it would be done
    const std::string said = error_of(one_second + rubber + beam, {"rod.beam.bonds=50000000"});
    EXPECT_NE(said.find("rod.beam.bonds: with it there are 5e+07 nodes"), std::string::npos) << said;
  }
  const std::string grid = error_of(
      one_second + rubber + beam + "grid = { n = [1000, 1000, 1], spacing = [1, 1, 1] }\n", {"rod.beam.bonds=100"});
  EXPECT_NE(grid.find("there are 100000000 bonds, expected at most"), std::string::npos) << grid;
}

TEST(RodScene, MagnetisationIsGivenInWorldAxesAsDrawn) {
  const std::string rod = R"(
[[rod]]
material = "rubber"
section = { diameter = "3 mm" }
arc = { radius = 0.2, angle = "90 deg" }
bonds = 8
)";
  const auto moment = [](const Plan& p, int i) {
    const auto& m = p.model.moment;
    return rotate(p.start.nodes.frame(i).q, Vec3<double>{m[0][i], m[1][i], m[2][i]});
  };
  const double volume = std::numbers::pi / 4 * 9e-6 * 0.2 * std::numbers::pi / 16;
  const Plan fixed = read(one_second + rubber + rod + "magnetisation_direction = [0, 2, 0]\n");
  for (const int i : {1, 4, 7}) {
    EXPECT_NEAR(moment(fixed, i).y, 94e3 * volume, 1e-12 * 94e3 * volume) << i;
    EXPECT_NEAR(moment(fixed, i).x, 0, 1e-12 * 94e3 * volume) << i;
  }
  const Plan graded = read(one_second + rubber + rod + "magnetisation = [0, \"8 kA/m * u\", \"1 kA/m\"]\n");
  EXPECT_NEAR(moment(graded, 4).y, 4e3 * volume, 1e-9 * volume);
  EXPECT_NEAR(moment(graded, 4).z, 1e3 * volume, 1e-9 * volume);
  const Plan none = read(one_second + rubber + rod);
  EXPECT_TRUE(none.model.moment[0].empty());
  EXPECT_EQ(none.warnings.size(), 1u);
}

TEST(RodScene, GridsOfRodsKnowTheirNumbers) {
  const Plan p =
      read_beam("grid = { n = [2, 3, 1], spacing = [1, 2, 0] }\nmagnetisation = [\"i * 1 A/m\", \"j * 2 A/m\", 0]\n",
                "[[probe]]\nname = \"p\"\nof = \"beam[4].end\"\nrecord = [\"position\"]\n");
  ASSERT_EQ(p.model.bodies.size(), 6U);
  EXPECT_EQ(p.model.bodies[4].name, "beam[4]");  // i = 1, j = 1
  const int end = p.model.bodies[4].nodes.back();
  EXPECT_NEAR(norm(p.start.nodes.frame(end).x - Vec3<double>{1.1, 2, 0}), 0, 1e-15);
  EXPECT_EQ(p.probes[0].index, end);
  const int middle = p.model.bodies[4].nodes[5];
  const Vec3<double> m =
      rotate(p.start.nodes.frame(middle).q,
             Vec3<double>{p.model.moment[0][middle], p.model.moment[1][middle], p.model.moment[2][middle]});
  EXPECT_NEAR(m.y / m.x, 2, 1e-12);
  EXPECT_NE(error_of(one_second + rubber + beam + "grid = { n = [2, 3, 1] }\n").find("spacing"), std::string::npos);
  EXPECT_NE(error_of(one_second + rubber + beam + "velocity = [\"i * 1 m/s\", 0, 0]\n").find("unknown name \"i\""),
            std::string::npos);
}

TEST(RodScene, SharesNodesOfEarlierRods) {
  const std::string branch = R"(
[[rod]]
name = "branch"
material = "rubber"
section = { diameter = "2 mm" }
line = { from = ["0.05 m", 0, 0], to = ["0.05 m", "0.1 m", 0] }
bonds = 4
start = "beam[5]"
)";
  const Plan p = read(one_second + rubber + beam + branch);
  EXPECT_EQ(p.model.nodes, 11 + 4);
  EXPECT_EQ(p.model.bodies[1].nodes.front(), 5);
}

TEST(RodScene, StartsWithMotion) {
  const Plan p = read_beam("velocity = [0, \"3 m/s * u\", 0]\nangular_velocity = [0, 0, \"2 rpm\"]\n");
  EXPECT_EQ(p.start.nodes.v[1][0], 0);
  EXPECT_NEAR(p.start.nodes.v[1][10], 3, 1e-15);
  EXPECT_NEAR(p.start.nodes.w[2][4], std::numbers::pi / 15, 1e-15);
  const Plan r = read_beam("random_velocity = { speed = \"1 cm/s\", axes = [\"x\", \"y\"], seed = 7 }\n");
  EXPECT_EQ(r.start.nodes.v[2][3], 0);
  EXPECT_NE(r.start.nodes.v[1][3], r.start.nodes.v[1][4]);
  EXPECT_LE(std::hypot(r.start.nodes.v[0][3], r.start.nodes.v[1][3]), 0.01);
}

TEST(RodScene, RichardsonIsForSpheres) {
  const std::string solver = "[solver]\nduration = 1\nrotation = \"richardson\"\n";
  EXPECT_TRUE(read(solver + rubber + beam + "inertia = \"sphere\"\n").solver.richardson);
  EXPECT_NE(error_of(solver + rubber + beam).find("scene.toml:3:12: solver.rotation: found \"richardson\""),
            std::string::npos);
}

TEST(RodScene, ParticlesNeedNoMaterialConstants) {
  const std::string bare = "[material.none]\n";
  const std::string keys = R"(
node_mass = "1 g"
inertia = "sphere"
stiffness = { stretch = 100, shear = 40, bend = 11, twist = 7 }
)";
  const Plan p = read(one_second + bare + beam + keys, {"rod.beam.material=none"});
  EXPECT_EQ(p.model.mass[0], 1e-3);
  EXPECT_EQ(p.model.mass[5], 1e-3);
  EXPECT_NEAR(p.model.inertia[0][5], 0.1 * 1e-3 * 9e-6, 1e-20);
}

}  // namespace ls::rod_scene_test
