#include "terms/contact/hertz_mindlin_term.h"

#include "base/rng.h"
#include "terms/contact/test_contact.h"

#include <gtest/gtest.h>

namespace ls::hertz_mindlin_term_test {

using V = Vec3<double>;
using test::Touchables;

const Surface rubber{0.5, 0.7, 1e6, 0.3};
constexpr double r = 1e-3;  // m, radius of all rods here

std::vector<V> straight(const V& from, const V& to, int bonds) {
  std::vector<V> x;
  for (int i = 0; i <= bonds; ++i) x.push_back(from + (static_cast<double>(i) / bonds) * (to - from));
  return x;
}

struct Sums {
  V force{}, torque{};
  double largest = 0, largest_torque = 0;
};
Wrenches node_wrenches(Term& term, const Touchables& t, const Inputs& in, int threads = 1) {
  Wrenches w(t.model.nodes);
  w.need_node_columns(t.model.nodes);
  Team team(threads);
  term.add_wrenches(t.state, in, Blocks::all(t.model.nodes, team), w);
  return w;
}
ContactReport report_of(const Touchables& t, const Inputs& in) {
  return contact_report(t.model, make_terms(t.model), t.state, in);
}
Sums sums(const Touchables& t, int threads = 1) {
  const auto term = make_hertz_mindlin_term(*t.model.shapes, t.model);
  const Wrenches w = node_wrenches(*term, t, t.inputs(1e-6), threads);
  Sums s;
  for (int i = 0; i < t.model.nodes; ++i) {
    const V f{w.force[0][i], w.force[1][i], w.force[2][i]}, q{w.torque[0][i], w.torque[1][i], w.torque[2][i]};
    s.force += f;
    s.torque += q + cross(t.state.nodes.frame(i).x, f);
    s.largest = std::max(s.largest, norm(f)), s.largest_torque = std::max(s.largest_torque, norm(q));
  }
  return s;
}
void set_moving(Touchables& t) {
  for (std::size_t i = 0; i < t.twist.size(); ++i) {
    const auto draw = [i](std::uint64_t c) { return uniform(3, 0, i, c) - 0.5; };
    t.twist[i] = {1e-2 * V{draw(0), draw(1), draw(2)}, 10.0 * V{draw(3), draw(4), draw(5)}};
  }
}
void expect_balance(const Touchables& t) {
  const Sums s = sums(t);
  EXPECT_GT(s.largest, 0);
  EXPECT_LT(norm(s.force), 1e-14 * s.largest);
  EXPECT_LT(norm(s.torque), 1e-14 * (s.largest * 0.02 + s.largest_torque));
}

// Two rods that cross at an angle, lifted so that they overlap; `shift` slides one of them along its own axis.
Touchables crossing(double angle, int bonds_a, int bonds_b, const V& shift_a, double shift_b, double overlap) {
  Touchables t;
  const V across{std::cos(angle), std::sin(angle), 0};
  t.add_string(straight(V{-0.01, 0, 0} + shift_a, V{0.01, 0, 0} + shift_a, bonds_a), r, rubber);
  const V middle = shift_b * across + V{0, 0, 2 * r - overlap};
  t.add_string(straight(middle + -0.01 * across, middle + 0.01 * across, bonds_b), r, rubber);
  return t;
}

TEST(HertzMindlinTerm, ForcesAndTorquesBalance) {
  auto balls = Touchables();
  balls.add_ball({0, 0, 0}, {}, 2e-3, 1e-3, rubber);
  balls.add_ball({1e-3, 2e-3, 1e-3}, {}, 1e-3, 2e-3, rubber);
  auto rods = crossing(0.8, 7, 5, {1e-4, 0, 0}, 3e-4, 1e-4);
  auto wall = Touchables();
  wall.add_plane({0.001, 0.002, 0}, {0, 0, 1}, rubber);
  wall.add_ball({0.005, 0, 0.9e-3}, {}, 1e-3, 1e-3, rubber);
  auto corner = Touchables();  // of a body whose centre is elsewhere
  corner.add_plane({0, 0, 0}, {0, 0, 1}, rubber);
  const int node = corner.add_node({{0, 0, 3e-3}, {0.8, {0.6, 0, 0}}}, 1e-3, {1e-9, 2e-9, 3e-9});
  corner.shapes.surfaces.push_back(rubber);
  corner.shapes.points.push_back({node, {2e-3, 3e-3, 1e-3}, 0});
  corner.shapes.spheres.push_back(0);
  corner.frame[1].x.z = -rotate(corner.frame[1].q, V{2e-3, 3e-3, 1e-3}).z - 1e-5;
  for (Touchables* t : {&balls, &rods, &wall, &corner}) {
    t->shapes.settings.rolling = 0.1;
    set_moving(*t);
    t->finish();
    expect_balance(*t);
  }
}

// The work that spread() puts in is the work of the force at the place: force on nodes along their velocities.
TEST(HertzMindlinTerm, NormalForceIsTheSlopeOfTheEnergy) {
  auto t = crossing(1.1, 7, 5, {2e-4, 0, 0}, 3e-4, 1e-4);
  t.finish();
  Team team(1);
  const Inputs in = t.inputs(0);
  const auto term = make_hertz_mindlin_term(*t.model.shapes, t.model);
  const Wrenches w = node_wrenches(*term, t, in);
  const auto energy = [&] {
    Energies sum;
    term->add_energy(t.state, in, sum, team);
    EXPECT_EQ(sum.total(), sum[EnergyKind::contact]);
    EXPECT_EQ(energy_of(sum.named(), "contact"), sum[EnergyKind::contact]);
    return sum[EnergyKind::contact];
  };
  const double h = 1e-9;
  double largest = 0;
  for (int i = 0; i < t.model.nodes; ++i)
    for (int c = 0; c < 3; ++c) largest = std::max(largest, std::abs(w.force[c][i]));
  for (int i = 0; i < t.model.nodes; ++i)
    for (int c = 0; c < 3; ++c) {
      double& x = t.state.nodes.x[c][i];
      const double before = x;
      x = before + h;
      const double up = energy();
      x = before - h;
      const double down = energy();
      x = before;
      EXPECT_NEAR((down - up) / (2 * h), w.force[c][i], 1e-6 * largest) << i << " " << c;
    }
}

TEST(HertzMindlinTerm, ACrossingIsOneContactHoweverFineTheRodsAre) {
  double first = 0;
  for (const double angle : {0.6, 1.2, 1.5707963267948966})
    for (const int bonds_a : {1, 2, 10, 41, 100})
      for (const int bonds_b : {1, 3, 20, 80})
        for (const double shift : {0.0, 1e-4, 2.5e-4, 5e-4, 1e-3}) {
          auto t = crossing(angle, bonds_a, bonds_b, {shift, 0, 0}, 0.7 * shift, 1e-4);
          t.finish();
          const auto report = report_of(t, t.inputs(0));
          ASSERT_EQ(report.contacts, 1) << angle << " " << bonds_a << " " << bonds_b << " " << shift;
          EXPECT_NEAR(report.min_gap, -1e-4, 1e-12);
          V up{};
          for (int i = 0; i <= bonds_a; ++i) up += report.force[i];
          if (first == 0) first = up.z;
          EXPECT_NEAR(up.z, first, 1e-9 * std::abs(first));
          EXPECT_LT(first, 0);
        }
}

// Rounding must neither lose the contact nor count it twice while its place passes a node.
TEST(HertzMindlinTerm, SlidingPastANodeStaysOneContact) {
  for (int k = -50; k <= 50; ++k) {
    const double tiny = 1e-3 * std::copysign(std::pow(10.0, -0.3 * std::abs(k)), k);
    auto t = crossing(1.0, 4, 6, {tiny, 0.3 * tiny, 0}, 0.4 * tiny, 1e-4);
    t.finish();
    EXPECT_EQ(report_of(t, t.inputs(0)).contacts, 1) << tiny;
  }
}

// A rod that is bent a little around the other has a nearest place on either side of the bend.
TEST(HertzMindlinTerm, AKinkDoesNotSplitAContact) {
  for (const double rise : {-1e-4, -1e-6, -1e-9, 1e-9, 1e-6, 1e-4})
    for (const int bonds : {2, 10, 60}) {
      Touchables t;
      t.add_string(straight({-0.01, 0, 0}, {0.01, 0, 0}, 8), r, rubber);
      std::vector<V> x = straight({0, -0.01, 1.95e-3}, {0, 0.01, 1.95e-3}, bonds);
      for (std::size_t i = 1; i < x.size(); i += 2) x[i].z += rise;
      t.add_string(x, r, rubber);
      t.finish();
      const bool lifted = rise > 5e-5 && bonds < 60;  // the node in the middle of 60 bonds stays
      EXPECT_EQ(report_of(t, t.inputs(0)).contacts, lifted ? 0 : 1) << rise << " " << bonds;
    }
}

TEST(HertzMindlinTerm, EndOfARodOnTheSideOfAnother) {
  for (const int bonds : {1, 4, 30}) {
    Touchables t;
    t.add_string(straight({-0.01, 0, 0}, {0.01, 0, 0}, 2 * bonds), r, rubber);
    t.add_string(straight({0, 1.9e-3, 0}, {1e-4, 0.02, 0}, bonds), r, rubber);
    t.finish();
    EXPECT_EQ(report_of(t, t.inputs(0)).contacts, 1) << bonds;
  }
}

TEST(HertzMindlinTerm, SideBySideEveryNodeCountsWhetherTheyFaceEachOtherOrNot) {
  for (const double shift : {0.0, 1e-4, 1e-3}) {
    Touchables t;
    t.add_string(straight({-0.02, 0, 0}, {0.02, 0, 0}, 20), r, rubber);
    t.add_string(straight({-0.01 + shift, 0, 1.9e-3}, {0.01 + shift, 0, 1.9e-3}, 10), r, rubber);
    t.finish();
    const auto report = report_of(t, t.inputs(0));
    EXPECT_GE(report.contacts, 20) << shift;  // eleven of the one, ten or eleven of the other
    EXPECT_LE(report.contacts, 22) << shift;
  }
}

TEST(HertzMindlinTerm, ABallRollingOverASeamOfTrianglesIsOneContact) {
  Touchables t;
  const double s = 0.01;
  const int node = t.add_node({{0, 0, 0}, {}}, 1, {1, 1, 1});
  t.shapes.surfaces.push_back(rubber);
  for (const V& x : {V{-s, -s, 0}, V{s, -s, 0}, V{s, s, 0}, V{-s, s, 0}}) t.shapes.points.push_back({node, x, 1e-4});
  t.shapes.triangles = {{0, 1, 2}, {0, 2, 3}};
  t.shapes.edges = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 0}};
  const int ball = t.add_ball({0, 0, 1.05e-3}, {}, 1e-3, 1e-3, rubber);
  t.finish();
  const Terms terms = make_terms(t.model);
  for (const double y : {-1e-3, -1e-7, -1e-16, 0.0, 1e-16, 1e-7, 1e-3, 0.99e-2, 1e-2, 1.001e-2}) {
    t.state.nodes.x[1][ball] = y;
    EXPECT_EQ(contact_report(t.model, terms, t.state, t.inputs(0)).contacts, 1) << y;
  }
}

