#pragma once
#include "physics/halfway.h"
#include "physics/kernels.h"

#include <algorithm>
#include <cmath>

// What people ask of a bond, whatever its law: how much it is strained and what it carries.
namespace ls {

// Stretch (1), and the angles of shear, bend and twist (rad), seen from the frame half-way between the nodes.
inline Modes<double> bond_strains(const Frame<double> (&f)[2], double rest_length) {
  const auto o = halfway(f);
  return {o.length / rest_length - 1, std::atan2(std::hypot(o.a.x, o.a.y), o.a.z), std::hypot(o.kappa.x, o.kappa.y),
          o.kappa.z};
}

// Tension (0 in compression) and shear force, bending and twisting torque at the middle of the bond.
inline Modes<double> bond_load(const Frame<double> (&f)[2], const Wrench<double> (&w)[2]) {
  const Vec3<double> n = normalized(f[1].x - f[0].x);
  const double tension = dot(w[0].force, n);
  const Vec3<double> torque = 0.5 * (w[0].torque - w[1].torque);
  const double twist = dot(torque, n);
  return {std::max(0.0, tension), norm(w[0].force - tension * n), norm(torque - twist * n), std::abs(twist)};
}

template <class P>
double rest_length(const P& law) {
  if constexpr (requires { law.arm1; })
    return law.a + law.arm1 + law.arm2;
  else
    return law.l;
}

// The largest stiffness of each mode at rest: of the vector bond by eqs. 19 of the V-model paper.
template <class P>
Modes<double> small_strain_stiffness(const P& law) {
  if constexpr (requires { law.b1; })
    return {law.b1, 2 * (law.b3 + std::max(0.0, law.c3)) / (law.a * law.a),
            law.b3 / 2 + law.b2 + std::max(0.0, law.c3 / 2 + law.c2), law.b4};
  else
    return {law.kr, std::max(law.ks1, law.ks2), std::max(law.kb1, law.kb2), law.kt};
}

}  // namespace ls
