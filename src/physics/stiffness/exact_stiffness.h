#pragma once
#include "physics/exact_bond.h"
#include "physics/stiffness/local_stiffness.h"

namespace ls::inline LS_ISA {

// The geometric part is that of the given stress, the present one or another.
template <class P>
LS_HD LocalStiffness<P> local_stiffness(const ExactBond::Params<P>& p, const Halfway<P>& o, const Stress<P>& s) {
  const P l2 = p.l * p.l;
  const Vec3<P> shear{l2 * p.ks1, l2 * p.ks2, 0.5 * l2 * (p.ks1 + p.ks2)};
  const Vec3<P> g = s.tension * o.a + (1.0 / o.length) * (s.shear - dot(o.a, s.shear) * o.a);
  auto r = stiffness_of_place(o, g, place_stiffness(o, p.kr, s.tension, s.shear, diagonal(shear)));
  add_geometric_turn(o, s.moment, r);
  add_material_turn(o, {p.kb1, p.kb2, p.kt}, r);
  return r;
}

}  // namespace ls::inline LS_ISA
