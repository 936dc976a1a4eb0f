// Bodies that rest on each other stay where they are, whatever the gap they were put at and whatever goes on elsewhere.
#include "base/sanitized.h"
#include "build/builder.h"
#include "math/rotation.h"
#include "step/energy.h"
#include "step/explicit_step.h"
#include "step/model_size.h"
#include "step/newton/implicit_step.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ls::resting_contact_test {

using V = Vec3<double>;
constexpr double g = 9.81, thickness = 1e-3;

RigidSpec body_of(const std::string& name, const RigidShape& shape, const V& at, double friction = 0) {
  RigidSpec r;
  r.name = name;
  r.shape = shape;
  r.pose = {at, {}};
  r.fill(1000);
  r.surface.friction = friction;
  return r;
}

class Rest {
 public:
  explicit Rest(double dt, const V& gravity = {0, 0, -g}) {
    ContactSettings set;
    set.thickness = thickness;
    builder_.set_contact(set, false);
    in_.dt = dt, in_.gravity = gravity, in_.contact = ContactLaw::barrier;
  }
  void add(const RigidSpec& r) { builder_.add(r); }
  void add_floor(double friction = 0) {
    WallSpec floor = plane_wall({0, 0, 0}, {0, 0, 1});
    floor.surface.friction = friction;
    builder_.add(floor);
  }
  void finish() {
    b_ = builder_.finish();
    for (int i = 0; i < b_.model.nodes; ++i)
      if (b_.model.held[i]) in_.held.push_back({i, b_.model.held[i], b_.state.nodes.frame(i), {}});
    begin();
    work_->terms.contact(in_)->settle(b_.state, in_, b_.state.memory);
    sum_wrenches(b_.model, in_, b_.state, *work_);
    b_.state.memory.ledger.start = total_energy(b_.model, in_, b_.state, *work_);
  }
  // As a run that was killed and goes on: with nothing but the state.
  void begin() {
    newton_.reset();
    work_ = std::make_unique<Work>(b_.model, 1);
    newton_ = std::make_unique<NewtonWork>(b_.model, work_->terms);
    newton_->size = std::max(model_size(b_.model, b_.state.nodes), 0.1);
  }
  void step() {
    const InputsAt at = [this](double) { return in_; };
    ImplicitSettings set;
    set.a = 1;
    set.newton.most_iterations *= 2;
    ASSERT_EQ(step_implicit(b_.model, at, b_.state, *work_, *newton_, set), Outcome::done);
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k) step();
  }
  V position(int i) const { return b_.state.nodes.frame(i).x; }
  double mass(int i) const { return b_.model.mass[i]; }
  V velocity(int i) const { return b_.state.nodes.twist(i).v; }
  double fastest() const {
    double most = 0;
    for (int i = 0; i < b_.model.nodes; ++i) most = std::max(most, norm(velocity(i)));
    return most;
  }
  std::vector<V> positions() const {
    std::vector<V> all;
    for (int i = 0; i < b_.model.nodes; ++i) all.push_back(position(i));
    return all;
  }
  double farthest_from(const std::vector<V>& before) const {
    double most = 0;
    for (int i = 0; i < b_.model.nodes; ++i) most = std::max(most, norm(position(i) - before[i]));
    return most;
  }
  double gap() { return contact_report(b_.model, work_->terms, b_.state, in_).min_gap; }
  double energy() { return total_energy(b_.model, in_, b_.state, *work_); }
  State& state() { return b_.state; }
  Inputs& inputs() { return in_; }

 private:
  Builder builder_;
  Builder::Result b_;
  Inputs in_;
  std::unique_ptr<Work> work_;
  std::unique_ptr<NewtonWork> newton_;
};

