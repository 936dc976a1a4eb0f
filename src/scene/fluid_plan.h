#pragma once
#include "fluid/lattice/fluid.h"
#include "language/expression.h"

#include <memory>
#include <optional>

namespace ls {

// What the schedule says of one face of the box.
struct FacePlan {
  std::optional<std::array<Expression, 3>> velocity;  // m/s, of a wall or an inlet
  std::optional<Expression> pressure;                 // Pa, beyond that of fluid at rest
};

struct TracerPlan {
  int count = 0;
  std::uint64_t seed = 1;
  Vec3<double> low{}, high{};  // m, corners of the region that they start in
  double cycle = 0;            // s; 0: displacements are not counted by cycles
};

// A plane across the box, for output.
struct SlicePlan {
  int axis = 0;
  int cell = 0;  // the layer of cells that the plane is nearest to
};

// What a scene says of its fluid beyond what the lattice is made of.
struct FluidPlan {
  std::shared_ptr<const Fluid> box;                     // null: there is no fluid
  std::optional<std::array<Expression, 3>> body_force;  // N/m^3
  std::array<std::array<FacePlan, 2>, 3> faces;         // [axis][side]
  double speed = 0;  // m/s, the largest that was said or that a face has; 0: nothing is known
  TracerPlan tracers;

  explicit operator bool() const { return box != nullptr; }
};

// The numbers that a lattice is judged by.
struct FluidNumbers {
  double tau = 0;            // relaxation time, in steps
  double mach = 0;           // of the largest speed expected; 0: not known
  double cell_reynolds = 0;  // likewise
  long long cells = 0;
  std::size_t bytes = 0;  // of the populations
};
FluidNumbers fluid_numbers(const Fluid& fluid, double speed);

}  // namespace ls
