#include "base/rng.h"
#include "build/builder.h"
#include "build/joints/join.h"
#include "build/overlaps.h"
#include "build/shell.h"
#include "math/rotation.h"
#include "step/explicit_step.h"
#include "step/model_size.h"
#include "step/newton/implicit_step.h"

#include <gtest/gtest.h>
#include <numbers>

// Random closed meshes thrown at each other, at walls, into containers and at thin sheets, in steps 10 to 1000 times
// too long: nothing may pass through anything.
namespace ls::throws_test {

using V = Vec3<double>;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  double roll() { return uniform(seed_, rolled_++, 3, 0); }
  double roll(double from, double to) { return from + (to - from) * roll(); }
  V vector() { return {roll(-1, 1), roll(-1, 1), roll(-1, 1)}; }
  V direction() {
    for (;;)
      if (const V v = vector(); dot(v, v) > 0.01 && dot(v, v) < 1) return normalized(v);
  }

 private:
  std::uint64_t seed_, rolled_ = 0;
};

// The convex hull of some points: of three points all others lie on one side.
Mesh hull_of(const std::vector<V>& points) {
  Mesh mesh{points, {}};
  const int n = static_cast<int>(points.size());
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k) {
        const V normal = cross(points[j] - points[i], points[k] - points[i]);
        bool above = false, below = false;
        for (int l = 0; l < n; ++l)
          if (l != i && l != j && l != k) (dot(normal, points[l] - points[i]) > 0 ? above : below) = true;
        if (above && below) continue;
        mesh.triangles.push_back(below ? std::array{i, j, k} : std::array{i, k, j});
      }
  return mesh;
}

// On a sphere all points are corners of their hull.
Mesh random_hull(Dice& dice, double size) {
  std::vector<V> points;
  const V squeezed{dice.roll(0.3, 1), dice.roll(0.3, 1), dice.roll(0.3, 1)};
  const int corners = 5 + static_cast<int>(7 * dice.roll());
  for (int k = 0; k < corners; ++k) {
    const V p = dice.direction();
    points.push_back(size * V{squeezed.x * p.x, squeezed.y * p.y, squeezed.z * p.z});
  }
  return hull_of(points);
}

