#include "physics/bond_step.h"

#include "physics/kernels.h"
#include "physics/test_kernel_properties.h"

#include <cmath>
#include <gtest/gtest.h>

// The bond over a midpoint step: its work is the change of its energy, and its wrench is in balance.
namespace ls::bond_step_test {

using namespace properties;
using V = Vec3<double>;

ElasticBond flat_bond() {
  const Elasticity e{2e6, 0.75e6};
  return elastic_bond(Calibration::bernoulli_euler, rectangular_section(6e-3, 2e-3, 0.35), e, 0.01);
}

struct Way {
  double made;     // J, energy that the step made from nothing
  double as_was;   // the same with the stress of the middle
  double balance;  // what forces and torques lack of balance, over their size
  double size;     // J
};

// From a strained pair of frames, each end goes its own way of about `go` of a bond's length and radians.
template <class K>
Way step_of(Rng& rng, double strain, double go, double whole_turn) {
  const auto law = K::of(flat_bond());
  BondStep<double> s;
  random_pair(rng, 0.01, strain, s.start);
  Frame<double> end[2];
  const V all = random_vec(rng, whole_turn);
  for (int a = 0; a < 2; ++a) {
    const Quat<double> half = turn(0.5 * (all + random_vec(rng, go)));
    const V arm = s.start[a].x - s.start[0].x;
    end[a] = {s.start[0].x + rotate(turn(all), arm) + random_vec(rng, go * 0.01), half * half * s.start[a].q};
    s.pose[a] = {0.5 * (s.start[a].x + end[a].x), half * s.start[a].q};
  }
  Halfway<double> o;
  Wrench<double> w[2], middle[2];
  const auto sigma = step_stress<K, double>(law, s, o);
  wrench_of(o, sigma, w);
  K::wrench(law, s.pose, middle);
  Way r{};
  const double u0 = total(K::energy(law, s.start)), u1 = total(K::energy(law, end));
  r.made = r.as_was = u1 - u0;
  V torque{};
  for (int a = 0; a < 2; ++a) {
    const V dx = 2.0 * (s.pose[a].x - s.start[a].x), psi = cayley_vector(s.pose[a].q * conj(s.start[a].q));
    r.made += dot(w[a].force, dx) + dot(w[a].torque, psi);
    r.as_was += dot(middle[a].force, dx) + dot(middle[a].torque, psi);
    torque += cross(s.pose[a].x - s.pose[0].x, w[a].force) + w[a].torque;
  }
  r.balance = (norm(w[0].force + w[1].force) * 0.01 + norm(torque)) /
              (norm(w[0].force) * 0.01 + norm(w[0].torque) + norm(w[1].torque));
  r.size = std::abs(u0) + std::abs(u1);
  return r;
}

template <class K>
class BondOverAStep : public testing::Test {};
using Kernels = testing::Types<ExactBond, CorotationalBond, VectorBond>;
TYPED_TEST_SUITE(BondOverAStep, Kernels);

TYPED_TEST(BondOverAStep, DoesTheWorkOfItsEnergy) {
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    const Way w = step_of<TypeParam>(rng, 0.2, 0.1, 0.02);
    EXPECT_LT(std::abs(w.made), 1e-4 * w.size) << i;
    EXPECT_LT(w.balance, 1e-12);
  }
}

TYPED_TEST(BondOverAStep, IsFarBetterThanTheStressOfTheMiddle) {
  Rng rng(4);
  double made = 0, as_was = 0;
  for (int i = 0; i < 500; ++i) {
    const Way w = step_of<TypeParam>(rng, 0.2, 0.1, 0.3);
    made += std::abs(w.made), as_was += std::abs(w.as_was);
  }
  EXPECT_LT(made, 0.02 * as_was);
}

// Turned as a whole by 100 degrees, a strained bond neither gains nor loses.
TYPED_TEST(BondOverAStep, FollowsAWholeTurn) {
  Rng rng(5);
  for (int i = 0; i < 100; ++i) {
    const Way w = step_of<TypeParam>(rng, 0.3, 0, 1.7);
    EXPECT_LT(std::abs(w.made), 1e-9 * w.size) << i;
  }
}

}  // namespace ls::bond_step_test
