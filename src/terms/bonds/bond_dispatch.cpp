#include "base/widths.h"
#include "terms/bonds/bond_loops.h"
#include "terms/bonds/bond_step_loops.h"
#include "terms/bonds/bond_stiffness_loops.h"

ls::BondLoop ls::bond_loop(int kernel) {
  return widest<BondLoops>().of_kernel[kernel];
}

const ls::StiffnessLoops& ls::stiffness_loops(int kernel) {
  return widest<StiffnessLoopList>().of_kernel[kernel];
}

const ls::BondStepLoops& ls::bond_step_loops(int kernel) {
  return widest<BondStepLoopList>().of_kernel[kernel];
}
