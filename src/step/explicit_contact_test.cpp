#include "base/rng.h"
#include "base/sanitized.h"
#include "physics/hertz_mindlin.h"
#include "step/critical_step.h"
#include "step/energy.h"
#include "step/explicit_step.h"
#include "step/test_rods.h"
#include "terms/contact/test_contact.h"

#include <gtest/gtest.h>
#include <numbers>

namespace ls::explicit_contact_test {

using V = Vec3<double>;
using test::same_bits;
using test::Touchables;

double auto_step(const Touchables& t) {
  const Terms terms = make_terms(t.model);
  const double bonds = critical_step(largest_frequency(t.model, terms, t.state, t.model.held), 0);
  return 0.5 * critical_step(bonds, terms, t.state, t.inputs(0));
}
double energy(const Touchables& t) {
  Work work(t.model, 1);
  return total_energy(t.model, t.inputs(0), t.state, work);
}

// Steps until nothing touches any more: for how long something did, and the largest force on a node.
struct Collision {
  double time = 0, force = 0;
};
Collision collide(Touchables& t, double dt, int node) {
  const Inputs in = t.inputs(dt);
  Work work(t.model, 1);
  start_explicit(t.model, in, t.state, work);
  Collision c;
  bool touched = false;
  for (int i = 0; i < 1000000; ++i) {
    EXPECT_EQ(step_explicit(t.model, in, t.state, work), Outcome::done);
    const bool touches = !t.state.memory.touching.empty();
    if (touched && !touches) break;
    touched = touches;
    if (touches) c.time += dt;
    c.force = std::max(c.force, norm(t.state.nodes.wrench(node).force));
  }
  EXPECT_TRUE(touched);
  return c;
}

struct Hertz {
  double time, force;
};
// Johnson, Contact Mechanics, ch. 11: the deepest overlap of two balls, how long they touch and the largest force.
Hertz hertz(double mass, double radius, double young, double speed) {
  const double deepest = std::pow(15 * mass * speed * speed / (16 * std::sqrt(radius) * young), 0.4);
  return {2.94327 * deepest / speed, 4.0 / 3.0 * young * std::sqrt(radius) * std::pow(deepest, 1.5)};
}

Touchables head_on(const Surface& surface, double speed) {
  Touchables t;
  t.add_ball({0, 0, 0}, {0, 0, 0.5 * speed}, 2e-3, 3e-5, surface);
  t.add_ball({0, 0, 5.001e-3}, {0, 0, -0.5 * speed}, 3e-3, 1e-4, surface);
  t.finish();
  return t;
}
Touchables against_a_wall(const Surface& surface, double speed) {
  Touchables t;
  t.add_plane({}, {0, 0, 1}, {0.2, 1, 0, 0.3});
  t.add_ball({0, 0, 2.001e-3}, {0, 0, -speed}, 2e-3, 3e-5, surface);
  t.finish();
  return t;
}

constexpr double young = 1e7, poisson = 0.3;

TEST(Collision, OfTwoBallsIsHertzs) {
  const Surface elastic{0, 1, young, poisson};
  const double speed = 0.2, mass = 3e-5 * 1e-4 / 1.3e-4, radius = 1.2e-3;
  const Hertz h = hertz(mass, radius, young / (2 * (1 - poisson * poisson)), speed);
  auto t = head_on(elastic, speed);
  const Collision c = collide(t, h.time / 2000, 0);
  EXPECT_NEAR(c.time, h.time, 2e-3 * h.time);
  EXPECT_NEAR(c.force, h.force, 1e-3 * h.force);
}

TEST(Collision, WithAWallIsHertzs) {
  const double speed = 0.2;
  const Hertz h = hertz(3e-5, 2e-3, young / (1 - poisson * poisson), speed);
  auto t = against_a_wall({0, 1, young, poisson}, speed);
  const Collision c = collide(t, h.time / 2000, 1);
  EXPECT_NEAR(c.time, h.time, 2e-3 * h.time);
  EXPECT_NEAR(c.force, h.force, 1e-3 * h.force);
}

TEST(Collision, AtTheAutomaticStepKeepsItsEnergyAndTimes) {
  for (const double speed : {0.01, 0.2, 5.0, 40.0}) {  // the last overlaps by three quarters of a radius
    const Surface elastic{0.3, 1, young, poisson};
    for (auto t : {0, 1}) {
      auto both = t == 0 ? head_on(elastic, speed) : against_a_wall(elastic, speed);
      const double before = energy(both), dt = auto_step(both);
      const Hertz h = t == 0 ? hertz(3e-5 * 1e-4 / 1.3e-4, 1.2e-3, young / (2 * (1 - poisson * poisson)), speed)
                             : hertz(3e-5, 2e-3, young / (1 - poisson * poisson), speed);
      const Collision c = collide(both, dt, t);
      EXPECT_NEAR(energy(both), before, 1e-3 * before) << speed << " " << h.time / dt;
      EXPECT_NEAR(c.time, h.time, 0.01 * h.time + 2 * dt) << speed << " " << h.time / dt;
      EXPECT_NEAR(c.force, h.force, 0.01 * h.force) << speed << " " << h.time / dt;
    }
  }
}

// At the automatic step, wherever in a step the collision begins.
TEST(Collision, LeavesTheRestitution) {
  for (const double e : {0.3, 0.5, 0.8})
    for (const double speed : {0.01, 1.0})
      for (int phase = 0; phase < 40; ++phase) {
        const Surface damped{0, e, young, poisson};
        const auto later = [&](Touchables& t, double dt) { t.state.nodes.x[2][1] += phase / 40.0 * speed * dt; };
        auto balls = head_on(damped, speed);
        later(balls, auto_step(balls));
        collide(balls, auto_step(balls), 0);
        EXPECT_NEAR((balls.state.nodes.v[2][1] - balls.state.nodes.v[2][0]) / speed, e, 0.01 * e) << e << " " << phase;
        auto wall = against_a_wall(damped, speed);
        later(wall, auto_step(wall));
        collide(wall, auto_step(wall), 1);
        EXPECT_NEAR(wall.state.nodes.v[2][1] / speed, e, 0.01 * e) << e << " " << phase;
      }
}

TEST(Collision, MomentaAreConservedWithFrictionAndDamping) {
  Touchables t;
  const Surface rough{0.4, 0.6, young, poisson};
  t.add_ball({0, 0, 0}, {0.3, -0.1, 0.5}, 2e-3, 3e-5, rough);
  t.add_ball({1e-3, 5e-4, 4.9e-3}, {-0.2, 0.4, -0.5}, 3e-3, 1e-4, rough);
  t.twist[0].w = {100, 20, -60}, t.twist[1].w = {-30, 80, 40};
  t.finish();
  const auto momenta = [&] {
    V p, l;
    for (int i = 0; i < 2; ++i) {
      const auto f = t.state.nodes.frame(i);
      const auto twist = t.state.nodes.twist(i);
      p += t.model.mass[i] * twist.v;
      l += cross(f.x, t.model.mass[i] * twist.v) + t.model.inertia[0][i] * twist.w;
    }
    return std::pair(p, l);
  };
  const auto before = momenta();
  const double e0 = energy(t);
  const V spin = t.state.nodes.twist(0).w;
  collide(t, auto_step(t), 0);
  const auto after = momenta();
  EXPECT_LT(norm(after.first - before.first), 1e-13 * 3e-5);
  EXPECT_LT(norm(after.second - before.second), 1e-12 * norm(before.second));
  EXPECT_GT(norm(t.state.nodes.twist(0).w - spin), 1);  // friction did something
  EXPECT_LT(energy(t), 0.95 * e0);
}

// A slider of four balls in one body on a slope: sticks below the angle of friction, slides above, with the right
// acceleration.
Touchables slider() {
  Touchables t;
  const Surface s{0.5, 0.3, young, poisson};
  t.add_plane({}, {0, 0, 1}, s);
  const int node = t.add_node({{0, 0, 2e-3}, {}}, 1e-3, {1e-8, 1e-8, 1.5e-8});
  t.shapes.surfaces.push_back(s);
  for (const V& o : {V{5e-3, 5e-3, -1e-3}, V{-5e-3, 5e-3, -1e-3}, V{-5e-3, -5e-3, -1e-3}, V{5e-3, -5e-3, -1e-3}}) {
    t.shapes.spheres.push_back(static_cast<int>(t.shapes.points.size()));
    t.shapes.points.push_back({node, o, 1e-3});
  }
  t.finish();
  return t;
}

TEST(Friction, SticksAndSlidesOnASlope) {
  const double limit = std::atan(0.5);
  for (const double degrees : {-5.0, -0.5, 0.5, 5.0}) {
    auto t = slider();
    const double angle = limit + degrees * std::numbers::pi / 180;
    Inputs in = t.inputs(auto_step(t));
    in.gravity = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
    Work work(t.model, 1);
    start_explicit(t.model, in, t.state, work);
    const auto go = [&](double time) {
      for (int i = 0; i < time / in.dt; ++i) ASSERT_EQ(step_explicit(t.model, in, t.state, work), Outcome::done);
    };
    go(0.02);  // settles
    const double x = t.state.nodes.x[0][1], v = t.state.nodes.v[0][1];
    go(0.05);
    if (degrees < 0) {
      EXPECT_LT(std::abs(t.state.nodes.x[0][1] - x), 1e-9) << degrees;
    } else {
      const double expected = 9.81 * (std::sin(angle) - 0.5 * std::cos(angle));
      EXPECT_NEAR((t.state.nodes.v[0][1] - v) / 0.05, expected, 0.01 * expected) << degrees;
    }
  }
}

// A heap of balls in a box without a lid, with everything on. They start a little too close.
Touchables heap(int count) {
  Touchables t;
  const Surface s{0.4, 0.6, young, poisson};
  t.add_plane({}, {0, 0, 1}, s);
  t.add_plane({}, {1, 0, 0}, s);
  t.add_plane({2e-2, 0, 0}, {-1, 0, 0}, s);
  t.add_plane({}, {0, 1, 0}, s);
  t.add_plane({0, 2e-2, 0}, {0, -1, 0}, s);
  for (int i = 0; i < count; ++i) {
    const auto draw = [i](std::uint64_t c) { return uniform(7, 0, static_cast<std::uint64_t>(i), c); };
    const int row = i / 10 % 10, layer = i / 100;
    const V x{1e-3 + 1.99e-3 * (i % 10), 1e-3 + 1.99e-3 * row, 1e-3 + 1.99e-3 * layer};
    t.add_ball(x, 0.1 * V{draw(0) - 0.5, draw(1) - 0.5, draw(2) - 0.5}, 1e-3, 4e-6, s);
  }
  t.shapes.settings.rolling = 0.05;
  t.finish();
  return t;
}
TEST(ThreadedContact, SameBitsForAnyNumberOfThreads) {
  const int balls = is_sanitized ? 200 : 500, steps = is_sanitized ? 200 : 300;
  auto one = heap(balls);
  Inputs in = one.inputs(auto_step(one));
  in.gravity = {0, 0, -9.81};
  Work alone(one.model, 1);
  start_explicit(one.model, in, one.state, alone);
  for (int i = 0; i < steps; ++i) ASSERT_EQ(step_explicit(one.model, in, one.state, alone), Outcome::done);
  EXPECT_GT(one.state.memory.touching.size(), is_sanitized ? 50U : 300U);
  auto two = heap(balls);
  Work both(two.model, 3);
  start_explicit(two.model, in, two.state, both);
  for (int i = 0; i < steps; ++i) {
    both.team.set_active(3);
    ASSERT_EQ(step_explicit(two.model, in, two.state, both), Outcome::done);
  }
  EXPECT_TRUE(same_bits(one.state, two.state));
}

// Another term, which has seen nothing before, goes on from a copy of the state.
TEST(ExplicitContact, GoesOnFromACopyOfTheState) {
  auto whole = heap(200);
  Inputs in = whole.inputs(auto_step(whole));
  in.gravity = {0, 0, -9.81};
  Work work(whole.model, 1);
  start_explicit(whole.model, in, whole.state, work);
  for (int i = 0; i < 700; ++i) ASSERT_EQ(step_explicit(whole.model, in, whole.state, work), Outcome::done);
  auto rest = heap(200);
  rest.state = whole.state;
  Work other(rest.model, 1);
  resume_explicit(rest.model, in, other);
  for (int i = 0; i < 700; ++i) {
    ASSERT_EQ(step_explicit(whole.model, in, whole.state, work), Outcome::done);
    ASSERT_EQ(step_explicit(rest.model, in, rest.state, other), Outcome::done);
  }
  EXPECT_TRUE(same_bits(whole.state, rest.state));
  EXPECT_GT(whole.state.memory.touching.size(), 50U);
}

TEST(ExplicitContact, ADampedHeapComesToRestAtTheAutomaticStep) {
  if (is_sanitized) GTEST_SKIP() << "long, and other heaps go the same way";
  auto t = heap(40);
  Inputs in = t.inputs(auto_step(t));
  in.gravity = {0, 0, -9.81};
  Work work(t.model, 1);
  start_explicit(t.model, in, t.state, work);
  const auto all = [&] { return energies(t.model, in, t.state, work); };
  double last = energy_of(all(), "total");
  const double first = last;
  const int steps = static_cast<int>(0.04 / in.dt);
  for (int part = 0; part < 10; ++part) {
    for (int i = 0; i < steps; ++i) ASSERT_EQ(step_explicit(t.model, in, t.state, work), Outcome::done);
    const double now = energy_of(all(), "total");
    EXPECT_LT(now, last + 1e-3 * first) << part;
    last = now;
  }
  EXPECT_LT(energy_of(all(), "kinetic"), 1e-5 * first);
  double weight = 0;
  for (int i = 0; i < t.model.nodes; ++i) weight += 9.81 * t.model.mass[i];
  EXPECT_NEAR(-t.state.nodes.f[2][0], weight, 0.01 * weight);  // on the floor
}

}  // namespace ls::explicit_contact_test
