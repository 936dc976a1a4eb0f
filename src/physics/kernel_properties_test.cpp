#include "physics/kernels.h"
#include "physics/test_kernel_properties.h"

#include <gtest/gtest.h>

namespace ls::properties::kernel_properties_test {

template <class K>
struct Sample;  // parameters of size one, with two different bending stiffnesses
template <>
struct Sample<ExactBond> {
  static P<ExactBond> at(Rng& r) { return {uniform(r, 2, 4), 0.9, 1.4, 0.7, 0.5, uniform(r, 0.2, 0.6), 1.0}; }
};
template <>
struct Sample<CorotationalBond> {
  static P<CorotationalBond> at(Rng& r) { return {uniform(r, 2, 4), 0.9, 1.4, 0.7, 0.5, uniform(r, 0.2, 0.6), 1.0}; }
};
template <>
struct Sample<VectorBond> {
  static P<VectorBond> at(Rng& r) { return {uniform(r, 2, 4), 0.7, 0.9, 0.4, 0.6, 0.25, 0.15, 0.3, -0.2}; }
};

template <class K>
class BondLaws : public testing::Test {
 protected:
  template <class F>
  void for_samples(F&& check, double size = 0.3) {
    Rng r(7);
    for (int i = 0; i < 200; ++i) {
      const auto p = Sample<K>::at(r);
      Pair f;
      random_pair(r, 1.0, size, f);
      check(p, f, r);
    }
  }
};
template <class List>
struct AsTypes;
template <class... K>
struct AsTypes<KernelList<K...>> {
  using Types = testing::Types<K...>;
};
TYPED_TEST_SUITE(BondLaws, AsTypes<BondKernels>::Types);

TYPED_TEST(BondLaws, WrenchIsMinusTheGradient) {
  if constexpr (EnergyKernel<TypeParam>)
    this->for_samples([](auto& p, auto& f, auto&) { EXPECT_LT(gradient_error<TypeParam>(p, f), 1e-8); });
  else  // it is not, by this much, and the documentation says so
    EXPECT_NEAR(
        std::abs(loop_work<TypeParam>({1.0, 12.0 / 16, 12.0 / 16, 1.0 / 16, 1.0 / 16, 1.0 / 24, 1.0}, 1.0, 0.1)), 0.056,
        0.001);
}
TYPED_TEST(BondLaws, StiffnessIsTheDerivativeOfTheWrench) {
  this->for_samples([](auto& p, auto& f, auto&) { EXPECT_LT(stiffness_error<TypeParam>(p, f), 1e-8); });
}
TYPED_TEST(BondLaws, StiffnessIsTheHessianOfTheEnergy) {
  if constexpr (EnergyKernel<TypeParam>)
    this->for_samples([](auto& p, auto& f, auto&) { EXPECT_LT(hessian_error<TypeParam>(p, f), 1e-10); });
}
TYPED_TEST(BondLaws, RigidMotionChangesNothing) {
  this->for_samples([](auto& p, auto& f, auto& r) { EXPECT_LT(objectivity_error<TypeParam>(p, f, r), 1e-12); });
}
TYPED_TEST(BondLaws, ForcesAndTorquesBalance) {
  this->for_samples([](auto& p, auto& f, auto&) {
    Wrench<double> w[2];
    TypeParam::wrench(p, f, w);
    EXPECT_LT(balance_error(f, w), 1e-13);
  });
}
TYPED_TEST(BondLaws, TheNodesMayBeExchanged) {
  this->for_samples([](auto& p, auto& f, auto&) {
    auto q = p;
    if constexpr (requires { q.arm1; }) q.arm1 = q.arm2;
    EXPECT_LT(exchange_error<TypeParam>(q, f), 1e-12);
  });
}
TYPED_TEST(BondLaws, NothingActsAtRest) {
  Rng r(3);
  const auto p = Sample<TypeParam>::at(r);
  const Quat<double> q = turn({0.3, -1.0, 2.0});
  const Pair f = {{{1, 2, 3}, q}, {V{1, 2, 3} + rotate(q, V{0, 0, 1}), q}};
  Wrench<double> w[2];
  TypeParam::wrench(p, f, w);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(component(w[0], k), 0, 1e-14);
  EXPECT_NEAR(total(TypeParam::energy(p, f)), 0, 1e-14);
}
TYPED_TEST(BondLaws, DirectionalDerivativeAgreesWithTheStiffness) {
  this->for_samples([](auto& p, auto& f, auto& r) {
    double s[12][12];
    stiffness<TypeParam>(p, f, s);
    const Twist<double> move[2] = {{random_vec(r, 1), {}}, {random_vec(r, 1), {}}};
    Wrench<double> change[2];
    wrench_change<TypeParam>(p, f, move, change);
    const double d[12] = {move[0].v.x, move[0].v.y, move[0].v.z, 0, 0, 0,
                          move[1].v.x, move[1].v.y, move[1].v.z, 0, 0, 0};
    if (!TypeParam::is_potential) return;  // its tangent is not symmetric, the stiffness is
    for (int k = 0; k < 3; ++k) {
      double sum = 0;
      for (int j = 0; j < 12; ++j) sum += s[k][j] * d[j];
      EXPECT_NEAR(component(change[0], k), -sum, 1e-12);
    }
  });
}

TEST(ExactBond, FollowsATwistOfMoreThanHalfATurn) {
  const P<ExactBond> p{1, 1, 1, 1, 1, 0.5, 1};
  for (double angle : {0.1, 2.0, 3.0, 4.0, 5.5}) {
    const Pair f = {{{}, {}}, {{0, 0, 1}, turn({0, 0, angle})}};
    Wrench<double> w[2];
    ExactBond::wrench(p, f, w);
    EXPECT_NEAR(w[0].torque.z, 0.5 * angle, 1e-13 * (1 + angle));
    EXPECT_NEAR(total(ExactBond::energy(p, f)), 0.25 * angle * angle, 1e-12);
  }
}

TEST(ExactBond, StaysStraightInTension) {
  // Measured by the vector c - l z, shear of a slender bond loses its stiffness at a strain of 3/4 (d/l)^2.
  const double d = 0.1, EA = 1, EI = EA * d * d / 16;
  const P<ExactBond> p{EA, 12 * EI, 12 * EI, EI, EI, EI, 1};
  const Pair f = {{{}, {}}, {{0, 0, 1.2}, {}}};
  double s[12][12];
  stiffness<ExactBond>(p, f, s);
  EXPECT_GT(s[0][0], 0);
}

TEST(BondDamping, PullsPowerAndBalances) {
  Rng r(11);
  const BondDamping::Params<double> p{1, 2, 3, 0.4, 0.5, 0.6, 1};
  for (int i = 0; i < 200; ++i) {
    Pair f;
    random_pair(r, 1.0, 0.4, f);
    const Twist<double> t[2] = {{random_vec(r, 1), random_vec(r, 1)}, {random_vec(r, 1), random_vec(r, 1)}};
    Wrench<double> w[2];
    BondDamping::wrench(p, f, t, w);
    double power = 0;
    for (int a = 0; a < 2; ++a) power += dot(w[a].force, t[a].v) + dot(w[a].torque, t[a].w);
    EXPECT_LT(power, 0);
    EXPECT_LT(balance_error(f, w), 1e-13);
    const V spin = random_vec(r, 1), shift = random_vec(r, 1);  // a rigid motion is not damped
    const Twist<double> rigid[2] = {{shift + cross(spin, f[0].x), spin}, {shift + cross(spin, f[1].x), spin}};
    BondDamping::wrench(p, f, rigid, w);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(component(w[0], k), 0, 1e-13);
  }
}

TEST(BondDamping, RatesAreTheDerivativesOfTheStrains) {
  Rng r(12);
  for (int i = 0; i < 100; ++i) {
    Pair f;
    random_pair(r, 1.0, 0.4, f);
    const Twist<double> t[2] = {{random_vec(r, 1), random_vec(r, 1)}, {random_vec(r, 1), random_vec(r, 1)}};
    const auto at = [&](double h) {
      const Pair g = {{f[0].x + h * t[0].v, turn(h * t[0].w) * f[0].q},
                      {f[1].x + h * t[1].v, turn(h * t[1].w) * f[1].q}};
      return halfway(g);
    };
    const double h = 1e-6;
    const auto rate = strain_rate(at(0), t);
    const auto plus = at(h), minus = at(-h);
    EXPECT_NEAR((plus.length - minus.length) / (2 * h), rate.length, 1e-8);
    EXPECT_LT(norm((0.5 / h) * (plus.a - minus.a) - rate.a), 1e-8);
    EXPECT_LT(norm((0.5 / h) * (plus.kappa - minus.kappa) - rate.kappa), 1e-8);
  }
}

}  // namespace ls::properties::kernel_properties_test
