#pragma once
#include "physics/bond_damping.h"
#include "physics/derive.h"
#include "physics/stiffness/corotational_stiffness.h"
#include "physics/stiffness/exact_stiffness.h"
#include "physics/stiffness/vector_stiffness.h"

// Stiffness of a bond for doubles and packs. A bond sees r = x2 - x1 and the turns of its two nodes only. What a law
// makes of that is known in closed form (local_stiffness.h); with bond damping, whose wrench changes with velocities
// too, duals go through the wrench: nine variables, in three sweeps of three.
namespace ls::inline LS_ISA {

// What a bond's stiffness is taken at.
template <class K, class P>
struct BondPoint {
  typename K::template Params<P> law;
  BondDamping::Params<P> viscosity;
  bool damped = false;
  Frame<P> frame[2];  // as the bond sees them
  Twist<P> twist[2];
  P rate{};             // 1/s: velocities follow displacements by this factor
  bool mixed = false;   // stress: what the linear model foresaw; it replaces the present one where
  Stress<P> predicted;  // the geometric stiffness is concerned (mixed Newton)
};

template <class P>
LS_HD void set_values(Vec3<Dual<P, 3>>& a, const Vec3<P>& to) {
  a.x.val = to.x, a.y.val = to.y, a.z.val = to.z;
}

// The unit quaternion and twist of a node whose turn (group 1 or 2) may be among the variables.
template <class P, int N>
LS_HD Quat<Dual<P, N>> with_turn(const Quat<P>& q) {
  using D = Dual<P, N>;
  Quat<D> r{D(q.w), {D(q.v.x), D(q.v.y), D(q.v.z)}};
  const P hw = 0.5 * q.w, hx = 0.5 * q.v.x, hy = 0.5 * q.v.y, hz = 0.5 * q.v.z;  // (0, e/2) q
  r.w.d[0] = -hx, r.w.d[1] = -hy, r.w.d[2] = -hz;
  r.v.x.d[0] = hw, r.v.x.d[1] = hz, r.v.x.d[2] = -hy;
  r.v.y.d[0] = -hz, r.v.y.d[1] = hw, r.v.y.d[2] = hx;
  r.v.z.d[0] = hy, r.v.z.d[1] = -hx, r.v.z.d[2] = hw;
  return r;
}

template <class P, int N>
LS_HD Vec3<Dual<P, N>> constant(const Vec3<P>& a) {
  return {Dual<P, N>(a.x), Dual<P, N>(a.y), Dual<P, N>(a.z)};
}
template <class P>
LS_HD Vec3<Dual<P, 3>> seeded(const Vec3<P>& a, const P& slope) {
  auto r = constant<P, 3>(a);
  r.x.d[0] = slope, r.y.d[1] = slope, r.z.d[2] = slope;
  return r;
}

// The wrench with derivatives to one group of variables: 0 is r, 1 and 2 the turns.
template <class K, class P>
LS_HD void wrench_with_slopes(const BondPoint<K, P>& b, int group, Wrench<Dual<P, 3>> (&w)[2]) {
  using D = Dual<P, 3>;
  Frame<D> f[2];
  Twist<D> t[2];
  for (int a = 0; a < 2; ++a) {
    const auto& q = b.frame[a].q;
    f[a].x = constant<P, 3>(b.frame[a].x);
    f[a].q = group == a + 1 ? with_turn<P, 3>(q) : Quat<D>{D(q.w), constant<P, 3>(q.v)};
    t[a].v = constant<P, 3>(b.twist[a].v);
    t[a].w = group == a + 1 ? seeded<P>(b.twist[a].w, b.rate) : constant<P, 3>(b.twist[a].w);
  }
  if (group == 0) f[1].x = seeded<P>(b.frame[1].x, P(1.0)), t[1].v = seeded<P>(b.twist[1].v, b.rate);

  if constexpr (requires(Halfway<D> o) { K::stress(b.law, o); }) {
    const auto o = halfway(f);
    Stress<D> s = K::stress(b.law, o);
    if (b.mixed) {
      s.tension.val = b.predicted.tension;
      set_values(s.shear, b.predicted.shear), set_values(s.moment, b.predicted.moment);
    }
    if (b.damped) {
      const auto viscous = BondDamping::stress(b.viscosity, o, t);
      s = {s.tension + viscous.tension, s.shear + viscous.shear, s.moment + viscous.moment};
    }
    wrench_of(o, s, w);
  } else {
    K::wrench(b.law, f, w);
    if (!b.damped) return;
    const auto o = halfway(f);
    const auto s = BondDamping::stress(b.viscosity, o, t);
    Wrench<D> more[2];
    wrench_of(o, s, more);
    w[0] += more[0], w[1] += more[1];
  }
}

// The symmetric part of its derivatives.
template <class K, class P>
LS_HD BondStiffness<P> stiffness_by_duals(const BondPoint<K, P>& b) {
  constexpr int n = BondStiffness<P>::size;
  P h[n][n];
  for (int group = 0; group < 3; ++group) {
    Wrench<Dual<P, 3>> w[2];
    wrench_with_slopes(b, group, w);
    const auto &f = w[0].force, &t1 = w[0].torque, &t2 = w[1].torque;
    for (int k = 0; k < 3; ++k) {
      const int c = 3 * group + k;
      h[0][c] = f.x.d[k], h[1][c] = f.y.d[k], h[2][c] = f.z.d[k];
      h[3][c] = -t1.x.d[k], h[4][c] = -t1.y.d[k], h[5][c] = -t1.z.d[k];
      h[6][c] = -t2.x.d[k], h[7][c] = -t2.y.d[k], h[8][c] = -t2.z.d[k];
    }
  }
  BondStiffness<P> s;
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) s.upper[BondStiffness<P>::at(i, j)] = 0.5 * (h[i][j] + h[j][i]);
  return s;
}

