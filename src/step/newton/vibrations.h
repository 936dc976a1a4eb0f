#pragma once
#include "step/newton/newton.h"

namespace ls {

// A small motion about a state: K u = omega^2 M u, u.M u = 1. omega^2 below 0: the state is unstable against it.
struct Vibration {
  double omega_squared = 0;          // 1/s^2
  std::vector<Twist<double>> shape;  // [node] v of the positions (m), w turns (rad); the largest displacement positive
  double frequency() const;          // Hz; negative: the rate of growth over 2 pi
};

// The vibrations with omega^2 nearest to -shift (1/s^2), lowest first, by Lanczos' method on (K + shift M)^-1 M. Fewer
// where the model has fewer, none where that matrix can't be factored: with no shift, where a body floats freely.
std::vector<Vibration> lowest_vibrations(const Model& m, const Inputs& in, const std::vector<HeldNode>& held,
                                         const State& s, NewtonWork& newton, int count, double shift = 0);

// The same with a shift that it finds by itself: the state may float, and all that is unstable comes first. What floats
// has an omega^2 of 0 but for rounding.
std::vector<Vibration> natural_vibrations(const Model& m, const Inputs& in, const std::vector<HeldNode>& held,
                                          const State& s, NewtonWork& newton, int count);

// The size of the omega^2 of the vibration of that number (from 1), to a power of ten; motions of bodies that float do
// not count.
double vibration_scale(const Model& m, const Inputs& in, const std::vector<HeldNode>& held, const State& s,
                       NewtonWork& newton, int number);

// Whether an equilibrium is stable: no negative pivot in its stiffness, or none but of motions that nothing resists (a
// curved rope that hangs from a nail turns about the vertical freely), which rounding may give either sign. Leaves the
// number of unstable directions in s.memory.
bool is_stable(const Model& m, const Inputs& in, State& s, NewtonWork& newton);

// K += factor * M, in world axes.
void add_mass(const Model& m, const State& s, double factor, BlockMatrix& stiffness);

}  // namespace ls
