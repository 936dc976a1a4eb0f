#pragma once
#include "physics/halfway.h"

namespace ls::inline LS_ISA {

// Viscous stress of a bond, mode by mode, from the analytic rates of the strains that the exact bond measures:
//   D = 1/2 cr |c|'^2 + 1/2 l^2 a'.Cs a' + 1/2 kappa'.Ck kappa',   wrench = -dD/d(twist)
// One law damps every bond model. For small strains it is that of the bonded-particle paper (sec. 2.2) with
// cr = gr, cs = gs, cb = gb, ct = gt; a damping time tau of a mode means c = tau K.
struct BondDamping {
  static constexpr auto name = "bond_damping";
  template <class S>
  struct Params {
    S cr;        // [kg/s]
    S cs1, cs2;  // [kg/s]
    S cb1, cb2;  // [N m s]
    S ct;        // [N m s]
    S l;         // [m]
  };
  // Of a bond that is `share` times as long: damping times are as they were.
  static Params<double> with_length(const Params<double>& p, double share) {
    const double cubed = share * share * share;
    return {p.cr / share, p.cs1 / cubed, p.cs2 / cubed, p.cb1 / share, p.cb2 / share, p.ct / share, p.l * share};
  }

  template <class T, class S>
  LS_HD static Stress<T> stress(const Params<S>& p, const Halfway<T>& o, const Twist<T> (&t)[2]) {
    const auto r = strain_rate(o, t);
    const S l2 = p.l * p.l;
    return {p.cr * r.length,
            {l2 * p.cs1 * r.a.x, l2 * p.cs2 * r.a.y, 0.5 * l2 * (p.cs1 + p.cs2) * r.a.z},
            {p.cb1 * r.kappa.x, p.cb2 * r.kappa.y, p.ct * r.kappa.z}};
  }
  template <class T, class S>
  LS_HD static void wrench(const Params<S>& p, const Frame<T> (&f)[2], const Twist<T> (&t)[2], Wrench<T> (&w)[2]) {
    const auto o = halfway(f);
    wrench_of(o, stress(p, o, t), w);
  }
};

}  // namespace ls::inline LS_ISA
