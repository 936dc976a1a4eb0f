#include "step/newton/solve/islands.h"

#include "build/builder.h"
#include "math/rotation.h"
#include "step/explicit_step.h"
#include "step/newton/implicit_step.h"

#include <cmath>
#include <gtest/gtest.h>
#include <utility>

namespace ls::islands_test {

using V = Vec3<double>;

TEST(Islands, AreWhatPairsOfFreeNodesConnect) {
  const NodePairs pairs = {{0, 3}, {2, 4}, {4, 6}, {4, 5}, {1, 5}};
  std::vector<std::uint8_t> held(8, 0);
  held[4] = hold_all;  // a wall connects nothing
  const Islands islands = islands_of(pairs, held);
  EXPECT_EQ(islands.of, (std::vector<int>{0, 1, 2, 0, -1, 1, 3, 4}));
  EXPECT_EQ(islands.count, 5);
}

// Towers of three tumbled boxes that fall on a floor, far from each other.
struct Towers {
  Builder::Result b;
  Inputs in;
  Work work;
  NewtonWork newton;

  static Builder built(const std::vector<int>& which) {
    Builder builder;
    ContactSettings contact;
    contact.thickness = 1e-3;
    builder.set_contact(contact, false);
    for (const int k : which)
      for (int i = 0; i < 3; ++i) {
        RigidSpec r;
        r.name = "box" + std::to_string(k) + "-" + std::to_string(i);
        r.shape = box_shape({0.05, 0.04, 0.03});
        r.pose = {{0.01 * i, 10.0 * k, 0.05 + 0.06 * i}, turn(V{0.3 * k, 0.4 * i, 0.1 + 0.2 * k * i})};
        r.fill(1000), r.surface.friction = 0.4;
        builder.add(r);
      }
    builder.add(plane_wall({0, 0, 0}, {0, 0, 1}));
    return builder;
  }
  explicit Towers(const std::vector<int>& which) : Towers(built(which)) {}
  explicit Towers(Builder builder) : b(builder.finish()), work(b.model, 1), newton(b.model, work.terms) {
    newton.size = 0.1;
    in.dt = 5e-3, in.gravity = {0, 0, -9.81}, in.contact = ContactLaw::barrier;
    const int floor = b.model.nodes - 1;
    in.held.push_back({floor, hold_all, b.state.nodes.frame(floor), {}});
  }
  // How many iterations it took.
  long long run(int steps) {
    const InputsAt at = [this](double) { return in; };
    ImplicitSettings set;
    set.a = 1, set.newton.most_iterations = 60;
    for (int k = 0; k < steps; ++k)
      if (step_implicit(b.model, at, b.state, work, newton, set) != Outcome::done) return -1;
    return b.state.memory.iterations;
  }
};

// What is far away has no say: towers fall together as each does by itself, up to what is left of their iterations, and
// none waits for the others.
TEST(Islands, TowersFallTogetherAsEachDoesAlone) {
  constexpr int steps = 20;
  const std::vector<int> all = {0, 1, 2, 3, 4, 5};
  Towers together(all);
  const long long iterations = together.run(steps);
  ASSERT_GT(iterations, 0);
  long long most = 0;
  for (const int k : all) {
    Towers alone({k});
    const long long own = alone.run(steps);
    ASSERT_GT(own, 0);
    most = std::max(most, own);
    for (int i = 0; i < 3; ++i)
      EXPECT_LT(norm(alone.b.state.nodes.frame(i).x - together.b.state.nodes.frame(3 * k + i).x), 1e-5)
          << "tower " << k << ", box " << i;
  }
  EXPECT_LT(iterations, 2 * most);
}

// A plank that tips at the end of a row of boxes is a knot of the island that they are.
TEST(Islands, ARowRestsWhileWhatStandsBesideItTips) {
  constexpr int boxes = 30;
  constexpr double width = 0.05, apart = 5e-4, lean = 0.1, thick = 0.01, tall = 0.2;
  Builder row;
  ContactSettings contact;
  contact.thickness = 1e-3;
  row.set_contact(contact, false);
  const auto add = [&](const std::string& name, const V& size, const V& at, double turned) {
    RigidSpec r;
    r.name = name;
    r.shape = box_shape(size);
    r.pose = {at, turn(V{0, turned, 0})};
    r.fill(1000), r.surface.friction = 0.4;
    row.add(r);
  };
  for (int i = 0; i < boxes; ++i)
    add("box" + std::to_string(i), {width, 0.04, 0.03}, {i * (width + apart), 0, 0.015 + apart}, 0);
  const double foot = 0.5 * (thick * std::cos(lean) + tall * std::sin(lean));
  const double middle = 0.5 * (thick * std::sin(lean) + tall * std::cos(lean));
  add("plank", {thick, 0.04, tall}, {(boxes - 0.5) * width + boxes * apart + foot, 0, middle + apart}, lean);
  WallSpec floor = plane_wall({0, 0, 0}, {0, 0, 1});
  floor.surface.friction = 0.4;
  row.add(floor);
  Towers all(std::move(row));
  ASSERT_GT(all.run(25), 0);  // and the row settles
  const Nodes start = all.b.state.nodes;
  ASSERT_GT(all.run(20), 0);
  for (int i = 0; i < boxes; ++i) EXPECT_LT(norm(all.b.state.nodes.frame(i).x - start.frame(i).x), 1e-6) << "box " << i;
  const V up = rotate(all.b.state.nodes.frame(boxes).q, V{0, 0, 1});
  EXPECT_GT(up.x, 2 * std::sin(lean)) << "it tips on";
}

}  // namespace ls::islands_test
