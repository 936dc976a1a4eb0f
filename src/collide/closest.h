#pragma once
#include "math/vec.h"

#include <algorithm>

// Nearest points of points, segments and triangles.
namespace ls {

// Where on the segment from a to b the nearest point to p lies, 0 to 1.
inline double closest_on_segment(const Vec3<double>& p, const Vec3<double>& a, const Vec3<double>& b) {
  const Vec3<double> e = b - a;
  const double along = dot(p - a, e), square = dot(e, e);
  if (along <= 0 || square == 0) return 0;
  return along >= square ? 1 : along / square;
}

// Where on two segments their nearest points lie: a0 + s (a1 - a0), b0 + t (b1 - b0). Of parallel ones, one pair of
// the nearest. Clamping t, then s for that t, then t for that s is exact: Ericson, Real-Time Collision
// Detection, 5.1.9.
struct OnSegments {
  double s = 0, t = 0;
};
inline OnSegments closest_on_segments(const Vec3<double>& a0, const Vec3<double>& a1, const Vec3<double>& b0,
                                      const Vec3<double>& b1) {
  const Vec3<double> u = a1 - a0, v = b1 - b0, r = a0 - b0;
  const double a = dot(u, u), e = dot(v, v), f = dot(v, r), c = dot(u, r), b = dot(u, v);
  const auto clamped = [](double x) { return std::clamp(x, 0.0, 1.0); };
  if (a == 0 && e == 0) return {0, 0};
  if (a == 0) return {0, clamped(f / e)};
  if (e == 0) return {clamped(-c / a), 0};
  const double determinant = a * e - b * b;
  OnSegments p;
  if (determinant > 1e-14 * a * e) p.s = clamped((b * f - c * e) / determinant);
  p.t = (b * p.s + f) / e;
  if (p.t < 0) {
    p.t = 0;
    p.s = clamped(-c / a);
  } else if (p.t > 1) {
    p.t = 1;
    p.s = clamped((b - c) / a);
  }
  return p;
}

// The nearest point of a triangle to p, as weights of its corners.
struct OnTriangle {
  double w[3] = {1, 0, 0};
};
inline OnTriangle closest_on_triangle(const Vec3<double>& p, const Vec3<double>& a, const Vec3<double>& b,
                                      const Vec3<double>& c) {
  const Vec3<double> ab = b - a, ac = c - a, ap = p - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {{1, 0, 0}};
  const Vec3<double> bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {{0, 1, 0}};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double v = d1 / (d1 - d3);
    return {{1 - v, v, 0}};
  }
  const Vec3<double> cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {{0, 0, 1}};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double w = d2 / (d2 - d6);
    return {{1 - w, 0, w}};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {{0, 1 - w, w}};
  }
  const double sum = va + vb + vc;
  return {{va / sum, vb / sum, vc / sum}};
}

}  // namespace ls
