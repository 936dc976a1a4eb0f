#pragma once
#include "terms/bonds/bond_loops.h"

// Stiffness of bonds in packs, a block of eight slots at a time; compiled once per vector width like bond_loops.cpp.
namespace ls {

inline constexpr int pair_numbers = 108;  // of a bond in the matrix: three blocks of 6x6
inline constexpr int pair_stride = 112;   // with what whole registers take up

struct StiffnessBatch {
  BondBatch bonds;
  double rate;              // 1/s: velocities follow displacements by this factor
  const double* predicted;  // [block][stress number][slot in block]; null: exact stiffness
};
struct StiffnessLoops {
  // Of one block: [slot in block][pair number], as BlockMatrix::add_pair takes it.
  void (*stiffness)(const StiffnessBatch&, int block, double* h);
  // Stresses foreseen after the moves that stand in the velocities of the batch: [stress number][slot in block].
  void (*predict)(const BondBatch&, int block, double* stress);
};

struct StiffnessLoopList {
  StiffnessLoops of_kernel[most_kernels];  // [index in BondKernels]
};
const StiffnessLoops& stiffness_loops(int kernel);

}  // namespace ls
