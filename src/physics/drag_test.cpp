#include "physics/drag.h"

#include "physics/test_kernel_properties.h"

#include <gtest/gtest.h>

namespace ls::properties::drag_test {

constexpr Drag::Params<double> law{2.0, 1.2, 0.3, 0.7};

struct Sample {
  V axis;
  Twist<double> slip;
};
template <class F>
void for_samples(const F& check) {
  Rng r(5);
  for (int i = 0; i < 200; ++i) check(Sample{normalized(random_vec(r, 1)), {random_vec(r, 1), random_vec(r, 1)}}, r);
}

TEST(Drag, TakesPower) {
  for_samples([](const Sample& s, Rng&) {
    const auto w = Drag::wrench(law, s.axis, s.slip);
    const double power = dot(w.force, s.slip.v) + dot(w.torque, s.slip.w);
    EXPECT_LT(power, 0);
    EXPECT_NEAR(Drag::potential(law, s.axis, s.slip), -0.5 * power, 1e-14);
  });
}

TEST(Drag, IsMinusTheSlopeOfThePotential) {
  constexpr double h = 1e-5;
  for_samples([](const Sample& s, Rng&) {
    const auto w = Drag::wrench(law, s.axis, s.slip);
    for (int k = 0; k < 6; ++k) {
      double e[6] = {};
      e[k] = h;
      const Twist<double> by{{e[0], e[1], e[2]}, {e[3], e[4], e[5]}};
      const double up = Drag::potential(law, s.axis, Twist<double>{s.slip.v + by.v, s.slip.w + by.w});
      const double down = Drag::potential(law, s.axis, Twist<double>{s.slip.v - by.v, s.slip.w - by.w});
      EXPECT_NEAR(component(w, k), -(up - down) / (2 * h), 1e-9);
    }
  });
}

TEST(Drag, TurnsWithTheBody) {
  for_samples([](const Sample& s, Rng& r) {
    const Quat<double> q = turn(random_vec(r, 3));
    const auto w = Drag::wrench(law, s.axis, s.slip);
    const auto u = Drag::wrench(law, rotate(q, s.axis), Twist<double>{rotate(q, s.slip.v), rotate(q, s.slip.w)});
    EXPECT_LT(norm(rotate(q, w.force) - u.force) + norm(rotate(q, w.torque) - u.torque), 1e-13);
    const auto back = Drag::wrench(law, -s.axis, s.slip);  // an axis has no sense
    EXPECT_LT(norm(back.force - w.force) + norm(back.torque - w.torque), 1e-15);
  });
}

TEST(Drag, OfABallHasNoAxis) {
  const auto p = ball_drag(0.1, 0.02);
  for_samples([&](const Sample& s, Rng&) {
    const auto w = Drag::wrench(p, s.axis, s.slip);
    EXPECT_LT(norm(w.force + 6 * std::numbers::pi * 0.1 * 0.02 * s.slip.v), 1e-17);
    EXPECT_LT(norm(w.torque + 8 * std::numbers::pi * 0.1 * 8e-6 * s.slip.w), 1e-19);
  });
}

// Against the fits of Tirado and Garcia de la Torre for cylinders of L/d = 5 to 15: drag of the whole, 4 pi mu L /
// (ln p + 0.839 + 0.185/p + 0.233/p^2) across and 2 pi mu L / (ln p - 0.207 + 0.980/p - 0.133/p^2) along.
TEST(Drag, OfARodIsThatOfACylinder) {
  for (const double p : {5.0, 10.0, 15.0}) {
    const auto ours = slender_drag(1, 2 * p, 0.5 / p, 1);
    const double across = 4 * std::numbers::pi / (std::log(p) + 0.839 + 0.185 / p + 0.233 / (p * p));
    const double along = 2 * std::numbers::pi / (std::log(p) - 0.207 + 0.980 / p - 0.133 / (p * p));
    EXPECT_NEAR(ours.across / across, 1, 0.02) << p;
    EXPECT_NEAR(ours.along / along, 1, 0.07) << p;
  }
  const auto thin = slender_drag(1, 1e12, 1e-12, 1);
  EXPECT_NEAR(thin.across / thin.along, 2, 0.08);
}

}  // namespace ls::properties::drag_test
