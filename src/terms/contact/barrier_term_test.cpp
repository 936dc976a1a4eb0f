#include "terms/contact/barrier_term.h"

#include "base/rng.h"
#include "math/block_matrix.h"
#include "math/rotation.h"
#include "model/inputs.h"
#include "terms/contact/contact_report.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ls::barrier_term_test {

using V = Vec3<double>;

constexpr double reach = 0.1, radius = 0.2;

// Two bodies of one sort each, on nodes whose places and turns are drawn; walls stand still but may be turned too.
struct Scene {
  Shapes shapes;
  State state;
  Inputs in;
  std::unique_ptr<Contact> term;

  explicit Scene(int nodes) {
    state.nodes = Nodes(nodes);
    shapes.settings.thickness = reach;
    shapes.settings.stiffness = 3;
    shapes.is_wall.assign(static_cast<std::size_t>(nodes), 0);
    for (int i = 0; i < nodes; ++i) shapes.body_of.push_back(i), shapes.surfaces.push_back({0.4});
    in.contact = ContactLaw::barrier;
  }
  int point(int node, const V& offset) {
    shapes.points.push_back({node, offset, radius});
    return static_cast<int>(shapes.points.size()) - 1;
  }
  void finish() { term = make_barrier_term(shapes, {}); }

  double energy() const {
    Team team;
    Energies sum;
    term->add_energy(state, in, sum, team);
    return sum[EnergyKind::contact];
  }
  std::vector<double> wrench() const {
    Team team;
    Wrenches w(state.nodes.count);
    w.need_node_columns(state.nodes.count);
    term->add_wrenches(state, in, Blocks::all(state.nodes.count, team), w);
    std::vector<double> all;
    for (int i = 0; i < state.nodes.count; ++i) {
      for (const auto& c : w.force) all.push_back(c[i]);
      for (const auto& c : w.torque) all.push_back(c[i]);
    }
    return all;
  }
  void shift(int dof, double by) {
    const int node = dof / 6, c = dof % 6;
    auto f = state.nodes.frame(node);
    const V step{c % 3 == 0 ? by : 0, c % 3 == 1 ? by : 0, c % 3 == 2 ? by : 0};
    if (c < 3)
      f.x += step;
    else
      f.q = normalized(turn(step) * f.q);
    state.nodes.set(node, f);
  }
  BlockMatrix stiffness() const {
    NodePairs pairs;
    term->add_pattern(state, in, pairs);
    BlockMatrix k(BlockPattern(state.nodes.count, pairs));
    EXPECT_TRUE(term->fits(state, in, k.pattern()));
    k.clear();
    term->add_stiffness(state, in, {}, k);
    return k;
  }
};

V draw(std::uint64_t seed, std::uint64_t k) {
  return {2 * uniform(seed, k, 0, 0) - 1, 2 * uniform(seed, k, 0, 1) - 1, 2 * uniform(seed, k, 0, 2) - 1};
}

