#include "fluid/immersed/stencil.h"

#include "math/component.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace ls {

namespace {

// Reads a flow given as a function of the place in cells.
template <class F>
Vec3<double> read(const Stencil& s, const F& flow, const LatticeDrive& drive = {}) {
  const Vec3<double> walls = s.from_walls(drive);
  double sum[3] = {walls.x, walls.y, walls.z};
  for (int k = 0; k < s.width; ++k)
    for (int j = 0; j < s.width; ++j)
      for (int i = 0; i < s.width; ++i)
        for (int c = 0; c < 3; ++c)
          sum[c] += s.weight(c, 0, i) * s.weight(c, 1, j) * s.weight(c, 2, k) *
                    component(flow(Vec3<double>{s.cell[0][i] + 0.5, s.cell[1][j] + 0.5, s.cell[2][k] + 0.5}), c);
  return {sum[0], sum[1], sum[2]};
}

LatticeSpec closed_box(FaceKind low, FaceKind high) {
  LatticeSpec spec;
  spec.cells = {9, 10, 11};
  spec.faces[1] = {low, high};
  return spec;
}

}  // namespace

TEST(Stencil, ReadsShearExactlyUpToMovingWalls) {
  LatticeDrive drive;
  drive.velocity[1][1] = {0.3, 0, -0.1};
  const LatticeSpec spec = closed_box(FaceKind::wall, FaceKind::wall);
  const auto couette = [](const Vec3<double>& x) { return Vec3<double>{0.03 * x.y, 0, -0.01 * x.y}; };
  for (const DeltaKernel kernel : {DeltaKernel::roma, DeltaKernel::peskin})
    for (double y = 0; y <= 10; y += 0.173) {
      const Vec3<double> x{4.3, y, 5.9}, u = read(make_stencil(spec, kernel, x), couette, drive);
      EXPECT_NEAR(u.x, 0.03 * y, 1e-14) << y;
      EXPECT_NEAR(u.y, 0, 1e-14);
      EXPECT_NEAR(u.z, -0.01 * y, 1e-14);
    }
}

TEST(Stencil, FreeSlipMirrorsTheNormalComponentOnly) {
  const LatticeSpec spec = closed_box(FaceKind::free_slip, FaceKind::free_slip);
  const auto flow = [](const Vec3<double>& x) { return Vec3<double>{0.2, 0.01 * x.y, 0.1}; };
  for (double y = 0; y < 3; y += 0.217) {
    const Vec3<double> u = read(make_stencil(spec, DeltaKernel::roma, {4, y, 5}), flow);
    EXPECT_NEAR(u.x, 0.2, 1e-14);
    EXPECT_NEAR(u.y, 0.01 * y, 1e-14) << y;
    EXPECT_NEAR(u.z, 0.1, 1e-14);
  }
}

TEST(Stencil, GoesRoundPeriodicFacesAndThroughThinBoxes) {
  LatticeSpec spec;
  spec.cells = {7, 1, 2};
  for (const DeltaKernel kernel : {DeltaKernel::roma, DeltaKernel::peskin})
    for (const double x : {-15.2, -0.3, 0.2, 6.9, 7.0, 30.4}) {
      const Stencil s = make_stencil(spec, kernel, {x, x, x});
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(s.total(c), 1, 1e-14);
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < s.width; ++k) {
          EXPECT_GE(s.cell[a][k], 0);
          EXPECT_LT(s.cell[a][k], spec.cells[a]);
        }
    }
}

TEST(Stencil, AWallTakesAllOfAForceOnItself) {
  const LatticeSpec spec = closed_box(FaceKind::wall, FaceKind::wall);
  EXPECT_NEAR(make_stencil(spec, DeltaKernel::roma, {4, 0, 5}).total(0), 0, 1e-14);
  EXPECT_NEAR(make_stencil(spec, DeltaKernel::roma, {4, 5, 5}).total(0), 1, 1e-14);
  EXPECT_TRUE(make_stencil(spec, DeltaKernel::roma, {4, 5, 5}).is_plain);
}

TEST(Stencil, StaysInTheBoxWhateverThePlace) {
  const double far[] = {-1e4, 3e8, -1e30, 1e300, std::numeric_limits<double>::infinity(), std::nan("")};
  for (const FaceKind face : {FaceKind::wall, FaceKind::free_slip, FaceKind::periodic})
    for (const DeltaKernel kernel : {DeltaKernel::roma, DeltaKernel::peskin})
      for (const double x : far) {
        const LatticeSpec spec = closed_box(face, face);
        const Stencil s = make_stencil(spec, kernel, {x, x, -x});
        for (std::size_t a = 0; a < 3; ++a)
          for (int k = 0; k < s.width; ++k) EXPECT_TRUE(s.cell[a][k] >= 0 && s.cell[a][k] < spec.cells[a]) << x;
      }
}

}  // namespace ls
