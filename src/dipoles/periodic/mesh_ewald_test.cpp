#include "dipoles/periodic/mesh_ewald.h"

#include "dipoles/periodic/ewald_sum.h"
#include "dipoles/test_dipoles.h"

#include <gtest/gtest.h>
#include <limits>
#include <numbers>

namespace ls::mesh_ewald_test {

using test::Dipoles;

DipoleFields by_mesh(const Dipoles& d, const PeriodicBox& box, double accuracy) {
  Team team(1);
  DipoleFields fields;
  MeshEwald(box, accuracy).compute(d.set(), team, fields);
  return fields;
}
DipoleFields by_ewald(const Dipoles& d, const PeriodicBox& box, double accuracy) {
  Team team(1);
  DipoleFields fields;
  EwaldSum(box, accuracy).compute(d.set(), team, fields);
  return fields;
}
test::Errors errors(const Dipoles& d, const DipoleFields& f, const DipoleFields& exact) {
  return test::errors(d, f, d.count(), [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    return PairEffect{{exact.field[0][at], exact.field[1][at], exact.field[2][at]},
                      {exact.force[0][at], exact.force[1][at], exact.force[2][at]}};
  });
}

TEST(MeshEwald, IsAsAccurateAsAsked) {
  const int across = is_sanitized ? 3 : 7;
  const PeriodicBox box{{across, across, across}};
  for (const bool is_aligned : {false, true}) {
    const Dipoles d = test::jittered_grid(across, is_aligned);
    const DipoleFields exact = by_ewald(d, box, 1e-7);
    for (const double accuracy : test::accuracies({1e-2, 1e-4, 1e-6})) {
      const test::Errors e = errors(d, by_mesh(d, box, accuracy), exact);
      EXPECT_LT(std::max(e.field, e.force), accuracy) << "aligned " << is_aligned;
      EXPECT_GT(std::max(e.field, e.force), 0.05 * accuracy) << "aligned " << is_aligned;  // nor far too dear
    }
  }
}

// Boxes that are no cubes, a film thinner than the cut, few dipoles, places outside the box.
TEST(MeshEwald, ServesAnyBox) {
  struct Case {
    PeriodicBox box;
    int count;
  };
  for (const Case& c : {Case{{{3, 5, 9}, PeriodicBox::Surround::vacuum}, 120}, Case{{{8, 9, 0.7}}, 60},
                        Case{{{1, 1, 1}}, 2}, Case{{{1e-6, 2e-6, 1.5e-6}}, 30}}) {
    Dipoles d;
    for (int i = 0; i < c.count; ++i)
      d.add({3 * c.box.length[0] * test::centred(i, 0), 2 * c.box.length[1] * test::centred(i, 1),
             c.box.length[2] * test::centred(i, 2)});
    test::add_moments(d, false);
    d.excluded = {{0, 1}};
    const test::Errors e = errors(d, by_mesh(d, c.box, 1e-5), by_ewald(d, c.box, 1e-8));
    EXPECT_LT(e.field, 1e-5);
    EXPECT_LT(e.force, 1e-5);
  }
}

TEST(MeshEwald, KnowsCubicLattices) {
  Dipoles d;
  for (int i = 0; i < 8; ++i) d.add({double(i % 2), double(i / 2 % 2), double(i / 4)});
  test::add_moments(d, true);
  EXPECT_NEAR(by_mesh(d, {{2, 2, 2}}, 1e-6).energy / dipole_constant, -16.75516081914559, 1e-4);
  EXPECT_NEAR(by_mesh(d, {{2, 2, 2}, PeriodicBox::Surround::vacuum}, 1e-6).energy / dipole_constant, 0, 1e-4);
}

// Pairs that enter and leave the cut jump by what is cut; all else is exact.
TEST(MeshEwald, ForceIsTheSlopeOfTheEnergy) {
  const PeriodicBox box{{3, 4, 5}};
  Dipoles d;
  for (int i = 0; i < 40; ++i) d.add({3 * test::centred(i, 0), 4 * test::centred(i, 1), 5 * test::centred(i, 2)});
  test::add_moments(d, false);
  d.excluded = {{2, 30}};
  Team team(1);
  MeshEwald sum(box, 1e-4);
  DipoleFields f;
  sum.compute(d.set(), team, f);
  const double step = 1e-5;
  for (const std::size_t i : {2U, 7U, 19U})
    for (std::size_t k = 0; k < 3; ++k) {
      const auto energy_at = [&](double offset) {
        Dipoles moved = d;
        moved.x[k][i] += offset;
        DipoleFields there;
        sum.compute(moved.set(), team, there);
        return there.energy;
      };
      const double slope =
          (8 * (energy_at(step) - energy_at(-step)) - (energy_at(2 * step) - energy_at(-2 * step))) / (12 * step);
      const double size = std::hypot(f.force[0][i], f.force[1][i], f.force[2][i]);
      EXPECT_NEAR(f.force[k][i], -slope, 1e-7 * size);
    }
}

TEST(MeshEwald, ForcesBalance) {
  const int across = 8;
  const Dipoles d = test::jittered_grid(across, false);
  const DipoleFields f = by_mesh(d, {{across, across, across}}, 1e-4);
  double square = 0;
  std::array<double, 3> sum{};
  for (std::size_t k = 0; k < 3; ++k)
    for (const double force : f.force[k]) {
      sum[k] += force;
      square += force * force;
    }
  for (const double s : sum) EXPECT_LT(std::abs(s), 1e-4 * std::sqrt(square));
}

TEST(MeshEwald, WrongNumbersGiveNone) {
  Dipoles d = test::jittered_grid(3, false);
  d.x[2][5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(by_mesh(d, {{3, 3, 3}}, 1e-3).energy));
  EXPECT_EQ(by_mesh(Dipoles{}, {{3, 3, 3}}, 1e-3).energy, 0);
}

TEST(MeshEwaldThreads, GiveTheSameBits) {
  const int across = 12;
  const Dipoles d = test::jittered_grid(across, false);
  MeshEwald sum({{across, across, across}}, 1e-4);
  DipoleFields one, more;
  for (const int threads : {1, 2, 3}) {
    Team team(threads);
    sum.compute(d.set(), team, threads == 1 ? one : more);
    if (threads == 1) continue;
    EXPECT_EQ(one.energy, more.energy);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(one.field[k], more.field[k]);
      EXPECT_EQ(one.force[k], more.force[k]);
    }
  }
}

}  // namespace ls::mesh_ewald_test
