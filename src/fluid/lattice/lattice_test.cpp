#include "fluid/lattice/lattice.h"

#include "fluid/lattice/test_naive_lattice.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace ls;
using namespace ls::test;

namespace {

// The largest difference of momenta and densities between a lattice and the naive one.
double difference(const Lattice& lattice, const FluidState& s, NaiveLattice& naive) {
  double worst = 0;
  const auto& n = lattice.spec().cells;
  for (int z = 0; z < n[2]; ++z)
    for (int y = 0; y < n[1]; ++y)
      for (int x = 0; x < n[0]; ++x) {
        const CellMoments m = moments_at(lattice, s, x, y, z);
        double density = 0;
        Vec3<double> momentum{};
        for (int i = 0; i < d3q19::count; ++i) {
          const double f = naive.at(x, y, z)[i];
          density += f;
          momentum = momentum + f * Vec3<double>{1. * d3q19::cx[i], 1. * d3q19::cy[i], 1. * d3q19::cz[i]};
        }
        worst = std::max(worst, std::abs(m.excess + 1 - density));
        for (int k = 0; k < 3; ++k)
          worst = std::max(worst, std::abs(component(m.momentum, k) - component(momentum, k)));
      }
  return worst;
}

// Random boxes, faces, flows and forces: seven steps against the naive lattice.
double worst_against_naive(bool is_double, int trials) {
  std::mt19937 random(5);
  Team team;
  double worst = 0;
  for (int trial = 0; trial < trials; ++trial) {
    LatticeSpec spec = random_spec(random, true);
    spec.is_double = is_double;
    const Lattice lattice(spec);
    FluidState s = lattice.at_rest();
    NaiveLattice naive(spec);
    for (int z = 0; z < spec.cells[2]; ++z)
      for (int y = 0; y < spec.cells[1]; ++y)
        for (int x = 0; x < spec.cells[0]; ++x) {
          const double density = 1 + random_vector(random, 0.03).x;
          const Vec3<double> u = random_vector(random, 0.05);
          lattice.set(s, x, y, z, density, u);
          naive.set(x, y, z, density, u);
        }
    RowField forces(lattice.rows(), spec.is_double);
    for (int step = 0; step < 7; ++step) {
      const LatticeDrive drive = random_drive(random);
      fill_random(spec, forces, random, 1e-3);
      lattice.step(s, drive, trial % 3 == 0 ? nullptr : &forces, team);
      naive.step(drive, [&](int x, int y, int z) {
        return trial % 3 == 0 ? drive.body : drive.body + force_at(forces, z * spec.cells[1] + y, x);
      });
      worst = std::max(worst, difference(lattice, s, naive));
    }
  }
  return worst;
}

}  // namespace

TEST(Lattice, DoesWhatTheTextbookSays) {
  EXPECT_LE(worst_against_naive(true, 200), 1e-14);
  EXPECT_LE(worst_against_naive(false, 50), 1e-6);
}

TEST(Lattice, StandsStillAtRest) {
  Team team;
  for (const bool is_double : {false, true}) {
    LatticeSpec spec{{13, 4, 5}, 0.1, {{{wall, free_slip}, {periodic, periodic}, {pressure, wall}}}, true, is_double};
    const Lattice lattice(spec);
    FluidState s = lattice.at_rest();
    for (int i = 0; i < 5; ++i) lattice.step(s, {}, nullptr, team);
    const auto t = lattice.totals(s, team);
    EXPECT_EQ(t.mass, 0);
    EXPECT_EQ(t.absolute, 0);
    EXPECT_EQ(s.steps, 5);
    EXPECT_TRUE(s.odd);
  }
}

