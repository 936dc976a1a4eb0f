#include "step/sweep.h"

#include "step/stride.h"
#include "step/test_sweeps.h"

namespace ls::sweep_test {

using namespace test;

TEST(ExplicitStep, OneSweepGivesTheBitsOfSeparatePasses) {
  const Swept s = rod_of_tiles();
  compare_with_passes(s, Path::tiles, 1, 30);
  compare_with_passes(s, Path::any, 1, 30, Path::tiles);  // it is large enough to go that way by itself
}

TEST(ExplicitStep, ASweepTakesFieldsAlong) {
  compare_with_passes(rod_of_tiles().in_a_field(), Path::tiles, 1, 30);
  compare_with_passes(rod_of_tiles().in_a_field().in_oil(), Path::tiles, 1, 30);
}

TEST(ExplicitStep, ASweepTakesASmallModelToo) {
  compare_with_passes(bed_of_rods(), Path::tiles, 1, 30);
  compare_with_passes(bed_of_rods().in_a_field().in_oil(), Path::tiles, 1, 30);
}

TEST(ExplicitStep, IslandsGiveTheBitsOfSeparatePasses) {
  compare_with_passes(bed_of_rods(), Path::islands, 1, 100);
}

TEST(ExplicitStep, IslandsTakeFieldsAlong) {
  compare_with_passes(bed_of_rods().in_a_field(), Path::islands, 1, 100);
  compare_with_passes(bed_of_rods().in_a_field().in_oil(), Path::islands, 1, 100);
}

TEST(ExplicitStep, WhatIsNotOfChainsGoesByPasses) {
  Swept loaded = bed_of_rods();
  loaded.in.loads.push_back({{5}, {1.0}, {0, 0, 1e-6}, {}, false});
  for (const Path path : {Path::tiles, Path::islands}) compare_with_passes(loaded, path, 1, 3, Path::passes);
  compare_with_passes(rod_of_tiles(), Path::islands, 1, 3, Path::passes);  // one rod is no islands
}

TEST(ThreadedSweep, TilesGiveTheBitsOfSeparatePasses) {
  for (const int threads : {2, 3}) {
    compare_with_passes(rod_of_tiles(), Path::tiles, threads, 30);
    compare_with_passes(rod_of_tiles().in_a_field(), Path::tiles, threads, 30);
    compare_with_passes(rod_of_tiles().in_a_field().in_oil(), Path::tiles, threads, 30);
    compare_with_passes(bed_of_rods().in_a_field(), Path::tiles, threads, 30);
  }
}

TEST(ThreadedSweep, IslandsGiveTheBitsOfSeparatePasses) {
  for (const int threads : {2, 3}) {
    compare_with_passes(bed_of_rods(), Path::islands, threads, 100);
    compare_with_passes(bed_of_rods().in_a_field(), Path::islands, threads, 100);
    compare_with_passes(bed_of_rods().in_a_field().in_oil(), Path::islands, threads, 100);
  }
}

TEST(ThreadedStep, RodsOfTheirOwnGiveTheSameBits) {
  const Swept bed = bed_of_rods().in_a_field();
  State serial = bed.state;
  Work one(bed.model, 1);
  start_explicit(bed.model, bed.in, serial, one);
  EXPECT_LE(one.sweep.islands.size(), 2U);
  advance(bed.model, bed.in, serial, one, 100);
  for (const int threads : {2, 3}) {
    State state = bed.state;
    Work work(bed.model, threads);
    start_explicit(bed.model, bed.in, state, work);
    ASSERT_GT(work.sweep.islands.size(), 2U);
    for (const int cut : work.sweep.islands) EXPECT_EQ(std::min(cut * block, 440) % 11, 0) << "between two rods";
    work.held_impulse.assign(bed.in.held.size(), {});
    work.impulses.duration = bed.in.dt;
    advance(bed.model, bed.in, state, work, 100);
    EXPECT_TRUE(same_bits(serial.nodes, state.nodes)) << threads;
    for (const auto& impulse : work.held_impulse) EXPECT_GT(norm(impulse), 0);
  }
}

// The flow around markers on every node, and the impulses that they are given.
TEST(ThreadedSweep, MarkersGetTheSameImpulsesByEveryPath) {
  Swept s = bed_of_rods();
  for (int i = 0; i < s.model.nodes; ++i) {
    Marker marker;
    marker.anchor[0] = {i, 1, {}};
    s.model.markers.markers.push_back(marker);
  }
  MarkerFlow flow(s.model.markers.markers.size());
  for (std::size_t i = 0; i < s.model.markers.markers.size(); ++i)
    flow.set(i, {{0.1, 0.2, 0.01 * static_cast<double>(i % 7)}, {1e-3, 2e-3, 3e-3, 1e-4, 0, 0}});
  s.in.flow = &flow;
  const auto impulses = [&](Path path, int threads) {
    State state = s.state;
    Work work(s.model, threads);
    start_by(path, s, state, work);
    for (auto* triple : {work.impulses.force, work.impulses.torque})
      for (int a = 0; a < 3; ++a) triple[a].assign(s.model.markers.markers.size(), 0.0);
    work.wrenches.impulses = &work.impulses;
    EXPECT_EQ(choose_path(s.model, s.in, state, work), path);
    for (int i = 0; i < 30; ++i) {
      work.team.set_active(threads);
      advance(s.model, s.in, state, work, 1);
    }
    return work.impulses;
  };
  const MarkerImpulses right = impulses(Path::passes, 1);
  EXPECT_GT(std::abs(right.force[0][7]), 0);
  for (const Path path : {Path::tiles, Path::islands})
    for (const int threads : {1, 2}) {
      const MarkerImpulses found = impulses(path, threads);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(found.force[k], right.force[k]) << static_cast<int>(path) << threads;
    }
}

// Inputs of a number of steps that differ: gravity turns, damping sets in, what is held is driven to and fro.
std::vector<Inputs> inputs_of(const Swept& s, int steps) {
  std::vector<Inputs> all(static_cast<std::size_t>(steps), s.in);
  for (int i = 0; i < steps; ++i) {
    Inputs& in = all[static_cast<std::size_t>(i)];
    in.t = (i + 1) * in.dt;
    in.gravity += Vec3<double>{0.1 * i, 0, 0};
    in.damping_rate = in.spin_damping_rate = i;
    for (HeldNode& h : in.held) {
      h.pose.x += Vec3<double>{1e-7 * i * i, 0, 0};
      h.twist.v = {2e-7 * i / in.dt, 0, 0};
    }
  }
  return all;
}

// Together in portions of every size, and by separate passes one by one.
void compare_portions(const Swept& s, int threads) {
  const std::vector<Inputs> all = inputs_of(s, 46);
  State a = s.state, b = s.state;
  Work together(s.model, threads), passes(s.model, 1);
  passes.sweep.path = Path::passes;
  start_explicit(s.model, s.in, a, together);
  start_explicit(s.model, s.in, b, passes);
  std::span<const Inputs> left = all;
  for (std::size_t portion = 1; !left.empty(); ++portion) {
    const auto in = left.first(portion == 9 ? 1 : std::min(portion, left.size()));
    left = left.subspan(in.size());
    together.team.set_active(threads);
    ASSERT_EQ(choose_path(s.model, in.front(), a, together), Path::tiles);
    ASSERT_EQ(steps_explicit(s.model, in, a, together), Outcome::done);
    for (const Inputs& i : in) ASSERT_EQ(step_explicit(s.model, i, b, passes), Outcome::done);
    ASSERT_TRUE(same_bits(a, b) && same_wrenches(a.nodes, b.nodes)) << portion << " steps, " << threads << " threads";
    EXPECT_EQ(a.clock.step, b.clock.step);
    EXPECT_EQ(a.clock.time, b.clock.time);
  }
  EXPECT_FALSE(together.sweep.strides.empty());
}

// Rods of two kinds of bonds, of many lengths, one after the other.
Swept assorted_rods() {
  Builder b;
  for (int k = 0; k < 60; ++k) {
    auto spec = soft_rod(k % 3 == 0 ? "corotational" : "exact", 3 + (k * k) % 41);
    spec.line = line({0.02 * k, 0, 0}, {0.02 * k, 0, 0.005 * (3 + (k * k) % 41)}, 3 + (k * k) % 41, {1, 0, 0});
    spec.random = {0.05, 5, true, true, true, static_cast<std::uint64_t>(k)};
    b.add(spec);
  }
  Swept s(b.finish());
  s.in.dt = 1e-5;
  s.in.gravity = {0, 1, -9.81};
  s.in.held = {{700, hold_all, s.state.nodes.frame(700), {}}, {40, hold_x, s.state.nodes.frame(40), {}}};
  return s;
}

TEST(Stride, SeveralStepsInOneSweepGiveTheBitsOfSeparatePasses) {
  compare_portions(rod_of_tiles(), 1);
  compare_portions(bed_of_rods(), 1);
  compare_portions(assorted_rods(), 1);
}

TEST(Stride, TakesFieldsAndDragAlong) {
  compare_portions(rod_of_tiles().in_a_field().in_oil(), 1);
  compare_portions(bed_of_rods().in_a_field(), 1);
}

TEST(ThreadedStride, SeamsBetweenThreadsGiveTheBitsOfSeparatePasses) {
  for (const int threads : {2, 3, 5}) {
    compare_portions(rod_of_tiles(), threads);
    compare_portions(rod_of_tiles().in_a_field().in_oil(), threads);
    compare_portions(assorted_rods(), threads);
  }
}

// What must be looked at after every step is: a bond that breaks, here, within the first few.
TEST(Stride, BondsThatCanBreakAreLookedAtAfterEveryStep) {
  Swept s = rod_of_tiles();
  for (BondClass& c : s.model.bond_tables[0].classes) c.limit.stretch = 1e-9;
  s.state.memory.broken.assign(static_cast<std::size_t>(s.model.bonds()), 0);
  State a = s.state, b = s.state;
  Work together(s.model, 1), passes(s.model, 1);
  passes.sweep.path = Path::passes;
  start_explicit(s.model, s.in, a, together);
  start_explicit(s.model, s.in, b, passes);
  const std::vector<Inputs> all(8, s.in);
  ASSERT_EQ(steps_explicit(s.model, all, a, together), Outcome::done);
  advance(s.model, s.in, b, passes, 8);
  EXPECT_TRUE(same_bits(a, b));
  EXPECT_EQ(a.memory.broken, b.memory.broken);
  EXPECT_GT(std::ranges::count(a.memory.broken, 1), 0);
}

// Torn off at once, or in a later step by a field of gravity that is no number.
TEST(Stride, SaysInWhichStepAndWhereItWasLost) {
  for (const int bad : {-1, 0, 3}) {
    Swept s = rod_of_tiles();
    s.in.held.clear();
    std::vector<Inputs> all(8, s.in);
    if (bad >= 0) all[static_cast<std::size_t>(bad)].gravity = {0, 0, std::nan("")};
    State a = s.state, b = s.state;
    Work together(s.model, 1), passes(s.model, 1);
    passes.sweep.path = Path::passes;
    start_explicit(s.model, s.in, a, together);
    start_explicit(s.model, s.in, b, passes);
    if (bad < 0) a.nodes.w[0][1700] = b.nodes.w[0][1700] = 1e12;
    EXPECT_EQ(steps_explicit(s.model, all, a, together), Outcome::diverged);
    Outcome one = Outcome::done;
    for (std::size_t i = 0; i < all.size() && one == Outcome::done; ++i)
      one = step_explicit(s.model, all[i], b, passes);
    EXPECT_EQ(one, Outcome::diverged);
    EXPECT_EQ(a.clock.step, b.clock.step);
    EXPECT_GT(a.clock.step, bad);
    if (bad < 0) {
      EXPECT_EQ(a.clock.step, 0);
      EXPECT_EQ(together.lost_node / block, 1700 / block) << "the first of its pack, whatever the width";
    }
    EXPECT_EQ(together.lost_node, passes.lost_node);
  }
}

}  // namespace ls::sweep_test
