#include "build/centre_line.h"

#include "math/rotation.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

using V = Vec3<double>;

// Axes with z along the rod and x as near to `width` as that allows.
Quat<double> section_frame(const V& tangent, const V& width) {
  const V z = normalized(tangent);
  V x = width - dot(width, z) * z;
  x = norm(x) > 1e-9 * norm(width) ? normalized(x) : any_across(z);
  return quaternion(Mat3<double>{x, cross(z, x), z});
}

V point_on(const std::vector<V>& p, const std::vector<double>& way, double s) {
  const auto it = std::upper_bound(way.begin(), way.end() - 1, s);
  const auto k = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, it - way.begin()));
  const double u = (s - way[k - 1]) / (way[k] - way[k - 1]);
  return (1 - u) * p[k - 1] + u * p[k];
}

std::vector<double> way_along(const std::vector<V>& p) {
  std::vector<double> way(p.size(), 0.0);
  for (std::size_t i = 1; i < p.size(); ++i) way[i] = way[i - 1] + norm(p[i] - p[i - 1]);
  return way;
}

}  // namespace

CentreLine line(const V& from, const V& to, int bonds, const V& width) {
  CentreLine c;
  const Quat<double> q = section_frame(to - from, width);
  c.frames.reserve(static_cast<std::size_t>(bonds) + 1);
  c.arc.reserve(static_cast<std::size_t>(bonds) + 1);
  for (int i = 0; i <= bonds; ++i) {
    const double u = static_cast<double>(i) / bonds;
    c.frames.push_back({i == bonds ? to : from + u * (to - from), q});
    c.arc.push_back(u * norm(to - from));
  }
  return c;
}

CentreLine arc(double radius, double angle, int bonds, const V& width) {
  CentreLine c;
  const Quat<double> q0 = section_frame({1, 0, 0}, width);
  for (int i = 0; i <= bonds; ++i) {
    const double a = angle * i / bonds;
    c.frames.push_back({{radius * std::sin(a), radius * (1 - std::cos(a)), 0}, turn({0, 0, a}) * q0});
    c.arc.push_back(radius * std::abs(a));
  }
  return c;
}

CentreLine helix(double radius, double pitch_angle, double length, int bonds, const V& width) {
  CentreLine c;
  const double turns = std::sin(pitch_angle) / radius, rise = std::cos(pitch_angle);
  const Quat<double> q0 = section_frame({0, std::sin(pitch_angle), rise}, width);
  for (int i = 0; i <= bonds; ++i) {
    const double s = length * i / bonds, a = turns * s;
    c.frames.push_back({{radius * std::cos(a), radius * std::sin(a), rise * s}, turn({0, 0, a}) * q0});
    c.arc.push_back(s);
  }
  return c;
}

CentreLine through_points(const std::vector<V>& points, int bonds, const V& width) {
  std::vector<V> p = points;
  if (static_cast<int>(points.size()) != bonds + 1) {
    const auto way = way_along(points);
    p.clear();
    for (int i = 0; i <= bonds; ++i)
      p.push_back(i == bonds ? points.back() : point_on(points, way, way.back() * i / bonds));
  }
  CentreLine c;
  c.arc = way_along(p);
  const auto tangent = [&](std::size_t i) {
    const V before = i > 0 ? normalized(p[i] - p[i - 1]) : normalized(p[1] - p[0]);
    const V after = i + 1 < p.size() ? normalized(p[i + 1] - p[i]) : before;
    const V sum = before + after;
    return norm(sum) > 1e-9 ? normalized(sum) : after;
  };
  Quat<double> q = section_frame(tangent(0), width);
  for (std::size_t i = 0; i < p.size(); ++i) {
    q = normalized(turn_between(axis_z(q), tangent(i)) * q);
    c.frames.push_back({p[i], q});
  }
  return c;
}

CentreLine placed(CentreLine c, const V& rotation, const V& origin) {
  const Quat<double> all = turn(rotation);
  for (auto& f : c.frames) f = {rotate(all, f.x) + origin, all * f.q};
  return c;
}

}  // namespace ls
