#pragma once
#include "physics/bond_damping.h"
#include "physics/calibration.h"
#include "physics/modes.h"

namespace ls::inline LS_ISA {

// V-model bond [Kuzkin & Asonov, eqs. 6-10]: a potential of body-fixed vectors n1, n2, n3 of each node and of the bond
// vector D between the bonded points (docs/theory/vector_bond.md). With s1 = ni.nj, s2 = d.ni, s3 = -d.nj:
//   U = B1/2 (D - a)^2 - B2/2 (s1^2 - 1) - B3/2 (s2^2 + s3^2 - 2)                      of n1, along the bond
//     - B4/4 sum over n2, n3 of [(s1 + s2 s3)^2 (1 + s2^2)(1 + s3^2) - 1]
//     + C2/4 [(y1.zj)^2 + (zi.y2)^2] + C3/2 [(d.y1)^2 + (d.y2)^2]                        of flat sections, ours
// n1 of node 2 points back along the bond. The constants make U vanish at rest. The paper's bond bends alike about all
// axes; C2 and C3 are what bending about x (towards y) takes more than bending about y, 0 for round sections.
// Its torsion goes like sin^2 of the twist per bond: soft at finite twist, with spurious wells at half a turn.
struct VectorBond {
  static constexpr auto name = "vector";
  static constexpr bool is_potential = true;
  template <class S>
  struct Params {
    S b1;          // [N/m]
    S b2, b3, b4;  // [N m]
    S a;           // [m] rest distance of the bonded points
    S arm1, arm2;  // [m] node centre to bonded point
    S c2, c3;      // [N m] flat sections
  };
  // Eqs. 19 the other way round, plane by plane: shear along x goes with bending about y.
  static Params<double> of(const ElasticBond& b) {
    const double b3 = 0.5 * b.ks1 * b.l * b.l, other3 = 0.5 * b.ks2 * b.l * b.l;
    const double b2 = b.kb2 - 0.5 * b3, other2 = b.kb1 - 0.5 * other3;
    return {b.kr, b2, b3, b.kt, b.l, b.arm1, b.arm2, other2 - b2, other3 - b3};
  }
  // The other way round, of the whole bond from centre to centre.
  template <class S>
  LS_HD static BondDamping::Params<S> small_strain(const Params<S>& p) {
    const S over = 2.0 / (p.a * p.a), other3 = p.b3 + p.c3;
    return {p.b1, over * p.b3,          over * other3, p.b2 + p.c2 + 0.5 * other3, p.b2 + 0.5 * p.b3,
            p.b4, p.a + p.arm1 + p.arm2};
  }

  template <class T>
  struct Geometry {
    Mat3<T> m1, m2;  // bond-aligned axes of the nodes; n1 of node 1 is m1.c3, of node 2 it is -m2.c3
    T length;
    Vec3<T> d;
  };
  template <class T, class S>
  LS_HD static Geometry<T> geometry(const Params<S>& p, const Frame<T> (&f)[2]) {
    Geometry<T> o;
    o.m1 = matrix(f[0].q);
    o.m2 = matrix(f[1].q);
    const Vec3<T> bond = f[1].x - f[0].x - p.arm2 * o.m2.c3 - p.arm1 * o.m1.c3;
    o.length = norm(bond);
    o.d = (1.0 / o.length) * bond;
    return o;
  }

  // Bending and shear come from one function in this model; all of it is reported as bending.
  template <class T, class S>
  LS_HD static Modes<T> energy(const Params<S>& p, const Frame<T> (&f)[2]) {
    const auto o = geometry(p, f);
    const T stretch = o.length - p.a, s1 = dot(o.m1.c3, o.m2.c3), s2 = dot(o.d, o.m1.c3), s3 = dot(o.d, o.m2.c3);
    const T p1 = dot(o.m1.c2, o.m2.c3), p2 = dot(o.m1.c3, o.m2.c2), e1 = dot(o.d, o.m1.c2), e2 = dot(o.d, o.m2.c2);
    const T bend = -0.5 * p.b2 * (s1 * s1 - 1.0) - 0.5 * p.b3 * (s2 * s2 + s3 * s3 - 2.0) +
                   0.25 * p.c2 * (p1 * p1 + p2 * p2) + 0.5 * p.c3 * (e1 * e1 + e2 * e2);
    return {0.5 * p.b1 * stretch * stretch, T(0.0), bend,
            torsion(p, o.d, o.m1.c1, o.m2.c1) + torsion(p, o.d, o.m1.c2, o.m2.c2)};
  }

