#pragma once
#include <cmath>
#include <limits>

namespace ls {

// The largest stable step of velocity Verlet for an oscillator of the given angular frequency (rad/s), s. A dashpot of
// c = damping_time * k that sees velocities half a step old costs stability: 2/omega (sqrt(1 + z^2) - z) with
// z = omega tau/2. Infinite for omega = 0.
inline double verlet_limit(double frequency, double damping_time) {
  if (frequency <= 0) return std::numeric_limits<double>::infinity();
  const double z = 0.5 * frequency * damping_time;
  return 2 / frequency * (std::sqrt(1 + z * z) - z);
}

}  // namespace ls
