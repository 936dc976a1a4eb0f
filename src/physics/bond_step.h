#pragma once
#include "physics/bond_damping.h"

// The stress of a bond over a whole step of the midpoint rule.
//
// With the stress of the middle pose, a step makes the energy U1 - U0 - sigma(middle).gamma from nothing, cubic in the
// step; it adds up without bound in stiff rods that are flung about. So the step is taken as one of an energy-momentum
// rule (Simo and Tarnow 1992; Gonzalez 1996 for the correction):
//   sigma* = (sigma0 + sigma1)/2 + lambda D gamma,   gamma: strain rates at the pose of the whole step's twists (dx,
//   Psi) lambda = (U1 - U0 - (sigma0 + sigma1)/2 . gamma) / (gamma.D gamma + floor)
// whose work is U1 - U0 but for the floor. The wrench of any stress is in balance at the pose, so momentum stays
// exact. Psi = 2 tan(angle/2) is the turn by Cayley's map: with it a rod that turns as a whole has gamma = 0, as it
// should. Without the floor lambda D gamma has no limit as gamma goes to 0, and Newton's method fails in steady spin:
//   floor = 0.1 (|U0| + |U1|)(Psi1^2 + Psi2^2)^2 + rounding
// 0.1 is the least of 0, 0.01, 0.1, 1 that took no more iterations there. Where it acts the mean stress is left alone,
// whose error is 12 to 8000 times less than that of the middle's. A symplectic midpoint was turned down: it loses
// control beyond the critical step. Laws without a stress of their own (stress_of their wrench) do likewise.
// The co-rotational bond is no potential and makes energy by itself, tens of times what a ribbon had within a second;
// the rule gives it the work of its energy all the same, at the price of more iterations where it is strongly bent.
namespace ls::inline LS_ISA {

// The two ends of a bond over a step, as the bond sees them.
template <class P>
struct BondStep {
  Frame<P> start[2], pose[2];
};

template <class P>
LS_HD P work_of(const Stress<P>& s, const StrainRate<P>& e) {
  return s.tension * e.length + dot(s.shear, e.a) + dot(s.moment, e.kappa);
}
template <class P>
LS_HD Stress<P> sum_of(const Stress<P>& a, const P& factor, const Stress<P>& b) {
  return {a.tension + factor * b.tension, a.shear + factor * b.shear, a.moment + factor * b.moment};
}

template <class K, class P>
LS_HD Stress<P> stress_at(const typename K::template Params<P>& law, const Frame<P> (&f)[2], const Halfway<P>& o) {
  if constexpr (requires { K::stress(law, o); }) {
    return K::stress(law, o);
  } else {
    Wrench<P> w[2];
    K::wrench(law, f, w);
    return stress_of(o, w);
  }
}

// sigma*; `middle` is set to the geometry at the pose, which its wrench is to be taken at.
template <class K, class P>
LS_HD Stress<P> step_stress(const typename K::template Params<P>& law, BondStep<P> s, Halfway<P>& middle) {
  Frame<P> end[2];
  Twist<P> way[2];
  P turned(0.0);
  for (int a = 0; a < 2; ++a) {
    const Quat<P> half = s.pose[a].q * conj(s.start[a].q);
    end[a] = {2.0 * s.pose[a].x - s.start[a].x, half * s.pose[a].q};
    way[a] = {2.0 * (s.pose[a].x - s.start[a].x), cayley_vector(half)};
    turned = turned + dot(way[a].w, way[a].w);
  }
  if constexpr (requires { K::take_shorter_way(end); })
    K::take_shorter_way(s.start), K::take_shorter_way(s.pose), K::take_shorter_way(end);
  const auto first = halfway(s.start), last = halfway(end);
  middle = halfway(s.pose);
  const Stress<P> mean = sum_of(stress_at<K, P>(law, s.start, first), P(1.0), stress_at<K, P>(law, end, last));
  const StrainRate<P> gamma = strain_rate(middle, way);
  const auto near_rest = K::small_strain(law);
  const Stress<P> along = BondDamping::stress(near_rest, middle, way);
  P before, after, missing, rounding;
  if constexpr (requires { K::stress(law, first); }) {  // U is quadratic: its change, without a difference of energies
    missing = 0.5 * work_of(mean, StrainRate<P>{last.length - first.length - gamma.length, last.a - first.a - gamma.a,
                                                last.kappa - first.kappa - gamma.kappa});
    before = total(K::energy_seen_from(first, law)), after = total(K::energy_seen_from(last, law));
    rounding = 1e-14 * near_rest.cb1;
  } else {
    before = total(K::energy(law, s.start)), after = total(K::energy(law, end));
    missing = after - before - 0.5 * work_of(mean, gamma);
    rounding = 1e-12 * near_rest.cb1;
  }
  const P size =
      pick(before < 0.0, -before, before) + pick(after < 0.0, -after, after);  // of the vector bond U may be < 0
  const P floor = 0.1 * size * turned * turned + rounding;
  const P lambda = missing / (work_of(along, gamma) + floor);
  return {0.5 * mean.tension + lambda * along.tension, 0.5 * mean.shear + lambda * along.shear,
          0.5 * mean.moment + lambda * along.moment};
}

}  // namespace ls::inline LS_ISA
