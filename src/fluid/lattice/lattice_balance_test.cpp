// What the fluid has gained is what went into it.
#include "fluid/lattice/test_lattice.h"

#include <gtest/gtest.h>

using namespace ls;
using namespace ls::test;

namespace {

double size_of(const Vec3<double>& v) {
  return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

struct Gap {
  double momentum, mass;  // as shares of what went in, or of what is there
};

// Steps with forces on some rows: how far momentum and mass are off the balance.
Gap gap_after(const LatticeSpec& spec, const LatticeDrive& drive, int steps) {
  std::mt19937 random(8);
  Team team;
  const Lattice lattice(spec);
  FluidState s = lattice.at_rest();
  set_random(lattice, s, random);
  const auto start = lattice.totals(s, team);
  RowField forces(lattice.rows(), spec.is_double);
  Vec3<double> given{};
  double sizes = 0;
  for (int step = 0; step < steps; ++step) {
    if (step % 50 == 0) fill_random(spec, forces, random, 1e-5);
    const Vec3<double> force = sum_of(spec, forces);
    given = given + force;
    sizes += size_of(force);
    lattice.step(s, drive, &forces, team);
  }
  const auto end = lattice.totals(s, team);
  Vec3<double> gained = end.momentum - start.momentum - given - s.impulse.body;
  sizes += size_of(s.impulse.body);
  for (const auto& sides : s.impulse.faces)
    for (const auto& j : sides) {
      gained = gained - j;
      sizes += size_of(j);
    }
  EXPECT_TRUE(end.finite);
  return {size_of(gained) / std::max(sizes, end.absolute), std::abs(end.mass - start.mass) / lattice.cells()};
}

}  // namespace

TEST(LatticeBalance, MomentumIsAccountedFor) {
  LatticeDrive drive;
  drive.body = {1e-6, -2e-6, 3e-6};
  drive.velocity = {{{{{0, 0.01, 0.02}, {0, 0, 0}}}, {{{0.02, 0, 0.01}, {0, 0, -0.01}}}, {{{0.01, -0.02, 0}, {}}}}};
  drive.density = {{{1.001, 0.999}, {1.0, 1.002}, {0.998, 1.0}}};
  const auto box = [](auto x, auto y, auto z) { return LatticeSpec{{19, 14, 11}, 0.05, {{x, y, z}}, true, true}; };
  using Sides = std::array<FaceKind, 2>;
  for (const LatticeSpec& spec :
       {box(Sides{wall, wall}, Sides{wall, wall}, Sides{wall, wall}), box(Sides{}, Sides{wall, free_slip}, Sides{}),
        box(Sides{free_slip, free_slip}, Sides{free_slip, wall}, Sides{wall, free_slip})}) {
    const Gap gap = gap_after(spec, drive, 1000);
    EXPECT_LE(gap.momentum, 1e-12);
    EXPECT_LE(gap.mass, 1e-14);
  }
  for (const LatticeSpec& spec : {box(Sides{pressure, pressure}, Sides{wall, wall}, Sides{free_slip, wall}),
                                  box(Sides{wall, pressure}, Sides{pressure, free_slip}, Sides{}),
                                  box(Sides{}, Sides{wall, pressure}, Sides{pressure, pressure})})
    EXPECT_LE(gap_after(spec, drive, 1000).momentum, 1e-12);
}

TEST(LatticeBalance, BoxesWithoutInletsKeepTheirMass) {
  std::mt19937 random(9);
  Team team;
  for (int trial = 0; trial < 60; ++trial) {
    LatticeSpec spec = random_spec(random, false);
    spec.is_double = true;
    const Lattice lattice(spec);
    FluidState s = lattice.at_rest();
    set_random(lattice, s, random);
    const double start = lattice.totals(s, team).mass;
    LatticeDrive drive = random_drive(random);
    for (int axis = 0; axis < 3; ++axis)  // walls slide along themselves
      for (auto& u : drive.velocity[axis]) component(u, axis) = 0;
    for (int step = 0; step < 11; ++step) lattice.step(s, drive, nullptr, team);
    EXPECT_NEAR(lattice.totals(s, team).mass, start, 1e-13 * static_cast<double>(lattice.cells()));
  }
}
