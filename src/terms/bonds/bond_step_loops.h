#pragma once
#include "terms/bonds/bond_loops.h"

// What bonds do in a step of the midpoint rule (physics/bond_step.h), in packs; compiled once per vector width like
// bond_loops.cpp.
namespace ls {

struct BondStepBatch {
  BondBatch bonds;         // at the pose in the middle
  const double* start[3];  // [node] where the step set out: places
  const double* turn[4];   // [node] and orientations
};
struct BondStepLoops {
  // Wrenches of the bonds in blocks [first, last).
  void (*wrenches)(const BondStepBatch&, int first, int last);
  // The elastic stress of one block: [stress number][slot in block]. foreseen: after the moves that stand in the
  // velocities of the batch, by the linear model.
  void (*stress)(const BondStepBatch&, int block, bool foreseen, double* stress);
};

struct BondStepLoopList {
  BondStepLoops of_kernel[most_kernels];  // [index in BondKernels]
};
const BondStepLoops& bond_step_loops(int kernel);

}  // namespace ls
