#include "run/probe_values.h"
#include "scene/read/reader.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

// [[shell]] and [[network]]: what they become, and what is wrong with bad ones.
namespace ls::shell_scene_test {

const std::string head =
    "[solver]\nkind = \"static\"\nsteps = 2\n[material.rubber]\nyoung = \"1 MPa\"\npoisson = 0.3\ndensity = 1000\n";
const std::string dome_head = "[[shell]]\nname = \"dome\"\nmaterial = \"rubber\"\n";
const std::string half = "hemisphere = { radius = \"50 mm\", particles = 150 }\n";
const std::string dome = dome_head + "thickness = \"1 mm\"\n" + half;
const std::string block_head = "[[network]]\nname = \"block\"\nmaterial = \"rubber\"\n";
const std::string cells = "cells = [2, 2, 2]\ncell = \"10 mm\"\nsection = { diameter = \"1 mm\" }\n";
const std::string block = block_head + "lattice = \"cubic\"\n" + cells;

Plan read(const std::string& text) {
  return read_text(head + text, "scene.toml");
}
std::string message_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
void expect_says(const std::string& text, const std::string& part) {
  const std::string message = message_of(text);
  EXPECT_NE(message.find(part), std::string::npos) << "says \"" << message << "\" of\n" << text;
}
const std::vector<int>& part(const Plan& plan, const std::string& name) {
  return std::ranges::find(plan.model.bodies[0].parts, name, &BodyPart::name)->nodes;
}

TEST(ShellScene, BecomesNodesAndBonds) {
  const Plan p =
      read(dome + "pin = \"rim\"\norigin = [0, 0, \"1 m\"]\nturn = [\"180 deg\", 0, 0]\nvelocity = [1, 2, 3]\n");
  EXPECT_EQ(p.model.nodes, 150);
  EXPECT_EQ(p.model.bodies[0].kind, BodyKind::shell);
  for (const int n : part(p, "rim")) EXPECT_EQ(p.model.held[n], hold_position);
  const int top = part(p, "top")[0];
  EXPECT_NEAR(p.start.nodes.frame(top).x.z, 0.95, 1e-12) << "upside down";
  EXPECT_LT(norm(axis_z(p.start.nodes.frame(top).q) - Vec3<double>{0, 0, -1}), 0.02) << "along the normal";
  EXPECT_EQ(p.start.nodes.twist(top).v.y, 2);
  double mass = 0;
  for (int i = 0; i < p.model.nodes; ++i) mass += p.model.mass[i];
  EXPECT_NEAR(mass, 1000 * 2 * 3.14159 * 0.05 * 0.05 * 1e-3, 0.03 * mass);
  EXPECT_TRUE(p.warnings.empty());
  EXPECT_EQ(read("[contact]\n" + dome).model.shapes->triangles.size(), 150u * 2 - part(p, "rim").size() - 2);
}

TEST(ShellScene, TakesPaperConstantsAndBalls) {
  const Plan p = read(dome +
                      "model = \"vector\"\nstiffness = { b1 = 1, b2 = 0.01, b3 = 0.015, b4 = 0.002 }\nnode_mass = 2\n"
                      "inertia = \"sphere\"\nsphere_diameter = 0.7\nmagnetisation = [0, 0, 1e4]\n");
  EXPECT_NEAR(p.model.mass[7], 2, 1e-12);
  EXPECT_NEAR(p.model.inertia[0][7] / p.model.mass[7], 0.049, 1e-12) << "as in the V-model paper";
  EXPECT_EQ(p.model.bond_tables.at(0).kernel, "vector");
  double moment = 0;
  for (int i = 0; i < p.model.nodes; ++i) {
    const Vec3<double> own{p.model.moment[0][i], p.model.moment[1][i], p.model.moment[2][i]};
    moment += rotate(p.start.nodes.frame(i).q, own).z;
  }
  EXPECT_NEAR(moment, 1e4 * 2 * 3.14159 * 0.05 * 0.05 * 1e-3, 0.03 * moment);
}

TEST(ShellScene, SpinsAsAWhole) {
  const Plan p = read(dome_head + "thickness = \"1 mm\"\nsheet = { size = [0.2, 0.1], spacing = 0.02 }\n" +
                      "angular_velocity = [0, 0, 3]\n");
  const auto twist = p.start.nodes.twist(0);  // the corner at the origin, the centre at (0.1, 0.05)
  EXPECT_LT(norm(twist.v - Vec3<double>{0.15, -0.3, 0}), 2e-3);
  EXPECT_EQ(twist.w.z, 3);
}

TEST(ShellScene, PartsAreTargets) {
  const Plan p = read(dome +
                      "[[hold]]\non = \"dome.rim\"\naxes = \"z\"\n[[load]]\non = \"dome.rim\"\nforce = [0, 0, 6]\n"
                      "[[drive]]\non = \"dome.top\"\nmove = [\"free\", \"free\", \"-1 mm * s\"]\n"
                      "[[probe]]\nof = \"dome.rim\"\nrecord = [\"position\", \"reaction_force\"]\n");
  const auto& rim = part(p, "rim");
  EXPECT_EQ(p.stages[0].holds.size(), rim.size());
  ASSERT_EQ(p.stages[0].loads.size(), 1u);
  double sum = 0;
  for (const double w : p.stages[0].loads[0].weight) sum += w;
  EXPECT_EQ(p.stages[0].loads[0].node.size(), rim.size());
  EXPECT_NEAR(sum, 1, 1e-12) << "a part shares its load";
  ASSERT_EQ(p.stages[0].drives.size(), 1u);
  EXPECT_EQ(p.stages[0].drives[0].node, part(p, "top")[0]);
  Work alone(p.model, 1);
  const auto values = probe_values(p, p.probes[0], p.start, {}, alone);
  ASSERT_EQ(values.size(), 6u);
  EXPECT_EQ(values[3].column, "reaction_force.x");
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(values[k].value, 0, 1e-12) << "mean of a circle";
}

TEST(ShellScene, RodsMayHangOnIt) {
  const Plan p = read(
      "[[rod]]\nname = \"handle\"\nmaterial = \"rubber\"\nsection = { diameter = \"3 mm\" }\nbonds = 5\n"
      "line = { from = [0, 0, \"50 mm\"], to = [0, 0, \"80 mm\"] }\nstart = \"dome.top\"\n" +
      dome);
  EXPECT_EQ(p.model.nodes, 155);
  EXPECT_EQ(p.model.bodies[1].nodes[0], part(p, "top")[0]);
}

TEST(ShellScene, ManyPoissonsRatiosAreWarnedOf) {
  std::string text = head + dome;
  text.replace(text.find("0.3"), 3, "0.5");
  const Plan p = read_text(text, "scene.toml");
  ASSERT_EQ(p.warnings.size(), 1u);
  EXPECT_NE(p.warnings[0].find("0.329"), std::string::npos) << p.warnings[0];
}

TEST(NetworkScene, BecomesNodesAndBonds) {
  const Plan p = read(block + "bonds_per_strut = 3\nclamp = [\"low_z\"]\npin = [\"high_z\"]\n");
  EXPECT_EQ(p.model.nodes, 27 + 54 * 2);
  EXPECT_EQ(p.model.bonds(), 54 * 3);
  EXPECT_EQ(part(p, "high_x").size(), 9u);
  EXPECT_EQ(p.model.held[part(p, "low_z")[0]], hold_all);
  const Plan k =
      read(block_head + "lattice = \"kagome\"\ncells = [3, 2]\ncell = \"10 mm\"\nsection = { diameter = \"1 mm\" }\n");
  EXPECT_EQ(k.model.bodies[0].parts.size(), 4u);
}

TEST(ShellScene, BadOnesAreTold) {
  const std::string thin = dome_head + "thickness = \"1 mm\"\n";
  expect_says(dome_head + half, "thickness");
  expect_says(thin, "hemisphere");
  expect_says(thin + half + "sphere = { radius = 1, frequency = 2 }\n", "sphere");
  expect_says(thin + "hemisphere = { radius = 1 }\n", "particles");
  expect_says(thin + "hemisphere = { radius = 1, particles = 20, spacing = 0.1 }\n", "the rim alone has");
  expect_says(thin + "hemisphere = { radius = 1, particles = 9000, spacing = 0.1 }\n", "which takes about");
  expect_says(thin + "hemisphere = { radius = 1, spacing = 1e-5 }\n", "expected at most 50000");
  expect_says(thin + "hemisphere = { radius = -1, particles = 200 }\n", "expected a value above 0");
  expect_says(thin + "sphere = { radius = 1, frequency = 0 }\n", "frequency");
  expect_says(thin + "sheet = { size = [1, 2, 3], spacing = 0.1 }\n", "two lengths");
  expect_says(thin + "sheet = { size = [1, 1], spacing = 2 }\n", "shorter side");
  expect_says(thin + "sheet = { size = [1, 1], spacing = 1e-6 }\n", "more than 5000000 nodes");
  expect_says(thin + "mesh = \"nowhere.obj\"\n", "there is no such file");
  expect_says(thin + "mesh = \"scene.toml\"\n", ".obj or .stl");
  expect_says(dome + "scale = 2\n", "belongs to `mesh`");
  expect_says(dome + "clamp = \"start\"\n", "expected \"rim\" or \"top\"");
  expect_says(dome + "pin = [\"rim\", \"rim\"]\n", "a second time");
  expect_says(dome + "sphere_diameter = 1\n", "inertia = \"sphere\"");
  expect_says(dome + "[[load]]\non = \"dome.end\"\nforce = [0, 0, 1]\n", "\"dome.rim\", \"dome.top\"");
  expect_says(dome + "[[load]]\non = \"dome\"\nforce = [0, 0, 1]\n", "a node or a part");
  expect_says(dome + "[[load]]\non = \"dome\"\nper_length = [0, 0, 1]\n", "no rod");
  expect_says(dome + "[[drive]]\non = \"dome.rim\"\nturn = { axis = [0, 0, 1], angle = \"s\" }\n", "`about`");
  expect_says(dome + "[[drive]]\non = \"dome.top\"\nmove = [0, 0, 0]\naffine = true\n", "ends of rods");
  expect_says(dome + "[[probe]]\nof = \"dome.rim\"\nrecord = \"orientation\"\n", "a part of several nodes");
  expect_says(dome + "[[probe]]\nof = \"dome\"\nrecord = \"length\"\n", "which is for rods");
  expect_says(dome + dome, "two bodies `dome`");
}

TEST(NetworkScene, BadOnesAreTold) {
  expect_says(block_head + cells, "lattice");
  expect_says(block_head + "lattice = \"diamond\"\n" + cells, "found \"diamond\"");
  expect_says(block_head + "lattice = \"kagome\"\n" + cells, "[nx, ny], two whole numbers");
  expect_says(block_head + "lattice = \"cubic\"\ncells = [2, 2]\ncell = 1\nsection = { diameter = 0.1 }\n",
              "three whole numbers");
  expect_says(block_head + "lattice = \"cubic\"\ncells = [2, 0, 2]\ncell = 1\nsection = { diameter = 0.1 }\n", "cells");
  expect_says(block_head + "lattice = \"cubic\"\ncells = [2, 2, 2]\ncell = 1\nsection = { diameter = 1 }\n",
              "length of a strut");
  expect_says(block_head + "lattice = \"cubic\"\ncells = [900, 900, 900]\ncell = 1\nsection = { diameter = 0.1 }\n",
              "at most 1000000 cells");
  expect_says(block + "bonds_per_strut = 0\n", "bonds_per_strut");
  expect_says(block + "clamp = \"rim\"\n", "low_x");
}

// Meshes from files beside the scene.
class MeshScene : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "lodestone_mesh_scene";
    std::filesystem::create_directories(folder_);
  }
  std::string message_of_mesh(const std::string& obj) {
    std::ofstream(folder_ / "a.obj") << obj;
    try {
      const Plan p = read_text(head + dome_head + "thickness = 0.01\nmesh = \"a.obj\"\nscale = 0.1\n",
                               (folder_ / "scene.toml").string());
      nodes_ = p.model.nodes;
      first_ = p.start.nodes.frame(1).x;
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  std::filesystem::path folder_;
  int nodes_ = 0;
  Vec3<double> first_{};
};

TEST_F(MeshScene, IsReadScaledAndChecked) {
  const std::string four = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  EXPECT_EQ(message_of_mesh(four + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"), "");
  EXPECT_EQ(nodes_, 4);
  EXPECT_NEAR(first_.x, 0.1, 1e-15);
  EXPECT_EQ(message_of_mesh(four + "f 1 3 2\nf 1 2 4\nf 2 3 4\n"), "") << "an open one is a shell too";
  const auto says = [&](const std::string& faces, const std::string& part) {
    const std::string message = message_of_mesh(four + faces);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("scene.toml:12"), std::string::npos) << message;
  };
  says("f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n", "inside out");
  says("f 1 3 2\nf 1 4 2\nf 2 3 4\n", "outside: triangles 0, 1");
  says("f 1 3 2\nf 1 2 4\nf 1 1 4\n", "degenerate triangles, without an area: triangle 2");
  says("f 1 3 2\nf 1 2 4\nf 1 2 3\nf 1 2 3\n", "more than two");
  says("f 1 3 9\n", "a.obj:5: found vertex 9");
}

}  // namespace ls::shell_scene_test
