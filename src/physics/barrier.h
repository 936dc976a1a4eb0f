#pragma once
#include "math/dual_functions.h"
#include "math/vec.h"

// What keeps surfaces apart in Newton's solvers.
namespace ls {

// Energy of a gap g > 0 below the reach h, after Li et al. 2020 (Incremental Potential Contact):
//   b(g) = -k (g - h)^2 ln(g/h)
// which is infinite at g = 0, and zero with its first two derivatives at g = h.
struct Barrier {
  double stiffness;  // k, N/m
  double reach;      // h, m
};

template <class T>
T barrier_energy(const Barrier& b, const T& gap) {
  const T past = gap - b.reach;
  return -b.stiffness * (past * past) * log_of_one_plus(past / b.reach);
}
// Its slope, minus the force, N.
template <class T>
T barrier_slope(const Barrier& b, const T& gap) {
  const T past = gap - b.reach;
  return -b.stiffness * (2.0 * past * log_of_one_plus(past / b.reach) + past * past / gap);
}
inline double barrier_curvature(const Barrier& b, double gap) {
  const double past = gap - b.reach;
  return -b.stiffness * (2 * log_of_one_plus(past / b.reach) + 4 * past / gap - past * past / (gap * gap));
}

// A step from 0 to 1 between x = 0 and x = 1 with two continuous derivatives.
template <class T>
T smooth_step(const T& x) {
  return x * x * x * (x * (6.0 * x - 15.0) + 10.0);
}
template <class T>
T smooth_step_slope(const T& x) {
  const T y = x * (1.0 - x);
  return 30.0 * y * y;
}

// Two edges that cross: where the nearest places lie inside both. Near their ends, and where they are nearly parallel,
// points against edges take over and this energy fades out smoothly, since there the nearest places run away along the
// edges:  w(s) w(t) m(sin^2) b(g).
struct EdgeWindow {
  double end_a, end_b;  // shares of the edges over which the energy fades out towards their ends, up to 1/2
  double parallel;      // sin^2 of the angle below which it fades out
};

// The energy of two edges and its slopes with respect to a0, a1 and b0; b1 has minus their sum. The caller has made
// sure that the nearest places are inside.
template <class T>
struct EdgePush {
  T energy;
  Vec3<T> slope[3];
};
template <class T>
EdgePush<T> edge_push(const Barrier& barrier, const EdgeWindow& window, double radii, const Vec3<T>& a0,
                      const Vec3<T>& a1, const Vec3<T>& b0, const Vec3<T>& b1) {
  const Vec3<T> u = a1 - a0, v = b1 - b0, r = a0 - b0;
  const T a = dot(u, u), e = dot(v, v), b = dot(u, v), c = dot(u, r), f = dot(v, r);
  const T determinant = a * e - b * b, inverse = 1.0 / determinant;
  const T s = (b * f - c * e) * inverse, t = (a * f - b * c) * inverse;
  const Vec3<T> p = r + s * u - t * v;
  const T distance = norm(p), gap = distance - radii;
  const Vec3<T> n = (1.0 / distance) * p;

  // How the weight depends on s, t and the angle.
  const auto fade = [](const T& x, double end, T& slope) {
    const bool low = x < 0.5;
    const T y = (low ? x : 1.0 - x) / end;
    if (!(y < 1.0)) {
      slope = T(0.0);
      return T(1.0);
    }
    slope = smooth_step_slope(y) * ((low ? 1.0 : -1.0) / end);
    return smooth_step(y);
  };
  T ws, wt;
  const T w1 = fade(s, window.end_a, ws), w2 = fade(t, window.end_b, wt);
  const T sine = determinant / (a * e);
  T m(1.0), wm(0.0);
  if (sine < window.parallel)
    m = smooth_step(sine / window.parallel), wm = smooth_step_slope(sine / window.parallel) / window.parallel;
  const T weight = w1 * w2 * m;
  const T energy = barrier_energy(barrier, gap), push = weight * barrier_slope(barrier, gap);
  const T by_s = energy * w2 * m * ws, by_t = energy * w1 * m * wt, by_sine = energy * w1 * w2 * wm;

  // s and t stay where u.p = 0 and v.p = 0: with K = [a -b; -b e], K d(s,t) = -(d(u.p), -d(v.p)) at fixed s, t.
  const T ps = -(e * by_s + b * by_t) * inverse, pt = -(b * by_s + a * by_t) * inverse;
  // sin^2 = 1 - b^2/(a e)
  const T q = b * b / (a * e);
  const Vec3<T> to_u = by_sine * ((2.0 * q / a) * u - (2.0 * b / (a * e)) * v);
  const Vec3<T> to_v = by_sine * ((2.0 * q / e) * v - (2.0 * b / (a * e)) * u);
  const auto slope = [&](const T& w, double end_u, double end_v) {
    return (push * w) * n + (ps * w) * u - (pt * w) * v + (ps * end_u) * p - (pt * end_v) * p + end_u * to_u +
           end_v * to_v;
  };
  EdgePush<T> out;
  out.energy = weight * energy;
  out.slope[0] = slope(1.0 - s, -1.0, 0.0);
  out.slope[1] = slope(s, 1.0, 0.0);
  out.slope[2] = slope(t - 1.0, 0.0, -1.0);
  return out;
}

// Friction in a step, after Li et al. 2020 as the barrier is: a potential of how far two surfaces have slid on each
// other since the step began, with the normal force N of before. Its slope is mu N times
//   y/e (2 - y/e) below the slip e, 1 beyond it:
// Coulomb's law as e goes to zero.
struct LaggedFriction {
  double limit;  // mu N, N
  double slip;   // e, m
};
inline double friction_energy(const LaggedFriction& f, double y) {
  if (y >= f.slip) return f.limit * y;
  return f.limit * (y * y / f.slip * (1 - y / (3 * f.slip)) + f.slip / 3);
}
// The force divided by y, N/m, and its derivative to y.
inline double friction_secant(const LaggedFriction& f, double y) {
  if (y >= f.slip) return f.limit / y;
  return f.limit / f.slip * (2 - y / f.slip);
}
inline double friction_secant_slope(const LaggedFriction& f, double y) {
  if (y >= f.slip) return -f.limit / (y * y);
  return -f.limit / (f.slip * f.slip);
}

}  // namespace ls