TEST(HertzMindlinTerm, SaysNothingUnderAnotherLaw) {
  auto t = crossing(1, 4, 4, {}, 0, 1e-4);
  t.finish();
  Inputs in = t.inputs(1e-6);
  in.contact = ContactLaw::barrier;
  const auto term = make_hertz_mindlin_term(*t.model.shapes, t.model);
  EXPECT_EQ(term->scope(in), Scope::idle);
  ContactReport said;
  term->report(t.state, in, said);
  EXPECT_EQ(said.contacts, 0);
  Terms alone;  // without the barrier, which would have its say
  auto only = make_hertz_mindlin_term(*t.model.shapes, t.model);
  alone.hertz_mindlin = only.get();
  alone.all.push_back(std::move(only));
  EXPECT_EQ(contact_report(t.model, alone, t.state, in).contacts, 0);
  Wrenches w(t.model.nodes);
  w.need_node_columns(t.model.nodes);
  Team team(1);
  add_wrenches(alone, t.state, in, Blocks::all(t.model.nodes, team), w);
  for (int i = 0; i < t.model.nodes; ++i) EXPECT_EQ(w.force[2][i], 0);
}

// The stored slip follows a contact from one edge to the next, and does not follow one that is somewhere else.
TEST(HertzMindlinTerm, SlipIsHandedOnAlongARod) {
  auto t = crossing(1.4, 10, 7, {2e-4, 0, 0}, 1e-4, 1e-4);
  t.finish();
  const Inputs in = t.inputs(1e-6);
  const auto term = make_hertz_mindlin_term(*t.model.shapes, t.model);
  const auto force_along = [&] {
    const Wrenches w = node_wrenches(*term, t, in);
    double sum = 0;
    for (int i = 0; i <= 10; ++i) sum += w.force[1][i];
    return sum;
  };
  for (int i = 0; i <= 10; ++i) t.state.nodes.v[1][i] = 0.1;
  force_along();
  term->advance(t.state, in, t.state.memory);
  ASSERT_EQ(t.state.memory.touching.size(), 1U);
  const std::uint64_t key = t.state.memory.touching[0];
  for (int i = 0; i <= 10; ++i) t.state.nodes.v[1][i] = 0;
  const double before = force_along();
  EXPECT_LT(before, 0);
  for (int i = 0; i <= 10; ++i) t.state.nodes.x[0][i] -= 4e-4;  // the next edge of the first rod
  const double after = force_along();
  term->advance(t.state, in, t.state.memory);
  EXPECT_NE(t.state.memory.touching.at(0), key);
  EXPECT_NEAR(after, before, 1e-6 * std::abs(before));
}

