#include "terms/field_term.h"

#include "base/rng.h"
#include "math/block_matrix.h"
#include "math/rotation.h"
#include "model/dipoles_in_fields.h"
#include "model/magnet_field.h"
#include "model/model.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ls::field_term_test {

using V = Vec3<double>;

// Nodes about 3 cm from the magnets, every third without a moment.
struct Setting {
  Model model;
  State state;
  Inputs in;
  std::unique_ptr<Term> term;

  explicit Setting(int nodes) {
    model.nodes = nodes;
    state.nodes = Nodes(nodes);
    for (auto& m : model.moment) m.assign(static_cast<std::size_t>(padded(nodes)), 0.0);
    for (int i = 0; i < nodes; ++i) {
      const auto draw = [i](std::uint64_t k) { return 2 * uniform(5, 0, static_cast<std::uint64_t>(i), k) - 1; };
      const V x = 0.03 * normalized(V{draw(0), draw(1), draw(2)}) + 0.01 * V{draw(3), draw(4), draw(5)};
      state.nodes.set(i, Frame<double>{x, turn({2 * draw(6), 2 * draw(7), 2 * draw(8)})});
      for (std::uint64_t k = 0; k < 3 && i % 3 != 1; ++k) model.moment[k][i] = 0.01 * draw(9 + k);
    }
    MagnetField cuboid{CuboidMagnet{{{0.01, 0.02, 0.015}}, {2e5, 1e5, 6e5}}};
    MagnetField cylinder{CylinderMagnet{{0.01, 0.015}, {2e5, 0, -6e5}}};
    cuboid.pose = {{-0.06, 0.01, 0}, turn({0.3, -0.5, 0.2})};
    cylinder.pose = {{0.05, -0.04, 0.02}, turn({-1, 0.4, 0.7})};
    cylinder.factor = -0.7;
    in.fields = {std::make_shared<MagnetField>(cuboid), std::make_shared<MagnetField>(cylinder)};
    in.load_factor = 0.8;
    term = make_field_term(model);
  }

  double energy(int threads = 1) const {
    Team team(threads);
    Energies sum;
    term->add_energy(state, in, sum, team);
    EXPECT_EQ(sum.total(), sum[EnergyKind::zeeman]);
    EXPECT_EQ(energy_of(sum.named(), "zeeman"), sum[EnergyKind::zeeman]);
    return sum[EnergyKind::zeeman];
  }
  Wrenches wrenches(int threads = 1) const {
    Team team(threads);
    Wrenches w(state.nodes.count);
    w.need_node_columns(state.nodes.count);
    term->add_wrenches(state, in, Blocks::all(state.nodes.count, team), w);
    return w;
  }
  void displace(int node, int direction, double by) {
    Frame<double> f = state.nodes.frame(node);
    double d[6] = {};
    d[direction] = by;
    f.x = f.x + V{d[0], d[1], d[2]};
    f.q = turn({d[3], d[4], d[5]}) * f.q;
    state.nodes.set(node, f);
  }
};
double component(const Wrenches& w, int node, int k) {
  return k < 3 ? w.force[k][node] : w.torque[k - 3][node];
}

TEST(FieldTerm, ADipoleOnTheAxisOfAnother) {
  // Axial dipoles attract by 3 mu0 m1 m2 / (2 pi r^4), with energy -mu0 m1 m2 / (2 pi r^3).
  State s;
  s.nodes = Nodes(1);
  const double r = 0.1, m = 0.5;
  s.nodes.set(0, Frame<double>{{0, 0, r}, {}});
  Model model;
  model.nodes = 1;
  for (auto& c : model.moment) c.assign(static_cast<std::size_t>(padded(1)), 0.0);
  model.moment[2][0] = m;
  const auto term = make_field_term(model);
  Inputs in;
  in.fields = {std::make_shared<MagnetField>(PointDipole{{0, 0, 2.0}})};
  Team team(1);
  Wrenches w(1);
  w.need_node_columns(1);
  term->add_wrenches(s, in, Blocks::all(1, team), w);
  Energies sum;
  term->add_energy(s, in, sum, team);
  EXPECT_NEAR(w.force[2][0], -6 * 1e-7 * 2 * m / std::pow(r, 4), 1e-14);
  EXPECT_NEAR(sum[EnergyKind::zeeman], -2 * 1e-7 * 2 * m / std::pow(r, 3), 1e-16);
  EXPECT_NEAR(w.torque[0][0], 0, 1e-18);
}

