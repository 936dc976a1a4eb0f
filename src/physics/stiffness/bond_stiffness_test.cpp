#include "physics/stiffness/bond_stiffness.h"

#include "physics/bond_step.h"
#include "physics/kernels.h"
#include "physics/test_kernel_properties.h"

#include <array>
#include <gtest/gtest.h>

// The stiffness in closed form, against duals through the wrench.
namespace ls::bond_stiffness_test {

using namespace properties;

ElasticBond flat_bond(Rng& r) {
  ElasticBond b{uniform(r, 2, 4), 0.9, 1.4, 0.7, 0.5, uniform(r, 0.2, 0.6), 1.0};
  b.arm1 = 0.1, b.arm2 = 0.15;
  return b;
}

template <class K>
BondPoint<K, double> sample(Rng& r, double strain) {
  BondPoint<K, double> b{K::of(flat_bond(r)), {}, false, {}, {}, 0, false, {}};
  random_pair(r, 1.0, strain, b.frame);
  return b;
}

template <class K>
BondPoint<K, double> without_forecast(BondPoint<K, double> b) {
  b.mixed = false;
  return b;
}

template <class P>
double largest(const BondStiffness<P>& s) {
  double most = 0;
  for (const double a : s.upper) most = std::max(most, std::abs(a));
  return most;
}
double off(const BondStiffness<double>& a, const BondStiffness<double>& b) {
  double most = 0;
  for (int e = 0; e < BondStiffness<double>::entries; ++e) most = std::max(most, std::abs(a.upper[e] - b.upper[e]));
  return most / largest(b);
}

template <class K>
class BondStiffnessOf : public testing::Test {};
using Kernels = testing::Types<ExactBond, CorotationalBond, VectorBond>;
TYPED_TEST_SUITE(BondStiffnessOf, Kernels);

TYPED_TEST(BondStiffnessOf, IsThatOfDualsThroughTheWrench) {
  Rng r(5);
  for (const double strain : {1e-9, 0.02, 0.3, 0.7, 1.5})
    for (int i = 0; i < 100; ++i) {
      const auto b = sample<TypeParam>(r, strain);
      EXPECT_LT(off(bond_stiffness(b), stiffness_by_duals(b)), 1e-12) << strain << " " << i;
    }
}

// What the wrench of a constant stress adds, by duals through halfway and wrench_of.
template <class K>
struct Held {
  static constexpr auto name = "held";
  template <class S>
  using Params = typename K::template Params<S>;
  static inline Stress<double> held;
  template <class T, class S>
  static void wrench(const Params<S>&, const Frame<T> (&f)[2], Wrench<T> (&w)[2]) {
    const auto fixed = [](const Vec3<double>& a) { return Vec3<T>{T(a.x), T(a.y), T(a.z)}; };
    wrench_of(halfway(f), Stress<T>{T(held.tension), fixed(held.shear), fixed(held.moment)}, w);
  }
};

// Mixed Newton: the geometric part is that of another stress than the present one.
TYPED_TEST(BondStiffnessOf, TakesTheGeometricPartOfTheForeseenStress) {
  Rng r(6);
  for (int i = 0; i < 100; ++i) {
    auto b = sample<TypeParam>(r, 0.3);
    const auto now = stress_at<TypeParam, double>(b.law, b.frame, halfway(b.frame));
    auto& more = Held<TypeParam>::held = {uniform(r, -1, 1), random_vec(r, 1), random_vec(r, 1)};
    b.mixed = true;
    b.predicted = {now.tension + more.tension, now.shear + more.shear, now.moment + more.moment};
    BondPoint<Held<TypeParam>, double> held{b.law, {}, false, {b.frame[0], b.frame[1]}, {}, 0, false, {}};
    const auto extra = stiffness_by_duals(held);
    auto sum = stiffness_by_duals(without_forecast(b));
    for (int e = 0; e < BondStiffness<double>::entries; ++e) sum.upper[e] += extra.upper[e];
    EXPECT_LT(off(bond_stiffness(b), sum), 1e-12) << i;
  }
}

// Against differences of the stress along the move.
TYPED_TEST(BondStiffnessOf, ForeseesTheStressAfterAMove) {
  Rng r(7);
  const auto components = [](const Stress<double>& s) {
    return std::array{s.tension, s.shear.x, s.shear.y, s.shear.z, s.moment.x, s.moment.y, s.moment.z};
  };
  for (int i = 0; i < 50; ++i) {
    auto b = sample<TypeParam>(r, 0.3);
    const Twist<double> move[2] = {{random_vec(r, 1), random_vec(r, 1)}, {random_vec(r, 1), random_vec(r, 1)}};
    const auto after = [&](double by) {
      Frame<double> f[2];
      for (int a = 0; a < 2; ++a) f[a] = {b.frame[a].x + by * move[a].v, turn(by * move[a].w) * b.frame[a].q};
      return components(stress_at<TypeParam, double>(b.law, f, halfway(f)));
    };
    const double h = 1e-5;
    const auto now = after(0), plus = after(h), minus = after(-h);
    const auto foreseen = components(predicted_stress<TypeParam>(b.law, b.frame, move));
    for (std::size_t k = 0; k < now.size(); ++k)
      EXPECT_NEAR(foreseen[k], now[k] + (plus[k] - minus[k]) / (2 * h), 1e-7) << k;
  }
}

}  // namespace ls::bond_stiffness_test
