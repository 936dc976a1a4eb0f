#pragma once
#include "physics/bond_damping.h"
#include "physics/calibration.h"
#include "physics/modes.h"

namespace ls::inline LS_ISA {

// The bond as a true potential of the strains seen from the frame half-way between its nodes
// (docs/theory/exact_bond.md).
//   U = 1/2 Kr (|c| - l)^2 + 1/2 l^2 (a - z).Ks (a - z) + 1/2 kappa.Kk kappa
//   Ks = diag(ks1, ks2, (ks1 + ks2)/2),   Kk = diag(kb1, kb2, kt)
// Small-strain stiffness as in Table 1 of the bonded-particle paper: kr = EA/l, ks = 12EI/l^3, kb = EI/l, kt = GJ/l.
// Shear is measured by the direction a: with the vector c - l z instead, a slender rod shears itself apart in tension.
struct ExactBond {
  static constexpr auto name = "exact";
  static constexpr bool is_potential = true;
  template <class S>
  struct Params {
    S kr;        // [N/m]
    S ks1, ks2;  // [N/m]   shear along x (bends about y), along y (bends about x)
    S kb1, kb2;  // [N m]   bending about x, about y
    S kt;        // [N m]
    S l;         // [m] rest length
  };
  static Params<double> of(const ElasticBond& b) { return {b.kr, b.ks1, b.ks2, b.kb1, b.kb2, b.kt, b.l}; }
  // Its stiffness near rest, as the coefficients of a bond's rates.
  template <class S>
  LS_HD static BondDamping::Params<S> small_strain(const Params<S>& p) {
    return {p.kr, p.ks1, p.ks2, p.kb1, p.kb2, p.kt, p.l};
  }

  template <class T, class S>
  LS_HD static Stress<T> stress(const Params<S>& p, const Halfway<T>& o) {
    const S l2 = p.l * p.l;
    return {p.kr * (o.length - p.l),
            {l2 * p.ks1 * o.a.x, l2 * p.ks2 * o.a.y, 0.5 * l2 * (p.ks1 + p.ks2) * (o.a.z - 1.0)},
            {p.kb1 * o.kappa.x, p.kb2 * o.kappa.y, p.kt * o.kappa.z}};
  }
  template <class T, class S>
  LS_HD static Modes<T> energy(const Params<S>& p, const Frame<T> (&f)[2]) {
    return energy_seen_from(halfway(f), p);
  }
  template <class T, class S>
  LS_HD static Modes<T> energy_seen_from(const Halfway<T>& o, const Params<S>& p) {
    const auto s = stress(p, o);
    const Vec3<T> shear{o.a.x, o.a.y, o.a.z - 1.0};
    return {0.5 * s.tension * (o.length - p.l), 0.5 * dot(s.shear, shear),
            0.5 * (s.moment.x * o.kappa.x + s.moment.y * o.kappa.y), 0.5 * s.moment.z * o.kappa.z};
  }
  template <class T, class S>
  LS_HD static void wrench(const Params<S>& p, const Frame<T> (&f)[2], Wrench<T> (&w)[2]) {
    const auto o = halfway(f);
    wrench_of(o, stress(p, o), w);
  }
};

}  // namespace ls::inline LS_ISA
