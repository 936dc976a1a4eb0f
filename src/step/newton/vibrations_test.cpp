#include "step/newton/vibrations.h"

#include "base/rng.h"
#include "build/joints/join.h"
#include "math/rotation.h"
#include "step/newton/static_step.h"
#include "step/test_rods.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace ls::vibrations_test {

using std::numbers::pi;

// A round rod of length 1 along x with EI = 1 and a mass of 1.
struct Rod {
  double diameter, poisson = 0.3;
  double area() const { return pi * diameter * diameter / 4; }
  double young() const { return 64 / (pi * std::pow(diameter, 4)); }
  double density() const { return 1 / area(); }
  double axial_speed() const { return std::sqrt(young() / density()); }
  double torsional_speed() const { return axial_speed() / std::sqrt(2 * (1 + poisson)); }
};

struct Problem {
  Builder::Result made;
  Inputs in;
  Work work;
  NewtonWork newton;

  explicit Problem(Builder::Result r) : made(std::move(r)), work(made.model, 1), newton(made.model, work.terms) {
    for (int i = 0; i < made.model.nodes; ++i)
      if (const auto mask = made.model.held[i]) in.held.push_back({i, mask, made.state.nodes.frame(i), {}});
  }
  bool to_rest() {
    return solve_newton({made.model, in, in.held, made.state.nodes, {}}, made.state, work, newton).ok();
  }
  std::vector<Vibration> natural(int count) {
    return natural_vibrations(made.model, in, in.held, made.state, newton, count);
  }
  std::vector<Vibration> lowest(int count, double shift = 0) {
    return lowest_vibrations(made.model, in, in.held, made.state, newton, count, shift);
  }
};

Problem rod(const Rod& data, int bonds, int hold_start, int hold_end) {
  RodSpec r;
  r.name = "rod";
  r.line = line({0, 0, 0}, {1, 0, 0}, bonds, {0, 0, 1});
  const Elasticity e{data.young(), data.young() / (2 * (1 + data.poisson))};
  r.section = [=](double) { return circular_section(data.diameter, e.poisson()); };
  r.material = [=](double) { return e; };
  r.density = [=](double) { return data.density(); };
  r.hold_start = static_cast<std::uint8_t>(hold_start);
  r.hold_end = static_cast<std::uint8_t>(hold_end);
  return Problem(test::built(r));
}

double omega(const Vibration& v) {
  return 2 * pi * v.frequency();
}

// Of modes about a straight rod along x: how much of the kinetic energy is in turning about x, and in moving along x.
double share(const Problem& s, const Vibration& v, bool turning) {
  double sum = 0;
  const Model& m = s.made.model;
  for (int i = 0; i < m.nodes; ++i)
    sum += turning ? m.inertia[2][i] * v.shape[i].w.x * v.shape[i].w.x : m.mass[i] * v.shape[i].v.x * v.shape[i].v.x;
  return sum;
}

double product(const Problem& s, const Vibration& a, const Vibration& b) {
  double sum = 0;
  const Model& m = s.made.model;
  for (int i = 0; i < m.nodes; ++i) {
    const auto q = conj(s.made.state.nodes.frame(i).q);
    const auto wa = rotate(q, a.shape[i].w), wb = rotate(q, b.shape[i].w);
    sum += m.mass[i] * dot(a.shape[i].v, b.shape[i].v) + m.inertia[0][i] * wa.x * wb.x + m.inertia[1][i] * wa.y * wb.y +
           m.inertia[2][i] * wa.z * wb.z;
  }
  return sum;
}

