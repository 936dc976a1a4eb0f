#pragma once
#include "physics/stiffness/local_stiffness.h"
#include "physics/vector_bond.h"

namespace ls::inline LS_ISA {

// A term of the vector bond's energy for one axis n of each node: a function of r = n1.n2, u = d.n1 and s = d.n2, by
// its derivatives.
template <class P>
struct AxisTerm {
  P r, u, s, rr, uu, ss, ru, rs, us;
};

// -B4/4 (t^2 (1 + u^2)(1 + s^2) - 1), t = r - u s: see the signs in vector_bond.h.
template <class P>
LS_HD AxisTerm<P> torsion_term(const P& b4, const P& r, const P& u, const P& s) {
  const P t = r - u * s, a = 1.0 + u * u, b = 1.0 + s * s, c = -0.5 * b4, ca = c * a, cb = c * b;
  const P tu = t * u, ts = t * s, sa = s * a, ub = u * b, four = t * (t - 4.0 * (s * u));
  AxisTerm<P> w;
  w.r = cb * (t * a), w.u = cb * t * (tu - sa), w.s = ca * t * (ts - ub);
  w.rr = ca * b, w.ru = cb * (2.0 * tu - sa), w.rs = ca * (2.0 * ts - ub);
  w.uu = cb * (four + s * sa), w.ss = ca * (four + u * ub);
  w.us = c * (2.0 * ts * (tu - sa) + b * (s * u * a - t * a - 2.0 * u * tu));
  return w;
}

// The slopes and second derivatives of the energy but for stretch, over the direction d and beta.
template <class P>
struct DirectionStiffness {
  Vec3<P> d1, d2;    // slope to d, by axes of node 1 and of node 2
  Vec3<P> beta;      // slope to beta
  Symmetric3<P> dd;  //
  Mat3<P> db;        // row d, column beta
  Symmetric3<P> bb;  //
};

// Axes n of node 1 and m of node 2, as C sees them. r, u and s change with beta by m x n, d x n/2 and m x d/2.
template <class P>
LS_HD void add_axis(const AxisTerm<P>& w, const P& r, const Vec3<P>& d, const Vec3<P>& n, const Vec3<P>& m,
                    DirectionStiffness<P>& sum) {
  const Vec3<P> of_r = cross(m, n), of_u = 0.5 * cross(d, n), of_s = 0.5 * cross(m, d);
  const Vec3<P> to_r = w.rr * of_r + w.ru * of_u + w.rs * of_s, to_u = w.ru * of_r + w.uu * of_u + w.us * of_s,
                to_s = w.rs * of_r + w.us * of_u + w.ss * of_s;
  sum.d1 = sum.d1 + w.u * n, sum.d2 = sum.d2 + w.s * m;
  sum.beta = sum.beta + w.r * of_r + w.u * of_u + w.s * of_s;
  sum.dd = sum.dd + both_ways((0.5 * w.uu) * n + w.us * m, n) + outer(w.ss, m);
  sum.db = plus_outer(plus_outer(sum.db, n, to_u), m, to_s);
  const Symmetric3<P> products =
      symmetric_part(plus_outer(plus_outer(plus_outer(Mat3<P>{}, to_r, of_r), to_u, of_u), to_s, of_s));
  sum.bb = plus_unit(sum.bb + products + both_ways((0.5 * w.r) * n, m), -(w.r * r));
}
// k/2 (n.m)^2 of two different axes.
template <class P>
LS_HD void add_cross_term(const P& k, const Vec3<P>& n, const Vec3<P>& m, DirectionStiffness<P>& sum) {
  const P r = dot(n, m), force = k * r;
  const Vec3<P> of_r = cross(m, n);
  sum.beta = sum.beta + force * of_r;
  sum.bb = plus_unit(sum.bb + outer(k, of_r) + both_ways((0.5 * force) * n, m), -(force * r));
}

template <class P>
LS_HD DirectionStiffness<P> direction_stiffness(const VectorBond::Params<P>& p, const Vec3<P>& d, const Mat3<P>& m1,
                                                const Mat3<P>& m2) {
  DirectionStiffness<P> sum{};
  const P rx = dot(m1.c1, m2.c1), ry = dot(m1.c2, m2.c2), rz = dot(m1.c3, m2.c3), zero(0.0);
  const P uy = dot(d, m1.c2), sy = dot(d, m2.c2);
  add_axis(torsion_term(p.b4, rx, dot(d, m1.c1), dot(d, m2.c1)), rx, d, m1.c1, m2.c1, sum);
  auto y = torsion_term(p.b4, ry, uy, sy);
  y.u = y.u + p.c3 * uy, y.s = y.s + p.c3 * sy, y.uu = y.uu + p.c3, y.ss = y.ss + p.c3;
  add_axis(y, ry, d, m1.c2, m2.c2, sum);
  const AxisTerm<P> z{-(p.b2 * rz), -(p.b3 * dot(d, m1.c3)), -(p.b3 * dot(d, m2.c3)), -p.b2, -p.b3, -p.b3, zero, zero,
                      zero};
  add_axis(z, rz, d, m1.c3, m2.c3, sum);
  add_cross_term(0.5 * p.c2, m1.c2, m2.c3, sum);
  add_cross_term(0.5 * p.c2, m1.c3, m2.c2, sum);
  // The second order of turns of axes, under their slopes to d.
  const Vec3<P> slope = sum.d1 + sum.d2;
  const auto skew = crossing(0.5 * (sum.d1 - sum.d2));
  sum.db = {sum.db.c1 + skew.c1, sum.db.c2 + skew.c2, sum.db.c3 + skew.c3};
  sum.bb = plus_unit(sum.bb + both_ways(0.125 * d, slope), -(0.25 * dot(d, slope)));
  return sum;
}

// From the bonded points to the nodes: they move by beta x e against each other, e = (arm1 z1 - arm2 z2)/2.
template <class P>
LS_HD void add_arms(const Vec3<P>& arm1, const Vec3<P>& arm2, LocalStiffness<P>& r) {
  const Vec3<P> e = 0.5 * (arm1 - arm2), both = arm1 + arm2;
  const auto cc = whole(r.cc);
  const Mat3<P> beta_rho{cross(e, cc.c1), cross(e, cc.c2), cross(e, cc.c3)};  // row beta: e x cc
  const Mat3<P> rho_beta = transposed(beta_rho);
  const Mat3<P> first{cross(e, r.cb.c1), cross(e, r.cb.c2), cross(e, r.cb.c3)};               // e x db
  const Mat3<P> second{cross(e, rho_beta.c1), cross(e, rho_beta.c2), cross(e, rho_beta.c3)};  // e x cc x e
  r.bb = r.bb + 2.0 * symmetric_part(first) + symmetric_part(second) + -0.125 * both_ways(r.g, both);
  r.bb = plus_unit(r.bb, 0.25 * dot(r.g, both));
  r.cb = {r.cb.c1 + rho_beta.c1, r.cb.c2 + rho_beta.c2, r.cb.c3 + rho_beta.c3};
  r.q = r.q + cross(e, r.g);
}

template <class P>
LS_HD LocalStiffness<P> local_stiffness(const VectorBond::Params<P>& p, const Halfway<P>& o) {
  const Mat3<P> m1 = matrix(Quat<P>{o.w, -o.v}), m2 = matrix(Quat<P>{o.w, o.v});
  const Vec3<P> arm1 = p.arm1 * m1.c3, arm2 = p.arm2 * m2.c3;
  Halfway<P> points{};  // what place_stiffness looks at
  points.c = o.c - arm2 - arm1;
  points.length = norm(points.c);
  const P il = 1.0 / points.length, tension = p.b1 * (points.length - p.a);
  points.a = il * points.c;
  const Vec3<P>& d = points.a;
  const auto s = direction_stiffness(p, d, m1, m2);
  const Vec3<P> slope = s.d1 + s.d2;
  LocalStiffness<P> r;
  r.g = tension * d + il * (slope - dot(d, slope) * d);
  r.q = s.beta;
  r.cc = place_stiffness(points, p.b1, tension, slope, s.dd);
  const auto across = columns_across(d, s.db);
  r.cb = {il * across.c1, il * across.c2, il * across.c3};
  r.bb = s.bb;
  add_arms(arm1, arm2, r);
  return r;
}

}  // namespace ls::inline LS_ISA
