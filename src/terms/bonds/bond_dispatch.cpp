#include "base/isa.h"
#include "terms/bonds/bond_loops.h"
#include "terms/bonds/bond_stiffness_loops.h"

namespace ls {

inline namespace portable {
BondLoop bond_loop_of_width(int kernel);
const StiffnessLoops& stiffness_loops_of_width(int kernel);
}  // namespace portable
#ifdef LODESTONE_WIDE
namespace avx2 {
BondLoop bond_loop_of_width(int kernel);
const StiffnessLoops& stiffness_loops_of_width(int kernel);
}  // namespace avx2
namespace avx512 {
BondLoop bond_loop_of_width(int kernel);
const StiffnessLoops& stiffness_loops_of_width(int kernel);
}  // namespace avx512
#endif

BondLoop bond_loop(int kernel) {
#ifdef LODESTONE_WIDE
  if (chosen_isa() == Isa::avx512) return avx512::bond_loop_of_width(kernel);
  if (chosen_isa() == Isa::avx2) return avx2::bond_loop_of_width(kernel);
#endif
  return portable::bond_loop_of_width(kernel);
}

const StiffnessLoops& stiffness_loops(int kernel) {
#ifdef LODESTONE_WIDE
  if (chosen_isa() == Isa::avx512) return avx512::stiffness_loops_of_width(kernel);
  if (chosen_isa() == Isa::avx2) return avx2::stiffness_loops_of_width(kernel);
#endif
  return portable::stiffness_loops_of_width(kernel);
}

}  // namespace ls