TEST(RestingContact, ABallFallsNoFasterThanFreelyAndComesToRestFromAnyGap) {
  constexpr double radius = 5e-3, dt = 1e-3;
  for (const double gap : {1e-10, 1e-7, 1e-6, 1e-5, 1e-4, 3e-4, 6e-4, 9e-4, 0.9999e-3, 1e-3}) {
    Rest run(dt);
    run.add(body_of("ball", ball_shape(radius), {0, 0, radius + gap}));
    run.add_floor();
    run.finish();
    for (int k = 1; k <= 100; ++k) {
      run.step();
      ASSERT_LE(run.fastest(), g * k * dt * (1 + 1e-9)) << "gap " << gap << ", step " << k;
      ASSERT_LE(run.position(0).z, radius + gap + 1e-12) << "gap " << gap << ", step " << k;
      ASSERT_GT(run.gap(), 0) << "gap " << gap << ", step " << k;
    }
    run.steps(400);
    EXPECT_LT(run.fastest(), 1e-6) << "gap " << gap;
  }
}

// In steps of every length: what the barrier stores must not throw it.
TEST(RestingContact, ABallStaysDownInStepsOfAnyLength) {
  for (const double dt : {1e-5, 1e-4, 1e-2, 0.1}) {
    Rest run(dt);
    run.add(body_of("ball", ball_shape(5e-3), {0, 0, 5e-3 + 1e-7}));
    run.add_floor();
    run.finish();
    for (int k = 0; k < 50; ++k) {
      run.step();
      ASSERT_LE(run.position(0).z, 5e-3 + 1e-7 + 1e-12) << "dt " << dt << ", step " << k;
    }
  }
}

TEST(RestingContact, BodiesAtRestTakeNoNoticeOfOneThatFliesElsewhere) {
  for (const double speed : {0.0, 50.0}) {
    Rest run(1e-3, {});
    run.add(body_of("a", box_shape({0.1, 0.1, 0.1}), {-0.0502, 0, 0}));
    run.add(body_of("b", box_shape({0.1, 0.1, 0.1}), {0.0502, 0, 0}));
    RigidSpec passer = body_of("passer", ball_shape(0.01), {0, -1, 0});
    passer.velocity = {0, 0, speed};
    run.add(passer);
    run.finish();
    const auto before = run.positions();
    run.steps(20);
    EXPECT_EQ(norm(run.position(0) - before[0]) + norm(run.position(1) - before[1]), 0) << "passer at " << speed;
  }
}

// Two bodies that were put a tenth of a micrometre apart, so that their barrier reaches no farther, are hit by a third.
TEST(RestingContact, AHitOnBodiesWithATinyReachSendsNothingFlying) {
  Rest run(1e-3, {});
  run.add(body_of("a", ball_shape(0.01), {0, 0, 0}));
  run.add(body_of("b", ball_shape(0.01), {0.0200001, 0, 0}));
  RigidSpec hammer = body_of("hammer", ball_shape(0.01), {-0.03, 0, 0});
  hammer.velocity = {5, 0, 0};
  run.add(hammer);
  run.finish();
  const double first = run.energy();
  for (int k = 0; k < 40; ++k) {
    run.step();
    ASSERT_GT(run.gap(), 0);
    ASSERT_LE(run.fastest(), 5.0 * (1 + 1e-9));
    ASSERT_LE(run.energy(), first * (1 + 1e-9));
  }
}

TEST(RestingContact, ABlockWithATinyReachIsSlidAndLoaded) {
  constexpr double mu = 0.3, speed = 0.5;
  Rest run(2e-3);
  RigidSpec block = body_of("block", box_shape({0.04, 0.04, 0.02}), {0, 0, 0.01 + 1e-7}, mu);
  block.velocity = {speed, 0, 0};
  run.add(block);
  run.add(body_of("load", box_shape({0.1, 0.1, 0.1}), {10 * speed * speed / (mu * g), 0, 0.05 + 2e-7}, mu));
  run.add_floor(mu);
  run.finish();
  for (int k = 0; k < 150; ++k) {
    run.step();
    ASSERT_LT(run.position(0).z, 0.01 + 1.1e-7) << "step " << k;
    ASSERT_GT(run.gap(), 0);
  }
  EXPECT_LT(run.fastest(), 1e-6);
  const double way = speed * speed / (2 * mu * g) - 0.5 * speed * 2e-3;  // less what backward Euler's steps lose
  EXPECT_NEAR(run.position(0).x, way, 0.01 * way);
  // Thirty times its weight comes down on it.
  run.state().nodes.set(1, Frame<double>{run.position(0) + V{0, 0, 0.065}, {}});
  for (int k = 0; k < 150; ++k) {
    run.step();
    ASSERT_LT(run.position(0).z, 0.01 + thickness) << "step " << k;
    ASSERT_GT(run.gap(), 0);
  }
  EXPECT_LT(run.fastest(), 1e-3);
}