Mesh random_torus(Dice& dice, double size) {
  const int rings = 5 + static_cast<int>(6 * dice.roll()), sides = 3 + static_cast<int>(3 * dice.roll());
  const double thick = dice.roll(0.15, 0.4);
  Mesh mesh;
  const auto at = [&](int i, int j) { return (i % rings) * sides + j % sides; };
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < sides; ++j) {
      const double a = 2 * std::numbers::pi * i / rings, b = 2 * std::numbers::pi * j / sides;
      const double r = size * (1 - thick + thick * std::cos(b));
      mesh.vertices.push_back({r * std::cos(a), r * std::sin(a), size * thick * std::sin(b)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

// A hull with its corners pulled in and out.
Mesh random_star(Dice& dice, double size) {
  std::vector<V> points(14);
  for (V& p : points) p = dice.direction();
  Mesh mesh = hull_of(points);
  for (std::size_t k = 0; k < points.size(); ++k)
    mesh.vertices[k] = size * (k % 2 ? 1.0 : dice.roll(0.35, 0.6)) * points[k];
  return mesh;
}

RigidShape random_shape(Dice& dice, double size) {
  const double sort = dice.roll(), rounding = dice.roll() < 0.5 ? 0.0 : 0.02 * size;
  const Mesh mesh = sort < 0.4   ? random_hull(dice, size)
                    : sort < 0.7 ? random_torus(dice, size)
                                 : random_star(dice, size);
  return mesh_shape(mesh, rounding);
}

RigidSpec random_body(Dice& dice, const std::string& name, double size, const V& at, const V& velocity) {
  RigidSpec r;
  r.name = name;
  r.shape = random_shape(dice, size);
  r.pose = {at, turn(3.0 * dice.vector())};
  r.fill(dice.roll(500, 8000));
  r.velocity = velocity;
  r.spin = (norm(velocity) / size) * dice.vector();
  r.surface.friction = dice.roll() < 0.5 ? 0.0 : dice.roll(0, 1);
  return r;
}

struct ThrownScene {
  Builder::Result b;
  Inputs in;
  Work work;
  NewtonWork newton;

  ThrownScene(Builder& builder, double dt) : ThrownScene(builder.finish(), dt) {}
  ThrownScene(Builder::Result&& built, double dt) : b(std::move(built)), work(b.model, 1), newton(b.model, work.terms) {
    newton.size = std::max(model_size(b.model, b.state.nodes), 0.1);
    in.dt = dt;
    in.contact = ContactLaw::barrier;
    for (int i = 0; i < b.model.nodes; ++i)
      if (b.model.held[i]) in.held.push_back({i, b.model.held[i], b.state.nodes.frame(i), {}});
  }
  Outcome step() {
    const InputsAt at = [this](double) { return in; };
    ImplicitSettings set;
    set.a = 1, set.newton.most_iterations = 60;  // as in a run
    return step_implicit(b.model, at, b.state, work, newton, set);
  }
  // What is wrong after a step; empty: nothing.
  std::string trouble(Outcome o) {
    if (o != Outcome::done) return "no step could be taken";
    for (int i = 0; i < b.model.nodes; ++i) {
      const auto f = b.state.nodes.frame(i);
      const auto t = b.state.nodes.twist(i);
      if (!std::isfinite(dot(f.x, f.x) + dot(f.q, f.q) + dot(t.v, t.v) + dot(t.w, t.w))) return "not a number";
    }
    return describe(find_overlaps(b.model, b.state.nodes), b.model);
  }
};

RigidSpec thin_plate(double half) {
  RigidSpec plate;
  plate.name = "plate";
  plate.shape.points = {{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}};
  plate.shape.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}};
  plate.shape.triangles = {{0, 1, 2}, {0, 2, 3}};
  plate.shape.radius = 1e-4;
  plate.mass = 1, plate.inertia = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  plate.fixed = true;
  return plate;
}

// Sorts of throws: two bodies at each other, three into a box, a ball or a tube, one at a wall, one at a thin plate.
enum Target { each_other, in_box, in_ball, in_tube, at_wall, at_plate, targets };

std::string throw_once(std::uint64_t seed, Target target, int steps) {
  Dice dice(seed);
  const double size = 0.02, speed = dice.roll(5, 50), safe = 0.1 * size / speed;
  const double dt = safe * std::pow(10.0, dice.roll(1, 3));
  Builder builder;
  builder.set_contact({}, false);
  if (target == each_other) {
    builder.add(random_body(dice, "a", size, {-0.05, 0, 0}, speed * V{1, 0.1 * dice.roll(-1, 1), 0}));
    builder.add(random_body(dice, "b", size, {0.05, 0, 0}, speed * V{-1, 0, 0.1 * dice.roll(-1, 1)}));
  } else if (target == at_wall || target == at_plate) {
    builder.add(random_body(dice, "a", size, {0, 0, dice.roll(0.03, 0.1)}, speed * V{0.3, 0.2, -1}));
    target == at_wall ? builder.add(plane_wall({0, 0, 0}, {0, 0, 1})) : builder.add(thin_plate(100));
  } else {
    for (int k = 0; k < 3; ++k)
      builder.add(random_body(dice, std::string(1, static_cast<char>('a' + k)), size, {0, 0, 0.05 * (k - 1)},
                              speed * dice.direction()));
    if (target == in_box) builder.add(box_wall({-0.05, -0.04, -0.1}, {0.04, 0.05, 0.09}, true));
    if (target == in_ball) builder.add(sphere_wall({0, 0, 0}, 0.1, true));
    if (target == in_tube) builder.add(cylinder_wall({0, 0, -0.1}, {0, 0, 0.1}, 0.045, true));
  }
  ThrownScene run(builder, dt);
  for (int k = 0; k < steps; ++k) {
    std::string trouble = run.trouble(run.step());
    if (!trouble.empty()) return trouble;
    if (target == at_plate && run.b.state.nodes.frame(0).x.z <= 0) return "through the plate";
  }
  return "";
}

class RandomThrows : public testing::TestWithParam<int> {};
class SlowRandomThrows : public testing::TestWithParam<int> {};

TEST_P(RandomThrows, PassThroughNothing) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    EXPECT_EQ(throw_once(seed, static_cast<Target>(GetParam()), 3), "") << "seed " << seed;
}
TEST_P(SlowRandomThrows, PassThroughNothing) {
  for (std::uint64_t seed = 3; seed <= 89; ++seed)
    EXPECT_EQ(throw_once(seed, static_cast<Target>(GetParam()), 5), "") << "seed " << seed;
}
INSTANTIATE_TEST_SUITE_P(Targets, RandomThrows, testing::Range(0, static_cast<int>(targets)));
INSTANTIATE_TEST_SUITE_P(Targets, SlowRandomThrows, testing::Range(0, static_cast<int>(targets)));