TEST(FieldTerm, WrenchIsMinusTheSlopeOfTheEnergy) {
  Setting s(7);
  const Wrenches w = s.wrenches();
  double scale[2] = {};
  for (int i = 0; i < 7; ++i)
    for (int k = 0; k < 6; ++k) scale[k / 3] = std::max(scale[k / 3], std::abs(component(w, i, k)));
  for (int i = 0; i < 7; ++i)
    for (int k = 0; k < 6; ++k) {
      const double e = k < 3 ? 1e-6 : 1e-5;
      s.displace(i, k, e);
      const double up = s.energy();
      s.displace(i, k, -2 * e);
      const double down = s.energy();
      s.displace(i, k, e);
      EXPECT_NEAR(component(w, i, k), -(up - down) / (2 * e), 1e-8 * scale[k / 3]) << i << " " << k;
      EXPECT_TRUE(i % 3 != 1 || component(w, i, k) == 0.0);
    }
}

// The derivative of the wrench, of which the part turn-turn is the symmetric one.
TEST(FieldTerm, StiffnessIsTheSlopeOfTheWrench) {
  Setting s(7);
  BlockMatrix h(BlockPattern(7, {}));
  h.clear();
  s.term->add_stiffness(s.state, s.in, {}, h);
  for (int i = 0; i < 7; ++i) {
    double slope[6][6], scale = 0;
    for (int k = 0; k < 6; ++k) {
      const double e = 1e-5 * (k < 3 ? 0.05 : 1);
      s.displace(i, k, e);
      const Wrenches up = s.wrenches();
      s.displace(i, k, -2 * e);
      const Wrenches down = s.wrenches();
      s.displace(i, k, e);
      for (int r = 0; r < 6; ++r) slope[r][k] = -(component(up, i, r) - component(down, i, r)) / (2 * e);
    }
    const double* block = h.diagonal(i);
    const double unit[2] = {1 / 0.03, 1};  // so that forces per length and torques compare
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) scale = std::max(scale, std::abs(block[6 * r + c]) / (unit[r / 3] * unit[c / 3]));
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) {
        const double right = r >= 3 && c >= 3 ? 0.5 * (slope[r][c] + slope[c][r]) : slope[r][c];
        EXPECT_NEAR(block[6 * r + c], right, 1e-7 * scale * unit[r / 3] * unit[c / 3]) << i << " " << r << c;
        EXPECT_EQ(block[6 * r + c], block[6 * c + r]);
      }
  }
}

TEST(FieldTerm, ProductIsStiffnessTimesMove) {
  Setting s(7);
  BlockMatrix h(BlockPattern(7, {}));
  h.clear();
  s.term->add_stiffness(s.state, s.in, {}, h);
  std::vector<Twist<double>> move(7);
  std::vector<Wrench<double>> product(7);
  std::vector<double> x, y(42, 0.0);
  for (int i = 0; i < 7; ++i) {
    const auto draw = [i](std::uint64_t k) { return 2 * uniform(9, 0, static_cast<std::uint64_t>(i), k) - 1; };
    move[i] = {{draw(0), draw(1), draw(2)}, {draw(3), draw(4), draw(5)}};
    for (std::uint64_t k = 0; k < 6; ++k) x.push_back(draw(k));
  }
  s.term->add_product(s.state, s.in, move, product);
  h.add_product(x.data(), y.data());
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(product[i].force.y, y[6 * i + 1], 1e-13 * std::abs(y[6 * i + 1]));
    EXPECT_NEAR(product[i].torque.z, y[6 * i + 5], 1e-13 * std::abs(y[6 * i + 5]));
  }
}

