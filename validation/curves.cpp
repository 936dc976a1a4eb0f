#include "validation/curves.h"

#include "build/centre_line.h"
#include "math/quat.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace ls::validation {

namespace {

using V = Vec3<double>;

// Where one segment passes over another, by places along the curve.
struct Crossing {
  double over, under;
  int hand;  // +1: right-handed, -1: left-handed
};

std::vector<Crossing> all_crossings(const Curve& c, const V& along) {
  const V z = normalized(along), x = any_across(z), y = cross(z, x);
  struct Flat {
    double x, y, z;
  };
  std::vector<Flat> p;
  for (const V& a : c) p.push_back({dot(a, x), dot(a, y), dot(a, z)});
  std::vector<Crossing> found;
  for (std::size_t i = 0; i + 1 < p.size(); ++i)
    for (std::size_t j = i + 2; j + 1 < p.size(); ++j) {
      const double ux = p[i + 1].x - p[i].x, uy = p[i + 1].y - p[i].y, vx = p[j + 1].x - p[j].x,
                   vy = p[j + 1].y - p[j].y;
      const double area = ux * vy - uy * vx;
      if (area == 0) continue;
      const double rx = p[j].x - p[i].x, ry = p[j].y - p[i].y;
      const double s = (rx * vy - ry * vx) / area, t = (rx * uy - ry * ux) / area;
      if (s < 0 || s >= 1 || t < 0 || t >= 1) continue;
      const double zi = p[i].z + s * (p[i + 1].z - p[i].z), zj = p[j].z + t * (p[j + 1].z - p[j].z);
      const double a = static_cast<double>(i) + s, b = static_cast<double>(j) + t;
      // Seen from above, the lower segment is turned from the upper one to the left in a right-handed crossing.
      found.push_back(zi > zj ? Crossing{a, b, area > 0 ? 1 : -1} : Crossing{b, a, area > 0 ? -1 : 1});
    }
  return found;
}

// Of two segments, by minimising over the square of places: convex, so the border and the inside are all there is.
double distance(const V& a0, const V& a1, const V& b0, const V& b1) {
  const auto to_segment = [](const V& p, const V& q0, const V& q1) {
    const V e = q1 - q0;
    const double t = std::clamp(dot(p - q0, e) / dot(e, e), 0.0, 1.0);
    return norm(p - q0 - t * e);
  };
  double least =
      std::min({to_segment(a0, b0, b1), to_segment(a1, b0, b1), to_segment(b0, a0, a1), to_segment(b1, a0, a1)});
  const V u = a1 - a0, v = b1 - b0, n = cross(u, v), r = b0 - a0;
  const double square = dot(n, n);
  if (square > 0) {
    const double s = dot(cross(r, v), n) / square, t = dot(cross(r, u), n) / square;
    if (s > 0 && s < 1 && t > 0 && t < 1) least = std::min(least, std::abs(dot(r, n)) / std::sqrt(square));
  }
  return least;
}

}  // namespace

int crossings(const Curve& curve, const V& along) {
  return static_cast<int>(all_crossings(curve, along).size());
}

int handedness(const Curve& curve, const V& along) {
  int sum = 0;
  for (const Crossing& c : all_crossings(curve, along)) sum += c.hand;
  return sum;
}

double nearest_approach(const Curve& c, double apart) {
  std::vector<double> arc = {0};
  for (std::size_t i = 0; i + 1 < c.size(); ++i) arc.push_back(arc.back() + norm(c[i + 1] - c[i]));
  double least = 1e300;
  for (std::size_t i = 0; i + 1 < c.size(); ++i)
    for (std::size_t j = i + 2; j + 1 < c.size(); ++j)
      if (arc[j] - arc[i + 1] > apart) least = std::min(least, distance(c[i], c[i + 1], c[j], c[j + 1]));
  return least;
}

// Each arc between two underpasses gets an unknown colour; at a crossing, twice the colour of the arc above is the sum
// of the two below. The determinant of that system without one row and column belongs to the knot.
int knot_determinant(const Curve& open, const V& along) {
  Curve c = open;
  V centre{};
  for (const V& p : open) centre += (1.0 / static_cast<double>(open.size())) * p;
  double size = 0;
  for (const V& p : open) size = std::max(size, norm(p - centre));
  const V far = 20 * size * normalized(along) + centre;  // closed high above everything
  const auto outward = [&](const V& end) { return end + 20 * size * normalized(end - centre); };
  const V first = outward(open.front()), last = outward(open.back());
  c.insert(c.begin(), first);
  c.push_back(last);
  c.push_back(last + 20 * size * normalized(along));
  c.push_back(far);
  c.push_back(first + 20 * size * normalized(along));
  c.push_back(first);
  const auto all = all_crossings(c, along + V{0.0123, 0.0077, 0.0041});
  const auto n = static_cast<Eigen::Index>(all.size());
  if (n < 3) return 1;
  std::vector<double> under(all.size());
  std::ranges::transform(all, under.begin(), &Crossing::under);
  std::sort(under.begin(), under.end());
  const auto arc_at = [&](double place) {
    const auto k = static_cast<Eigen::Index>(std::upper_bound(under.begin(), under.end(), place) - under.begin());
    return k % n;
  };
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Crossing& x = all[k];
    const auto at = static_cast<Eigen::Index>(std::lower_bound(under.begin(), under.end(), x.under) - under.begin());
    m(k, arc_at(x.over)) += 2;
    m(k, at) -= 1;
    m(k, (at + 1) % n) -= 1;
  }
  return static_cast<int>(std::lround(std::abs(m.topLeftCorner(n - 1, n - 1).determinant())));
}

double farthest(const Curve& a, const Curve& b) {
  double most = a.size() == b.size() ? 0 : std::nan("");
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, norm(a[i] - b[i]));
  return most;
}

}  // namespace ls::validation
