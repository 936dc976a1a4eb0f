#pragma once
#include "physics/corotational_bond.h"
#include "physics/stiffness/local_stiffness.h"

namespace ls::inline LS_ISA {

// Derivatives of the co-rotational bond's force g(c) and torque q(c, v), seen from C.
template <class P>
struct CorotationalSlopes {
  Vec3<P> g, q;
  Mat3<P> g_c, q_v, q_c;
};

// g = Kr(l - l0) a + l G,  G = h (B a) x a,  B a = (-ks2 ay, ks1 ax, 0),  h = h(|a - z|^2/4).
template <class P>
LS_HD void set_force_slopes(const CorotationalBond::Params<P>& p, const Halfway<P>& o, CorotationalSlopes<P>& s) {
  const Vec3<P>& a = o.a;
  const P dz = a.z - 1.0, zeta = 0.25 * (a.x * a.x + a.y * a.y + dz * dz), zero(0.0);
  const auto angle = turn_angle(zeta);
  const P& h = angle.over_sine;
  const P slope = 0.5 * (h - 0.5 * angle.excess) / (1.0 - zeta);  // of h, times d zeta/da = (a - z)/2
  const Vec3<P> ba{-(p.ks2 * a.y), p.ks1 * a.x, zero}, round = cross(ba, a);
  const P tension = p.kr * (o.length - p.l);
  s.g = tension * a + (o.length * h) * round;
  Mat3<P> d = crossing(ba);  // ba x da - a x B da
  d.c1 = d.c1 + p.ks1 * Vec3<P>{a.z, zero, -a.x};
  d.c2 = d.c2 + p.ks2 * Vec3<P>{zero, a.z, -a.y};
  d = plus_outer(Mat3<P>{h * d.c1, h * d.c2, h * d.c3}, round, slope * Vec3<P>{a.x, a.y, dz});
  const P pull = tension / o.length;
  d.c1.x = d.c1.x + pull, d.c2.y = d.c2.y + pull, d.c3.z = d.c3.z + pull;
  // d (1 - aa) + (Kr a + G) a
  s.g_c = plus_outer(d, p.kr * a + h * round - d * a, a);
}

// With A = v.a and r^2 = w^2 + A^2: twist psi = 4 atan2(A, w); bend theta is the rotation vector of the quaternion
//   (1 - 2 w^2 y/r^2, b),   b = 2w (v - A a + mu a),   y = |v - A a|^2 = 1 - r^2,   mu = A y/r^2
// and q = Kb theta + Kt psi a.
template <class P>
LS_HD void set_torque_slopes(const CorotationalBond::Params<P>& p, const Halfway<P>& o, CorotationalSlopes<P>& s) {
  const Vec3<P>& a = o.a;
  const P& w = o.w;
  const P along = dot(o.v, a), ir2 = 1.0 / (w * w + along * along);
  const Vec3<P> swing = o.v - along * a;
  const P y = dot(swing, swing), share = y * ir2, mu = along * share, far = 2.0 * along * ir2 * ir2, w2 = 2.0 * w;
  const Vec3<P> b = w2 * (swing + mu * a);
  const P bw = 1.0 - w2 * w * share, ba = w2 * mu, iw2 = 1.0 / (w * w);
  const auto angle = turn_angle(dot(b, b));
  const P alpha = 2.0 * bw * angle.over_sine,
          gamma = 2.0 * (1.0 - angle.excess * bw * bw) / bw;  // d theta = alpha db +
  const P square = along * along * ir2;                       //   gamma b (b.db)
  const P psi = 4.0 * along * w * ir2 * angle_over_sine(square);
  const Vec3<P> stiff{p.kb1, p.kb2, 0.5 * (p.kb1 + p.kb2)};
  const auto bent = [&](const Vec3<P>& u) { return Vec3<P>{stiff.x * u.x, stiff.y * u.y, stiff.z * u.z}; };
  const Vec3<P> kb = bent(b), ka = bent(a), twist = p.kt * a;
  s.q = alpha * kb + psi * twist;

  // Of v: db = 2w dv + a (e.dv) - b (v.dv)/w^2, d psi = 4 (w a + A v/w).dv/r^2
  const Vec3<P> e = w2 * ((share - 1.0) * a + far * swing);
  const Vec3<P> of_b = gamma * (w2 * b + ba * e) - (iw2 * (alpha + gamma * dot(b, b))) * o.v;
  const Vec3<P> of_psi = (4.0 * ir2) * (w * a + (along / w) * o.v);
  s.q_v = plus_outer(plus_outer(whole(diagonal((w2 * alpha) * stiff)), ka, alpha * e), kb, of_b);
  s.q_v = plus_outer(s.q_v, twist, of_psi);
  // Of a, along which it does not change: db = 2w [(mu - A) da + (eta - 1) a (swing.da)], d psi = 4w swing.da/r^2
  const P back = w2 * (mu - along), eta = w2 * (share - along * far - 1.0);
  const P il = 1.0 / o.length, even = p.kt * psi;
  const Mat3<P> unit = whole(diagonal((alpha * back) * stiff + Vec3<P>{even, even, even}));
  Mat3<P> q_a = plus_outer(unit, (alpha * eta) * ka + (4.0 * w * ir2) * twist, swing);
  q_a = plus_outer(q_a, kb, gamma * (back * b + (eta * ba) * swing));
  q_a = plus_outer(q_a, -(q_a * a), a);
  s.q_c = {il * q_a.c1, il * q_a.c2, il * q_a.c3};
}

// The force is no gradient: what stands here is the symmetric part of its derivative.
template <class P>
LS_HD LocalStiffness<P> local_stiffness(const CorotationalBond::Params<P>& p, const Halfway<P>& o) {
  CorotationalSlopes<P> s;
  set_force_slopes(p, o, s);
  set_torque_slopes(p, o, s);
  // A turn beta changes c by A beta = ((c.v) beta - v (c.beta))/2w, v by (beta - v (v.beta))/4w, and turns C.
  const P half = 0.5 / o.w, cv = dot(o.c, o.v), gv = dot(s.g, o.v), qv = dot(s.q, o.v);
  const auto through = [&](const Mat3<P>& m, const Vec3<P>& f, const P& fv) {  // m A + (v f - (v.f))/2w
    Mat3<P> r = plus_outer(Mat3<P>{cv * m.c1, cv * m.c2, cv * m.c3}, -(m * o.v), o.c);
    r = plus_outer(r, o.v, f);
    r.c1.x = r.c1.x - fv, r.c2.y = r.c2.y - fv, r.c3.z = r.c3.z - fv;
    return Mat3<P>{half * r.c1, half * r.c2, half * r.c3};
  };
  const auto g_beta = through(s.g_c, s.g, gv), q_beta = through(s.q_c, s.q, qv), turned_q = transposed(s.q_c);
  const auto of_v = plus_outer(s.q_v, -(s.q_v * o.v), o.v);
  LocalStiffness<P> r;
  r.g = s.g, r.q = s.q;
  r.cc = symmetric_part(s.g_c);
  r.cb = {0.5 * (g_beta.c1 + turned_q.c1), 0.5 * (g_beta.c2 + turned_q.c2), 0.5 * (g_beta.c3 + turned_q.c3)};
  r.bb = symmetric_part(q_beta) + (0.5 * half) * symmetric_part(of_v);
  return r;
}

}  // namespace ls::inline LS_ISA