TEST(FieldTermThreads, GiveTheSameBits) {
  const Setting s(3000);
  const Wrenches one = s.wrenches(1), three = s.wrenches(3);
  EXPECT_EQ(s.energy(1), s.energy(3));
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(one.force[k], three.force[k]);
    EXPECT_EQ(one.torque[k], three.torque[k]);
  }
}

TEST(FieldTerm, EnergyOfSomeNodes) {
  const Setting s(7);
  const Model& m = s.model;
  const double all = s.energy();
  const double sum = energy_in_fields(m, s.state, s.in, {0, 1, 2}) + energy_in_fields(m, s.state, s.in, {3, 4, 5, 6});
  EXPECT_NEAR(sum, all, 1e-14 * std::abs(all));
  EXPECT_EQ(energy_in_fields(m, s.state, s.in, {1, 4}), 0.0);  // without moments
}

TEST(FieldTerm, WithoutFieldsNothingHappens) {
  Setting s(7);
  s.in.fields.clear();
  Team team(1);
  Energies sum;
  s.term->add_energy(s.state, s.in, sum, team);
  const auto parts = sum.named();
  EXPECT_EQ(std::ranges::count(parts, "zeeman", &EnergyPart::name), 1);  // it has its column in every table of energies
  EXPECT_EQ(sum[EnergyKind::zeeman], 0.0);
  EXPECT_EQ(s.term->scope(s.in), Scope::idle);
  EXPECT_EQ(component(s.wrenches(), 0, 0), 0.0);
}

TEST(FieldTerm, FindsTheNodeOnAWire) {
  Model m;
  m.nodes = 3;
  State s;
  s.nodes = Nodes(3);
  for (auto& c : m.moment) c.assign(static_cast<std::size_t>(padded(3)), 0.0);
  m.moment[0][1] = m.moment[0][2] = 1;
  for (int i = 0; i < 3; ++i) s.nodes.set(i, Frame<double>{{0.01 * i, 0, 0}, {}});
  const auto loop = std::make_shared<MagnetField>(CurrentLoop{0.02, 1});
  const auto edge = std::make_shared<MagnetField>(CuboidMagnet{{{0.01, 0.02, 0.03}}, {0, 1, 0}});
  const auto point = std::make_shared<MagnetField>(PointDipole{{1, 0, 0}});
  Inputs in;
  EXPECT_EQ(first_node_without_field(m, s, in), -1);
  in.fields = {point};  // it sits on node 0, which has no moment
  EXPECT_EQ(first_node_without_field(m, s, in), -1);
  in.fields = {point, loop};
  EXPECT_EQ(first_node_without_field(m, s, in), 2);
  edge->pose.x = {0, 0.02, 0.01};
  in.fields = {edge};
  EXPECT_EQ(first_node_without_field(m, s, in), 1);
}

struct Everywhere final : Field {
  explicit Everywhere(const V& field) : b(field) {}
  void add(const V*, int count, int, FieldSample* out) const override {
    for (int i = 0; i < count; ++i) out[i].b += b;
  }
  bool is_uniform() const override { return true; }
  V b;
};

// In a uniform field nodes that have one moment each go in packs, and others one by one: to the same bits.
TEST(FieldTerm, PacksHaveTheBitsOfSingleDipoles) {
  constexpr int nodes = 45;
  Setting t(nodes);
  t.in.fields = {std::make_shared<Everywhere>(V{0.02, -0.05, 0.03}), std::make_shared<Everywhere>(V{0, 0.01, 0})};
  const Wrenches packs = t.wrenches();
  t.in.moment_factor.assign(nodes, 1.0);  // may differ from node to node
  const Wrenches single = t.wrenches();
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(packs.torque[k], single.torque[k]);
    EXPECT_EQ(packs.force[k], single.force[k]);
    EXPECT_NE(packs.torque[k][3], 0);
    EXPECT_EQ(packs.torque[k][1], 0);  // has no moment
  }
}

}  // namespace ls::field_term_test
