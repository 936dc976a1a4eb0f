// Flows whose solution is known. Channels lie along every axis; walls are on the faces of the box.
#include "fluid/lattice/test_lattice.h"

#include <gtest/gtest.h>
#include <numbers>

using namespace ls;
using namespace ls::test;

namespace {

// A channel across one axis, `across` cells wide, and a few cells in the other directions.
LatticeSpec channel(int axis, int across, FaceKind low, FaceKind high, double viscosity, bool is_double) {
  LatticeSpec spec;
  spec.cells = {5, 3, 2};
  if (axis != 0) spec.cells[0] = 19;
  spec.cells[axis] = across;
  spec.faces[axis] = {low, high};
  spec.viscosity = viscosity;
  spec.is_double = is_double;
  return spec;
}

struct Error2 {
  double mean, worst;  // root mean square and largest difference over the root mean square and largest value
};

// Runs until it is steady, and compares velocities along axes `along` with exact(distance from the low face).
template <class F>
Error2 error_of(const LatticeSpec& spec, const LatticeDrive& drive, int axis, int along, int steps, const F& exact) {
  Team team;
  const Lattice lattice(spec);
  FluidState s = lattice.at_rest();
  for (int i = 0; i < steps; ++i) lattice.step(s, drive, nullptr, team);
  double square = 0, scale = 0, worst = 0, largest = 0;
  for (int k = 0; k < spec.cells[axis]; ++k) {
    int cell[3] = {spec.cells[0] - 1, 1, 1};
    cell[axis] = k;
    const double u = component(moments_at(lattice, s, cell[0], cell[1], cell[2]).velocity(drive.body), along);
    const double e = exact(k + 0.5);
    square += (u - e) * (u - e), scale += e * e;
    worst = std::max(worst, std::abs(u - e)), largest = std::max(largest, std::abs(e));
  }
  return {std::sqrt(square / scale), worst / largest};
}

double poiseuille_error(int axis, int odd_step, bool is_double, double speed) {
  const int width = 12;
  const double nu = 0.1, g = 8 * nu * speed / (width * width);
  const int along = (axis + 1) % 3;
  LatticeDrive drive;
  component(drive.body, along) = g;
  return error_of(channel(axis, width, wall, wall, nu, is_double), drive, axis, along, 4200 + odd_step,
                  [&](double y) { return g / (2 * nu) * y * (width - y); })
      .mean;
}

}  // namespace

TEST(LatticeFlow, PoiseuilleHasItsWallsOnTheFaces) {
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_LE(poiseuille_error(axis, 0, true, 0.05), 1e-10);
    EXPECT_LE(poiseuille_error(axis, 1, true, 0.05), 1e-10);
    EXPECT_LE(poiseuille_error(axis, 1, false, 0.05), 1e-6);
    EXPECT_LE(poiseuille_error(axis, 0, false, 1e-5), 1e-6);
  }
}

TEST(LatticeFlow, CouetteIsLinear) {
  for (int axis = 0; axis < 3; ++axis)
    for (const bool is_double : {true, false}) {
      const int width = 11, along = (axis + 2) % 3;
      LatticeDrive drive;
      component(drive.velocity[axis][1], along) = 0.05;
      component(drive.velocity[axis][0], along) = -0.01;
      const auto e = error_of(channel(axis, width, wall, wall, 0.1, is_double), drive, axis, along, 4201,
                              [&](double y) { return -0.01 + 0.06 * y / width; });
      EXPECT_LE(e.worst, is_double ? 1e-10 : 1e-6) << axis;
    }
}

TEST(LatticeFlow, FreeSlipIsASymmetryPlane) {
  for (int axis = 0; axis < 3; ++axis)
    for (const bool is_double : {true, false}) {
      const int width = 8, along = (axis + 1) % 3, other = (axis + 2) % 3;
      const double nu = 0.1, g = 2 * nu * 0.05 / (width * width);
      LatticeDrive drive;  // at an angle to the axes
      component(drive.body, along) = g;
      component(drive.body, other) = 0.5 * g;
      const auto profile = [&](double y) { return g / (2 * nu) * y * (2 * width - y); };
      const auto spec = channel(axis, width, wall, free_slip, nu, is_double);
      const double close = is_double ? 1e-10 : 1e-6;
      EXPECT_LE(error_of(spec, drive, axis, along, 7000, profile).worst, close) << axis;
      EXPECT_LE(error_of(spec, drive, axis, other, 7001, [&](double y) { return 0.5 * profile(y); }).worst, close);
    }
}