template <class P>
LS_HD Stress<P> difference(const Stress<P>& a, const Stress<P>& b) {
  return {a.tension - b.tension, a.shear - b.shear, a.moment - b.moment};
}

template <class K, class P>
LS_HD LocalStiffness<P> stiffness_seen_from(const BondPoint<K, P>& b, const Halfway<P>& o) {
  if constexpr (requires { K::stress(b.law, o); }) {
    return local_stiffness(b.law, o, b.mixed ? b.predicted : K::stress(b.law, o));
  } else {
    const auto now = local_stiffness(b.law, o);
    if (!b.mixed) return now;
    return now + geometric_stiffness(o, difference(b.predicted, stress_of(o, now.g, now.q)));
  }
}

template <class K, class P>
LS_HD BondStiffness<P> bond_stiffness(BondPoint<K, P> b) {
  if constexpr (requires { K::take_shorter_way(b.frame); }) K::take_shorter_way(b.frame);
  const Vec3<P> apart = b.frame[1].x - b.frame[0].x;
  if (!b.damped) {
    const auto o = halfway(b.frame);
    return spread(o, stiffness_seen_from(b, o), apart);
  }
  auto s = stiffness_by_duals(b);
  if constexpr (!requires(Halfway<P> o) { K::stress(b.law, o); }) {
    if (!b.mixed) return s;
    const auto o = halfway(b.frame);
    Wrench<P> w[2];
    K::wrench(b.law, b.frame, w);
    const auto more = spread(o, geometric_stiffness(o, difference(b.predicted, stress_of(o, w))), apart);
    for (int e = 0; e < BondStiffness<P>::entries; ++e) s.upper[e] = s.upper[e] + more.upper[e];
  }
  return s;
}

// The geometry when the nodes move by the given twists (read as displacements), with one derivative, as C sees it that
// goes along.
template <class P>
LS_HD Halfway<Dual<P, 1>> moved_along(const Halfway<P>& o, const Twist<P> (&move)[2]) {
  using D = Dual<P, 1>;
  const auto along = [](const Vec3<P>& value, const Vec3<P>& slope) {
    auto r = constant<P, 1>(value);
    r.x.d[0] = slope.x, r.y.d[0] = slope.y, r.z.d[0] = slope.z;
    return r;
  };
  const auto seen = [&](const Vec3<P>& a) { return transposed_times(o.axes, a); };
  const Vec3<P> bend = seen(move[1].w - move[0].w);
  const Vec3<P> spin = 0.5 * seen(move[1].w + move[0].w) + (0.5 / o.w) * cross(bend, o.v);
  Halfway<D> r{};
  r.axes = {constant<P, 1>({P(1.0), P(0.0), P(0.0)}), constant<P, 1>({P(0.0), P(1.0), P(0.0)}),
            constant<P, 1>({P(0.0), P(0.0), P(1.0)})};
  r.c = along(o.c, seen(move[1].v - move[0].v) - cross(spin, o.c));
  r.v = along(o.v, (0.25 / o.w) * (bend - dot(o.v, bend) * o.v));
  r.w = D(o.w), r.w.d[0] = -0.25 * dot(o.v, bend);
  const auto angle = turn_angle(dot(r.v, r.v));
  r.h = angle.over_sine, r.k = angle.excess;
  r.length = norm(r.c);
  r.a = (1.0 / r.length) * r.c;
  return r;
}

// The stress that the linear model foresees after such a move.
template <class K, class P>
LS_HD Stress<P> predicted_stress(const typename K::template Params<P>& law, Frame<P> (&frame)[2],
                                 const Twist<P> (&move)[2]) {
  if constexpr (requires { K::take_shorter_way(frame); }) K::take_shorter_way(frame);
  const auto o = halfway(frame);
  if constexpr (requires { K::stress(law, o); }) {  // linear in length, a and kappa
    const Stress<P> now = K::stress(law, o), change = BondDamping::stress(K::small_strain(law), o, move);
    return {now.tension + change.tension, now.shear + change.shear, now.moment + change.moment};
  } else {
    using D = Dual<P, 1>;
    const auto there = moved_along(o, move);
    Wrench<D> w[2];
    if constexpr (requires { K::wrench_seen_from(there, law, w); }) {
      K::wrench_seen_from(there, law, w);
    } else {
      const Frame<D> f[2] = {{{}, {there.w, -there.v}}, {there.c, {there.w, there.v}}};
      K::wrench(law, f, w);
    }
    const auto s = stress_of(there, w[0].force, 0.5 * (w[0].torque - w[1].torque));
    const auto sum = [](const D& a) { return a.val + a.d[0]; };
    const auto sums = [&](const Vec3<D>& a) { return Vec3<P>{sum(a.x), sum(a.y), sum(a.z)}; };
    return {sum(s.tension), sums(s.shear), sums(s.moment)};
  }
}

}  // namespace ls::inline LS_ISA
