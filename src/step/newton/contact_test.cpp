#include "base/rng.h"
#include "base/sanitized.h"
#include "build/builder.h"
#include "math/rotation.h"
#include "step/explicit_step.h"
#include "step/model_size.h"
#include "step/newton/implicit_step.h"
#include "step/newton/static_step.h"

#include <gtest/gtest.h>
#include <numbers>

namespace ls::contact_test {

using V = Vec3<double>;

V draw(std::uint64_t seed, std::uint64_t k) {
  return {2 * uniform(seed, k, 0, 0) - 1, 2 * uniform(seed, k, 0, 1) - 1, 2 * uniform(seed, k, 0, 2) - 1};
}

RigidSpec thrown(const std::string& name, const RigidShape& shape, const V& at, const V& velocity, std::uint64_t seed) {
  RigidSpec r;
  r.name = name;
  r.shape = shape;
  r.pose = {at, turn(3.0 * draw(seed, 7))};
  r.fill(1000);
  r.velocity = velocity;
  r.spin = 30.0 * draw(seed, 8);
  r.surface.friction = seed % 2 ? 0.3 : 0.0;
  return r;
}

Inputs at_rest(const Builder::Result& b, double dt) {
  Inputs in;
  in.dt = dt;
  in.contact = ContactLaw::barrier;
  for (int i = 0; i < b.model.nodes; ++i)
    if (b.model.held[i]) in.held.push_back({i, b.model.held[i], b.state.nodes.frame(i), {}});
  return in;
}

// Takes steps and looks after each whether anything has come through anything.
struct Thrower {
  Builder::Result b;
  Inputs in;
  Work work;
  NewtonWork newton;
  double nearest = 1e300;
  bool flies = false;  // by the midpoint, while nothing is in the way

