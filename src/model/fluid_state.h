#pragma once
#include "base/huge_bytes.h"
#include "math/vec.h"

#include <array>
#include <vector>

namespace ls {

// What went into the fluid since the start, in lattice units: with the momentum P of the fluid,
//   P = P at the start + faces + body + markers + images
// to rounding.
struct FluidImpulse {
  std::array<std::array<Vec3<double>, 2>, 3> faces{};  // [axis][side] beyond the pressure of fluid at rest
  Vec3<double> body{};
  Vec3<double> markers{};  // what solids gave
  Vec3<double> images{};   // what of that walls within reach of a marker took at once, with a minus
};

// Points that go with the flow.
struct Tracers {
  std::vector<Vec3<double>> x;         // [tracer] m; beyond periodic faces they go on, so that a track has no jumps
  std::vector<Vec3<double>> velocity;  // [tracer] m/s, when they last moved
  std::vector<Vec3<double>> mark;      // [tracer] m, where they were when the cycle under way began
  long long moved = 0;                 // steps of the fluid when they last moved
  int stride = 1;                      // steps until they move again
};

// All of the fluid that changes. The lattice knows how its populations are laid out.
struct FluidState {
  HugeBytes populations;
  bool odd = false;     // in which of the two places in-place streaming has left them
  long long steps = 0;  // of the fluid since the start
  FluidImpulse impulse;
  FluidImpulse before;  // the same, one step ago: forces are the difference
  Tracers tracers;
};

}  // namespace ls
