#include "build/magnets/soft_cells.h"

#include "build/builder.h"
#include "math/rotation.h"

#include <gtest/gtest.h>
#include <numbers>

namespace {

using namespace ls;
using V = Vec3<double>;

SoftMatter soft_iron(double chi) {
  SoftMatter m;
  m.susceptibility = {chi, chi, chi};
  return m;
}

TEST(SoftCells, ShapesHaveTheirFactors) {
  EXPECT_NEAR(shape_factor(ball_shape(0.2)).yy, 1.0 / 3, 1e-15);
  EXPECT_NEAR(shape_factor(box_shape({1, 1, 1})).zz, 1.0 / 3, 1e-13);
  EXPECT_NEAR(shape_factor(cylinder_shape(1, 2, 24)).zz, 0.3116, 1e-4);
  const Sym3 capsule = shape_factor(capsule_shape(0.1, 1));
  EXPECT_LT(capsule.zz, 0.1);
  EXPECT_NEAR(capsule.xx, capsule.yy, 1e-9);
  EXPECT_NEAR(capsule.xy, 0, 1e-9);
  EXPECT_NEAR(capsule.xx + capsule.yy + capsule.zz, 1, 1e-12);
}

// A shape without a closed form beside one that has it: a cube as a mesh.
TEST(SoftCells, TheMeanOverCellsIsTheClosedForm) {
  RigidShape box = box_shape({0.5, 1, 2});
  const Sym3 exact = shape_factor(box);
  box.factor.reset();
  const Sym3 mean = shape_factor(box);
  EXPECT_NEAR(mean.xx, exact.xx, 1e-9);
  EXPECT_NEAR(mean.yy, exact.yy, 1e-9);
  EXPECT_NEAR(mean.zz, exact.zz, 1e-9);
  RigidShape ball = ball_shape(1);
  ball.factor.reset();
  EXPECT_NEAR(shape_factor(ball).xx, 1.0 / 3, 2e-4);  // cells are cut exactly along z, by lines along x and y
}

TEST(SoftCells, VolumesAddUp) {
  for (const RigidShape& shape : {ball_shape(0.5), box_shape({1, 0.5, 0.3}), cylinder_shape(0.5, 0.4, 24)}) {
    const SoftBody body = soft_body(soft_iron(10), shape, sample_grid(shape, 0.11));
    double volume = 0;
    for (const SoftCell& c : body.cells) volume += c.volume;
    EXPECT_NEAR(volume, shape.solid.volume, 1e-12);
    EXPECT_EQ(body.grid.at.size(), body.cells.size());
  }
}

// What a body says in its own axes, a node has in its own: those of a box on its edge, with another order of inertia.
TEST(SoftCells, NodesHaveThemInTheirOwnAxes) {
  RigidSpec spec;
  spec.name = "box";
  spec.shape = box_shape({1, 2, 4});
  spec.fill(1000);
  spec.inertia[0][1] = spec.inertia[1][0] = 0.3 * spec.inertia[0][0];  // its principal axes are others
  spec.pose = {{5, 0, 0}, turn({0.3, 0.2, -0.5})};
  SoftMatter matter;
  matter.susceptibility = {1, 2, 4};
  spec.soft = soft_body(matter, spec.shape);
  Builder builder;
  builder.add(spec);
  const auto made = builder.finish();
  ASSERT_EQ(made.model.soft.cells.size(), 1u);
  const SoftCell& cell = made.model.soft.cells[0];
  const Quat<double> q = made.state.nodes.frame(0).q;
  const Sym3 factor = shape_factor(spec.shape);
  const V axis = axis_z(spec.pose.q), own = rotate(conj(q), axis);  // the long edge
  EXPECT_NEAR(norm(cell.factor * own - factor.zz * own), 0, 1e-12);
  EXPECT_NEAR(norm(cell.inverse * own - 0.25 * own), 0, 1e-12);
}

TEST(SoftCells, ARodHasACellForEachNode) {
  RodSpec rod;
  rod.name = "rod";
  rod.line = line({0, 0, 0}, {1, 0, 0}, 4, {0, 0, 1});
  rod.section = [](double) { return circular_section(0.02, 0.3); };
  rod.material = [](double) { return Elasticity{1e6, 4e5}; };
  rod.density = [](double) { return 1000.0; };
  rod.soft = soft_iron(3);
  Builder builder;
  builder.add(rod);
  const Model m = builder.finish().model;
  ASSERT_EQ(m.soft.cells.size(), 5u);
  const double area = std::numbers::pi * 1e-4;
  EXPECT_NEAR(m.soft.cells[0].volume, area / 8, 1e-12);
  EXPECT_NEAR(m.soft.cells[2].volume, area / 4, 1e-12);
  EXPECT_NEAR(m.soft.cells[2].factor.zz, 0, 1e-12);
  EXPECT_NEAR(m.soft.cells[2].factor.xx, 0.5, 1e-12);
  EXPECT_NEAR(m.soft.cells[0].chain.zz, area / (std::numbers::pi / 16), 1e-12);
}

}  // namespace