// A thin sheet held at its rim that gives way, and a ball, a capsule or a mesh thrown at it. It catches them: nothing
// goes through, however long the step.
std::string throw_at_sheet(std::uint64_t seed, int steps) {
  Dice dice(seed);
  const double size = 0.01, speed = dice.roll(1, 10), dt = 0.1 * size / speed * std::pow(10.0, dice.roll(1, 3));
  Builder builder;
  builder.set_contact({}, false);
  ShellSpec sheet;
  sheet.name = "sheet", sheet.surface = triangular_sheet(0.1, 0.1, 0.02), sheet.thickness = 5e-4;
  sheet.material = {1e7, 4e6}, sheet.density = 1000, sheet.holds = {{"rim", hold_all}};
  builder.add(assembled(sheet));
  RigidSpec body = random_body(dice, "body", size, {0.05, 0.05, 0.02}, speed * V{0.1, 0.05, -1});
  if (seed % 3 == 1) body.shape = ball_shape(size);
  if (seed % 3 == 2) body.shape = capsule_shape(0.3 * size, size);
  body.fill(1000), body.surface.friction = 0;
  builder.add(body);
  ThrownScene run(builder, dt);
  const int node = run.b.model.bodies.back().nodes.front();
  for (int k = 0; k < steps; ++k) {
    std::string trouble = run.trouble(run.step());
    if (!trouble.empty()) return trouble;
    double lowest = 0;  // of the sheet, which is below what it holds
    for (const int i : run.b.model.bodies.front().nodes) lowest = std::min(lowest, run.b.state.nodes.frame(i).x.z);
    if (!(run.b.state.nodes.frame(node).x.z > lowest)) return "through the sheet";
  }
  return "";
}
TEST(Throws, ASheetCatchesABall) {
  EXPECT_EQ(throw_at_sheet(1, 2), "");
}
TEST(SlowThrows, ASheetCatchesWhatIsThrownAtIt) {
  for (std::uint64_t seed = 2; seed <= 25; ++seed) EXPECT_EQ(throw_at_sheet(seed, 3), "") << "seed " << seed;
}

// A chain of random meshes, or a ring of them, joined by joints of random kinds about random axes.
Builder::Result random_linkage(Dice& dice, int bodies, double size, double speed, bool in_a_box) {
  Builder builder;
  builder.set_contact({}, false);
  const double spacing = 2.5 * size;
  const V together = dice.direction();
  for (int k = 0; k < bodies; ++k)
    builder.add(random_body(dice, std::string(1, static_cast<char>('a' + k)), size, {0, 0, spacing * k},
                            speed * (together + 0.5 * dice.vector())));
  if (in_a_box)
    builder.add(box_wall({-0.06, -0.05, -0.05}, {0.05, 0.06, spacing * bodies}, true));
  else
    builder.add(plane_wall({0, 0, -0.04}, {0, 0, 1}));
  Builder::Result built = builder.finish();
  const int kinds = static_cast<int>(JointKind::distance) + 1;
  for (int k = 0; k < bodies; ++k) {
    JointSpec j;
    j.name = "j" + std::to_string(k);
    j.kind = static_cast<JointKind>(static_cast<int>(dice.roll() * kinds));
    j.node[0] = k - 1, j.node[1] = k;  // the first one to the world
    j.at = {0, 0, spacing * (k - 0.5)};
    j.axis = dice.direction();
    if (j.kind == JointKind::distance) j.at = {0, 0, spacing * (k - 1)}, j.other = V{0, 0, spacing * k};
    if (k > 0 || dice.roll() < 0.3) join(j, built);
  }
  return built;
}

