#include "fluid/lattice/lattice_sweep.h"

#include "fluid/lattice/test_lattice.h"

#include <cstring>
#include <gtest/gtest.h>

namespace ls::lattice_sweep_test {

using namespace test;

std::array<Vec3<double>, 8> parts_of(const FluidImpulse& j) {
  const auto& f = j.faces;
  return {f[0][0], f[0][1], f[1][0], f[1][1], f[2][0], f[2][1], j.body, j.markers};
}

void expect_same(const FluidState& a, const FluidState& b) {
  EXPECT_EQ(std::memcmp(a.populations.data(), b.populations.data(), a.populations.size()), 0);
  EXPECT_EQ(a.odd, b.odd);
  EXPECT_EQ(a.steps, b.steps);
  for (const auto what : {&FluidState::impulse, &FluidState::before})
    for (std::size_t k = 0; k < 8; ++k) {
      const Vec3<double> p = parts_of(a.*what)[k], q = parts_of(b.*what)[k];
      EXPECT_TRUE(p.x == q.x && p.y == q.y && p.z == q.z);
    }
}

// Boxes of this many planes, so that some parts are long enough for seams and some are not.
LatticeSpec spec_of(std::mt19937& random, int planes) {
  LatticeSpec spec = random_spec(random, true);
  spec.cells[2] = planes;
  if (random() % 2 == 0) spec.cells[1] = 6 + static_cast<int>(random() % 20);  // planes longer than blocks
  spec.is_double = random() % 2 == 0;
  return spec;
}

// After so many single steps, the rest in one sweep on so many threads; how many sweeps there were.
int compare(const LatticeSpec& spec, std::span<const LatticeDrive> drives, std::size_t singly, int threads,
            std::mt19937& random) {
  const LatticeLayout layout(spec);
  const SweepPlan plan(layout, static_cast<int>(drives.size() - singly), threads);
  if (!plan.is_possible()) return 0;
  const Lattice lattice(spec);
  Team alone(1), team(threads);
  FluidState s = lattice.at_rest();
  set_random(lattice, s, random);
  FluidState other = s;
  for (const LatticeDrive& drive : drives) {
    s.before = s.impulse;
    lattice.step(s, drive, nullptr, alone);
  }
  for (std::size_t k = 0; k < singly; ++k) lattice.step(other, drives[k], nullptr, alone);
  if (spec.is_double)
    sweep_lattice<double>(layout, other, drives.subspan(singly), plan, team);
  else
    sweep_lattice<float>(layout, other, drives.subspan(singly), plan, team);
  expect_same(s, other);
  return 1;
}

// Random boxes, faces, flows and inlets that change from step to step.
TEST(LatticeSweepThreads, GiveTheBitsOfSingleSteps) {
  std::mt19937 random(11);
  int sweeps = 0, refused = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const LatticeSpec spec = spec_of(random, 5 + static_cast<int>(random() % 60));
    const std::size_t singly = random() % 2, steps = 2 + random() % 5;
    std::vector<LatticeDrive> drives;
    for (std::size_t k = 0; k < singly + steps; ++k) drives.push_back(random_drive(random));
    const int done = compare(spec, drives, singly, 1 + static_cast<int>(random() % 3), random);
    done > 0 ? ++sweeps : ++refused;
  }
  EXPECT_GT(sweeps, 20);
  EXPECT_GT(refused, 2);
}

// Parts join up, and leave room for seams on the sides where there are some.
TEST(LatticeSweep, PlansLeaveNothingOut) {
  for (const FaceKind across_z : {periodic, wall})
    for (const int rows : {7 * 40, 8 * 41})
      for (const int threads : {1, 2, 3}) {
        LatticeSpec spec{{9, rows / 40, 40}, 0.1, {}, true, false};
        spec.faces[1] = {wall, wall}, spec.faces[2] = {across_z, across_z};
        const SweepPlan plan(LatticeLayout(spec), 3, threads);
        ASSERT_TRUE(plan.is_possible());
        EXPECT_EQ(plan.parts.front().first, 0);
        EXPECT_EQ(plan.parts.back().last, plan.blocks);
        for (int k = 1; k < 3; ++k)
          for (const auto& p : plan.parts) {
            EXPECT_EQ(plan.first(p, k) > p.first, p.has_before);
            EXPECT_EQ(plan.last(p, k) < p.last, p.has_behind);
            EXPECT_LT(plan.first(p, k), plan.last(p, k));
          }
      }
}

// Small boxes stay in the cache anyway, and of large ones some planes have to.
TEST(LatticeSweep, IsForBoxesBeyondTheCache) {
  const auto steps = [](const std::array<int, 3>& cells, int wanted, int threads) {
    LatticeSpec spec{cells, 0.1, {}, true, false};
    spec.faces[1] = {wall, wall};
    return steps_in_sweep(LatticeLayout(spec), wanted, threads);
  };
  EXPECT_EQ(steps({32, 16, 16}, 8, 1), 1);
  EXPECT_EQ(steps({160, 96, 80}, 8, 1), 3);
  EXPECT_EQ(steps({160, 96, 80}, 4, 1), 2);  // and two more
  EXPECT_EQ(steps({160, 96, 80}, 1, 1), 1);
  EXPECT_EQ(steps({160, 96, 80}, 8, 64), 1);  // their parts would have no room for seams
  EXPECT_EQ(steps({1024, 512, 100}, 8, 1), 1);
  EXPECT_EQ(Lattice({{160, 96, 80}, 0.1, {}, true, false}).most_in_sweep(1), 3);
}

// However many steps are asked for at once.
TEST(LatticeSweep, StepsAreThoseOfSingleOnes) {
  const Lattice lattice({{70, 50, 20}, 0.05, {{{}, {wall, free_slip}, {pressure, wall}}}, true, false});
  std::mt19937 random(3);
  Team team;
  FluidState s = lattice.at_rest();
  set_random(lattice, s, random);
  FluidState other = s;
  for (const std::size_t count : {1U, 7U, 2U, 8U}) {
    std::vector<LatticeDrive> drives;
    for (std::size_t k = 0; k < count; ++k) drives.push_back(random_drive(random));
    for (const LatticeDrive& drive : drives) {
      s.before = s.impulse;
      lattice.step(s, drive, nullptr, team);
    }
    lattice.steps(other, drives, team);
    expect_same(s, other);
  }
}

}  // namespace ls::lattice_sweep_test