namespace {

// Taylor and Green's vortices in the plane of axes a and b decay as exp(-2 k^2 nu t): the share by which the measured
// viscosity is off.
double taylor_green_error(int n, int a, int b, double speed) {
  LatticeSpec spec;
  spec.cells = {2, 2, 2};
  spec.cells[a] = spec.cells[b] = n;
  spec.viscosity = 0.02;
  spec.is_double = true;
  const Lattice lattice(spec);
  Team team;
  FluidState s = lattice.at_rest();
  const double k = 2 * std::numbers::pi / n;
  const auto each = [&](const auto& f) {
    for (int z = 0; z < spec.cells[2]; ++z)
      for (int y = 0; y < spec.cells[1]; ++y)
        for (int x = 0; x < spec.cells[0]; ++x) f(std::array{x, y, z});
  };
  each([&](std::array<int, 3> c) {
    const double p = k * c[a], q = k * c[b];
    Vec3<double> u{};
    component(u, a) = speed * std::sin(p) * std::cos(q), component(u, b) = -speed * std::cos(p) * std::sin(q);
    const double density = 1 + 0.75 * speed * speed * (std::cos(2 * p) + std::cos(2 * q));
    lattice.set(s, c[0], c[1], c[2], density, u);
  });
  const auto energy = [&] {
    double sum = 0;
    each([&](std::array<int, 3> c) {
      const Vec3<double> p = moments_at(lattice, s, c[0], c[1], c[2]).momentum;
      sum += p.x * p.x + p.y * p.y + p.z * p.z;
    });
    return sum;
  };
  for (int i = 0; i < 30; ++i) lattice.step(s, {}, nullptr, team);
  const double before = energy();
  const int steps = n * n / 5;
  for (int i = 0; i < steps; ++i) lattice.step(s, {}, nullptr, team);
  return std::log(before / energy()) / (4 * k * k * steps) / spec.viscosity - 1;
}

}  // namespace

TEST(LatticeFlow, TaylorGreenIsOfSecondOrder) {
  const double fine = taylor_green_error(48, 0, 1, 0.02), coarse = taylor_green_error(24, 0, 1, 0.04);
  RecordProperty("error_48", std::to_string(fine));
  EXPECT_LE(std::abs(fine), 1.5e-3);
  EXPECT_NEAR(std::log2(std::abs(coarse / fine)), 2, 0.3);
  EXPECT_LE(std::abs(taylor_green_error(48, 2, 0, 0.02)), 1.5e-3);
}

namespace {

struct ChannelFlow {
  double profile, flux;  // shares by which they are off Poiseuille's
  double drift;          // of the mass at the end, per step and of what flows through
};

// A channel along `axis`, walls across `wall_axis`.
ChannelFlow through_flow(int axis, int wall_axis, FaceKind inlet, bool is_double) {
  const int length = 24, width = 10;
  LatticeSpec spec;
  spec.cells = {2, 2, 2};
  spec.cells[axis] = length;
  spec.cells[wall_axis] = width;
  spec.faces[axis] = {inlet, pressure};
  spec.faces[wall_axis] = {wall, wall};
  spec.viscosity = 0.1;
  spec.is_double = is_double;
  LatticeDrive drive;
  const double speed = 0.01, g = 8 * spec.viscosity * speed / (width * width);  // largest, pressure over length
  drive.density[axis] = {1 + 1.5 * g * length, 1 - 1.5 * g * length};
  if (inlet == wall) {
    drive.density[axis][1] = 1;
    component(drive.velocity[axis][0], axis) = speed * 2 / 3;
  }
  const Lattice lattice(spec);
  Team team;
  FluidState s = lattice.at_rest();
  for (int i = 0; i < 5000; ++i) lattice.step(s, drive, nullptr, team);
  const double before = lattice.totals(s, team).mass;
  for (int i = 0; i < 100; ++i) lattice.step(s, drive, nullptr, team);
  ChannelFlow result{};
  result.drift = (lattice.totals(s, team).mass - before) / 100 / (width * speed * 2 / 3 * 2);
  // The sum over cells of Poiseuille's velocities is larger than their integral.
  const double sum_over_integral = 1 + 0.5 / (width * width);
  const double scale = inlet == wall ? 1 / sum_over_integral : 1;
  double flux = 0;
  for (int k = 0; k < width; ++k) {
    int cell[3] = {1, 1, 1};
    cell[axis] = length / 2, cell[wall_axis] = k;
    // Not its velocity: the fluid is denser where the pressure is higher, and what flows through is the same.
    const double momentum = component(moments_at(lattice, s, cell[0], cell[1], cell[2]).momentum, axis);
    const double y = k + 0.5, exact = scale * g / (2 * spec.viscosity) * y * (width - y);
    flux += momentum;
    result.profile = std::max(result.profile, std::abs(momentum - exact) / speed);
  }
  result.flux = flux / (scale * sum_over_integral * speed * 2 / 3 * width) - 1;
  return result;
}

}  // namespace

TEST(LatticeFlow, PressureDrivesAChannel) {
  for (int axis = 0; axis < 3; ++axis) {
    const ChannelFlow f = through_flow(axis, (axis + 1) % 3, pressure, true);
    RecordProperty("profile_" + std::to_string(axis), std::to_string(f.profile));
    RecordProperty("flux_" + std::to_string(axis), std::to_string(f.flux));
    EXPECT_LE(f.profile, 1e-3) << axis;
    EXPECT_LE(std::abs(f.flux), 1e-3) << axis;
    EXPECT_LE(std::abs(f.drift), 1e-6);
  }
}

TEST(LatticeFlow, WhatAnInletLetsInLeavesThroughAPressureFace) {
  for (int axis = 0; axis < 3; ++axis) {
    const ChannelFlow f = through_flow(axis, (axis + 2) % 3, wall, true);
    RecordProperty("profile_" + std::to_string(axis), std::to_string(f.profile));
    RecordProperty("flux_" + std::to_string(axis), std::to_string(f.flux));
    EXPECT_LE(f.profile, 2e-3) << axis;
    EXPECT_LE(std::abs(f.flux), 1e-6) << axis;
    EXPECT_LE(std::abs(f.drift), 1e-6);
  }
}