std::string throw_linkage(std::uint64_t seed, int steps) {
  Dice dice(1000 + seed);
  const double size = 0.02, speed = dice.roll(5, 50), dt = 0.1 * size / speed * std::pow(10.0, dice.roll(1, 3));
  const int bodies = 2 + static_cast<int>(3 * dice.roll());
  ThrownScene run(random_linkage(dice, bodies, size, speed, seed % 2 == 0), dt);
  for (int k = 0; k < steps; ++k) {
    std::string trouble = run.trouble(run.step());
    const JointError error = run.work.terms.joints->error(run.b.state, run.in);
    if (!(error.share <= 1)) trouble += "joint " + std::to_string(error.joint) + " is open";
    if (!trouble.empty()) return trouble + " after step " + std::to_string(k);
  }
  return "";
}
TEST(Throws, JointedMeshesStayJoinedAndPassThroughNothing) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) EXPECT_EQ(throw_linkage(seed, 2), "") << "seed " << seed;
}
class SlowLinkageThrows : public testing::TestWithParam<int> {};
TEST_P(SlowLinkageThrows, StayJoinedAndPassThroughNothing) {
  for (int k = 0; k < 50; ++k) {
    const int seed = 6 + 50 * GetParam() + k;
    EXPECT_EQ(throw_linkage(static_cast<std::uint64_t>(seed), 4), "") << "seed " << seed;
  }
}
INSTANTIATE_TEST_SUITE_P(Fifties, SlowLinkageThrows, testing::Range(0, 10));

// A bar that is turned by up to most of a turn in a step, in whose way a ball lies: it is knocked away. The barrier
// must be stiff enough for how fast the end of the bar comes, though its middle rests.
TEST(Throws, ABarThatIsTurnedFarInAStepKnocksABallAway) {
  for (const double degrees : {20.0, 108.0, 170.0, 300.0})
    for (const double mass : {1e-3, 0.1, 10.0}) {
      Builder builder;
      ContactSettings contact;
      contact.thickness = 1e-3;
      builder.set_contact(contact, false);
      RigidSpec bar;
      bar.name = "bar", bar.shape = box_shape({0.4, 0.02, 0.02}), bar.fixed = true;
      bar.fill(1000);
      RigidSpec ball;
      ball.name = "ball", ball.shape = ball_shape(0.02), ball.pose.x = {0.1, 0.12, 0};
      ball.fill(mass / (4.0 / 3 * std::numbers::pi * 8e-6));
      builder.add(bar), builder.add(ball);
      ThrownScene run(builder, 0.01);
      const double rate = degrees * std::numbers::pi / 180 / run.in.dt;
      for (int k = 0; k < 4; ++k) {
        const InputsAt at = [&](double share) {
          Inputs in = run.in;
          in.held[0].pose.q = turn(V{0, 0, rate * run.in.dt * (k + share)});
          in.held[0].twist.w = {0, 0, rate};
          return in;
        };
        ImplicitSettings set;
        set.a = 1;
        const Outcome o = step_implicit(run.b.model, at, run.b.state, run.work, run.newton, set);
        ASSERT_EQ(run.trouble(o), "") << degrees << " degrees, " << mass << " kg, step " << k;
      }
      const double way = 4 * degrees;
      if (way > 60) {
        EXPECT_GT(norm(run.b.state.nodes.twist(1).v), 0.3 * rate * 0.15) << degrees << ' ' << mass;
      }
    }
}

}  // namespace ls::throws_test
