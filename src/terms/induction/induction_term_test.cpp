#include "terms/induction/induction_term.h"

#include "math/block_matrix.h"
#include "terms/dipoles/dipole_term.h"
#include "terms/induction/test_soft.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <gtest/gtest.h>
#include <limits>

namespace {

using namespace ls;
using namespace ls::test;
using V = Vec3<double>;
using std::numbers::pi;

// N balls of radius 1 m that touch, in a row along z.
struct Chain {
  Model model;
  State state;
  Chain(int n, double chi) : model(bodies_at_rest(n)) {
    state.nodes = Nodes(n);
    for (int i = 0; i < n; ++i) {
      model.soft.cells.push_back(soft_ball(i, 1, chi));
      state.nodes.set(i, Frame<double>{{0, 0, 2.0 * i}, {}});
    }
    model.dipoles.interact = true;
  }
};

struct ChainRow {
  bool along;
  double chi;
  int n;
  double first, middle, total, energy, force;
};

// Self-consistent point dipoles by a dense solve: moments in 4 pi R^3 H0, energy in 4 pi R^3 mu0 H0^2, force in
// 4 pi R^2 mu0 H0^2 on the first towards the others.
const ChainRow chain_rows[] = {
    {true, 1, 2, 0.266666666667, 0.266666666667, 0.533333333333, -0.266666666667, 0.0266666666667},
    {true, 10, 3, 1.0168101681, 1.16031160312, 3.19393193932, -1.59696596966, 0.46666333822},
    {true, 100, 10, 1.55192764375, 2.23347528036, 20.1941866545, -10.0970933273, 1.24916690134},
    {true, 10000, 10, 1.63568512958, 2.38918923059, 21.5046389649, -10.7523194824, 1.39882636483},
    {false, 1, 3, 0.24171539961, 0.234892787524, 0.718323586745, -0.359161793372, -0.0113304093567},
    {false, 100, 2, 0.865800865801, 0.865800865801, 1.7316017316, -0.865800865801, -0.140552088604},
    {false, 10000, 10, 0.884012405009, 0.771401899305, 7.95023488963, -3.97511744481, -0.138742757051},
};

TEST(Induction, ChainsOfBalls) {
  constexpr double field = 0.01, h0 = field / mu0;
  for (const ChainRow& row : chain_rows) {
    Chain c(row.n, row.chi);
    const auto term = make_induction_term(c.model);
    const Inputs in = in_field(row.along ? V{0, 0, field} : V{field, 0, 0});
    Team alone;
    const auto m = term->moments(c.state, in, alone);
    const auto size = [&](int i) { return (row.along ? m[i].z : m[i].x) / (4 * pi * h0); };
    double total = 0;
    for (int i = 0; i < row.n; ++i) total += size(i);
    EXPECT_NEAR(size(0), row.first, 1e-9 * row.first);
    EXPECT_NEAR(size(row.n / 2), row.middle, 1e-9 * row.middle);
    EXPECT_NEAR(total, row.total, 1e-9 * row.total);
    EXPECT_NEAR(energy_of_term(*term, c.state, in) / (4 * pi * mu0 * h0 * h0), row.energy, -1e-9 * row.energy);
    const double force = wrenches_of_term(*term, c.state, in)[2] / (4 * pi * mu0 * h0 * h0);
    EXPECT_NEAR(force, row.force, 1e-9 * std::abs(row.force)) << row.along << " " << row.chi << " " << row.n;
  }
}

TEST(Induction, ALongChainIsThatOfADenseSolve) {
  constexpr int n = 1000;
  constexpr double chi = 1e4, field = 0.01, h0 = field / mu0;
  Chain c(n, chi);
  const auto term = make_induction_term(c.model);
  Team alone;
  const auto m = term->moments(c.state, in_field({0, 0, field}), alone);
  // Both halves are alike: the dense system is that of one.
  std::vector<double> apart{(1 / chi + 1.0 / 3) / (4 * pi / 3)};
  for (int k = 1; k < n; ++k) apart.push_back(-1 / (2 * pi) / std::pow(2.0 * k, 3));
  constexpr int half = n / 2;
  Eigen::MatrixXd a(half, half);
  for (int i = 0; i < half; ++i)
    for (int j = 0; j < half; ++j)
      a(i, j) = apart[static_cast<std::size_t>(std::abs(i - j))] + apart[static_cast<std::size_t>(n - 1 - i - j)];
  const Eigen::VectorXd dense = a.llt().solve(Eigen::VectorXd::Constant(half, h0));
  for (int i = 0; i < n; ++i) ASSERT_NEAR(m[i].z, dense[std::min(i, n - 1 - i)], 1e-9 * m[i].z) << i;
}

// A chain is found again from what the last step left, in no iterations.
TEST(Induction, StartsFromTheLastStep) {
  Chain c(6, 100);
  const Inputs in = in_field({0.02, 0, 0.01});
  const auto term = make_induction_term(c.model);
  term->advance(c.state, in, c.state.memory);
  EXPECT_GT(c.state.memory.induction_iterations, 3);
  EXPECT_LT(c.state.memory.induction_iterations, 30);
  const auto before = c.state.memory.induction_iterations;
  const auto other = make_induction_term(c.model);
  other->advance(c.state, in, c.state.memory);
  EXPECT_EQ(c.state.memory.induction_iterations, before);
}

TEST(Induction, ASaturatingBall) {
  struct Row {
    SoftCurve curve;
    double chi, h0, m;
  };
  const Row rows[] = {
      {SoftCurve::froehlich, 1, 0.01, 0.007457970552}, {SoftCurve::froehlich, 10, 0.33, 0.5784093188},
      {SoftCurve::froehlich, 10, 10, 0.9897646676},    {SoftCurve::froehlich, 1000, 1, 0.9985033649},
      {SoftCurve::froehlich, 1000, 10, 0.9998965628},  {SoftCurve::langevin, 1, 0.01, 0.007499810161},
      {SoftCurve::langevin, 10, 0.1, 0.2290190481},    {SoftCurve::langevin, 10, 10, 0.9965521341},
      {SoftCurve::langevin, 1000, 0.33, 0.9629843788}, {SoftCurve::langevin, 1000, 10, 0.9999655173},
  };
  constexpr double saturation = 4e5;
  for (const Row& row : rows) {
    Model m = bodies_at_rest(1);
    SoftCell ball = soft_ball(0, 0.01, row.chi);
    ball.curve = row.curve, ball.saturation = saturation;
    m.soft.cells = {ball};
    State s;
    s.nodes = Nodes(1);
    s.nodes.set(0, Frame<double>{{}, turn({0.4, -1, 0.2})});
    const auto term = make_induction_term(m);
    Team alone;
    const V b = mu0 * row.h0 * saturation * normalized(V{1, 2, -2});
    const V moment = term->moments(s, in_field(b), alone)[0];
    EXPECT_NEAR(norm(moment) / (ball.volume * saturation), row.m, 1e-9 * row.m) << row.chi << " " << row.h0;
    EXPECT_LT(norm(cross(moment, b)), 1e-12 * norm(moment) * norm(b));
  }
}

// A magnet with two dipoles, a ball that saturates, a diamagnetic one, a long body with a factor, and a rod's node that
// is both a magnet and soft; in a field with slopes.
struct Mixture {
  Model model = bodies_at_rest(5);
  State state;
  Inputs in = in_field({0.03, -0.05, 0.02}, 0.4);