TEST(RestingContact, ABlockBelowItsFrictionAngleStaysAndOneAboveSlides) {
  constexpr double mu = 0.5;
  for (const double share : {0.5, 0.9, 0.99, 1.1}) {
    const double angle = std::atan(share * mu);
    Rest run(5e-3, {g * std::sin(angle), 0, -g * std::cos(angle)});
    run.add(body_of("block", box_shape({0.04, 0.04, 0.02}), {0, 0, 0.0103}, mu));
    run.add_floor(mu);
    run.finish();
    run.steps(200);
    const V settled = run.position(0);
    run.steps(100);
    if (share < 1) {
      EXPECT_LT(run.fastest(), 1e-6) << share;
      EXPECT_LT(norm(run.position(0) - settled), 1e-6) << share;
    } else {
      const double a = g * (std::sin(angle) - mu * std::cos(angle));
      EXPECT_NEAR(run.velocity(0).x, a * 1.5, 0.01 * a * 1.5);
    }
  }
}

TEST(RestingContact, AStackStandsStill) {
  if (is_sanitized) GTEST_SKIP() << "long, and goes the ways of the others";
  Rest run(1e-2);
  for (int k = 0; k < 10; ++k)
    run.add(body_of("box" + std::to_string(k), box_shape({0.1, 0.1, 0.1}), {0, 0, 0.0505 + 0.1005 * k}, 0.5));
  run.add_floor(0.5);
  run.finish();
  run.steps(100);
  EXPECT_LT(run.fastest(), 1e-6);
  const auto settled = run.positions();
  run.steps(100);
  EXPECT_LT(run.fastest(), 1e-6);
  EXPECT_LT(run.farthest_from(settled), 1e-5);
}

// Ten seconds after one of settling.
TEST(SlowRestingContact, AStackAndABlockNearItsFrictionAngleStay) {
  const double angle = std::atan(0.9 * 0.5);
  for (const bool stack : {true, false}) {
    Rest run(stack ? 1e-2 : 5e-3, stack ? V{0, 0, -g} : V{g * std::sin(angle), 0, -g * std::cos(angle)});
    for (int k = 0; k < (stack ? 10 : 0); ++k)
      run.add(body_of("box" + std::to_string(k), box_shape({0.1, 0.1, 0.1}), {0, 0, 0.0505 + 0.1005 * k}, 0.5));
    if (!stack) run.add(body_of("block", box_shape({0.04, 0.04, 0.02}), {0, 0, 0.0103}, 0.5));
    run.add_floor(0.5);
    run.finish();
    run.steps(stack ? 100 : 200);
    const auto settled = run.positions();
    for (int k = 0; k < (stack ? 1000 : 2000); ++k) {
      run.step();
      ASSERT_LT(run.fastest(), 1e-6) << stack << " step " << k;
    }
    EXPECT_LT(run.farthest_from(settled), 1e-5) << stack;
  }
}

// Rolls without slipping: 5/7 g sin. Steps in which it turns by a third of a radian measure the arc, not the chord.
TEST(RestingContact, ABallRollsDownASlopeAsFastAsItShould) {
  constexpr double radius = 5e-3, angle = 0.7, dt = 1e-3;
  Rest run(dt, {g * std::sin(angle), 0, -g * std::cos(angle)});
  run.add(body_of("ball", ball_shape(radius), {0, 0, radius + 4e-4}, 0.4));
  run.add_floor(0.4);
  run.finish();
  run.steps(200);
  const double v = run.velocity(0).x, spin = run.state().nodes.twist(0).w.y;
  run.steps(200);
  const double a = (run.velocity(0).x - v) / (200 * dt);
  EXPECT_NEAR(a / (5.0 / 7.0 * g * std::sin(angle)), 1, 1e-3);
  EXPECT_NEAR((run.state().nodes.twist(0).w.y - spin) * radius / (a * 200 * dt), 1, 1e-3);
}

