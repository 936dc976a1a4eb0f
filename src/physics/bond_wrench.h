#pragma once
#include "physics/halfway.h"

namespace ls::inline LS_ISA {

// The wrench of a bond as C sees it: with N = c x g it is f1 = C g, f2 = -f1, t1 = C(N/2 + q), t2 = C(N/2 - q), as in
// halfway.h. What acts side by side in a bond is summed here and turned into world axes once.
template <class T>
struct BondWrench {
  Vec3<T> g, q;

  LS_HD friend BondWrench operator+(const BondWrench& a, const BondWrench& b) { return {a.g + b.g, a.q + b.q}; }
};

template <class T>
LS_HD BondWrench<T> bond_wrench_of(const Halfway<T>& o, const Stress<T>& s) {
  const Vec3<T> across = s.shear - dot(o.a, s.shear) * o.a;
  return {
      s.tension * o.a + (1.0 / o.length) * across,
      o.h * s.moment - (o.k * dot(o.v, s.moment)) * o.v - (0.5 / o.w) * cross(o.v, cross(o.a, across)),
  };
}

template <class T>
LS_HD void to_world(const Halfway<T>& o, const BondWrench<T>& b, Wrench<T> (&out)[2]) {
  const Vec3<T> half = 0.5 * cross(o.c, b.g);
  const Vec3<T> force = o.axes * b.g;
  out[0] = {force, o.axes * (half + b.q)};
  out[1] = {-force, o.axes * (half - b.q)};
}

}  // namespace ls::inline LS_ISA
