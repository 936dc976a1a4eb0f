#pragma once
#include "math/vec.h"
#include "physics/elliptic.h"

// Fields of circular currents about the z axis, per mu0, in terms of w = x^2 + y^2: B = mu0 (x g, y g, f).
namespace ls::inline LS_ISA {

// Of one ampere around a circle of radius a at z = 0, from its vector potential A_phi = rho R / (4 mean) (Smythe,
// Static and Dynamic Electricity, 7.10, in the variables of LoopIntegrals). Written so that neither the axis nor a
// far point makes anything cancel.
template <class T>
struct Loop {
  T f, g;    // along the axis; radial, over rho
  T a;       // A_phi / rho
  T across;  // (2 a - f) / w: what a magnet magnetised across its axis is made of
};

template <class T>
Loop<T> loop_field(double radius, const T& w, const T& z) {
  const double a2 = radius * radius, a4 = a2 * a2;
  const LoopIntegrals<T> i = loop_integrals(radius, w, z);
  const T sum = i.first + w * i.rest, beyond = w + z * z - a2, p2 = i.p * i.p, ends = i.s + i.p;
  const T scale = 1.0 / (4.0 * i.mean * p2);
  return {scale * (2 * a2 * (i.s - 2.0 * w) + beyond * w * sum), scale * z * (4 * a2 - i.s * sum), 0.25 * sum / i.mean,
          scale * (4 * a2 + 2.0 * p2 * i.rest - beyond * sum - 8 * a4 * (2.0 * i.p + i.s) / (ends * ends))};
}

}  // namespace ls::inline LS_ISA
