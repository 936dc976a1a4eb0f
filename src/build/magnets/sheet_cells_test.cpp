#include "build/magnets/sheet_cells.h"

#include "base/error.h"
#include "build/builder.h"
#include "build/network.h"
#include "math/rotation.h"

#include <gtest/gtest.h>
#include <numbers>

namespace ls::sheet_cells_test {

namespace {

using std::numbers::pi;

ShellSpec soft_sheet(DrawnSurface surface, double thickness) {
  ShellSpec s;
  s.name = "sheet";
  s.surface = std::move(surface);
  s.thickness = thickness;
  s.material = {1e6, 4e5};
  s.density = 1000;
  s.soft.susceptibility = {5, 5, 5};
  return s;
}

std::vector<Quat<double>> axes_of(const DrawnSurface& surface) {
  std::vector<Quat<double>> axes;
  for (const Vec3<double>& normal : normals_of(surface.mesh)) {
    const Vec3<double> y = any_across(normal);
    axes.push_back(quaternion(Mat3<double>{cross(y, normal), y, normal}));
  }
  return axes;
}
std::vector<SoftCell> cells_of(const DrawnSurface& surface, double thickness) {
  return sheet_cells(soft_sheet(surface, thickness), areas_of(surface.mesh), axes_of(surface));
}

// Sums of 1/r^3 over lattices of unit spacing, of which the triangular one has 11.0342 over all nodes and the square
// one 9.0336. (Nodes of a square sheet stand for two thirds and four thirds of a square, in turns.)
TEST(SheetCells, FarNodesAreThoseOfALattice) {
  const double triangular = 11.0341754 - 6, square = 9.0336217 - 4 - 4 / std::pow(2, 1.5), area = std::sqrt(0.75);
  const double second = triangular - 6 / std::pow(3, 1.5) - 6.0 / 8;
  for (const double spacing : {1.0, 0.01}) {
    const auto sums = [&](const DrawnSurface& surface) {
      const auto cells = cells_of(surface, 0.1 * spacing);
      const SoftCell& middle = cells[cells.size() / 2];
      for (const double uneven : {middle.chain.xx, middle.chain.yy, middle.chain.xy}) EXPECT_NEAR(uneven, 0, 1e-5);
      return middle.sheet;
    };
    const auto three = sums(triangular_sheet(30 * spacing, 34 * area * spacing, spacing)),
               four = sums(square_sheet(30 * spacing, 30 * spacing, spacing));
    EXPECT_NEAR(three[0], 0.1 / (4 * pi) * area * triangular, 1e-5);
    EXPECT_NEAR(three[1], 0.1 / (4 * pi) * area * second, 1e-5);
    EXPECT_NEAR(four[0], 0.1 / (4 * pi) * square, 3e-4);
    EXPECT_LT(four[3], four[2]);
  }
}

// A lattice that is drawn out along x: the sums over it, one by one.
TEST(SheetCells, StretchedLatticesAreNotAlikeInAllDirections) {
  DrawnSurface surface = triangular_sheet(60, 70 * std::sqrt(0.75), 1);
  for (Vec3<double>& x : surface.mesh.vertices) x.x *= 1.3;
  const auto cells = cells_of(surface, 0.1);
  const std::size_t middle = cells.size() / 2;
  const auto areas = areas_of(surface.mesh);
  double xx = 0, yy = 0;
  for (std::size_t j = 0; j < areas.size(); ++j) {
    const Vec3<double> r = surface.mesh.vertices[j] - surface.mesh.vertices[middle];
    const double d = norm(r);
    if (d < 1.31 || d > 29) continue;
    xx += areas[j] * (1 - 3 * r.x * r.x / (d * d)) / (d * d * d);
    yy += areas[j] * (1 - 3 * r.y * r.y / (d * d)) / (d * d * d);
  }
  xx -= pi / 29, yy -= pi / 29;  // beyond, as a plane
  const Quat<double> q = axes_of(surface)[middle];
  const auto along = [&](const Vec3<double>& a) {
    const Vec3<double> own = rotate(conj(q), a);
    return -0.5 * cells[middle].sheet[0] + dot(own, cells[middle].chain * own);
  };
  EXPECT_NEAR(along({1, 0, 0}), 0.1 / (4 * pi) * xx, 2e-4);
  EXPECT_NEAR(along({0, 1, 0}), 0.1 / (4 * pi) * yy, 2e-4);
  EXPECT_GT(std::abs(xx - yy), 0.5);
}

TEST(SheetCells, TheRimHasWhatLiesWithin) {
  const DrawnSurface surface = triangular_sheet(1, 1, 0.05);
  const auto areas = areas_of(surface.mesh);
  const auto cells = cells_of(surface, 0.005);
  const double far = cells[cells.size() / 2].sheet[0];
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_NEAR(cells[i].sheet[0], far, 0.02 * far);
    EXPECT_NEAR(cells[i].volume, 0.005 * areas[i], 1e-15);
  }
  const DrawnSurface strip = triangular_sheet(1, 0.1, 0.05);  // all of it is rim
  for (const SoftCell& c : cells_of(strip, 0.005)) EXPECT_NEAR(c.sheet[0], far, 0.25 * far);
}

TEST(SheetCells, WhatIsThickerThanItsBondsIsNoSheet) {
  const DrawnSurface surface = triangular_sheet(1, 1, 0.05);
  EXPECT_NO_THROW(cells_of(surface, 0.1));
  EXPECT_THROW(cells_of(surface, 0.3), Error);
}

TEST(SheetCells, NodesHaveTheirNormalInTheirOwnAxes) {
  Builder builder;
  builder.add(assembled(soft_sheet(geodesic_sphere(1, 6), 0.01)));
  const auto made = builder.finish();
  ASSERT_EQ(made.model.soft.cells.size(), static_cast<std::size_t>(made.model.nodes));
  double volume = 0;
  for (const SoftCell& c : made.model.soft.cells) {
    const Frame<double> f = made.state.nodes.frame(c.node);
    const Vec3<double> own = rotate(conj(f.q), normalized(f.x));
    EXPECT_LT(norm(c.factor * own - own), 0.02);  // normals of a mesh
    EXPECT_NEAR(c.factor.xx + c.factor.yy + c.factor.zz, 1, 1e-12);
    volume += c.volume;
  }
  EXPECT_NEAR(volume, 0.04 * pi, 0.03 * volume);
}

// A joint has a piece of each strut, a node along one all of it that is its own.
TEST(SheetCells, NetworksArePiecesOfStruts) {
  NetworkSpec net;
  net.name = "net";
  net.lattice = cubic_lattice({1, 1, 1}, 1);
  net.bonds_per_strut = 4;
  net.diameter = 0.05;
  net.material = {1e6, 4e5};
  net.density = 1000;
  net.soft.susceptibility = {5, 5, 5};
  Builder builder;
  builder.add(assembled(net));
  const Model m = builder.finish().model;
  ASSERT_EQ(m.soft.cells.size(), 8u * 3 + 12 * 3);
  double volume = 0;
  for (const SoftCell& c : m.soft.cells) {
    volume += c.volume;
    EXPECT_NEAR(c.factor.xx + c.factor.yy + c.factor.zz, 1, 1e-12);
  }
  EXPECT_NEAR(volume, 12 * pi / 4 * 0.05 * 0.05, 1e-12);
}

}  // namespace

}  // namespace ls::sheet_cells_test
