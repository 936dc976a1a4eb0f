#include "base/isa.h"
#include "step/node_loops.h"

namespace ls {

inline namespace portable {
NodeLoops node_loops_of_width();
}
#ifdef LODESTONE_WIDE
namespace avx2 {
NodeLoops node_loops_of_width();
}
namespace avx512 {
NodeLoops node_loops_of_width();
}
#endif

namespace {
NodeLoops choose() {
#ifdef LODESTONE_WIDE
  if (chosen_isa() == Isa::avx512) return avx512::node_loops_of_width();
  if (chosen_isa() == Isa::avx2) return avx2::node_loops_of_width();
#endif
  return portable::node_loops_of_width();
}
}  // namespace

const NodeLoops& node_loops() {
  static const NodeLoops loops = choose();
  return loops;
}

}  // namespace ls
