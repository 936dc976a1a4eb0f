#include "base/rng.h"
#include "base/sanitized.h"
#include "step/move.h"
#include "step/test_sweeps.h"

namespace ls::sweep_contact_test {

using namespace test;

constexpr int long_run = is_sanitized ? 120 : 600;

TEST(ExplicitContact, OneSweepGivesTheBitsOfSeparatePasses) {
  const Swept s = mats(0.5);
  const Compared c = compare_with_passes(s, Path::tiles, 1, long_run);
  EXPECT_GT(c.most_touching, is_sanitized ? 10U : 20U);
  EXPECT_TRUE(c.waited);  // it did sweep
}

TEST(ExplicitContact, ASweepTakesFieldsAlong) {
  const Compared c = compare_with_passes(mats(0.5).in_a_field().in_oil(), Path::tiles, 1, long_run);
  EXPECT_GT(c.most_touching, is_sanitized ? 10U : 20U);
  EXPECT_TRUE(c.waited);
}

// What touches couples islands: they are none then.
TEST(ExplicitContact, IslandsThatTouchGoByPasses) {
  const Swept s = mats(0.5);
  const int steps = is_sanitized ? 40 : 100;
  compare_with_passes(s, Path::islands, 1, steps, Path::passes);
  Swept apart = s;
  apart.in.contact = ContactLaw::none;
  compare_with_passes(apart, Path::islands, 1, steps);
  compare_with_passes(apart.in_a_field(), Path::islands, 1, steps);
}

TEST(ThreadedContact, EveryPathGivesTheBitsOfSeparatePasses) {
  for (const int threads : {2, 3}) {
    if (is_sanitized && threads == 2) continue;
    const Compared c = compare_with_passes(mats(0.5), Path::tiles, threads, is_sanitized ? 100 : 150);
    EXPECT_GT(c.most_touching, 10U);
    EXPECT_TRUE(c.waited);
    compare_with_passes(mats(0.5).in_a_field().in_oil(), Path::tiles, threads, is_sanitized ? 15 : 100);
    compare_with_passes(mats(0.5), Path::islands, threads, is_sanitized ? 5 : 50, Path::passes);
    compare_with_passes(mats(0.5), Path::passes, threads, is_sanitized ? 5 : 50);
  }
}

TEST(ThreadedContact, ASweepGivesTheSameBitsForAnyNumberOfThreadsAndAfterARestart) {
  const Swept s = mats(0.5);
  State one = s.state, more = s.state, later;
  Work k1(s.model, 1), k3(s.model, 3), k2(s.model, 2);
  for (Work* work : {&k1, &k2, &k3})
    work->sweep.path = Path::tiles;  // by itself it would not: too much waits for contact
  start_explicit(s.model, s.in, one, k1);
  start_explicit(s.model, s.in, more, k3);
  const int steps = is_sanitized ? 120 : 300;
  for (int i = 0; i < steps; ++i) {
    k3.team.set_active(3);
    advance(s.model, s.in, one, k1, 1);
    advance(s.model, s.in, more, k3, 1);
    if (i == steps / 2) later = one, resume_explicit(s.model, s.in, k2);
    if (i > steps / 2) advance(s.model, s.in, later, k2, 1);
  }
  EXPECT_TRUE(same_bits(one, more));
  EXPECT_TRUE(same_bits(one, later));
  EXPECT_GT(one.memory.touching.size(), 10U);
}

// A layer that is thrown from out of reach into the other within one step: what comes near was not foreseen.
TEST(ExplicitContact, WhatComesNearWithinOneStepIsFeltInThatStep) {
  const Swept s = mats(0.0);
  State swept = s.state, slow = s.state;
  const auto throw_down = [&](State& b, Work& work) {
    for (int body = 1; body < 12; body += 2)
      for (const int n : s.model.bodies[body].nodes) b.nodes.x[2][n] += 5e-3;
    start_explicit(s.model, s.in, b, work);
    advance(s.model, s.in, b, work, 3);
    for (int body = 1; body < 12; body += 2)
      for (const int n : s.model.bodies[body].nodes) b.nodes.v[2][n] = -5.1e-3 / s.in.dt;
    advance(s.model, s.in, b, work, 1);
  };
  Work work(s.model, 1), kp(s.model, 1);
  kp.sweep.path = Path::passes;
  throw_down(swept, work);
  throw_down(slow, kp);
  EXPECT_FALSE(work.sweep.waiting.empty());  // the one swept, the other did not
  EXPECT_TRUE(kp.sweep.waiting.empty());
  EXPECT_GT(swept.memory.touching.size(), 20U);
  EXPECT_EQ(swept.memory.touching, slow.memory.touching);
  for (int i = 0; i < s.model.nodes; ++i) {
    const double size = 1e-9 * norm(slow.nodes.wrench(i).force) + 1e-9;
    EXPECT_NEAR(swept.nodes.f[2][i], slow.nodes.f[2][i], size);
    EXPECT_NEAR(swept.nodes.v[2][i], slow.nodes.v[2][i], 1e-9 * std::abs(slow.nodes.v[2][i]) + 1e-9);
    EXPECT_NEAR(swept.nodes.w[0][i], slow.nodes.w[0][i], 1e-9 * std::abs(slow.nodes.w[0][i]) + 1e-6);
  }
}

constexpr double radius = 2e-3;  // m, of the rods of test_rods.h

// Two rods that cross, of three tiles together. Bent and moving anyhow, so that every kick has all its bits. gap:
// between their surfaces, m; closing: by how much it shrinks in a step.
Swept two_rods(double gap, double closing) {
  Builder b;
  b.set_contact({}, false);
  for (int i = 0; i < 2; ++i) {
    auto r = soft_rod("exact", 600);
    r.line = i == 0 ? line({-0.15, 0, 0}, {0.15, 0, 0}, 600, {0, 0, 1})
                    : line({0, -0.15, 2 * radius + gap}, {0, 0.15, 2 * radius + gap}, 600, {0, 0, 1});
    r.random = {0.1, 10, true, true, true, 5};
    r.surface = {0.4, 0.6, 1e6, 0.3};
    b.add(r);
  }
  Swept s(b.finish());
  s.in.contact = ContactLaw::hertz_mindlin;
  s.in.damping_rate = s.in.spin_damping_rate = 3;
  s.in.dt = half_critical_step(s);
  for (int i = 0; i < s.model.nodes; ++i) {
    const auto draw = [i](std::uint64_t k) { return uniform(4, 0, static_cast<std::uint64_t>(i), k) - 0.5; };
    auto f = s.state.nodes.frame(i);
    f.x += 2e-5 * Vec3<double>{draw(0), draw(1), draw(2)};
    s.state.nodes.set(i, f);
    if (i > 600) s.state.nodes.v[2][i] -= closing / s.in.dt;
  }
  return s;
}

// Large enough to go by tiles without being told, since so little of it touches.
TEST(ExplicitContact, LongRodsSweepByThemselves) {
  const Compared c = compare_with_passes(two_rods(0.01 * radius, 1e-4 * radius), Path::any, 1, 300, Path::tiles);
  EXPECT_GT(c.most_touching, 0U);
  EXPECT_TRUE(c.waited);
}
TEST(ThreadedContact, LongRodsSweepByThemselves) {
  const Compared c =
      compare_with_passes(two_rods(0.01 * radius, 1e-4 * radius), Path::any, 2, is_sanitized ? 100 : 300, Path::tiles);
  EXPECT_GT(c.most_touching, 0U);
}

bool foresees_contact(const Swept& s, const State& state, Work& work) {
  return !work.terms.contact(s.in)->may_act_on(state, s.in.dt, 0).nodes.empty();
}
double largest_difference(const Column (&a)[3], const Column (&b)[3]) {
  double worst = 0, size = 0;
  for (int c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < a[c].size(); ++i)
      worst = std::max(worst, std::abs(a[c][i] - b[c][i])), size = std::max(size, std::abs(b[c][i]));
  return worst / size;
}

std::string differences(const State& a, const State& b) {
  const auto count = [&](const Column(&p)[3], const Column(&q)[3]) {
    int nodes = 0;
    for (int i = 0; i < a.nodes.count; ++i)
      nodes += p[0][i] != q[0][i] || p[1][i] != q[1][i] || p[2][i] != q[2][i] ? 1 : 0;
    return std::to_string(nodes);
  };
  return "positions of " + count(a.nodes.x, b.nodes.x) + " nodes, velocities of " + count(a.nodes.v, b.nodes.v) +
         ", spins of " + count(a.nodes.w, b.nodes.w) + " differ, wrenches of " + count(a.nodes.f, b.nodes.f) +
         ", slips " + (a.memory.slip == b.memory.slip ? "do not" : "too");
}

void expect_what_passes_give(int threads) {
  const Swept s = two_rods(1.1 * radius, 1.2 * radius);
  State a = s.state, b = s.state;
  Work tiles(s.model, threads), passes(s.model, 1);
  // At rest first, so that the sweep foresees nothing, and then thrown by hand between two steps.
  stop_moving(a.nodes), stop_moving(b.nodes);
  start_by(Path::tiles, s, a, tiles);
  start_by(Path::passes, s, b, passes);
  advance(s.model, s.in, a, tiles, 1);
  advance(s.model, s.in, b, passes, 1);
  for (int c = 0; c < 3; ++c) a.nodes.v[c] = b.nodes.v[c] = s.state.nodes.v[c];
  ASSERT_FALSE(foresees_contact(s, a, tiles));
  for (int i = 0; i < 3; ++i) {
    tiles.team.set_active(threads);
    advance(s.model, s.in, a, tiles, 1);
    advance(s.model, s.in, b, passes, 1);
    if (i == 0) {
      EXPECT_EQ(tiles.sweep.waiting.size(), 2U) << "kicks that were taken back";
    }
    ASSERT_FALSE(b.memory.touching.empty());
    EXPECT_EQ(a.memory.touching, b.memory.touching);
    EXPECT_LT(largest_difference(a.nodes.x, b.nodes.x), 1e-12) << i;
    EXPECT_LT(largest_difference(a.nodes.v, b.nodes.v), 1e-12) << i;
    EXPECT_LT(largest_difference(a.nodes.w, b.nodes.w), 1e-12) << i;
  }
}
TEST(TakenBackKick, GivesWhatSeparatePassesGive) {
  expect_what_passes_give(1);
}
TEST(ThreadedTakenBackKick, GivesWhatSeparatePassesGive) {
  expect_what_passes_give(2);
}

// Killed at any step on the way: a whole run may have pairs in its list, which is wide by then, that a resumed one has
// not. Whether a step sweeps depends on that; its bits must not.
TEST(SweptContact, GoesOnFromACopyOfTheState) {
  int lists_that_differ = 0, steps_that_touch = 0;
  for (const double closing : {1.2, 0.4, 0.2, 0.1}) {  // of the radius, in a step
    if (is_sanitized && closing < 0.15) continue;
    const Swept s = two_rods(2.3 * radius, closing * radius);
    const int steps = static_cast<int>(3.0 / closing);
    for (int killed = 1; killed < steps; killed += 1 + steps / (is_sanitized ? 3 : 6)) {
      State whole = s.state;
      Work work(s.model, 1), other(s.model, 1);
      start_by(Path::tiles, s, whole, work);
      advance(s.model, s.in, whole, work, killed);
      State resumed = whole;
      other.sweep.path = Path::tiles;
      resume_explicit(s.model, s.in, other);
      lists_that_differ += foresees_contact(s, whole, work) != foresees_contact(s, resumed, other) ? 1 : 0;
      for (int i = killed; i < steps; ++i) {
        advance(s.model, s.in, whole, work, 1);
        advance(s.model, s.in, resumed, other, 1);
        ASSERT_TRUE(same_bits(whole, resumed))
            << closing << ", killed at " << killed << ", step " << i << ": " << differences(resumed, whole);
        steps_that_touch += whole.memory.touching.empty() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(lists_that_differ, 0);
  EXPECT_GT(steps_that_touch, is_sanitized ? 0 : 10);
}

}  // namespace ls::sweep_contact_test
