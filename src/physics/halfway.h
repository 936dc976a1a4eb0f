#pragma once
#include "math/frame.h"
#include "math/rotation.h"

// The geometry of a bond seen from the frame C half-way between its two nodes, with the strains, their rates and the
// wrench of a generalised stress. Exact bonds, co-rotational bonds and bond damping stand on it.
//
// Every bond kernel gets its two frames as the bond sees them: at rest both have the same orientation, and the bond
// runs along their z axis with the section's axes x and y. What a rod's natural curvature, or a node's own choice of
// axes, adds is a fixed turn of each node's frame that the caller applies (BondClass::rest1, rest2 in
// model/bond_table.h).
namespace ls::inline LS_ISA {

template <class T>
struct Halfway {
  Mat3<T> axes;   // of C, in world axes
  T w;            // half of the turn from node 1 to node 2, that is from 1 to C or from C to 2: quaternion (w, v), in C
  Vec3<T> v;      //
  T h;            // turn_angle(|v|^2): angle of that half over its sine
  T k;            // and (h - 1)/|v|^2
  Vec3<T> c;      // bond vector in C
  T length;       // |c|
  Vec3<T> a;      // c/|c|
  Vec3<T> kappa;  // rotation vector from node 1 to node 2, in C
};

template <class T>
LS_HD Halfway<T> halfway(const Frame<T> (&f)[2]) {
  const Quat<T>&q1 = f[0].q, &q2 = f[1].q;
  Halfway<T> o;
  // p = q1* q2 = (w, v)^2, so w^2 = (1 + p0)/2, v = p/2w; and C = q1 (w, v) = (q1 + q2)/2w. The signs of q are kept
  // continuous in time, so no flip here: a twist of more than half a turn stays what it is.
  o.w = sqrt(0.5 + 0.5 * dot(q1, q2));
  const T half = 0.5 / o.w;
  o.v = half * (q1.w * q2.v - q2.w * q1.v - cross(q1.v, q2.v));
  o.axes = matrix(Quat<T>{half * (q1.w + q2.w), half * (q1.v + q2.v)});
  const auto angle = turn_angle(dot(o.v, o.v));
  o.h = angle.over_sine;
  o.k = angle.excess;
  o.c = transposed_times(o.axes, f[1].x - f[0].x);
  o.length = norm(o.c);
  o.a = (1.0 / o.length) * o.c;
  o.kappa = (4.0 * o.h * o.w) * o.v;  // 4 asin|v| v/|v|
  return o;
}

// What a bond's law gives for its strains: derivatives of the energy to length, a and kappa, or of the dissipation to
// their rates.
template <class T>
struct Stress {
  T tension;       // [N]
  Vec3<T> shear;   // [N m] conjugate to the direction a
  Vec3<T> moment;  // [N m] conjugate to kappa
};

// The wrench of a stress. With g = dU/dc, N = c x g:
//   f1 = C g,  f2 = -f1,  t1 = C(N/2 + Q),  t2 = C(N/2 - Q),  Q = E^-1 M - (v x N)/2w,  E^-1 = h + (1 - h) v v/|v|^2
template <class T>
LS_HD void wrench_of(const Halfway<T>& o, const Stress<T>& s, Wrench<T> (&out)[2]) {
  const Vec3<T> across = s.shear - dot(o.a, s.shear) * o.a;
  const Vec3<T> g = s.tension * o.a + (1.0 / o.length) * across;
  const Vec3<T> n = cross(o.a, across);  // c x g
  const Vec3<T> q = o.h * s.moment - (o.k * dot(o.v, s.moment)) * o.v - (0.5 / o.w) * cross(o.v, n);
  const Vec3<T> force = o.axes * g;
  out[0] = {force, o.axes * (0.5 * n + q)};
  out[1] = {-force, o.axes * (0.5 * n - q)};
}

// The stress that a wrench in balance would come from: the inverse of wrench_of. g and Q as C sees them.
template <class T>
LS_HD Stress<T> stress_of(const Halfway<T>& o, const Vec3<T>& g, const Vec3<T>& q) {
  Stress<T> s;
  s.tension = dot(g, o.a);
  s.shear = o.length * (g - s.tension * o.a);
  const Vec3<T> r = q + (0.5 / o.w) * cross(o.v, cross(o.a, s.shear));  // h M - k (v.M) v, and v.r = v.M
  s.moment = (1.0 / o.h) * (r + (o.k * dot(o.v, r)) * o.v);
  return s;
}
template <class T>
LS_HD Stress<T> stress_of(const Halfway<T>& o, const Wrench<T> (&w)[2]) {
  return stress_of(o, transposed_times(o.axes, w[0].force), 0.5 * transposed_times(o.axes, w[0].torque - w[1].torque));
}

// Rates of length, a and kappa for given velocities and spins. As a matrix it is minus the transpose of wrench_of: the
// power of the wrenches is minus stress times rates.
template <class T>
struct StrainRate {
  T length;       // [m/s]
  Vec3<T> a;      // [1/s]
  Vec3<T> kappa;  // [1/s]
};

template <class T>
LS_HD StrainRate<T> strain_rate(const Halfway<T>& o, const Twist<T> (&t)[2]) {
  const Vec3<T> stretch = transposed_times(o.axes, t[1].v - t[0].v);
  const Vec3<T> bend = transposed_times(o.axes, t[1].w - t[0].w);
  const Vec3<T> mean = transposed_times(o.axes, t[1].w + t[0].w);
  const Vec3<T> spin = 0.5 * mean + (0.5 / o.w) * cross(bend, o.v);  // of C itself
  StrainRate<T> r;
  r.length = dot(o.a, stretch);
  r.a = (1.0 / o.length) * (stretch - r.length * o.a) - cross(spin, o.a);
  r.kappa = o.h * bend - (o.k * dot(o.v, bend)) * o.v;
  return r;
}

// The wrench of a bond as C sees it: with N = c x g it is f1 = C g, f2 = -f1, t1 = C(N/2 + q), t2 = C(N/2 - q), as in
// wrench_of. What acts side by side in a bond is summed like this, and turned into world axes once.
template <class T>
struct BondWrench {
  Vec3<T> g, q;

  LS_HD friend BondWrench operator+(const BondWrench& a, const BondWrench& b) { return {a.g + b.g, a.q + b.q}; }
};

template <class T>
LS_HD BondWrench<T> bond_wrench_of(const Halfway<T>& o, const Stress<T>& s) {
  const Vec3<T> across = s.shear - dot(o.a, s.shear) * o.a;
  return {
      s.tension * o.a + (1.0 / o.length) * across,
      o.h * s.moment - (o.k * dot(o.v, s.moment)) * o.v - (0.5 / o.w) * cross(o.v, cross(o.a, across)),
  };
}

template <class T>
LS_HD void to_world(const Halfway<T>& o, const BondWrench<T>& b, Wrench<T> (&out)[2]) {
  const Vec3<T> half = 0.5 * cross(o.c, b.g);
  const Vec3<T> force = o.axes * b.g;
  out[0] = {force, o.axes * (half + b.q)};
  out[1] = {-force, o.axes * (half - b.q)};
}

}  // namespace ls::inline LS_ISA