TEST(HertzMindlinTerm, TellsOfBodiesThatTheLawCannotKeepApart) {
  Touchables t;
  t.add_plane({}, {0, 0, 1}, {0.3, 0.5, 0, 0.3});
  EXPECT_FALSE(rigid_pair(t.shapes).has_value());
  t.add_ball({0, 0, 1e-3}, {}, 1e-3, 1e-3, {0.3, 0.5, 0, 0.3});
  ASSERT_TRUE(rigid_pair(t.shapes).has_value());
  EXPECT_EQ(*rigid_pair(t.shapes), std::pair(0, 1));
  t.shapes.surfaces[1].young = 1e6;
  EXPECT_FALSE(rigid_pair(t.shapes).has_value());
  EXPECT_FALSE(sharp_pair(t.shapes).has_value());
  t.add_ball({0, 0, 1}, {}, 0, 1e-3, rubber);
  EXPECT_FALSE(sharp_pair(t.shapes).has_value());  // against the ball it has a radius to go by, and a plane has sides
  t.add_ball({0, 0, 2}, {}, 0, 1e-3, rubber);
  ASSERT_TRUE(sharp_pair(t.shapes).has_value());
  EXPECT_EQ(*sharp_pair(t.shapes), std::pair(2, 3));
}

}  // namespace ls::hertz_mindlin_term_test