void expect_orthonormal(const Problem& s, const std::vector<Vibration>& modes, double tolerance) {
  for (std::size_t i = 0; i < modes.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      ASSERT_NEAR(product(s, modes[i], modes[j]), i == j ? 1 : 0, tolerance) << i << " " << j;
}

constexpr double clamped_free[] = {1.8751040687, 4.6940911330, 7.8547574382};

TEST(Vibrations, CantileverBendsInPairsOfTheKnownFrequenciesToSecondOrder) {
  double error[3][2];
  for (const int fine : {0, 1}) {
    Problem s = rod({1e-3}, fine ? 128 : 64, hold_all, 0);
    const auto with = s.natural(6), without = s.lowest(6);
    ASSERT_EQ(with.size(), 6u);
    ASSERT_EQ(without.size(), 6u);
    for (int k = 0; k < 6; ++k) {
      const double right = clamped_free[k / 2] * clamped_free[k / 2];
      error[k / 2][fine] = omega(with[k]) / right - 1;
      EXPECT_LT(std::abs(error[k / 2][fine]), (fine ? 4e-4 : 1.6e-3)) << k;
      EXPECT_NEAR(with[k].omega_squared / without[k].omega_squared, 1, 1e-7) << k;
      EXPECT_NEAR(with[k].omega_squared / with[k ^ 1].omega_squared, 1, 1e-8) << "a pair";
    }
    expect_orthonormal(s, with, 1e-10);
  }
  for (const auto& e : error) EXPECT_NEAR(std::log2(e[0] / e[1]), 2, 0.05) << e[0] << " " << e[1];
}

// A chain of springs and masses, half a mass at the free end, has (2 c/l) sin((2k - 1) pi/(4 N)).
TEST(Vibrations, TwistAndStretchOfACantileverAreThoseOfAChain) {
  const Rod data{0.05};
  const int bonds = 64;
  Problem s = rod(data, bonds, hold_all, 0);
  int turning = 0, stretching = 0;
  for (const auto& v : s.natural(30)) {
    const bool turns = share(s, v, true) > 0.5, stretches = share(s, v, false) > 0.5;
    if (!turns && !stretches) continue;
    const int number = turns ? ++turning : ++stretching;
    const double speed = turns ? data.torsional_speed() : data.axial_speed(), n = 2 * number - 1;
    EXPECT_NEAR(omega(v) / (2 * speed * bonds * std::sin(n * pi / (4 * bonds))), 1, 1e-8);
    EXPECT_NEAR(omega(v) / (speed * n * pi / 2), 1, 1e-4 * n * n) << "f = c/4L, 3c/4L, ...";
  }
  EXPECT_GE(turning, 3);
  EXPECT_GE(stretching, 2);
}

TEST(Vibrations, AFreeRodHasSixRigidMotionsAndThenBends) {
  for (const int bonds : {32, 200}) {
    Problem s = rod({1e-2}, bonds, 0, 0);
    const auto modes = s.natural(8);
    ASSERT_EQ(modes.size(), 8u);
    const double first = 4.7300407449 * 4.7300407449;
    for (int k = 0; k < 6; ++k) EXPECT_LT(std::abs(omega(modes[k])), 1e-3 * first) << k;
    for (int k = 6; k < 8; ++k) EXPECT_NEAR(omega(modes[k]) / first, 1, 4.0 / (bonds * bonds) + 5e-4) << k;
    EXPECT_EQ(s.natural(3).size(), 3u);
    const auto shifted = s.lowest(8, first * first);
    for (int k = 6; k < 8; ++k) EXPECT_NEAR(shifted[k].omega_squared / modes[k].omega_squared, 1, 1e-8);
    expect_orthonormal(s, modes, 1e-9);
  }
}

// omega^2 = (k pi)^4 EI + (k pi)^2 T on pins, with EI, the mass and the length 1.
TEST(Vibrations, PullTightensARod) {
  const double tension = 100;
  Problem s = rod({1e-3}, 128, hold_position | 8, hold_y | hold_z);
  s.in.loads.push_back({{s.made.model.nodes - 1}, {1.0}, {tension, 0, 0}, {}, false});
  ASSERT_TRUE(s.to_rest());
  const auto modes = s.natural(6);
  ASSERT_EQ(modes.size(), 6u);
  for (int k = 0; k < 6; ++k) {
    const int pair = k / 2 + 1;
    const double a = pair * pi;
    EXPECT_NEAR(modes[k].omega_squared / (a * a * a * a + a * a * tension), 1, 6e-6 * a * a) << k;
  }
}

// Of a chain on a hook: omega = j/2 sqrt(g/L), j the zeros of Bessel's J0.
TEST(Vibrations, AHeavyThreadHangsLikeAChain) {
  Problem s = rod({1e-4}, 200, hold_position | 8, 0);
  s.in.gravity = {1e6, 0, 0};  // stiffness is a millionth beside it
  ASSERT_TRUE(s.to_rest());
  const auto modes = s.natural(4);
  ASSERT_EQ(modes.size(), 4u);
  const double zeros[] = {2.4048255577, 5.5200781103};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(omega(modes[k]) / (zeros[k / 2] / 2 * 1e3), 1, 1e-3) << k;
}

// At the critical load w = 1 - cos(pi x/2), and omega^2 falls with the load by the ratio of the integrals of w'^2 and
// w^2.
TEST(Vibrations, AColumnBeyondEulersLoadHasOneUnstablePair) {
  const double critical = pi * pi / 4, slope = pi * pi / 8 / (1.5 - 4 / pi);
  for (const double share : {0.95, 1.05, 12.0}) {
    Problem s = rod({1e-3}, 64, hold_all, 0);
    s.in.loads.push_back({{s.made.model.nodes - 1}, {1.0}, {-share * critical, 0, 0}, {}, false});
    ASSERT_TRUE(s.to_rest());
    const auto modes = s.natural(6);
    ASSERT_EQ(modes.size(), 6u);
    const auto unstable = std::count_if(modes.begin(), modes.end(), [](auto& v) { return v.omega_squared < 0; });
    EXPECT_EQ(unstable, share < 1 ? 0 : share < 9 ? 2 : 4) << share;  // the next load is nine times the first
    EXPECT_EQ(modes[0].frequency() < 0, share > 1);
    if (share < 2) {
      EXPECT_NEAR(modes[0].omega_squared / (slope * critical * (1 - share)), 1, 0.006);
    }
    for (int k = 1; k < 6; ++k) EXPECT_GE(modes[k].omega_squared, modes[k - 1].omega_squared);
    // Asking for fewer must not leave out the worst.
    EXPECT_NEAR(s.natural(1)[0].omega_squared / modes[0].omega_squared, 1, 1e-6);
  }
}

// All modes of something without any symmetry, against a dense solver.
std::vector<double> dense(Problem& s) {
  (void)factor_stiffness(s.made.model, s.in, s.in.held, s.made.state, s.newton);
  const Model& m = s.made.model;
  const int size = 6 * m.nodes;
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(size, size), mass = k;
  std::vector<double> unit(size, 0.0), column(size);
  for (int j = 0; j < size; ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    unit[j] = 1;
    s.newton.stiffness.add_product(unit.data(), column.data());
    unit[j] = 0;
    for (int i = 0; i < size; ++i) k(i, j) = column[i];
  }
  for (int i = 0; i < m.nodes; ++i) {
    const auto axes = matrix(s.made.state.nodes.frame(i).q);
    const Vec3<double> columns[] = {axes.c1, axes.c2, axes.c3};
    for (int c = 0; c < 3; ++c) {
      mass(6 * i + c, 6 * i + c) = m.mass[i];
      const Eigen::Vector3d e(columns[c].x, columns[c].y, columns[c].z);
      mass.block<3, 3>(6 * i + 3, 6 * i + 3) += m.inertia[c][i] * e * e.transpose();
    }
  }
  std::vector<int> free;
  for (int i = 0; i < size; ++i)
    if (!((s.newton.held[i / 6] >> (i % 6)) & 1)) free.push_back(i);
  const Eigen::MatrixXd kf = k(free, free), mf = mass(free, free);
  const Eigen::VectorXd values = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(kf, mf).eigenvalues();
  return {values.begin(), values.end()};
}

void crumple(State& s) {
  for (int i = 0; i < s.nodes.count; ++i) {
    const auto r = [&](int c) {
      return uniform(5, 1, 6 * static_cast<std::uint64_t>(i) + static_cast<std::uint64_t>(c), 0) - 0.5;
    };
    const auto f = s.nodes.frame(i);
    s.nodes.set(i, Frame<double>{f.x + 0.01 * Vec3<double>{r(0), r(1), r(2)},
                                 turn(0.8 * Vec3<double>{r(3), r(4), r(5)}) * f.q});
  }
}

TEST(Vibrations, AllModesOfACrumpledRodAreThoseOfADenseSolver) {
  for (const int hold : {0, static_cast<int>(hold_all), hold_x | 16}) {
    Problem s = rod({0.05}, 9, hold, hold == 0 ? 0 : hold_y);
    crumple(s.made.state);
    const auto right = dense(s);
    const int all = static_cast<int>(right.size());
    for (const int count : {1, 7, 20, all, all + 10}) {
      const auto found = s.natural(count);
      ASSERT_EQ(static_cast<int>(found.size()), std::min(count, all)) << hold;
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k].omega_squared, right[k], 1e-9 * std::abs(right[k]) + 1e-12 * right.back()) << k;
      expect_orthonormal(s, found, 1e-8);
    }
  }
}

