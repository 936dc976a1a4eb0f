#include "step/sweep.h"

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

}  // namespace ls::sweep_test