TEST(Lattice, SetsCells) {
  for (const bool is_double : {false, true}) {
    LatticeSpec spec{{5, 4, 3}, 0.1, {}, true, is_double};
    const Lattice lattice(spec);
    FluidState s = lattice.at_rest();
    const double close = is_double ? 1e-15 : 1e-7;
    lattice.set(s, 4, 2, 1, 1.02, {0.03, -0.02, 0.01});
    const CellMoments m = moments_at(lattice, s, 4, 2, 1);
    EXPECT_NEAR(m.excess, 0.02, close);
    EXPECT_NEAR(m.momentum.x, 1.02 * 0.03, close);
    EXPECT_NEAR(m.momentum.y, 1.02 * -0.02, close);
    EXPECT_NEAR(m.momentum.z, 1.02 * 0.01, close);
    Team team;
    const auto t = lattice.totals(s, team);
    EXPECT_NEAR(t.mass, 0.02, close);
    EXPECT_NEAR(t.absolute, 1.02 * std::sqrt(14e-4), close);
    EXPECT_TRUE(t.finite);
    lattice.set(s, 0, 0, 0, std::nan(""), {});
    EXPECT_FALSE(lattice.totals(s, team).finite);
  }
}

TEST(Lattice, GivesTheMomentsOfPartsOfARow) {
  std::mt19937 random(6);
  Team team;
  for (const bool is_double : {false, true}) {
    LatticeSpec spec{{37, 6, 5}, 0.1, {{{wall, free_slip}, {}, {wall, wall}}}, true, is_double};
    const Lattice lattice(spec);
    FluidState s = lattice.at_rest();
    set_random(lattice, s, random);
    double values[4][37];
    for (int step = 0; step < 3; ++step) {
      for (const auto& [row, first, last] : {std::array{7, 3, 30}, {0, 0, 37}, {29, 36, 37}, {11, 5, 9}}) {
        double* const out[4] = {values[0], values[1], values[2], values[3]};
        lattice.moments(s, row, first, last, out);
        for (int x = first; x < last; ++x) {
          const CellMoments m = moments_at(lattice, s, x, row % 6, row / 6);
          EXPECT_EQ(values[0][x - first], m.excess);
          EXPECT_EQ(values[2][x - first], m.momentum.y);
        }
      }
      lattice.step(s, {}, nullptr, team);
    }
  }
}

TEST(Lattice, IsSmall) {
  for (const auto& cells : {std::array{160, 96, 80}, std::array{90, 36, 45}}) {
    const Lattice lattice({cells, 0.1, {}, true, false});
    EXPECT_LE(static_cast<double>(lattice.bytes()) / static_cast<double>(lattice.cells()), 90);
  }
}

TEST(LatticeThreads, GiveTheSameBits) {
  for (const bool is_double : {false, true}) {
    LatticeSpec spec{{45, 17, 19}, 0.05, {{{wall, free_slip}, {pressure, wall}, {}}}, true, is_double};
    const Lattice lattice(spec);
    Team one(1), two(2), three(3);
    FluidState states[3] = {lattice.at_rest(), lattice.at_rest(), lattice.at_rest()};
    Team* teams[3] = {&one, &two, &three};
    for (int k = 0; k < 3; ++k) {
      std::mt19937 random(7);
      set_random(lattice, states[k], random);
      RowField forces(lattice.rows(), spec.is_double);
      for (int step = 0; step < 9; ++step) {
        fill_random(spec, forces, random, 1e-3);
        lattice.step(states[k], random_drive(random), &forces, *teams[k]);
      }
    }
    const auto first = lattice.totals(states[0], one);
    for (int k = 1; k < 3; ++k) {
      EXPECT_EQ(std::memcmp(states[0].populations.data(), states[k].populations.data(), lattice.bytes()), 0);
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t side = 0; side < 2; ++side) {
          const Vec3<double>&a = states[0].impulse.faces[axis][side], &b = states[k].impulse.faces[axis][side];
          EXPECT_TRUE(a.x == b.x && a.y == b.y && a.z == b.z);
        }
      const auto other = lattice.totals(states[k], *teams[k]);
      EXPECT_EQ(first.mass, other.mass);
      EXPECT_EQ(first.momentum.y, other.momentum.y);
      EXPECT_EQ(first.absolute, other.absolute);
    }
  }
}

TEST(Lattice, RefusesWhatIsNoBox) {
  EXPECT_THROW(Lattice({{0, 3, 3}, 0.1, {}, true, true}), std::exception);
  EXPECT_THROW(Lattice({{3, 3, 3}, 0, {}, true, true}), std::exception);
  EXPECT_THROW(Lattice({{3, 3, 3}, 0.1, {{{periodic, wall}, {}, {}}}, true, true}), std::exception);
}
