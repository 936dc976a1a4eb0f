#include "physics/joint_rows.h"

#include "math/rotation.h"
#include "physics/derive.h"
#include "physics/joint_stiffness.h"

#include <gtest/gtest.h>

namespace ls::joint_rows_test {

using V = Vec3<double>;

constexpr double length = 0.7;  // m
const JointHalf halves[2] = {{{0.3, -0.1, 0.2}, turn(V{0.4, 0.1, -0.7})}, {{-0.2, 0.5, 0.1}, turn(V{-0.3, 0.8, 0.2})}};

std::vector<JointRow> all_rows() {
  std::vector<JointRow> rows{{RowShape::distance}};
  for (int i = 0; i < 3; ++i) {
    rows.push_back({RowShape::along, i});
    for (int j = 0; j < 3; ++j) rows.push_back({RowShape::across, i, j});
  }
  return rows;
}

struct Pair {
  Frame<double> node[2];
  explicit Pair(double share = 0) {
    node[0] = {{0.1 + share, 0.2, -0.3}, turn(V{0.9 - share, 0.2, -0.5 * share})};
    node[1] = {{0.6, -0.4 * share, 0.2}, turn(V{-0.2, 1.1 + share, 0.6})};
  }
};

void flatten(const Wrench<double> (&w)[2], double (&out)[12]) {
  for (int n = 0; n < 2; ++n) {
    const V &f = w[n].force, &t = w[n].torque;
    const double all[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
    for (int c = 0; c < 6; ++c) out[6 * n + c] = all[c];
  }
}

TEST(JointRows, SlopesAreThoseOfTheValues) {
  using D = Dual<double, 12>;
  const Pair pair(0.2);
  Frame<D> moved[2];
  displace_all(pair.node, moved);
  for (const JointRow& row : all_rows()) {
    const D value = row_value(row, joint_places(halves, moved), length);
    Wrench<double> w[2];
    row_slope(row, joint_places(halves, pair.node), length, w);
    double slope[12];
    flatten(w, slope);
    for (int c = 0; c < 12; ++c) EXPECT_NEAR(value.d[c], slope[c], 1e-14) << static_cast<int>(row.shape) << " " << c;
  }
}

TEST(JointRows, ForcesAndTorquesAreInBalance) {
  const Pair pair(0.3);
  auto rows = all_rows();
  rows.push_back({RowShape::angle});
  for (const JointRow& row : rows) {
    Wrench<double> w[2];
    row_slope(row, joint_places(halves, pair.node), length, w);
    V torque{};
    for (int n = 0; n < 2; ++n) torque += w[n].torque + cross(pair.node[n].x, w[n].force);
    EXPECT_LT(norm(w[0].force + w[1].force), 1e-15);
    EXPECT_LT(norm(torque), 1e-15) << static_cast<int>(row.shape);
  }
}

// The second derivative in the chart of turn vectors is the symmetric part of that of the slopes.
TEST(JointRows, CurvaturesAreThoseOfTheValues) {
  using D = Dual<double, 12>;
  const Pair pair(0.1);
  Frame<D> moved[2];
  displace_all(pair.node, moved);
  for (const JointRow& row : all_rows()) {
    Wrench<D> w[2];
    row_slope(row, joint_places(halves, moved), length, w);
    double h[12][12] = {};
    add_row_curvature(row, joint_places(halves, pair.node), length, 2.0, h);
    const D* slope[12];
    for (int n = 0; n < 2; ++n) {
      auto& f = w[n].force;
      auto& t = w[n].torque;
      const D* all[6] = {&f.x, &f.y, &f.z, &t.x, &t.y, &t.z};
      for (int c = 0; c < 6; ++c) slope[6 * n + c] = all[c];
    }
    for (int r = 0; r < 12; ++r)
      for (int c = 0; c < 12; ++c) {
        EXPECT_NEAR(h[r][c], slope[r]->d[c] + slope[c]->d[r], 1e-13) << static_cast<int>(row.shape);
        EXPECT_EQ(h[r][c], h[c][r]);
      }
  }
}

// Turned as Cayley's map does it, by the mean of the vectors before and after.
TEST(JointRows, MeanVectorsGiveTheExactChange) {
  const Pair from(0), to(0.4);
  for (const JointRow& row : all_rows()) {
    const auto p0 = joint_places(halves, from.node), p1 = joint_places(halves, to.node);
    Wrench<double> w[2];
    row_slope(row, mean_of(p0, p1), length, w);
    double work = 0;
    for (int n = 0; n < 2; ++n) {
      const Quat<double> q = to.node[n].q * conj(from.node[n].q);
      const V turned = (2 / q.w) * q.v;  // 2 tan(angle/2)
      work += dot(w[n].force, to.node[n].x - from.node[n].x) + dot(w[n].torque, turned);
    }
    EXPECT_NEAR(work, row_value(row, p1, length) - row_value(row, p0, length), 1e-14) << static_cast<int>(row.shape);
  }
}

}  // namespace ls::joint_rows_test
