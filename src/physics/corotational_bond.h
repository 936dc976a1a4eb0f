#pragma once
#include "physics/bond_damping.h"
#include "physics/calibration.h"
#include "physics/modes.h"

namespace ls::inline LS_ISA {

// The bond of the bonded-particle paper (eqs. 1-9), without its singular steps (docs/theory/corotational_bond.md).
// In C, n = c/|c|, shear angle gamma between n and z, half-turn u from C to node 2 split into a twist t about n and a
// swing:
//   f1 = Kr(|c| - l) n + Ks |c| gamma s,  s = (z x n) x n / sin gamma,   torque |c|^2 Ks gamma (z x n)/(2 sin gamma) on
//   both twist: psi = 4 atan2(u.n, u0),   bend: theta = rotation vector of t* u u t*,   torque +-(Kb theta + Kt psi n)
// Its forces are not the gradient of its energy: a closed loop at a strain of 0.1 does work of 5 % of the peak energy.
struct CorotationalBond {
  static constexpr auto name = "corotational";
  static constexpr bool is_potential = false;
  template <class S>
  struct Params {
    S kr;        // [N/m]
    S ks1, ks2;  // [N/m]
    S kb1, kb2;  // [N m]
    S kt;        // [N m]
    S l;         // [m]
  };
  static Params<double> of(const ElasticBond& b) { return {b.kr, b.ks1, b.ks2, b.kb1, b.kb2, b.kt, b.l}; }
  // Its stiffness near rest, as the coefficients of a bond's rates.
  template <class S>
  LS_HD static BondDamping::Params<S> small_strain(const Params<S>& p) {
    return {p.kr, p.ks1, p.ks2, p.kb1, p.kb2, p.kt, p.l};
  }

  template <class T>
  struct Strain {
    T stretch;      // |c| - l [m]
    T length;       // [m]
    Vec3<T> n;      // bond direction in C
    Vec3<T> gamma;  // shear angle times its axis, in C
    Vec3<T> theta;  // bend vector, in C
    T psi;          // twist
  };

  // Of the two ways round, the shorter: the paper's law folds at half a turn, unlike the exact bond.
  template <class T>
  LS_HD static void take_shorter_way(Frame<T> (&f)[2]) {
    const auto longer = dot(f[0].q, f[1].q) < 0.0;
    f[1].q = {pick(longer, -f[1].q.w, f[1].q.w), pick(longer, -f[1].q.v, f[1].q.v)};
  }
  template <class T, class S>
  LS_HD static Strain<T> strain(const Params<S>& p, const Halfway<T>& o) {
    Strain<T> e;
    e.length = o.length;
    e.stretch = o.length - p.l;
    e.n = o.a;
    // gamma/sin(gamma) = h(sin^2(gamma/2)), and 4 sin^2(gamma/2) = |n - z|^2
    const T dz = o.a.z - 1.0;
    const T h = angle_over_sine(0.25 * (o.a.x * o.a.x + o.a.y * o.a.y + dz * dz));
    e.gamma = {-(h * o.a.y), h * o.a.x, T(0.0)};  // h z x n
    // With p the part of v across n, of squared length s, t* u u t* = (1 - s - (tw^2 - ts^2) s, 2 w p + 2 tw ts s n).
    const T along = dot(o.v, o.a);
    const Vec3<T> across = o.v - along * o.a;
    const T s = dot(across, across), rest = o.w * o.w + along * along;
    const T inv = 1.0 / sqrt(rest);
    const T tw = inv * o.w, ts = inv * along;  // twist quaternion (tw, ts n)
    e.psi = 4.0 * ts * tw * angle_over_sine(ts * ts);
    const T bend_w = rest - (tw * tw - ts * ts) * s;
    const Vec3<T> bend = (2.0 * o.w) * across + (2.0 * tw * ts * s) * o.a;
    e.theta = (2.0 * bend_w * angle_over_sine(dot(bend, bend))) * bend;
    return e;
  }
  template <class T, class S>
  LS_HD static Modes<T> energy(const Params<S>& p, const Frame<T> (&f)[2]) {
    Frame<T> near[2] = {f[0], f[1]};
    take_shorter_way(near);
    const auto e = strain(p, halfway(near));
    const T r2 = e.length * e.length;
    return {0.5 * p.kr * e.stretch * e.stretch,
            0.5 * r2 * (p.ks1 * e.gamma.y * e.gamma.y + p.ks2 * e.gamma.x * e.gamma.x),
            0.5 * (dot(e.theta, bending(p, e))), 0.5 * p.kt * e.psi * e.psi};
  }
  template <class T, class S>
  LS_HD static void wrench(const Params<S>& p, const Frame<T> (&f)[2], Wrench<T> (&w)[2]) {
    Frame<T> near[2] = {f[0], f[1]};
    take_shorter_way(near);
    const auto o = halfway(near);
    to_world(o, wrench_seen_from(o, p), w);
  }
  template <class T, class S>
  LS_HD static BondWrench<T> wrench_seen_from(const Halfway<T>& o, const Params<S>& p) {
    const auto e = strain(p, o);
    const Vec3<T> couple{p.ks2 * e.gamma.x, p.ks1 * e.gamma.y, T(0.0)};  // axis t times Ks gamma
    return {p.kr * e.stretch * e.n + e.length * cross(couple, e.n), bending(p, e) + (p.kt * e.psi) * e.n};
  }

 private:
  // Equal stiffnesses give Kb theta, as printed; of a flat section each axis of C takes its own.
  template <class T, class S>
  LS_HD static Vec3<T> bending(const Params<S>& p, const Strain<T>& e) {
    return {p.kb1 * e.theta.x, p.kb2 * e.theta.y, 0.5 * (p.kb1 + p.kb2) * e.theta.z};
  }
};

}  // namespace ls::inline LS_ISA