// Joints are closed in vibrations, too: a body far from its hinge, where nothing but its weight holds it, and beside a
// stiff spring.
TEST(Vibrations, OfBodiesOnHinges) {
  for (const double arm : {0.01, 0.5, 5.0})
    for (const double stiffness : {0.0, 1000.0}) {
      Builder builder;
      RigidSpec box;
      box.name = "box", box.shape = box_shape({0.1, 0.1, 0.1}), box.pose.x = {0, 0, -arm};
      box.fill(1000);
      builder.add(box);
      auto r = builder.finish();
      JointSpec hinge;
      hinge.name = "hinge", hinge.kind = JointKind::hinge, hinge.node[1] = 0, hinge.axis = {0, 1, 0};
      join(hinge, r);
      if (stiffness > 0) {
        JointSpec spring;
        spring.name = "spring", spring.kind = JointKind::spring, spring.node[1] = 0, spring.at = {1, 0, -arm};
        spring.other = Vec3<double>{0, 0, -arm}, spring.settings.stiffness = stiffness;
        join(spring, r);
      }
      Inputs in;
      in.gravity = {0, 0, -9.81};
      Work work(r.model, 1);
      NewtonWork newton(r.model, work.terms);
      ASSERT_EQ(find_equilibrium(r.model, [&](double) { return in; }, r.state, work, newton, {}).outcome,
                Outcome::done);
      const auto found = natural_vibrations(r.model, in, {}, r.state, newton, 5);
      ASSERT_EQ(found.size(), 1U);  // all that the hinge leaves
      const double inertia = 0.1 * 0.1 / 6 + arm * arm, moment = 9.81 * arm + stiffness * arm * arm;  // of 1 kg
      EXPECT_NEAR(found[0].omega_squared, moment / inertia, 1e-8 * moment / inertia) << arm << " " << stiffness;
      EXPECT_TRUE(is_stable(r.model, in, r.state, newton));
    }
}

// One that stands on its hinge falls; one that hangs on a vertical one is neither held nor falls.
TEST(Vibrations, TellWhatFallsFromWhatIsFree) {
  for (const bool stands : {true, false}) {
    Builder builder;
    RigidSpec box;
    box.name = "box", box.shape = box_shape({0.1, 0.1, 0.1}), box.pose.x = {0, 0, stands ? 0.5 : -0.5};
    box.fill(1000);
    builder.add(box);
    auto r = builder.finish();
    JointSpec hinge;
    hinge.name = "hinge", hinge.kind = JointKind::hinge, hinge.node[1] = 0;
    hinge.axis = stands ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1};
    join(hinge, r);
    Inputs in;
    in.gravity = {0, 0, -9.81};
    Work work(r.model, 1);
    NewtonWork newton(r.model, work.terms);
    ASSERT_TRUE(solve_newton({r.model, in, in.held, r.state.nodes, {}}, r.state, work, newton).ok());
    EXPECT_EQ(is_stable(r.model, in, r.state, newton), !stands);
  }
}

}  // namespace ls::vibrations_test