// One pair of every kind, at a gap between a fifth and nine tenths of the reach. kind: 0 spheres, 1 sphere and capsule,
// 2 sphere and triangle, 3 crossing capsules, 4 to 6 a sphere in hollow walls, 7 a rod's two nodes across a capsule,
// 8 crossing capsules far from their ends.
Scene random_pair(int kind, std::uint64_t seed) {
  Scene s(kind == 7 ? 3 : 2);
  const auto offset = [&](std::uint64_t k) { return 0.3 * draw(seed, k); };
  const int last = s.state.nodes.count - 1;
  if (kind == 7) {
    const int a = s.point(0, {}), b = s.point(1, {});
    s.shapes.edges.push_back({a, b});
  } else if (kind == 3 || kind == 8) {
    const double length = kind == 8 ? 3 : 1;
    const int a = s.point(0, length * V{-0.5, 0.1, 0}), b = s.point(0, length * V{0.6, -0.1, 0.1});
    s.shapes.edges.push_back({a, b});
  } else {
    s.shapes.spheres.push_back(s.point(0, offset(1)));
  }
  if (kind == 0) s.shapes.spheres.push_back(s.point(last, offset(2)));
  if (kind == 1 || kind == 3 || kind == 7 || kind == 8) {
    const double length = kind == 8 ? 3 : 1;
    const int a = s.point(last, length * V{0, -0.7, 0.05}), b = s.point(last, length * V{0.1, 0.5, 0});
    s.shapes.edges.push_back({a, b});
  }
  if (kind == 2) {
    const int a = s.point(last, {-1, -1, 0}), b = s.point(last, {1, -1, 0.1}), c = s.point(last, {0, 1, 0});
    s.shapes.edges.push_back({a, b}), s.shapes.edges.push_back({b, c}), s.shapes.edges.push_back({c, a});
    s.shapes.triangles.push_back({a, b, c});
  }
  if (kind >= 4 && kind <= 6) {
    const HollowKind sort[3] = {HollowKind::plane, HollowKind::sphere, HollowKind::cylinder};
    s.shapes.hollows.push_back({sort[kind - 4], last, offset(3), normalized(draw(seed, 4)), 1.5});
    s.shapes.is_wall[last] = 1;
  }
  s.finish();
  for (int i = 0; i < s.state.nodes.count; ++i) s.state.nodes.set(i, Frame<double>{{}, turn(draw(seed, 10 + i))});
  // The sphere, or the middle of the edge, goes from afar to the middle of the other part until the gap is as wanted.
  const double wanted = reach * (0.2 + 0.7 * uniform(seed, 20, 0, 0));
  const auto q0 = s.state.nodes.frame(0).q, q1 = s.state.nodes.frame(last).q;
  const bool is_hollow = kind >= 4 && kind <= 6;
  const V own = kind == 3 || kind >= 7 ? V{} : rotate(q0, s.shapes.points[0].offset);
  V target = kind == 0 ? rotate(q1, s.shapes.points[1].offset) : rotate(q1, V{0.03, 0.02, 0.01});
  V from = rotate(q1, V{0.2, 0.1, 2.5});
  if (is_hollow) {
    const Hollow& h = s.shapes.hollows[0];
    const V axis = rotate(q1, h.axis);
    from = rotate(q1, h.at) + 0.5 * axis, target = from + 2.0 * draw(seed, 6);
    if (kind == 4) target = from + 0.2 * draw(seed, 6) - 2.0 * axis;
    if (kind == 6) target = target - dot(target - from, axis) * axis;
    target = from + (2.0 / norm(target - from)) * (target - from);
  }
  double low = 0, high = 1;
  for (int round = 0; round < 60; ++round) {
    const double mid = 0.5 * (low + high);
    const V x = from + mid * (target - from) - own;
    s.state.nodes.set(0, Frame<double>{x, s.state.nodes.frame(0).q});
    if (kind == 7) s.state.nodes.set(1, Frame<double>{x + V{0.4, 0.1, 0.1}, s.state.nodes.frame(1).q});
    ContactReport r;
    r.force.resize(static_cast<std::size_t>(s.state.nodes.count));
    s.term->report(s.state, s.in, r);
    (r.min_gap > wanted ? low : high) = mid;
  }
  return s;
}

class BarrierPairs : public testing::TestWithParam<int> {};

TEST_P(BarrierPairs, ForceIsTheSlopeOfTheEnergy) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Scene s = random_pair(GetParam(), seed);
    const auto w = s.wrench();
    double most = 0, apart = 0;
    for (int d = 0; d < 6 * s.state.nodes.count; ++d) {
      constexpr double h = 1e-6;
      s.shift(d, h);
      const double up = s.energy();
      s.shift(d, -2 * h);
      const double down = s.energy();
      s.shift(d, h);
      apart = std::max(apart, std::abs(w[d] + (up - down) / (2 * h)));
      most = std::max(most, std::abs(w[d]));
    }
    ASSERT_GT(most, 1e-6) << "seed " << seed << ": nothing touches";
    EXPECT_LT(apart, 2e-7 * std::max(most, 1e-2)) << "seed " << seed;
  }
}

TEST_P(BarrierPairs, StiffnessIsTheSlopeOfTheForce) {
  const bool has_wall = GetParam() >= 4 && GetParam() <= 6;  // a wall is held: its own rows do not matter
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Scene s = random_pair(GetParam(), seed);
    const auto k = s.stiffness();
    const int free = has_wall ? 6 : 6 * s.state.nodes.count;
    // Torques differentiated to turns are not symmetric away from balance: the symmetric part is the second derivative.
    const auto size = static_cast<std::size_t>(free);
    std::vector<std::vector<double>> slope(size, std::vector<double>(size)), matrix = slope;
    for (int d = 0; d < free; ++d) {
      constexpr double h = 1e-6;
      std::vector<double> move(static_cast<std::size_t>(6 * s.state.nodes.count), 0.0), force(move.size(), 0.0);
      move[d] = 1;
      k.add_product(move.data(), force.data());
      s.shift(d, h);
      const auto up = s.wrench();
      s.shift(d, -2 * h);
      const auto down = s.wrench();
      s.shift(d, h);
      for (std::size_t r = 0; r < size; ++r) slope[r][d] = -(up[r] - down[r]) / (2 * h), matrix[r][d] = force[r];
    }
    double most = 0, apart = 0;
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c < size; ++c) {
        most = std::max(most, std::abs(matrix[r][c]));
        apart = std::max(apart, std::abs(matrix[r][c] - 0.5 * (slope[r][c] + slope[c][r])));
      }
    EXPECT_LT(apart, 1e-5 * most) << "seed " << seed;
  }
}

