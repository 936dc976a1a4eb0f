#pragma once
#include "math/frame.h"

#include <cmath>
#include <numbers>

// Drag of slow flow, where the inertia of the fluid does not matter: each piece of a body is slowed down by what flows
// past it there, as if the others were not (resistive-force theory).
namespace ls::inline LS_ISA {

// A piece with an axis t that slips through the fluid by (v, w), the twist of the node less that of the fluid:
//   force  = -(along  t t^T + across (1 - t t^T)) v
//   torque = -(spin   t t^T + tumble (1 - t t^T)) w
// minus the slope of the dissipation potential D = 1/2 (v, w) . R (v, w), so that it takes 2 D of power.
struct Drag {
  static constexpr auto name = "drag";
  template <class S>
  struct Params {
    S across, along;  // [N s/m]
    S tumble, spin;   // [N m s]
  };

  template <class T, class S>
  LS_HD static Wrench<T> wrench(const Params<S>& p, const Vec3<T>& axis, const Twist<T>& slip) {
    const T v = dot(axis, slip.v), w = dot(axis, slip.w);
    return {-(p.across * slip.v + ((p.along - p.across) * v) * axis),
            -(p.tumble * slip.w + ((p.spin - p.tumble) * w) * axis)};
  }
  // Half the power that the fluid takes, W.
  template <class T, class S>
  LS_HD static T potential(const Params<S>& p, const Vec3<T>& axis, const Twist<T>& slip) {
    const Wrench<T> f = wrench(p, axis, slip);
    return -0.5 * (dot(f.force, slip.v) + dot(f.torque, slip.w));
  }
};

// Below this ratio of length to radius the formulas of slender rods are off by more than 7 % along the axis (against
// the fits of Tirado & Garcia de la Torre, J. Chem. Phys. 71 (1979) 2581).
constexpr double least_slenderness = 10;

// A piece of a round rod with straight ends, slenderness = length/radius of the whole rod:
//   across = 4 pi mu l / (ln(L/r) + ln 2 - 1/2),   along = 2 pi mu l / (ln(L/r) + ln 2 - 3/2)
// (Batchelor, J. Fluid Mech. 44 (1970) 419, and Cox, ibid. 791: forces on a straight cylinder to second order in
// 1/ln(L/r); a spheroid as long and as thick in the middle has 1/2 and -1/2 in place of ln 2 - 1/2 and ln 2 - 3/2).
// About its axis it is an endless cylinder that spins: 4 pi mu r^2 l. It has no torque across the axis of its own: that
// of a rod comes of the forces along it.
inline Drag::Params<double> slender_drag(double viscosity, double slenderness, double radius, double length) {
  constexpr double pi = std::numbers::pi, ln2 = std::numbers::ln2;
  const double log = std::log(slenderness), unit = 2 * pi * viscosity * length;
  return {2 * unit / (log + ln2 - 0.5), unit / (log + ln2 - 1.5), 0, 2 * unit * radius * radius};
}

// A ball: 6 pi mu a and 8 pi mu a^3 (Stokes; Lamb, Hydrodynamics, ch. XI).
inline Drag::Params<double> ball_drag(double viscosity, double radius) {
  constexpr double pi = std::numbers::pi;
  const double force = 6 * pi * viscosity * radius, torque = 8 * pi * viscosity * radius * radius * radius;
  return {force, force, torque, torque};
}

}  // namespace ls::inline LS_ISA
