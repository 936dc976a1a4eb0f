#pragma once
#include "math/sym3.h"
#include "physics/halfway.h"

// The stiffness of a bond seen from the frame C half-way between its nodes, in closed form. A bond has six ways to
// deform: node 2 moves by rho against node 1, and the nodes turn by -beta/2 and beta/2. What else its nodes do, turn
// both by phi, is a rigid motion: to second order in moves and turns the energy is that of a deformation of
//   rho - phi x (c + rho) + phi x (phi x c)/2   and   beta - phi x beta/2
// which gives the rest of the stiffness from these six and the forces g, Q alone (spread). A law gives its part, of six
// variables, in one go: duals through the wrench, nine variables in three sweeps, take three to four times as long.
namespace ls::inline LS_ISA {

// All in C. The wrench is f1 = C g, t1 = C(N/2 + q), t2 = C(N/2 - q) with N = c x g.
template <class P>
struct LocalStiffness {
  Vec3<P> g, q;      // what the energy changes by with rho, with beta
  Symmetric3<P> cc;  // second derivatives: rho, rho
  Mat3<P> cb;        // rho (row), beta (column)
  Symmetric3<P> bb;  // beta, beta
};

template <class P>
LS_HD LocalStiffness<P> operator+(const LocalStiffness<P>& a, const LocalStiffness<P>& b) {
  return {a.g + b.g, a.q + b.q, a.cc + b.cc, {a.cb.c1 + b.cb.c1, a.cb.c2 + b.cb.c2, a.cb.c3 + b.cb.c3}, a.bb + b.bb};
}

// The parts of the columns across the unit vector a.
template <class P>
LS_HD Mat3<P> columns_across(const Vec3<P>& a, const Mat3<P>& m) {
  return {m.c1 - dot(a, m.c1) * a, m.c2 - dot(a, m.c2) * a, m.c3 - dot(a, m.c3) * a};
}
// m + a b^T
template <class P>
LS_HD Mat3<P> plus_outer(const Mat3<P>& m, const Vec3<P>& a, const Vec3<P>& b) {
  return {m.c1 + b.x * a, m.c2 + b.y * a, m.c3 + b.z * a};
}
template <class P>
LS_HD Mat3<P> transposed(const Mat3<P>& m) {
  return {{m.c1.x, m.c2.x, m.c3.x}, {m.c1.y, m.c2.y, m.c3.y}, {m.c1.z, m.c2.z, m.c3.z}};
}
template <class P>
LS_HD Mat3<P> whole(const Symmetric3<P>& m) {
  return {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
}
template <class P>
LS_HD Symmetric3<P> symmetric_part(const Mat3<P>& m) {
  return {m.c1.x, m.c2.y, m.c3.z, 0.5 * (m.c2.z + m.c3.y), 0.5 * (m.c1.z + m.c3.x), 0.5 * (m.c1.y + m.c2.x)};
}
// The matrix of a x.
template <class P>
LS_HD Mat3<P> crossing(const Vec3<P>& a) {
  const P zero(0.0);
  return {{zero, a.z, -a.y}, {-a.z, zero, a.x}, {a.y, -a.x, zero}};
}

// Second derivatives to c of an energy U(|c|) + W(c/|c|): d2U/d|c|2 = along, dU/d|c| = tension, dW/da = shear. `across`
// has the second derivatives of W.
template <class P>
LS_HD Symmetric3<P> place_stiffness(const Halfway<P>& o, const P& along, const P& tension, const Vec3<P>& shear,
                                    const Symmetric3<P>& across) {
  const P l = 1.0 / o.length, as = dot(o.a, shear);
  const Vec3<P> p = shear - as * o.a, ra = across * o.a;
  // (1 - aa) R (1 - aa) = R - (Ra) a - a (Ra) + (a.Ra) aa
  const P round = l * (tension - l * as);  // times 1 - aa
  const Vec3<P> half = (l * l) * (0.5 * dot(o.a, ra) * o.a - ra - p);
  return plus_unit((l * l) * across + both_ways(half, o.a) + outer(along - round, o.a), round);
}

// What an energy that depends on c alone adds, by its slope g and second derivatives cc: a turn beta changes c by
// beta (c.v)/2w - v (c.beta)/2w, and C itself by (beta x v)/2w.
template <class P>
LS_HD LocalStiffness<P> stiffness_of_place(const Halfway<P>& o, const Vec3<P>& g, const Symmetric3<P>& cc) {
  const P half = 0.5 / o.w, half2 = half * half, cv = dot(o.c, o.v), gv = dot(g, o.v);
  const Vec3<P> y = cc * o.v, m = gv * o.c - cv * g;  // v x (c x g)
  LocalStiffness<P> r;
  r.g = g, r.q = -(half * m), r.cc = cc;
  const auto column = [&](const Vec3<P>& of_cc, const P& c, const P& of_g) {
    return half * (cv * of_cc - c * y + of_g * o.v);
  };
  r.cb = {column({cc.xx, cc.xy, cc.xz}, o.c.x, g.x), column({cc.xy, cc.yy, cc.yz}, o.c.y, g.y),
          column({cc.xz, cc.yz, cc.zz}, o.c.z, g.z)};
  const P less = half * gv;
  r.cb.c1.x = r.cb.c1.x - less, r.cb.c2.y = r.cb.c2.y - less, r.cb.c3.z = r.cb.c3.z - less;
  const P gc = dot(g, o.c), z = dot(o.v, o.v);
  const Symmetric3<P> second = (cv * cv) * cc + both_ways((0.5 * dot(o.v, y)) * o.c - cv * y, o.c) +
                               0.5 * both_ways(cross(o.v, g), cross(o.v, o.c)) + both_ways(0.5 * (gc * o.v - m), o.v);
  r.bb = half2 * plus_unit(second, -(gc * z));
  return r;
}

// What an energy that depends on kappa alone adds, by its moment M; with its slope, the diagonal matrix of `stiff`.
// kappa is that of the turn u exp(beta) u, where u = (w, v).
template <class P>
LS_HD void add_geometric_turn(const Halfway<P>& o, const Vec3<P>& moment, LocalStiffness<P>& r) {
  const P half = 0.5 / o.w, vm = dot(o.v, moment);
  r.q = r.q + o.h * moment - (o.k * vm) * o.v;
  const Vec3<P> a = (half * (o.h - 0.5 * o.k)) * moment -
                    (0.25 * vm * o.w * excess_slope(dot(o.v, o.v), TurnAngle<P>{o.h, o.k})) * o.v;
  r.bb = plus_unit(r.bb + both_ways(a, o.v), -(vm * half * (1.0 + 0.5 * o.k)));
}
template <class P>
LS_HD void add_material_turn(const Halfway<P>& o, const Vec3<P>& stiff, LocalStiffness<P>& r) {
  const Vec3<P> y{stiff.x * o.v.x, stiff.y * o.v.y, stiff.z * o.v.z};
  const Vec3<P> a = o.k * ((0.5 * o.k * dot(o.v, y)) * o.v - o.h * y);
  r.bb = r.bb + (o.h * o.h) * diagonal(stiff) + both_ways(a, o.v);
}

// What a stress adds that is held as it is.
template <class P>
LS_HD LocalStiffness<P> geometric_stiffness(const Halfway<P>& o, const Stress<P>& s) {
  const Vec3<P> g = s.tension * o.a + (1.0 / o.length) * (s.shear - dot(o.a, s.shear) * o.a);
  auto r = stiffness_of_place(o, g, place_stiffness(o, P(0.0), s.tension, s.shear, {}));
  add_geometric_turn(o, s.moment, r);
  return r;
}

// U to (r, theta1, theta2), twice, with r = x2 - x1, in world axes: the upper triangle, row by row.
template <class P>
struct BondStiffness {
  static constexpr int size = 9, entries = 45;
  LS_HD static constexpr int at(int row, int column) {
    return row <= column ? row * (2 * size + 1 - row) / 2 + column - row : at(column, row);
  }
  P upper[entries];
};

// A block of three rows and columns.
template <class P>
LS_HD void put(const Mat3<P>& m, int row, int column, BondStiffness<P>& to) {
  const Vec3<P> columns[3] = {m.c1, m.c2, m.c3};
  for (int k = 0; k < 3; ++k) {
    const Vec3<P>& a = columns[k];
    to.upper[BondStiffness<P>::at(row, column + k)] = a.x;
    if (row < column || k >= 1) to.upper[BondStiffness<P>::at(row + 1, column + k)] = a.y;
    if (row < column || k >= 2) to.upper[BondStiffness<P>::at(row + 2, column + k)] = a.z;
  }
}
template <class P>
LS_HD void put(const Symmetric3<P>& m, int row, BondStiffness<P>& to) {
  put(whole(m), row, row, to);
}

// From C and its six to the world and all nine: theta1 = phi - beta/2, theta2 = phi + beta/2. c is x2 - x1 itself, not
// turned there and back: what its rounding lacks of a rigid motion, soft motions of long rods would feel.
template <class P>
LS_HD BondStiffness<P> spread(const Halfway<P>& o, const LocalStiffness<P>& local, const Vec3<P>& c) {
  const Vec3<P> g = o.axes * local.g, q = 0.25 * (o.axes * local.q);
  const auto cc = turned(o.axes, local.cc);
  const auto bb = turned(o.axes, local.bb);
  const auto cb = turned(o.axes, local.cb);
  const auto whole_cc = whole(cc);
  // rho with phi: cc (c x) - (g x), half of it
  const auto crossed = transposed(Mat3<P>{cross(whole_cc.c1, c), cross(whole_cc.c2, c), cross(whole_cc.c3, c)});
  const auto turn_g = crossing(g);
  const Mat3<P> cp{0.5 * (crossed.c1 - turn_g.c1), 0.5 * (crossed.c2 - turn_g.c2), 0.5 * (crossed.c3 - turn_g.c3)};
  // phi with phi, a quarter
  const Mat3<P> crossed_twice{cross(crossed.c1, c), cross(crossed.c2, c), cross(crossed.c3, c)};
  const auto pp = 0.25 * plus_unit(symmetric_part(crossed_twice) + both_ways(0.5 * g, c), -dot(g, c));
  // phi with beta, half of it; its symmetric part, and the other as a vector
  const Vec3<P> b1 = 0.5 * cross(cb.c1, c), b2 = 0.5 * cross(cb.c2, c), b3 = 0.5 * cross(cb.c3, c);
  const auto pb = 2.0 * symmetric_part(Mat3<P>{b1, b2, b3});
  const Vec3<P> apart{b2.z - b3.y + 2.0 * q.x, b3.x - b1.z + 2.0 * q.y, b1.y - b2.x + 2.0 * q.z};

  BondStiffness<P> s;
  const auto sum = pp + bb;
  const auto difference = whole(pp + -1.0 * bb);
  put(cc, 0, s);
  put(Mat3<P>{cp.c1 - cb.c1, cp.c2 - cb.c2, cp.c3 - cb.c3}, 0, 3, s);
  put(Mat3<P>{cp.c1 + cb.c1, cp.c2 + cb.c2, cp.c3 + cb.c3}, 0, 6, s);
  put(sum + -1.0 * pb, 3, s);
  put(sum + pb, 6, s);
  const auto skew = crossing(apart);
  put(Mat3<P>{difference.c1 + skew.c1, difference.c2 + skew.c2, difference.c3 + skew.c3}, 3, 6, s);
  return s;
}

}  // namespace ls::inline LS_ISA