TEST_P(BarrierPairs, ForcesAndTorquesBalance) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const Scene s = random_pair(GetParam(), seed);
    const auto w = s.wrench();
    V force{}, torque{};
    double size = 0;
    for (int i = 0; i < s.state.nodes.count; ++i) {
      const double* a = w.data() + 6 * i;
      const V f{a[0], a[1], a[2]}, t{a[3], a[4], a[5]};
      force += f, torque += t + cross(s.state.nodes.frame(i).x, f);
      size = std::max(size, norm(f));
    }
    EXPECT_LT(norm(force), 1e-13 * size);
    EXPECT_LT(norm(torque), 1e-12 * size * 3);
  }
}

// What a report says of a pair: one contact, its gap and force at its nodes.
TEST_P(BarrierPairs, AreReported) {
  const Scene s = random_pair(GetParam(), 3);
  ContactReport r;
  const auto nodes = static_cast<std::size_t>(s.state.nodes.count);
  r.force.resize(nodes), r.gap.assign(nodes, reach), r.touching.assign(nodes, 0.0);
  s.term->report(s.state, s.in, r);
  const auto w = s.wrench();
  EXPECT_GE(r.contacts, 1);
  EXPECT_GT(r.min_gap, 0);
  EXPECT_LT(r.min_gap, reach);
  EXPECT_EQ(*std::min_element(r.gap.begin(), r.gap.end()), r.min_gap);
  EXPECT_GE(r.touching.back(), 1);
  for (std::size_t i = 0; i < nodes; ++i) EXPECT_EQ(r.force[i].x, w[6 * i]);
}

// Sliding is resisted by no more than the friction coefficient times the normal force, and by that beyond the slip.
TEST_P(BarrierPairs, FrictionIsCoulombs) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Scene s = random_pair(GetParam(), seed);
    const auto force_on = [&] {
      const auto w = s.wrench();
      return V{w[0], w[1], w[2]};
    };
    const V push = force_on();
    s.term->begin(s.state, s.in, 0.0, s.state.memory);
    const V still = force_on();
    EXPECT_LT(norm(still - push), 1e-12 * norm(push)) << "nothing has slid yet";
    // Far beyond the slip of a load step (a hundredth of the reach), yet so little that the gap stays.
    const V n = normalized(push), along = normalized(cross(n, V{0.3, 0.5, 0.8}));
    if (GetParam() == 7) continue;  // its two nodes share the slide
    const auto f = s.state.nodes.frame(0);
    s.state.nodes.set(0, Frame<double>{f.x + 0.02 * reach * along, f.q});
    Scene free = random_pair(GetParam(), seed);
    free.state.nodes.set(0, s.state.nodes.frame(0));
    const auto w = free.wrench();
    const V rubbing = force_on() - V{w[0], w[1], w[2]};
    if (GetParam() != 3) {
      EXPECT_NEAR(norm(rubbing), 0.4 * norm(push), 1e-9 * norm(push));
    }
    EXPECT_LT(dot(rubbing, along), -0.9 * norm(rubbing));
  }
}

// Balls in a row, an island each. By its own share 1 runs into 2, and once 1 goes no farther than 2 does, 0 runs
// into 1. 3 and 4 are far away and run into nobody.
TEST(BarrierIslands, OnlyThoseWhoMeetWaitForEachOther) {
  Scene s(5);
  for (int i = 0; i < 5; ++i) s.shapes.spheres.push_back(s.point(i, {}));
  s.finish();
  const double at[5] = {0, 0.9, 1.8, 50, 60};
  for (int i = 0; i < 5; ++i) s.state.nodes.set(i, Frame<double>{{at[i], 0, 0}, {}});
  const std::vector<int> island = {0, 1, 2, 3, 4};
  std::vector<double> share = {0.4, 0.5, 0.1, 0.05, 1};
  Move move;
  for (int c = 0; c < 3; ++c) move.v[c].assign(padded(5), 0.0), move.w[c].assign(padded(5), 0.0);
  const auto set_move = [&] {  // all go the same way, so that together they are free
    for (int i = 0; i < 5; ++i) move.v[0][i] = 2 * share[island[i]];
  };
  int rounds = 0;
  for (set_move(); s.term->islands_meet(s.state, s.in, move, island, share); set_move()) ASSERT_LT(++rounds, 10);
  EXPECT_EQ(share, (std::vector<double>{0.1, 0.1, 0.1, 0.05, 1}));
}

INSTANTIATE_TEST_SUITE_P(Kinds, BarrierPairs, testing::Range(0, 9));

}  // namespace ls::barrier_term_test