  explicit Mixture(bool with_diamagnet = true, bool saturates = true) {
    for (Column& c : model.moment) c.assign(static_cast<std::size_t>(padded(5)), 0.0);
    model.dipoles.samples.push_back({0, {0.05, 0, 0}, {40, 20, -10}});
    model.dipoles.samples.push_back({0, {-0.05, 0.02, 0}, {-30, 60, 25}});
    model.moment[0][0] = 10, model.moment[1][0] = 80, model.moment[2][0] = 15;
    model.moment[2][4] = 30;
    model.dipoles.interact = true;
    SoftCell one = soft_ball(1, 0.1, 50), two = soft_ball(2, 0.09, with_diamagnet ? -0.9 : 3),
             three = soft_ball(3, 0.1, 20), four = soft_ball(4, 0.08, 7);
    if (saturates) one.curve = SoftCurve::langevin, one.saturation = 6e4;
    three.factor = diagonal({0.45, 0.4, 0.15});
    three.inverse = diagonal({1.0 / 20, 1.0 / 30, 1.0 / 5});
    three.position = {0.02, 0.01, -0.03};
    if (saturates) four.curve = SoftCurve::froehlich, four.saturation = 3e4;
    model.soft.cells = {one, two, three, four};
    state.nodes = Nodes(5);
    for (int i = 0; i < 5; ++i)
      state.nodes.set(i, Frame<double>{V{0.3 * i, 0, 0} + 0.05 * some_vector(static_cast<std::uint64_t>(i)),
                                       turn(2.0 * some_vector(static_cast<std::uint64_t>(10 + i)))});
  }
};

TEST(Induction, ForcesAreSlopesOfTheEnergy) {
  for (const bool diamagnet : {false, true})
    for (const bool saturates : {false, true}) {
      const Mixture mix(diamagnet, saturates);
      const auto term = make_induction_term(mix.model);
      const auto w = wrenches_of_term(*term, mix.state, mix.in);
      double size = 0;
      for (const double a : w) size = std::max(size, std::abs(a));
      for (int d = 0; d < 30; ++d) {
        const auto at = [&](double by) { return energy_of_term(*term, shifted(mix.state, d / 6, d % 6, by), mix.in); };
        constexpr double h = 2e-4;
        const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
        EXPECT_NEAR(w[d], -slope, 1e-7 * size) << "degree of freedom " << d << (diamagnet ? ", with diamagnet" : "");
      }
    }
}

TEST(Induction, NoForceComesFromNothing) {
  Mixture mix;
  mix.in = in_field({0.03, -0.05, 0.02});
  const auto term = make_induction_term(mix.model);
  const auto w = wrenches_of_term(*term, mix.state, mix.in);
  V force{}, size{};
  for (int i = 0; i < 5; ++i) force += V{w[6 * i], w[6 * i + 1], w[6 * i + 2]}, size += V{std::abs(w[6 * i]), 0, 0};
  EXPECT_LT(norm(force), 1e-12 * size.x);
}

TEST(Induction, StiffnessIsThatOfTheWrench) {
  const Mixture mix;
  const auto term = make_induction_term(mix.model);
  NodePairs pairs;
  for (int a = 0; a < 5; ++a)
    for (int b = a + 1; b < 5; ++b) pairs.emplace_back(a, b);
  BlockMatrix matrix(BlockPattern(5, pairs));
  StiffnessRequest moving;  // so that nothing is made up
  moving.rate = 1;
  term->add_stiffness(mix.state, mix.in, moving, matrix);
  Model magnets = mix.model;  // whose own stiffness the term has as well
  magnets.soft = {};
  const auto dipoles = make_dipole_term(magnets);
  const auto all = [&](const State& s) {
    auto w = wrenches_of_term(*term, s, mix.in);
    const auto more = wrenches_of_term(*dipoles, s, mix.in);
    for (std::size_t k = 0; k < w.size(); ++k) w[k] += more[k];
    return w;
  };
  Eigen::MatrixXd k(30, 30), found(30, 30);
  constexpr double h = 1e-5;
  for (int d = 0; d < 30; ++d) {
    const auto high = all(shifted(mix.state, d / 6, d % 6, h)), low = all(shifted(mix.state, d / 6, d % 6, -h));
    std::vector<double> x(30, 0.0), y(30, 0.0);
    x[d] = 1;
    matrix.add_product(x.data(), y.data());
    for (int r = 0; r < 30; ++r) k(r, d) = -(high[r] - low[r]) / (2 * h), found(r, d) = y[r];
  }
  k = (0.5 * (k + k.transpose())).eval();  // the chart of turns is the symmetric one
  EXPECT_LT((k - found).norm(), 1e-6 * k.norm());
}

// A wire 100 times as long as it is wide, along z: the mean of its magnetisation over the field.
double magnetised_wire(int bonds, double chi, const V& direction) {
  constexpr double radius = 0.5, length = 100;
  const double spacing = length / bonds, ratio = radius * radius / (spacing * spacing);
  Model m = bodies_at_rest(bonds + 1);
  m.bodies.resize(1);
  m.bodies[0].kind = BodyKind::rod;
  m.bodies[0].nodes.clear();
  State s;
  s.nodes = Nodes(bonds + 1);
  for (int i = 0; i <= bonds; ++i) {
    SoftCell c = soft_ball(i, 1, chi);
    c.volume = pi * radius * radius * spacing * (i > 0 && i < bonds ? 1 : 0.5);
    c.factor = diagonal({0.5, 0.5, 0});
    c.chain = diagonal({-0.5 * ratio, -0.5 * ratio, ratio});
    m.soft.cells.push_back(c);
    m.body_of[i] = 0;
    m.bodies[0].nodes.push_back(i);
    s.nodes.set(i, Frame<double>{{0, 0, spacing * i}, {}});
  }
  m.dipoles.interact = true;
  const auto term = make_induction_term(m);
  Team alone;
  V sum{};
  for (const V& one : term->moments(s, in_field(0.01 * direction), alone)) sum += one;
  EXPECT_EQ(term->failure(), "") << bonds;
  return dot(sum, direction) / (pi * radius * radius * length * 0.01 / mu0);
}

// However finely it is cut, from bonds as long as its radius on. Between ends that are far away, a long rod has the
// factor 1/2 across and none along.
TEST(Induction, WiresDoNotDependOnTheirBonds) {
  for (const double chi : {10.0, 1000.0}) {
    const double fine = magnetised_wire(400, chi, {0, 0, 1});
    EXPECT_NEAR(magnetised_wire(200, chi, {0, 0, 1}), fine, 0.02 * fine);
    EXPECT_NEAR(magnetised_wire(300, chi, {0, 0, 1}), fine, 0.02 * fine);
    EXPECT_LT(fine, chi);
    EXPECT_NEAR(magnetised_wire(200, chi, {1, 0, 0}), chi / (1 + chi / 2), 0.02 * chi / (1 + chi / 2));
    EXPECT_NEAR(magnetised_wire(50, chi, {1, 0, 0}), chi / (1 + chi / 2), 0.02 * chi / (1 + chi / 2));
  }
}

// Conjugate gradients with the same cells, elsewhere: mean magnetisation over the field.
TEST(Induction, CubesInCells) {
  struct Row {
    double chi, two, four;
  };
  for (const Row& row : {Row{1, 0.752917, 0.757343}, Row{10, 2.380873, 2.503714}, Row{100, 3.053266, 3.307364},
                         Row{1e4, 3.151738, 3.431205}})
    for (const int n : {2, 4}) {
      Model m = bodies_at_rest(1);
      add_cube(m, 0, n, 0.02, row.chi);
      State s;
      s.nodes = Nodes(1);
      const Quat<double> q = turn({0.3, -0.8, 0.5});
      s.nodes.set(0, Frame<double>{{1, 2, 3}, q});
      const auto term = make_induction_term(m);
      Team alone;
      const V edge = axis_y(q);
      const V moment = term->moments(s, in_field(0.1 * edge), alone)[0];
      EXPECT_NEAR(dot(moment, edge) / (8e-6 * 0.1 / mu0), n == 2 ? row.two : row.four, 1e-6) << row.chi << " " << n;
      EXPECT_LT(norm(cross(moment, edge)), 1e-9 * norm(moment));
    }
}

// Two cubes in cells, one that saturates, beside a magnet.
TEST(Induction, CellsPullByTheSlopeOfTheirEnergy) {
  Model m = bodies_at_rest(3);
  for (Column& c : m.moment) c.assign(static_cast<std::size_t>(padded(3)), 0.0);
  m.moment[0][1] = 20, m.moment[1][1] = 50;
  m.dipoles.interact = true;
  add_cube(m, 0, 3, 0.2, 200);
  add_cube(m, 2, 2, 0.15, 50);
  for (int i = m.soft.grids[1].first; i < m.soft.grids[1].last; ++i)
    m.soft.cells[i].curve = SoftCurve::langevin, m.soft.cells[i].saturation = 4e4;
  State s;
  s.nodes = Nodes(3);
  for (int i = 0; i < 3; ++i)
    s.nodes.set(i, Frame<double>{V{0.3 * i, 0, 0} + 0.02 * some_vector(static_cast<std::uint64_t>(i)),
                                 turn(some_vector(static_cast<std::uint64_t>(10 + i)))});
  const Inputs in = in_field({0.03, -0.05, 0.02}, 0.4);
  const auto term = make_induction_term(m);
  const auto w = wrenches_of_term(*term, s, in);
  double size = 0;
  for (const double a : w) size = std::max(size, std::abs(a));
  for (int d = 0; d < 18; ++d) {
    const auto at = [&](double by) { return energy_of_term(*term, shifted(s, d / 6, d % 6, by), in); };
    constexpr double h = 2e-4;
    const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    EXPECT_NEAR(w[d], -slope, 1e-7 * size) << "degree of freedom " << d;
  }
}

TEST(Induction, OneBallInAFieldNeedsNoOther) {
  Model m = bodies_at_rest(1);
  m.soft.cells = {soft_ball(0, 0.01, 3)};
  State s;
  s.nodes = Nodes(1);
  const auto term = make_induction_term(m);
  const Inputs in = in_field({0, 0, 0.1}, 2);
  // m = 3 V chi/(3 + chi) B/mu0, and the force is its product with the slope
  const double moment = 1.5 * m.soft.cells[0].volume * 0.1 / mu0;
  const auto w = wrenches_of_term(*term, s, in);
  EXPECT_NEAR(w[2], moment * 2, 1e-10 * moment);
  EXPECT_NEAR(energy_of_term(*term, s, in), -0.5 * moment * 0.1, 1e-12 * moment);
  EXPECT_EQ(term->scope(Inputs{}), Scope::idle);
}

TEST(Induction, PointsThatAreTooNearHaveNoState) {
  Chain c(3, 100);
  for (int i = 0; i < 3; ++i) c.state.nodes.set(i, Frame<double>{{0, 0, 1.1 * i}, {}});
  const auto term = make_induction_term(c.model);
  const auto w = wrenches_of_term(*term, c.state, in_field({0, 0, 0.1}));
  EXPECT_TRUE(std::isnan(w[6]));
  EXPECT_NE(term->failure().find("`b`"), std::string::npos) << term->failure();
  for (int i = 0; i < 3; ++i) c.state.nodes.set(i, Frame<double>{{0, 0, 2.1 * i}, {}});
  term->advance(c.state, in_field({0, 0, 0.1}), c.state.memory);
  EXPECT_EQ(term->failure(), "");
}

TEST(InductionThreads, SameBitsForAnyNumber) {
  const int n = 300;
  Model m = bodies_at_rest(n);
  for (Column& c : m.moment) c.assign(static_cast<std::size_t>(padded(n)), 0.0);
  State s;
  s.nodes = Nodes(n);
  for (int i = 0; i < n; ++i) {
    s.nodes.set(i, Frame<double>{V{0.3 * (i % 7), 0.3 * (i / 7 % 7), 0.3 * (i / 49)}, {}});
    if (i % 3 == 0)
      m.moment[1][i] = 10;
    else
      m.soft.cells.push_back(soft_ball(i, 0.1, 30));
  }
  m.dipoles.interact = true;
  const Inputs in = in_field({0.1, 0, 0.2}, 0.5);
  const auto one = make_induction_term(m), three = make_induction_term(m);
  EXPECT_EQ(wrenches_of_term(*one, s, in, 1), wrenches_of_term(*three, s, in, 3));
}

}  // namespace
