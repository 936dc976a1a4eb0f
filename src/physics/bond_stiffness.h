#pragma once
#include "physics/bond_damping.h"
#include "physics/derive.h"

// Stiffness of a bond by duals through its closed wrench, for doubles and packs. A bond sees r = x2 - x1 and the turns
// of its two nodes only: nine variables, in three sweeps of three.
namespace ls::inline LS_ISA {

// U to (r, theta1, theta2), twice, symmetric: [row][column].
template <class P>
struct BondStiffness {
  P h[9][9];
};

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

template <class K, class P>
LS_HD BondStiffness<P> stiffness_by_duals(const BondPoint<K, P>& b) {
  BondStiffness<P> s;
  for (int group = 0; group < 3; ++group) {
    Wrench<Dual<P, 3>> w[2];
    wrench_with_slopes(b, group, w);
    const auto &f = w[0].force, &t1 = w[0].torque, &t2 = w[1].torque;
    for (int k = 0; k < 3; ++k) {
      const int c = 3 * group + k;
      s.h[0][c] = f.x.d[k], s.h[1][c] = f.y.d[k], s.h[2][c] = f.z.d[k];
      s.h[3][c] = -t1.x.d[k], s.h[4][c] = -t1.y.d[k], s.h[5][c] = -t1.z.d[k];
      s.h[6][c] = -t2.x.d[k], s.h[7][c] = -t2.y.d[k], s.h[8][c] = -t2.z.d[k];
    }
  }
  return s;
}

template <class P>
LS_HD Vec3<P> value_of(const Vec3<Dual<P, 3>>& a) {
  return {a.x.val, a.y.val, a.z.val};
}
template <class P>
LS_HD Mat3<P> slopes_of(const Vec3<Dual<P, 3>>& a) {
  return {{a.x.d[0], a.y.d[0], a.z.d[0]}, {a.x.d[1], a.y.d[1], a.z.d[1]}, {a.x.d[2], a.y.d[2], a.z.d[2]}};
}

// The wrench of an undamped law in the frame C, and how it changes there: g(c) and Q(v, N), as in halfway.h. Such a
// law's tension and shear depend on c alone, its moment on kappa alone, so two small sweeps do what three large ones
// do above; with all that is around it, assembling a rod takes a third of the time.
template <class P>
struct LocalWrench {
  Vec3<P> g, n, q;   // f1 = C g, t1 = C(n/2 + q), t2 = C(n/2 - q), n = c x g
  Mat3<P> g_c, q_v;  // derivatives to c, and to v at constant n
};

// stress(o) gives the stress of a Halfway whose c or v is a variable.
template <class P, class F>
LS_HD LocalWrench<P> local_wrench(const Halfway<P>& o, const F& stress) {
  using D = Dual<P, 3>;
  LocalWrench<P> r;
  Halfway<D> along{};
  along.c = seeded<P>(o.c, P(1.0));
  along.length = norm(along.c);
  along.a = (1.0 / along.length) * along.c;
  const Stress<D> s = stress(along);
  const Vec3<D> across = s.shear - dot(along.a, s.shear) * along.a;
  const Vec3<D> g = s.tension * along.a + (1.0 / along.length) * across;
  r.g = value_of(g), r.g_c = slopes_of(g), r.n = cross(o.c, r.g);

  Halfway<D> turned{};
  turned.v = seeded<P>(o.v, P(1.0));
  const D z = dot(turned.v, turned.v);
  turned.w = sqrt(1.0 - z);
  const auto angle = turn_angle(z);
  turned.kappa = (4.0 * angle.over_sine * turned.w) * turned.v;
  const Vec3<D> moment = stress(turned).moment;
  const Vec3<D> q = angle.over_sine * moment - (angle.excess * dot(turned.v, moment)) * turned.v -
                    (0.5 / turned.w) * cross(turned.v, r.n);
  r.q = value_of(q), r.q_v = slopes_of(q);
  return r;
}

// Displacements d(x2 - x1) = C rho and turns C theta1, C theta2, with beta = theta2 - theta1, mu = theta1 + theta2,
// turn C itself by psi = mu/2 + (beta x v)/2w, and change c by rho - psi x c, v by (beta - v (v.beta))/4w.
template <class P>
LS_HD BondStiffness<P> split_stiffness(const Halfway<P>& o, const LocalWrench<P>& l) {
  const P half_w = 0.5 / o.w;
  const Vec3<P> t1 = 0.5 * l.n + l.q, t2 = 0.5 * l.n - l.q;
  const Vec3<P> axes[3] = {{o.axes.c1.x, o.axes.c2.x, o.axes.c3.x},
                           {o.axes.c1.y, o.axes.c2.y, o.axes.c3.y},
                           {o.axes.c1.z, o.axes.c2.z, o.axes.c3.z}};  // world axes as C sees them
  BondStiffness<P> s;
  for (int group = 0; group < 3; ++group)
    for (int k = 0; k < 3; ++k) {
      const Vec3<P>& e = axes[k];
      Vec3<P> dc = e, psi{P(0.0), P(0.0), P(0.0)}, dq = psi;
      if (group > 0) {
        const Vec3<P> beta = group == 1 ? -e : e;
        psi = 0.5 * e + half_w * cross(beta, o.v);
        dc = -cross(psi, o.c);
        dq = l.q_v * ((0.5 * half_w) * (beta - dot(o.v, beta) * o.v));
      }
      const Vec3<P> dg = l.g_c * dc;
      const Vec3<P> dn = cross(dc, l.g) + cross(o.c, dg);
      dq = dq - half_w * cross(o.v, dn);
      const Vec3<P> f = o.axes * (dg + cross(psi, l.g));
      const Vec3<P> m1 = o.axes * (0.5 * dn + dq + cross(psi, t1)), m2 = o.axes * (0.5 * dn - dq + cross(psi, t2));
      const int c = 3 * group + k;
      s.h[0][c] = f.x, s.h[1][c] = f.y, s.h[2][c] = f.z;
      s.h[3][c] = -m1.x, s.h[4][c] = -m1.y, s.h[5][c] = -m1.z;
      s.h[6][c] = -m2.x, s.h[7][c] = -m2.y, s.h[8][c] = -m2.z;
    }
  return s;
}

// Of a law whose stress is a function of its strain.
template <class K, class P>
LS_HD BondStiffness<P> elastic_stiffness(const BondPoint<K, P>& b) {
  const auto o = halfway(b.frame);
  const auto stress = [&](const Halfway<Dual<P, 3>>& at) {
    auto s = K::stress(b.law, at);
    if (b.mixed) {
      s.tension.val = b.predicted.tension;
      set_values(s.shear, b.predicted.shear), set_values(s.moment, b.predicted.moment);
    }
    return s;
  };
  return split_stiffness(o, local_wrench(o, stress));
}

// What a difference between the foreseen and the present stress adds to the stiffness of any other law.
template <class K, class P>
LS_HD void add_geometric(const BondPoint<K, P>& b, BondStiffness<P>& sum) {
  using D = Dual<P, 3>;
  const auto o = halfway(b.frame);
  Wrench<P> w[2];
  K::wrench(b.law, b.frame, w);
  const Stress<P> now = stress_of(o, w);
  const Stress<D> difference{D(b.predicted.tension - now.tension), constant<P, 3>(b.predicted.shear - now.shear),
                             constant<P, 3>(b.predicted.moment - now.moment)};
  const auto more = split_stiffness(o, local_wrench(o, [&](const Halfway<D>&) { return difference; }));
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) sum.h[i][j] = sum.h[i][j] + more.h[i][j];
}