  // -dU by the chain rule over the invariants: gradients g to the body axes, gd to the bond direction.
  template <class T, class S>
  LS_HD static void wrench(const Params<S>& p, const Frame<T> (&f)[2], Wrench<T> (&w)[2]) {
    const auto o = geometry(p, f);
    const Vec3<T>&z1 = o.m1.c3, &z2 = o.m2.c3;  // n1 of node 2 is -z2: s1^2 and s3^2 do not see the sign
    const T s1 = dot(z1, z2), s2 = dot(o.d, z1), s3 = dot(o.d, z2);
    const Vec3<T>&y1 = o.m1.c2, &y2 = o.m2.c2;
    const T p1 = 0.5 * p.c2 * dot(y1, z2), p2 = 0.5 * p.c2 * dot(z1, y2), e1 = p.c3 * dot(o.d, y1),
            e2 = p.c3 * dot(o.d, y2);
    Vec3<T> gd = e1 * y1 + e2 * y2 - (p.b3 * s2) * z1 - (p.b3 * s3) * z2;
    const Vec3<T> g1 = p2 * y2 - (p.b2 * s1) * z2 - (p.b3 * s2) * o.d;
    const Vec3<T> g2 = p1 * y1 - (p.b2 * s1) * z1 - (p.b3 * s3) * o.d;
    Vec3<T> t1 = -cross(z1, g1) - cross(y1, p1 * z2 + e1 * o.d), t2 = -cross(z2, g2) - cross(y2, p2 * z1 + e2 * o.d);
    add_torsion(p, o.d, o.m1.c1, o.m2.c1, gd, t1, t2);
    add_torsion(p, o.d, o.m1.c2, o.m2.c2, gd, t1, t2);
    const Vec3<T> force = p.b1 * (o.length - p.a) * o.d + (1.0 / o.length) * (gd - dot(gd, o.d) * o.d);
    w[0] = {force, t1 + cross(p.arm1 * z1, force)};
    w[1] = {-force, t2 + cross(p.arm2 * z2, force)};
  }

 private:
  template <class T, class S>
  LS_HD static T torsion(const Params<S>& p, const Vec3<T>& d, const Vec3<T>& n1, const Vec3<T>& n2) {
    const T s1 = dot(n1, n2), s2 = dot(d, n1), s3 = -dot(d, n2), t = s1 + s2 * s3;
    return -0.25 * p.b4 * (t * t * (1.0 + s2 * s2) * (1.0 + s3 * s3) - 1.0);
  }
  template <class T, class S>
  LS_HD static void add_torsion(const Params<S>& p, const Vec3<T>& d, const Vec3<T>& n1, const Vec3<T>& n2, Vec3<T>& gd,
                                Vec3<T>& t1, Vec3<T>& t2) {
    const T s1 = dot(n1, n2), s2 = dot(d, n1), s3 = -dot(d, n2);
    const T t = s1 + s2 * s3, a = 1.0 + s2 * s2, b = 1.0 + s3 * s3, c = -0.5 * p.b4 * t;
    const T u1 = c * a * b, u2 = c * b * (s3 * a + t * s2), u3 = c * a * (s2 * b + t * s3);
    gd = gd + u2 * n1 - u3 * n2;
    t1 = t1 - cross(n1, u1 * n2 + u2 * d);
    t2 = t2 - cross(n2, u1 * n1 - u3 * d);
  }
};

}  // namespace ls::inline LS_ISA
