#pragma once
#include "math/frame.h"

#include <cmath>
#include <numbers>

// Two elastic bodies that press on each other at one place: Hertz across it (Johnson, Contact Mechanics, ch. 4),
// Mindlin along it without slip (ch. 7), Coulomb's limit, and a dashpot chosen by the restitution. It is the law that
// granular codes mean by "Hertz-Mindlin" (LAMMPS: pair granular, hertz/material, tsuji, mindlin), with two differences
// that docs/theory/hertz_mindlin.md gives reasons for: surfaces never pull, and the restitution is met exactly.
namespace ls::inline LS_ISA {

// What one body brings to a contact. A rigid one has no compliance.
struct ContactSide {
  double normal = 0;    // 1/Pa, (1 - nu^2)/E
  double shear = 0;     // 1/Pa, 2 (2 - nu) (1 + nu)/E
  double damping = 0;   // 1, see damping_of()
  double friction = 0;  // 1
};
LS_HD inline ContactSide contact_side(double young, double poisson, double damping, double friction) {
  if (young == 0) return {0, 0, damping, friction};
  return {(1 - poisson * poisson) / young, 2 * (2 - poisson) * (1 + poisson) / young, damping, friction};
}

// Both together: 1/E* and 1/G* are sums; of two frictions and of two restitutions the smaller one holds.
struct ContactLawOf {
  double young = 0;  // Pa, E*
  double shear = 0;  // Pa, G*
  double damping = 0;
  double friction = 0;
  double rolling = 0;  // 1, coefficient of rolling resistance
  double slow = 1e-3;  // m/s, below it rolling resistance grows with the speed
};
LS_HD inline ContactLawOf contact_of(const ContactSide& a, const ContactSide& b) {
  ContactLawOf c;
  c.young = 1 / (a.normal + b.normal);
  c.shear = 1 / (a.shear + b.shear);
  c.damping = a.damping > b.damping ? a.damping : b.damping;
  c.friction = a.friction < b.friction ? a.friction : b.friction;
  return c;
}

// Restitution that the dashpot c = alpha sqrt(m* k) overlap^(1/4) leaves, for k overlap^(3/2) - c v cut off where it
// would pull. With z = overlap^(5/4) the motion in the plane of (z, velocity) is that of a linear oscillator whose
// share of critical damping is zeta = alpha/sqrt(5) (Antypov and Elliott, 2011), and the force vanishes
// where the oscillator's does. So for zeta = sin phi: e = exp(-(pi - 2 phi) tan phi), and for zeta = cosh chi: e =
// exp(-2 chi coth chi).
inline double restitution_of(double damping) {
  const double zeta = damping / std::sqrt(5.0);
  if (std::abs(zeta - 1) < 1e-9) return std::exp(-2.0);
  if (zeta < 1) {
    const double phi = std::asin(zeta);
    return std::exp(-(std::numbers::pi - 2 * phi) * std::tan(phi));
  }
  const double chi = std::acosh(zeta);
  return std::exp(-2 * chi / std::tanh(chi));
}

// The inverse, by halving: restitution_of falls all the way. No dashpot brings bodies to rest in one touch, and one
// that nearly does needs a tiny step, so less than `least_restitution` counts as that.
inline constexpr double least_restitution = 0.05;
inline double damping_of(double restitution) {
  if (restitution >= 1) return 0;
  const double wanted = restitution > least_restitution ? restitution : least_restitution;
  double low = 0, high = 8;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (restitution_of(middle) > wanted ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// A place where two bodies, a and b, overlap.
struct ContactPlace {
  double overlap = 0;       // m, positive
  double radius = 0;        // m, R*: 1/R* is the sum of both curvatures
  double mass = 0;          // kg, m*: 1/m* is how much faster they part for a unit of impulse
  Vec3<double> normal{};    // unit, from b to a
  Vec3<double> velocity{};  // m/s, of a's surface there relative to b's
  Vec3<double> spin{};      // rad/s, of a relative to b
  double turning = 0;       // rad/s, mean spin of both about the normal: what is stored about the place turns with it
};

// On a; b gets the opposite. The torque is that of rolling resistance alone, whatever point it is taken about.
struct ContactForce {
  Vec3<double> force{}, torque{};  // N, N m
};

// k overlap^(3/2) with k = 4/3 E* sqrt(R*), and its slope. Energy: 2/5 k overlap^(5/2).
LS_HD inline double hertz_force(const ContactLawOf& c, double radius, double overlap) {
  return 4.0 / 3.0 * c.young * sqrt(radius * overlap) * overlap;
}
LS_HD inline double hertz_slope(const ContactLawOf& c, double radius, double overlap) {
  return 2 * c.young * sqrt(radius * overlap);
}
LS_HD inline double hertz_energy(const ContactLawOf& c, double radius, double overlap) {
  return 0.4 * hertz_force(c, radius, overlap) * overlap;
}
LS_HD inline double mindlin_slope(const ContactLawOf& c, double radius, double overlap) {
  return 8 * c.shear * sqrt(radius * overlap);
}
// The coefficient of both dashpots, kg/s. sqrt(m* k) overlap^(1/4) = sqrt(m* times the slope times 2/3).
LS_HD inline double contact_damping(const ContactLawOf& c, double mass, double radius, double overlap) {
  return c.damping * sqrt(2.0 / 3.0 * mass * hertz_slope(c, radius, overlap));
}

// The stored slip as it lies after `dt`: in the plane of contact as that is now, no shorter for having been turned into
// it, and turned about the normal with the bodies.
LS_HD inline Vec3<double> carried(const Vec3<double>& slip, const ContactPlace& p, double dt) {
  const double before = norm(slip);
  if (before == 0) return {};
  Vec3<double> s = slip + (dt * p.turning) * cross(p.normal, slip);
  s = s - dot(s, p.normal) * p.normal;
  const double after = norm(s);
  return after > 0 ? (before / after) * s : Vec3<double>{};
}

// normal force = max(0, k overlap^(3/2) - c v_n), tangential = -(k_t slip + c v_t), not more than friction times the
// normal force. slip: m, how far a's surface has moved along b's elastically; comes in as of the last step and leaves
// as of `dt` later. Where the surfaces slide, it is what the limit leaves of it.
LS_HD inline ContactForce hertz_mindlin(const ContactLawOf& c, const ContactPlace& p, Vec3<double>& slip, double dt) {
  const double damping = contact_damping(c, p.mass, p.radius, p.overlap);
  const double apart = dot(p.velocity, p.normal);
  // Velocity Verlet hands over velocities half a step old. By the end of the step the force itself has changed them by
  // dt/2 of itself over m*; a dashpot that sees those makes an error of second order in the restitution, not of first.
  const double lag = damping > 0 ? 0.5 * dt * damping / p.mass : 0;
  const double raw = (hertz_force(c, p.radius, p.overlap) - damping * apart) / (1 + lag);
  const double press = raw > 0 ? raw : 0;
  ContactForce out{press * p.normal, {}};

  if (c.friction > 0) {
    const Vec3<double> along = p.velocity - apart * p.normal;
    const double stiffness = mindlin_slope(c, p.radius, p.overlap), most = c.friction * press;
    slip = carried(slip, p, dt) + dt * along;
    const double stretch = norm(slip);
    const Vec3<double> whole = stiffness * slip + damping * along;
    const double drag = norm(whole);
    out.force = out.force - (drag > most ? most / drag : 1.0) * whole;
    if (stiffness * stretch > most) slip = (most / (stiffness * stretch)) * slip;
  }
  if (c.rolling > 0) {
    const Vec3<double> roll = p.spin - dot(p.spin, p.normal) * p.normal;
    const double rate = norm(roll), lever = c.rolling * p.radius * press;
    // A dashpot up to the speed c.slow, but never one that would turn the rolling back within a step.
    double slope = lever * p.radius / c.slow;
    const double limit = dt > 0 ? 0.2 * p.mass * p.radius * p.radius / dt : slope;
    slope = slope < limit ? slope : limit;
    const double torque = slope * rate < lever ? slope * rate : lever;
    if (rate > 0) out.torque = (-torque / rate) * roll;
  }
  return out;
}

}  // namespace ls::inline LS_ISA
