#include "picture/picture_view.h"

#include <algorithm>
#include <numbers>
#include <utility>

namespace ls::drawing {
namespace {

Vec unit(const Vec& a) {
  return combine(1 / norm(a), a, 0, a);
}

View look(const Vec& toward, const Vec& up) {
  const Vec t = unit(toward), u = unit(combine(1, up, -dot(up, t), t));
  return {cross(u, t), u, t};
}

struct Spread {
  std::array<Vec, 3> along;           // orthonormal
  std::array<double, 3> low, extent;  // [m] of the points along each
};

Spread spread_along(std::span<const Vec> points, const std::array<Vec, 3>& along) {
  Spread spread{along, {}, {}};
  for (int k = 0; k < 3; ++k) {
    double low = 0, high = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double d = dot(along[k], points[i]);
      low = i == 0 ? d : std::min(low, d);
      high = i == 0 ? d : std::max(high, d);
    }
    spread.low[k] = low;
    spread.extent[k] = high - low;
  }
  return spread;
}

using Matrix = std::array<Vec, 3>;

Matrix covariance(std::span<const Vec> points) {
  Vec mean{0, 0, 0};
  for (const Vec& p : points) mean = combine(1, mean, 1.0 / points.size(), p);
  Matrix c{};
  for (const Vec& p : points) {
    const Vec d = combine(1, p, -1, mean);
    for (int i = 0; i < 3; ++i) c[i] = combine(1, c[i], d[i] / points.size(), d);
  }
  return c;
}

// Eigenvectors of a symmetric matrix by Jacobi rotations.
std::array<Vec, 3> principal_axes(Matrix c) {
  std::array<Vec, 3> v{axis(0), axis(1), axis(2)};  // rows
  for (int sweep = 0; sweep < 12; ++sweep)
    for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
      const double angle = 0.5 * std::atan2(2 * c[i][j], c[j][j] - c[i][i]), cs = std::cos(angle), sn = std::sin(angle);
      for (int k = 0; k < 3; ++k) {
        const double a = c[k][i], b = c[k][j];
        c[k][i] = cs * a - sn * b, c[k][j] = sn * a + cs * b;
      }
      const Vec ci = c[i], cj = c[j], vi = v[i], vj = v[j];
      c[i] = combine(cs, ci, -sn, cj), c[j] = combine(sn, ci, cs, cj);
      v[i] = combine(cs, vi, -sn, vj), v[j] = combine(sn, vi, cs, vj);
    }
  return v;
}

constexpr double flat = 0.02;  // of the largest extent: what is thinner counts as a plane

// A plane spanned by two world axes. up stays up; a plane across it is turned to lie along the paper.
View world_plane(const std::array<double, 3>& extent, int normal, int up) {
  int right = 3 - normal - up, vertical = up;
  if (normal == up) {
    right = up == 0 ? 1 : 0, vertical = 3 - up - right;
    if (extent[vertical] > 1.5 * extent[right]) std::swap(right, vertical);
  }
  return {axis(right), axis(vertical), cross(axis(right), axis(vertical))};
}

// From a corner, somewhat from above: the direction in which the points hide least behind each other.
View corner_view(const Matrix& c, const Vec& front, const Vec& side, const Vec& up) {
  int longest = 0;  // world axis, which should run to the right
  for (int k = 1; k < 3; ++k)
    if (c[k][k] > c[longest][longest]) longest = k;
  View best{};
  double best_score = -1;
  for (const double elevation : {22.0, 40.0})
    for (const double azimuth : {30.0, -30.0, 50.0, -50.0, 70.0, -70.0, 15.0, -15.0}) {
      const double e = elevation * std::numbers::pi / 180, a = azimuth * std::numbers::pi / 180;
      const Vec level = combine(std::cos(a), front, std::sin(a), side);
      const View view = look(combine(std::cos(e), level, std::sin(e), up), up);
      const double depth = dot(view.toward, {dot(c[0], view.toward), dot(c[1], view.toward), dot(c[2], view.toward)});
      const double preference =
          1 - 0.001 * std::abs(azimuth - 30) - 0.004 * (elevation - 22) + 0.1 * view.right[longest];
      const double score = (c[0][0] + c[1][1] + c[2][2] - depth) * preference;
      if (score > best_score) best_score = score, best = view;
    }
  return best;
}

}  // namespace

View choose_view(std::span<const Vec> points, const Vec& up_hint) {
  int up = 1;
  for (int k = 0; k < 3; ++k)
    if (std::abs(up_hint[k]) > std::abs(up_hint[up])) up = k;
  const int side = up == 0 ? 1 : 0, front = 3 - up - side;
  const Spread world = spread_along(points, {axis(0), axis(1), axis(2)});
  const double largest = *std::max_element(world.extent.begin(), world.extent.end());
  for (const int normal : {front, side, up})
    if (world.extent[normal] <= flat * largest) return world_plane(world.extent, normal, up);

  const double sign = up_hint[up] < 0 ? -1 : 1;
  const Vec up_axis = combine(sign, axis(up), 0, axis(up)), front_axis = cross(axis(side), up_axis);
  const Matrix c = covariance(points);
  Spread own = spread_along(points, principal_axes(c));
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int j) { return own.extent[i] < own.extent[j]; });
  const double longest = own.extent[order[2]];
  if (own.extent[order[0]] > flat * longest) return corner_view(c, front_axis, axis(side), up_axis);
  Vec normal = own.along[order[0]];
  const Vec line = own.along[order[2]];
  if (own.extent[order[1]] <= flat * longest) normal = unit(combine(1, front_axis, -dot(front_axis, line), line));
  if (dot(normal, front_axis) + 0.1 * dot(normal, up_axis) < 0) normal = combine(-1, normal, 0, normal);
  const bool from_above = std::abs(dot(normal, up_axis)) > 0.95;
  return look(normal, from_above ? combine(-1, front_axis, 0, front_axis) : up_axis);
}

Paper::Paper(const View& view, const PaperFrame& frame, std::span<const Vec> points, double radius) : view_(view) {
  const Spread spread = spread_along(points, {view.right, view.up, view.toward});
  const double width = spread.extent[0] + 2 * radius, height = spread.extent[1] + 2 * radius;
  const double most = std::max(width, height);
  scale_ = 200;  // a point without size: any scale will do
  if (most > 1e-90)
    scale_ = std::min((frame.right - frame.left) / std::max(width, 1e-3 * most),
                      (frame.bottom - frame.top) / std::max(height, 1e-3 * most));
  middle_ = {spread.low[0] + spread.extent[0] / 2, spread.low[1] + spread.extent[1] / 2};
  centre_ = {(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2};
}

}  // namespace ls::drawing