// A floor of many facets within the reach is one place to a ball: were each to rub by itself, at a place of its own
// that slides as the ball rolls, friction would take a twentieth of what the slope gives here.
TEST(RestingContact, ABallRollsOverFacetsAsOverAPlane) {
  constexpr double radius = 0.05, angle = 0.4, cell = 4e-3, dt = 1e-3;
  constexpr int along = 40, across = 8;
  RigidShape floor;
  const auto corner = [](int i, int j) { return i * (across + 1) + j; };
  for (int i = 0; i <= along; ++i)
    for (int j = 0; j <= across; ++j) floor.points.push_back({cell * (i - 5), cell * (j - 4.3), 0});
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < across; ++j) {
      floor.triangles.push_back({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)});
      floor.triangles.push_back({corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)});
    }
  Rest run(dt, {g * std::sin(angle), 0, -g * std::cos(angle)});
  run.add(body_of("ball", ball_shape(radius), {0, 0, radius + 2e-4}, 0.5));
  RigidSpec facets = body_of("facets", floor, {}, 0.5);
  facets.mass = 1, facets.inertia = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, facets.fixed = true;
  run.add(facets);
  run.finish();
  run.steps(100);
  const double x = run.position(0).x, v = run.velocity(0).x, mass = run.mass(0);
  const double friction = run.state().memory.ledger.friction;
  run.steps(120);
  const double way = run.position(0).x - x, given = mass * g * std::sin(angle) * way;
  EXPECT_NEAR((run.velocity(0).x - v) / (120 * dt) / (5.0 / 7.0 * g * std::sin(angle)), 1, 2e-3);
  EXPECT_LT(run.state().memory.ledger.friction - friction, 1e-3 * given);
}

TEST(RestingContact, WhatBarrierAndFrictionKeepIsInTheState) {
  const auto ten_steps = [](bool anew) {
    Rest run(5e-3, {0.3 * g, 0, -g});
    run.add(body_of("block", box_shape({0.04, 0.04, 0.02}), {0, 0, 0.0103}, 0.5));
    run.add(body_of("top", box_shape({0.04, 0.04, 0.02}), {0.01, 0.01, 0.0306}, 0.5));
    run.add_floor(0.5);
    run.finish();
    for (int k = 0; k < 10; ++k) {
      if (anew) run.begin();
      run.step();
    }
    return run.positions();
  };
  const auto a = ten_steps(false), b = ten_steps(true);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(norm(a[i] - b[i]), 0);
}

// A block that slides to rest: what it had is what friction took, and what backward Euler's steps lost, half m dv^2.
TEST(RestingContact, FrictionTakesWhatABlockHad) {
  Rest run(1e-3);
  RigidSpec block = body_of("block", box_shape({0.04, 0.04, 0.02}), {0, 0, 0.0104}, 0.5);
  run.add(block);
  run.add_floor(0.5);
  run.finish();
  run.steps(100);
  run.state().nodes.set(0, Twist<double>{{0.5, 0, 0}, {}});
  const double mass = 0.032, before = 0.5 * mass * 0.25, earlier = run.state().memory.ledger.friction;
  run.steps(600);
  EXPECT_LT(run.fastest(), 1e-6);
  const double steps_lose = 0.5 * mass * 0.5 * g * 1e-3 * 0.5;  // half m dv^2 a step of dv = mu g dt
  EXPECT_NEAR(run.state().memory.ledger.friction - earlier, before - steps_lose, 0.01 * before);
}

}  // namespace ls::resting_contact_test
