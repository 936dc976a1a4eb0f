#include "terms/dipoles/point_cells.h"

#include "base/rng.h"

#include <gtest/gtest.h>
#include <set>

namespace ls::point_cells_test {

namespace {

std::vector<Vec3<double>> some_points(int count, const Vec3<double>& size) {
  std::vector<Vec3<double>> all;
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(count); ++k)
    all.push_back({size.x * uniform(3, 0, k, 0), size.y * uniform(3, 0, k, 1), size.z * (uniform(3, 0, k, 2) - 3)});
  return all;
}

TEST(PointCells, WhoIsNearerThanACellIsFound) {
  const auto at = some_points(400, {3, 2, 5});
  const PeriodicBox box{{1.5, 2, 1.1}};
  for (const PeriodicBox* where : {static_cast<const PeriodicBox*>(nullptr), &box}) {
    const PointCells cells(at, 0.4, where);
    for (int i = 0; i < 400; ++i) {
      std::multiset<int> found;
      cells.for_near(i, [&](int j) { found.insert(j); });
      EXPECT_EQ(found.count(i), 0u);
      for (int j = 0; j < 400; ++j) {
        const Vec3<double> r = at[static_cast<std::size_t>(i)] - at[static_cast<std::size_t>(j)];
        std::array<double, 3> d{r.x, r.y, r.z};
        if (where) d = where->nearest(d);
        if (j != i && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < 0.16) EXPECT_EQ(found.count(j), 1u) << i << " " << j;
        EXPECT_LE(found.count(j), 1u);
      }
    }
  }
}

TEST(PointCells, CellsHaveAsManyAsIsWanted) {
  for (const Vec3<double>& size : {Vec3<double>{1, 1, 1}, {1, 3, 0}, {5, 0, 0}}) {
    const auto at = some_points(20000, size);
    const PointCells cells(at, PointCells::size_for(at, 300, nullptr), nullptr);
    long long found = 0;
    for (int i = 0; i < 20000; i += 100) cells.for_near(i, [&](int) { ++found; });
    EXPECT_GT(found, 200 * 200) << size.x << " " << size.y;
    EXPECT_LT(found, 200 * 310) << size.x << " " << size.y;
  }
}

}  // namespace

}  // namespace ls::point_cells_test
