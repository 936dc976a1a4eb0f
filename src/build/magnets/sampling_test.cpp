#include "build/magnets/sampling.h"

#include <gtest/gtest.h>
#include <numbers>

namespace {

using namespace ls;
using V = Vec3<double>;

struct Sums {
  V moment{}, middle{};
};
Sums sums_of(const std::vector<PlacedMoment>& samples) {
  Sums s;
  for (const PlacedMoment& d : samples) s.moment += d.moment, s.middle += d.moment.x * d.position;
  return s;
}

TEST(Sampling, MomentsAddUpForAnySpacing) {
  const V moment{1, -2, 0.5};
  const Mesh tetrahedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  for (const RigidShape& shape :
       {ball_shape(0.5), capsule_shape(0.2, 0.6), box_shape({1, 0.5, 0.3}), box_shape({1, 0.5, 0.3}, 0.1),
        cylinder_shape(0.5, 0.4, 24), cylinder_shape(0.5, 0.4, 24, 0.05), mesh_shape(tetrahedron)})
    for (const double spacing : {0.9, 0.37, 0.11, 0.06}) {
      const auto samples = sampled(shape, sample_grid(shape, spacing), moment);
      ASSERT_FALSE(samples.empty());
      const Sums s = sums_of(samples);
      EXPECT_LT(norm(s.moment - moment), 1e-13);
      EXPECT_LT(norm(s.middle - shape.solid.centre), 0.003) << spacing;
    }
}

TEST(Sampling, CellsOfABoxAreWhole) {
  const RigidShape box = box_shape({0.25, 0.02, 1.5});
  const SampleGrid grid = sample_grid(box, 0.0198);
  EXPECT_EQ(grid.cells, (std::array<long long, 3>{13, 1, 76}));
  const auto samples = sampled(box, grid, {0, 0, 988});
  ASSERT_EQ(samples.size(), 988u);
  for (const PlacedMoment& d : samples) EXPECT_NEAR(d.moment.z, 1, 1e-12);
  EXPECT_EQ(samples.front().position.x, -0.125 + 0.5 * grid.cell.x);
}

// The share of each cell: the volume that all of them make, of one shape that has it in closed form.
TEST(Sampling, SharesMakeTheVolume) {
  const RigidShape ball = ball_shape(1);
  const SampleGrid grid = sample_grid(ball, 0.2);
  const auto samples = sampled(ball, grid, {1, 0, 0});
  double largest = 0;
  for (const PlacedMoment& d : samples) {
    largest = std::max(largest, d.moment.x);
    EXPECT_LT(norm(d.position), 1);
  }
  const double volume = grid.cell.x * grid.cell.y * grid.cell.z / largest;  // where whole cells have their share
  EXPECT_NEAR(volume, 4 * std::numbers::pi / 3, 0.005);
}

TEST(Sampling, RoundedEdgesLeaveTheSize) {
  const RigidShape sharp = box_shape({1, 1, 1}), round = box_shape({1, 1, 1}, 0.2);
  const SampleGrid a = sample_grid(sharp, 0.25), b = sample_grid(round, 0.25);
  EXPECT_EQ(sampled(sharp, a, {1, 0, 0}).size(), sampled(round, b, {1, 0, 0}).size());
  EXPECT_EQ(a.corner.x, b.corner.x);
}

}  // namespace
