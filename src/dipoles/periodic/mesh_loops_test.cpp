#include "dipoles/periodic/mesh_loops.h"

#include "dipoles/periodic/ewald_error.h"
#include "dipoles/periodic/screened_loops.h"
#include "dipoles/test_widths.h"

#include <gtest/gtest.h>

namespace ls::mesh_loops_test {

using test::random_numbers;

SplineWeights weights(const MeshLoops& loops, int order, double offset) {
  SplineWeights w;
  loops.weights(order, {offset, 0.5 * offset, 1 - offset}, {1, 2, 3}, w);
  return w;
}

// Splines sum to one and move with the dipole; their derivatives are the slopes of their values.
TEST(MeshLoops, SplinesAreSplines) {
  for (int order = 4; order <= most_spline; ++order)
    for (const double offset : {0.01, 0.3, 0.77}) {
      const double step = 1e-5;
      const SplineWeights at = weights(mesh_loops(), order, offset);
      const SplineWeights after = weights(mesh_loops(), order, offset + step);
      const SplineWeights before = weights(mesh_loops(), order, offset - step);
      double sum = 0, mean = 0;
      for (int i = 0; i < most_spline; ++i) {
        sum += at.w[0][0][i];
        mean += i * at.w[0][0][i];
        EXPECT_NEAR(at.w[0][1][i], (after.w[0][0][i] - before.w[0][0][i]) / (2 * step), 1e-9);
        EXPECT_NEAR(at.w[0][2][i], (after.w[0][1][i] - before.w[0][1][i]) / (2 * step), 1e-8);
        // z has three nodes a length, and goes the other way.
        EXPECT_NEAR(at.w[2][1][i], -3 * (after.w[2][0][i] - before.w[2][0][i]) / (2 * step), 1e-8);
        EXPECT_EQ(at.w[0][0][i] == 0, i >= order);
      }
      EXPECT_NEAR(sum, 1, 1e-14);
      EXPECT_NEAR(mean, offset + 0.5 * order - 1, 1e-13);
    }
}

std::vector<double> mesh_results(const MeshLoops& loops) {
  std::vector<double> all, values(12 * 12 * 20);
  for (int order = 5; order <= most_spline; ++order) {
    const SplineWeights w = weights(loops, order, 0.3);
    MeshStencil at{order, {}, {}, 5};
    for (int i = 0; i < order; ++i) {
      at.x[i] = (9 + i) % 12;
      at.y[i] = 1 + i;
    }
    const MeshRows rows{values.data(), 12, 20};
    loops.spread(w, at, {0.3, -0.8, 0.5}, rows);
    MeshEffect e;
    loops.read(w, at, rows, e);
    all.insert(all.end(), std::begin(e.gradient), std::end(e.gradient));
    all.insert(all.end(), std::begin(e.second), std::end(e.second));
  }
  all.insert(all.end(), values.begin(), values.end());
  return all;
}
TEST(MeshLoops, AllWidthsAgree) {
  test::expect_widths_agree<MeshLoops>(1e-13, mesh_results);
}

// Sums over those of 77 dipoles that are near the fifth.
std::vector<double> screened_results(const ScreenedLoops& loops) {
  constexpr int count = 77;
  std::vector<std::vector<double>> c;
  for (int k = 0; k < 6; ++k) c.push_back(random_numbers<double>(count, k));
  const ScreenedDipoles all{{c[0].data(), c[1].data(), c[2].data()}, {c[3].data(), c[4].data(), c[5].data()}};
  std::vector<std::vector<double>> near(6, std::vector<double>(count + 16));
  ScreenedNeighbours found{
      {near[0].data(), near[1].data(), near[2].data()}, {near[3].data(), near[4].data(), near[5].data()}, 0};
  std::vector<double> squares(count);
  std::vector<int> indices(count);
  loops.find(all, {c[0][5], c[1][5], c[2][5]}, 5, 0, 40, 0.6, squares.data(), indices.data(), found);
  loops.find(all, {c[0][5], c[1][5], c[2][5]}, 5, 40, count, 0.6, squares.data(), indices.data(), found);
  ScreenedSums sums;
  loops.sum(screened_law(5, 0.6), {0.1, 0.7, -0.3}, found, sums);
  return {sums.field[0], sums.field[1], sums.field[2], sums.force[0],
          sums.force[1], sums.force[2], sums.along,    double(found.count)};
}
TEST(ScreenedLoops, AllWidthsAgree) {
  test::expect_widths_agree<ScreenedLoops>(1e-12, screened_results);
}

// One pair at a time, beside the library's erfc: at small and large distances.
TEST(ScreenedLoops, TheLawIsRight) {
  for (const double alpha : {0.01, 1.0, 3.0})
    for (double r = 1e-3; r < 6; r *= 1.1) {
      if (alpha * r > 8) continue;
      std::vector<double> column(16, 0.0), distance(16, 0.0), moment(16, 0.0);
      distance[0] = r;
      moment[0] = 1;
      std::vector<double> other = column, third = column, fourth = column;
      ScreenedNeighbours near{
          {distance.data(), column.data(), other.data()}, {moment.data(), third.data(), fourth.data()}, 1};
      ScreenedSums sums;
      screened_loops().sum(screened_law(alpha, 6), {1, 0, 0}, near, sums);
      const Screened s = screened(r, alpha);
      EXPECT_NEAR(sums.field[0] / (s.c * r * r - s.b), 1, 1e-11) << alpha * r;
      EXPECT_NEAR((sums.force[0] + sums.along) / (3 * s.c * r - s.d * r * r * r), 1, 1e-10) << alpha * r;
    }
}

}  // namespace ls::mesh_loops_test
