#include "dipoles/periodic/ewald_sum.h"

#include "dipoles/periodic/ewald_error.h"
#include "dipoles/test_dipoles.h"

#include <gtest/gtest.h>
#include <numbers>

namespace ls::ewald_sum_test {

using test::Dipoles;

DipoleFields by_ewald(const Dipoles& d, const PeriodicBox& box, double accuracy, double tilt = 1, int threads = 1) {
  Team team(threads);
  DipoleFields fields;
  EwaldSum(box, accuracy, tilt).compute(d.set(), team, fields);
  return fields;
}
double energy(const Dipoles& d, const PeriodicBox& box) {
  return by_ewald(d, box, 1e-10).energy / dipole_constant;
}

// One dipole in each cell of a cubic lattice of 2^3, up or down.
Dipoles eight(const std::array<int, 8>& signs) {
  Dipoles d;
  for (int i = 0; i < 8; ++i) {
    d.add({double(i % 2), double(i / 2 % 2), double(i / 4)});
    for (std::size_t k = 0; k < 3; ++k) d.m[k].push_back(k == 2 ? signs[static_cast<std::size_t>(i)] : 0);
  }
  return d;
}
Dipoles random_box(int count, const PeriodicBox& box) {
  Dipoles d;
  for (int i = 0; i < count; ++i)
    d.add({box.length[0] * test::centred(i, 0), box.length[1] * test::centred(i, 1),
           box.length[2] * test::centred(i, 2)});
  test::add_moments(d, false);
  return d;
}

TEST(EwaldSum, KnowsCubicLattices) {
  Dipoles one;
  one.add({0.2, 0.7, -3});
  for (std::size_t k = 0; k < 3; ++k) one.m[k] = {k == 2 ? 1.0 : 0.0};
  EXPECT_NEAR(energy(one, {{1, 1, 1}}), -2 * std::numbers::pi / 3, 1e-9);
  EXPECT_NEAR(energy(eight({1, 1, 1, 1, 1, 1, 1, 1}), {{2, 2, 2}}), -16.75516081914559, 1e-9);
  // Columns along z that point up and down in turns.
  EXPECT_NEAR(energy(eight({1, -1, -1, 1, 1, -1, -1, 1}), {{2, 2, 2}}), -21.41430947482610, 1e-9);
}

// A ball of cubic lattice in vacuum has no field at its centre.
TEST(EwaldSum, VacuumAroundTakesTheFieldOfTheBall) {
  Dipoles one;
  one.add({0, 0, 0});
  for (std::size_t k = 0; k < 3; ++k) one.m[k] = {0.3 * static_cast<double>(k)};
  const DipoleFields f = by_ewald(one, {{1, 1, 1}, PeriodicBox::Surround::vacuum}, 1e-10);
  EXPECT_NEAR(f.energy / dipole_constant, 0, 1e-9);
  for (const auto& column : f.field) EXPECT_NEAR(column[0] / dipole_constant, 0, 1e-9);
}

TEST(EwaldSum, DoesNotDependOnTheSplitting) {
  const PeriodicBox box{{1.0, 1.3, 0.8}};
  const Dipoles d = random_box(12, box);
  const DipoleFields a = by_ewald(d, box, 1e-11);
  for (const double tilt : {0.7, 1.5}) {
    const DipoleFields b = by_ewald(d, box, 1e-11, tilt);
    EXPECT_NEAR(a.energy / b.energy, 1, 1e-9);
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_NEAR(a.field[k][i], b.field[k][i], 1e-8 * dipole_constant);  // fields are of the order 100, here over
        EXPECT_NEAR(a.force[k][i], b.force[k][i], 1e-7 * dipole_constant);  // mu0/4 pi; forces 1000
      }
  }
}

TEST(EwaldSum, ForceIsTheSlopeOfTheEnergy) {
  for (const auto surround : {PeriodicBox::Surround::tin_foil, PeriodicBox::Surround::vacuum}) {
    const PeriodicBox box{{1.0, 1.3, 0.8}, surround};
    Dipoles d = random_box(6, box);
    d.excluded = {{0, 3}, {4, 5}};
    const DipoleFields f = by_ewald(d, box, 1e-11);
    const double step = 1e-4;
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto energy_at = [&](double offset) {
          Dipoles moved = d;
          moved.x[k][i] += offset;
          return by_ewald(moved, box, 1e-11).energy;
        };
        // Differences of fourth order.
        const double slope =
            (8 * (energy_at(step) - energy_at(-step)) - (energy_at(2 * step) - energy_at(-2 * step))) / (12 * step);
        const double size = std::hypot(f.force[0][i], f.force[1][i], f.force[2][i]);
        EXPECT_NEAR(f.force[k][i], -slope, 1e-8 * std::max(size, 10 * dipole_constant));
      }
  }
}

// A pair in a large box feels its own copies little, and nothing where it is excluded.
TEST(EwaldSum, LeavesExcludedPairsOut) {
  Dipoles d;
  d.add({0.01, 0, 0});
  d.add({99.98, 0, 0});  // 0.03 away, across the face
  for (std::size_t k = 0; k < 3; ++k) d.m[k] = {k == 0 ? 1.0 : 0.0, k == 0 ? 1.0 : 0.0};
  const PeriodicBox box{{100, 100, 100}};
  EXPECT_NEAR(by_ewald(d, box, 1e-8).energy / dipole_constant, -2 / std::pow(0.03, 3), 1e-3);
  d.excluded = {{0, 1}};
  EXPECT_NEAR(by_ewald(d, box, 1e-8).energy / dipole_constant, -8 * std::numbers::pi / 3 * 1e-6, 1e-9);
}

TEST(EwaldSum, TurnsOfTheBoxChangeNothing) {
  const Dipoles d = random_box(10, {{1, 1.5, 2}});
  Dipoles turned = d;
  std::rotate(turned.x.begin(), turned.x.begin() + 1, turned.x.end());
  std::rotate(turned.m.begin(), turned.m.begin() + 1, turned.m.end());
  const double a = energy(d, {{1, 1.5, 2}}), b = energy(turned, {{1.5, 2, 1}});
  EXPECT_NEAR(a / b, 1, 1e-10);
}

TEST(EwaldSumThreads, GiveTheSameBits) {
  const PeriodicBox box{{1, 1.5, 2}};
  const Dipoles d = random_box(40, box);
  const DipoleFields one = by_ewald(d, box, 1e-4), two = by_ewald(d, box, 1e-4, 1, 2);
  EXPECT_EQ(one.energy, two.energy);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(one.field[k], two.field[k]);
    EXPECT_EQ(one.force[k], two.force[k]);
  }
}

// What the estimates say beside what cutting the sums does.
TEST(EwaldSum, ErrorsAreAsEstimated) {
  const int across = is_sanitized ? 3 : 6;
  const Dipoles d = test::jittered_grid(across, false);
  const PeriodicBox box{{across, across, across}};
  const DipoleFields exact = by_ewald(d, box, 1e-10);
  for (const double accuracy : {1e-1, 1e-3}) {  // the sums take a hundredth of it
    const DipoleFields f = by_ewald(d, box, accuracy);
    const test::Errors e = test::errors(d, f, d.count(), [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      return PairEffect{{exact.field[0][at], exact.field[1][at], exact.field[2][at]},
                        {exact.force[0][at], exact.force[1][at], exact.force[2][at]}};
    });
    EXPECT_LT(std::max(e.field, e.force), 0.02 * accuracy);
    EXPECT_GT(std::max(e.field, e.force), 0.001 * accuracy);
  }
}

}  // namespace ls::ewald_sum_test