template <class K, class P>
LS_HD BondStiffness<P> bond_stiffness(const BondPoint<K, P>& b) {
  BondStiffness<P> s;
  if constexpr (requires(Halfway<P> o) { K::stress(b.law, o); }) {
    s = b.damped ? stiffness_by_duals(b) : elastic_stiffness(b);
  } else {
    s = stiffness_by_duals(b);
    if (b.mixed) add_geometric(b, s);
  }
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < i; ++j) s.h[i][j] = s.h[j][i] = 0.5 * (s.h[i][j] + s.h[j][i]);
  return s;
}

// The stress that the linear model foresees when the nodes move by the given twists (read as displacements).
template <class K, class P>
LS_HD Stress<P> predicted_stress(const typename K::template Params<P>& law, const Frame<P> (&frame)[2],
                                 const Twist<P> (&move)[2]) {
  using D = Dual<P, 1>;
  const auto along = [](const Vec3<P>& value, const Vec3<P>& slope) {
    auto r = constant<P, 1>(value);
    r.x.d[0] = slope.x, r.y.d[0] = slope.y, r.z.d[0] = slope.z;
    return r;
  };
  Frame<D> f[2];
  for (int a = 0; a < 2; ++a) {
    const Quat<P> dq = Quat<P>{P(0.0), 0.5 * move[a].w} * frame[a].q;
    f[a].x = along(frame[a].x, move[a].v);
    f[a].q = {D(frame[a].q.w), along(frame[a].q.v, dq.v)};
    f[a].q.w.d[0] = dq.w;
  }
  const auto o = halfway(f);
  Stress<D> s;
  if constexpr (requires { K::stress(law, o); }) {
    s = K::stress(law, o);
  } else {
    Wrench<D> w[2];
    K::wrench(law, f, w);
    s = stress_of(o, w);
  }
  const auto sum = [](const D& a) { return a.val + a.d[0]; };
  return {sum(s.tension),
          {sum(s.shear.x), sum(s.shear.y), sum(s.shear.z)},
          {sum(s.moment.x), sum(s.moment.y), sum(s.moment.z)}};
}

}  // namespace ls::inline LS_ISA
