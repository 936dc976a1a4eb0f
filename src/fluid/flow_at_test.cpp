#include "fluid/flow_at.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ls;

namespace {

using V = Vec3<double>;
using Faces = std::array<FaceKind, 2>;

LatticeSpec spec_of(int cells, Faces faces) {
  LatticeSpec s;
  s.cells = {cells, 5, 5};
  s.faces[0] = faces;
  return s;
}

// What is read of f(x) in the cells and at walls.
template <class F>
double read(const LatticeSpec& spec, int component, double x, const F& f, bool slope = false) {
  const AxisWeights w = axis_weights(spec, 0, component, x, slope);
  double sum = w.wall[0] * f(0) + w.wall[1] * f(spec.cells[0]);
  for (int k = 0; k < 4; ++k) sum += w.weight[k] * f(w.cell[k] + 0.5);
  return sum;
}

}  // namespace

TEST(FlowAt, ReadsParabolasBetweenWallsExactly) {
  const auto parabola = [](double x) { return 0.3 - 0.7 * x + 0.25 * x * x; };
  for (const int cells : {2, 3, 4, 9})
    for (double x = 0; x <= cells; x += 0.125) {
      const LatticeSpec spec = spec_of(cells, {FaceKind::wall, FaceKind::wall});
      EXPECT_NEAR(read(spec, 1, x, parabola), parabola(x), 1e-13) << cells << " " << x;
      EXPECT_NEAR(read(spec, 1, x, parabola, true), -0.7 + 0.5 * x, 1e-13) << cells << " " << x;
    }
}

TEST(FlowAt, FacesSayWhatLiesBeyond) {
  const double pi = std::acos(-1.0);
  const int n = 16;
  const auto error = [&](Faces faces, int component, auto f) {
    double most = 0;
    for (double x = 0; x <= n; x += 0.1)
      most = std::max(most, std::abs(read(spec_of(n, faces), component, x, f) - f(x)));
    return most;
  };
  const auto wave = [&](double x) { return std::sin(2 * pi * x / n); };
  const auto even = [&](double x) { return std::cos(pi * x / n); };
  EXPECT_LT(error({FaceKind::periodic, FaceKind::periodic}, 0, wave), 2e-3);
  EXPECT_LT(error({FaceKind::free_slip, FaceKind::free_slip}, 0, wave), 4e-3);  // through the face: none
  EXPECT_LT(error({FaceKind::free_slip, FaceKind::free_slip}, 1, even), 4e-4);  // along it: even
  EXPECT_LT(error({FaceKind::pressure, FaceKind::pressure}, 0, even), 4e-4);
  EXPECT_LT(error({FaceKind::wall, FaceKind::wall}, 0, wave), 4e-3);
}

TEST(FlowAt, ReadsCellsAndWallsThemselves) {
  FluidSettings set;
  set.cells = {4, 5, 3};
  set.spacing = 1, set.dt = 1, set.viscosity = 0.1, set.density = 1;
  set.faces[1] = {FaceKind::wall, FaceKind::wall};
  set.is_double = true;
  const Fluid fluid(set);
  FluidState s = fluid.lattice().at_rest();
  const auto u = [](int x, int y, int z) { return V{0.01 * x, 0.002 * y * y, -0.003 * z + 0.001 * x * y}; };
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 4; ++x) fluid.lattice().set(s, x, y, z, 1.01, u(x, y, z));
  LatticeDrive drive;
  drive.velocity[1] = {V{0.02, 0, -0.01}, V{0, 0.03, 0}};
  for (int y = 0; y < 5; ++y)
    EXPECT_LT(norm(flow_at(fluid, s, drive, nullptr, {2.5, y + 0.5, 1.5}).velocity - u(2, y, 1)), 1e-15);
  EXPECT_LT(norm(flow_at(fluid, s, drive, nullptr, {1.3, 0, 0.2}).velocity - drive.velocity[1][0]), 1e-15);
  EXPECT_LT(norm(flow_at(fluid, s, drive, nullptr, {3.9, 5, 2.7}).velocity - drive.velocity[1][1]), 1e-15);
  const FlowAt centre =
      flow_at(fluid, s, drive, nullptr, {2.5, 2.5, 1.5});  // its neighbours' difference, as files have
  EXPECT_NEAR(centre.slope[1].y, 0.5 * (u(2, 3, 1).y - u(2, 1, 1).y), 1e-15);
  EXPECT_NEAR(centre.slope[0].z, 0.5 * (u(3, 2, 1).z - u(1, 2, 1).z), 1e-15);
  drive.body = {0.002, 0, 0};  // velocities have half of it in them
  EXPECT_NEAR(flow_at(fluid, s, drive, nullptr, {2.5, 2.5, 1.5}).velocity.x, 0.02 + 0.001 / 1.01, 1e-15);
}