  Thrower(Builder& builder, double dt)
      : b(builder.finish()), in(at_rest(b, dt)), work(b.model, 1), newton(b.model, work.terms) {
    newton.size = std::max(model_size(b.model, b.state.nodes), 0.1);
  }
  Outcome step() {
    const InputsAt at = [this](double) { return in; };
    ImplicitSettings set;
    set.a = 1, set.flies = flies;
    const Outcome o = step_implicit(b.model, at, b.state, work, newton, set);
    nearest = std::min(nearest, contact_report(b.model, work.terms, b.state, in).min_gap);
    return o;
  }
};

// A capsule, a ball or a box against a wall, a plate of triangles or a rod of capsules, at 10 to 1000 times the step in
// which it would cross its own radius. It must stay on its side, whatever the step.
class Thrown : public testing::TestWithParam<int> {};

TEST_P(Thrown, StaysOnItsSide) {
  for (std::uint64_t seed = 1; seed <= 56; ++seed) {
    const int sort = GetParam();
    const double radius = 5e-3, speed = 5 + 45 * uniform(seed, 1, 0, 0);
    const double safe = 0.1 * radius / speed, dt = safe * std::pow(10.0, 1 + 2 * uniform(seed, 2, 0, 0));
    Builder builder;
    builder.set_contact({}, false);
    RigidShape shape = sort % 3 == 0   ? capsule_shape(radius, 0.02)
                       : sort % 3 == 1 ? ball_shape(radius)
                                       : box_shape({0.02, 0.03, 0.015}, 1e-3);
    builder.add(thrown("body", shape, V{0.01, 0.02, 0.05 + 0.1 * uniform(seed, 3, 0, 0)},
                       speed * V{0.3, 0.2, -1} + 0.1 * speed * draw(seed, 4), seed));
    if (sort / 3 == 0) {
      builder.add(plane_wall({0, 0, 0}, {0, 0, 1}));
    } else if (sort / 3 == 1) {  // a plate of two triangles, much wider than it can fly
      RigidSpec plate;
      plate.name = "plate";
      plate.shape.points = {{-100, -100, 0}, {100, -100, 0}, {100, 100, 0}, {-100, 100, 0}};
      plate.shape.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}};
      plate.shape.triangles = {{0, 1, 2}, {0, 2, 3}};
      plate.shape.radius = 1e-3;
      plate.mass = 1, plate.inertia = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      plate.fixed = true;
      builder.add(plate);
    } else {
      builder.add(box_wall({-1, -1, 0}, {1, 1, 0.3}, true));
    }
    Thrower run(builder, dt);
    run.flies = seed % 4 < 2;
    for (int k = 0; k < 6; ++k) {
      ASSERT_EQ(run.step(), Outcome::done) << "seed " << seed << " step " << k << " dt " << dt;
      ASSERT_GT(run.nearest, 0) << "seed " << seed;
      ASSERT_GT(run.b.state.nodes.frame(0).x.z, 0) << "seed " << seed;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Sorts, Thrown, testing::Range(0, 9));

// Capsules in a tube too narrow for them to pass each other: they keep their order.
TEST(Contact, CapsulesInATubeKeepTheirOrder) {
  for (std::uint64_t seed = 1; seed <= (is_sanitized ? 5 : 20); ++seed) {
    const double radius = 5e-3;
    Builder builder;
    builder.set_contact({}, false);
    constexpr int bodies = 4;
    for (int i = 0; i < bodies; ++i) {
      RigidSpec r = thrown("c" + std::to_string(i), capsule_shape(radius, 0.02), V{0, 0, 0.05 * i},
                           (i % 2 ? -1.0 : 1.0) * V{1, 0, 20 + 10 * uniform(seed, i, 0, 1)}, seed);
      r.pose.q = turn(0.1 * draw(seed, 60 + i));
      builder.add(r);
    }
    builder.add(cylinder_wall({0, 0, -0.05}, {0, 0, 0.05 * bodies}, 1.5 * radius, true));
    Thrower run(builder, 1e-3 * std::pow(10.0, 1.5 * uniform(seed, 5, 0, 0)));
    run.flies = seed % 4 < 2;
    for (int k = 0; k < 8; ++k) {
      ASSERT_EQ(run.step(), Outcome::done) << "seed " << seed << " step " << k;
      ASSERT_GT(run.nearest, 0) << "seed " << seed;
      for (int i = 0; i + 1 < bodies; ++i)
        ASSERT_LT(run.b.state.nodes.frame(i).x.z, run.b.state.nodes.frame(i + 1).x.z) << "seed " << seed;
    }
  }
}

// Near the end of a solve the exact stiffness of contact is at work: with the projected one alone, whose end is linear,
// these steps take 1424 iterations in all.
TEST(Contact, CubesThatPileUpTakeFewIterations) {
  constexpr int cubes = 8;
  Builder builder;
  ContactSettings contact;
  contact.thickness = 2e-3, contact.slip_speed = 0.1;
  builder.set_contact(contact, false);
  for (int i = 0; i < cubes; ++i) {
    RigidSpec r = thrown("cube" + std::to_string(i), box_shape({0.1, 0.1, 0.1}),
                         {0.06 * (i % 2) + 0.01 * i, 0.05 * (i / 2 % 2), 0.14 + 0.18 * i}, {0, 0, -2}, 2 * i + 1);
    r.spin = {}, r.surface.friction = 0.5;
    builder.add(r);
  }
  builder.add(box_wall({-0.12, -0.12, 0}, {0.24, 0.18, 3}, true));
  Thrower run(builder, 0.01);
  run.in.gravity = {0, 0, -9.81};
  for (int k = 0; k < 40; ++k) ASSERT_EQ(run.step(), Outcome::done) << "step " << k;
  EXPECT_LT(run.b.state.memory.iterations, 1100);
}

// A cap of a sphere as a surface of triangles, open above.
RigidSpec bowl(double radius, int rings, int sides) {
  Mesh mesh;
  mesh.vertices.push_back({0, 0, -radius});
  const auto at = [&](int ring, int side) { return 1 + (ring - 1) * sides + side % sides; };
  for (int k = 1; k <= rings; ++k)
    for (int j = 0; j < sides; ++j) {
      const double a = 1.4 * k / rings, b = 2 * std::numbers::pi * j / sides;
      mesh.vertices.push_back(radius * V{std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), -std::cos(a)});
      if (k == 1) mesh.triangles.push_back({0, at(1, j), at(1, j + 1)});
      if (k > 1) mesh.triangles.push_back({at(k - 1, j), at(k, j), at(k, j + 1)});
      if (k > 1) mesh.triangles.push_back({at(k - 1, j), at(k, j + 1), at(k - 1, j + 1)});
    }
  RigidSpec r;
  r.name = "bowl", r.fixed = true;
  r.shape.points = mesh.vertices;
  for (const auto& [a, b, c] : mesh.triangles) {
    r.shape.triangles.push_back({a, b, c});
    for (const auto& [p, q] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)})
      if (std::find(r.shape.edges.begin(), r.shape.edges.end(), std::array{q, p}) == r.shape.edges.end())
        r.shape.edges.push_back({p, q});
  }
  r.shape.radius = 1e-4;
  r.mass = 1, r.inertia = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  return r;
}

// Nothing resists what a ball without friction does in a bowl but its weight, and its turning nothing at all: a static
// run finds where it rests all the same.
TEST(Contact, ABallWithoutFrictionFindsItsRestInABowl) {
  for (const int rings : {4, 12}) {
    Builder builder;
    ContactSettings contact;
    contact.thickness = 5e-4;
    builder.set_contact(contact, false);
    RigidSpec ball;
    ball.name = "ball", ball.shape = ball_shape(0.02), ball.pose.x = {0.03, 0.005, -0.03};
    ball.fill(1000);
    builder.add(ball), builder.add(bowl(0.1, rings, 3 * rings));
    Thrower run(builder, 0);
    run.newton.size = 0;
    run.in.gravity = {0, 0, -9.81};
    const StaticResult r =
        find_equilibrium(run.b.model, [&](double) { return run.in; }, run.b.state, run.work, run.newton, {});
    ASSERT_EQ(r.outcome, Outcome::done) << rings;
    const V x = run.b.state.nodes.frame(0).x;
    EXPECT_LT(std::hypot(x.x, x.y), 1e-6) << rings;
    EXPECT_GT(x.z, -0.08) << rings;
    EXPECT_LT(x.z, -0.075) << rings;
  }
}

}  // namespace ls::contact_test
