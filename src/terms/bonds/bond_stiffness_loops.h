#pragma once
#include "terms/bonds/bond_loops.h"

// Stiffness of bonds in packs, a block of eight slots at a time; compiled once per vector width like bond_loops.cpp.
namespace ls {

struct StiffnessBatch {
  BondBatch bonds;
  double rate;              // 1/s: velocities follow displacements by this factor
  const double* predicted;  // [block][stress number][slot in block]; null: exact stiffness
};
struct StiffnessLoops {
  // Of one block: [row][column][slot in block], over r = x2 - x1 and the turns of both nodes.
  void (*stiffness)(const StiffnessBatch&, int block, double* h);
  // Stresses foreseen after the moves that stand in the velocities of the batch: [stress number][slot in block].
  void (*predict)(const BondBatch&, int block, double* stress);
};

struct StiffnessLoopList {
  StiffnessLoops of_kernel[most_kernels];  // [index in BondKernels]
};
const StiffnessLoops& stiffness_loops(int kernel);

}  // namespace ls
