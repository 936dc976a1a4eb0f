#include "base/isa.h"
#include "math/block_ldlt_loops.h"

namespace ls {

inline namespace portable {
const BlockLoops& block_loops_of_width();
}
#ifdef LODESTONE_WIDE
namespace avx2 {
const BlockLoops& block_loops_of_width();
}
namespace avx512 {
const BlockLoops& block_loops_of_width();
}
#endif

const BlockLoops& block_loops() {
#ifdef LODESTONE_WIDE
  if (chosen_isa() == Isa::avx512) return avx512::block_loops_of_width();
  if (chosen_isa() == Isa::avx2) return avx2::block_loops_of_width();
#endif
  return portable::block_loops_of_width();
}

}  // namespace ls
