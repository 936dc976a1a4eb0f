#pragma once
#include "model/model.h"

namespace ls {

// The largest angular frequency of small vibrations about a state, rad/s: the square root of the largest eigenvalue of
// M^-1 K, by Lanczos' method on the stiffness as an operator. held: [node] Hold bits. 0 where nothing is stiff.
double largest_frequency(const Model& m, const State& s, const std::vector<std::uint8_t>& held);

// The largest stable step of velocity Verlet at that frequency, s. Bond damping sees velocities half a step old, which
// costs stability: 2/omega (sqrt(1 + z^2) - z) with z = omega tau/2. Infinite for omega = 0.
double critical_step(double frequency, double damping_time);

// The largest step that can also follow bodies that collide, of which no vibration about the start tells: the smaller
// of that of the bonds and of what the terms foresee (Term::max_step).
double critical_step(double bonds, const Model& m, const State& s, const Inputs& in);

}  // namespace ls
