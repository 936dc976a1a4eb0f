#pragma once
#include "terms/make_terms.h"

namespace ls {

// The largest angular frequency of small vibrations about a state, rad/s: the square root of the largest eigenvalue of
// M^-1 K, by Lanczos' method on the stiffness as an operator. held: [node] Hold bits. 0 where nothing is stiff.
double largest_frequency(const Model& m, const Terms& terms, const State& s, const std::vector<std::uint8_t>& held);

// Of rods that of their stiffest parts, which takes less than a second whatever their number, and is right to 1e-6.
// Where more than two bonds meet in a node the stiffest bond does not tell where the fastest vibration is.
bool are_rods(const Model& m);
double largest_frequency_by_parts(const Model& m, const State& s, const std::vector<std::uint8_t>& held);
constexpr int large_model = 20'000;  // nodes

// The largest stable step of velocity Verlet at that frequency, s. Bond damping sees velocities half a step old, which
// costs stability: 2/omega (sqrt(1 + z^2) - z) with z = omega tau/2. Infinite for omega = 0.
double critical_step(double frequency, double damping_time);

// The largest step that can also follow what no vibration about the start tells of, such as bodies that collide: the
// smaller of that of the vibrations and of the terms' own limits. Where these are stiffnesses, as between magnets, a
// vibration may have the sum of all.
double critical_step(double vibrations, const Terms& terms, const State& s, const Inputs& in);

}  // namespace ls
