#include "base/isa.h"
#include "fluid/immersed/marker_loops.h"

namespace ls {

inline namespace portable {
const MarkerLoops& marker_loops_of_width();
}
#ifdef LODESTONE_WIDE
namespace avx2 {
const MarkerLoops& marker_loops_of_width();
}
namespace avx512 {
const MarkerLoops& marker_loops_of_width();
}
#endif

namespace {

const MarkerLoops& widest_marker_loops() {
#ifdef LODESTONE_WIDE
  if (chosen_isa() == Isa::avx512) return avx512::marker_loops_of_width();
  if (chosen_isa() == Isa::avx2) return avx2::marker_loops_of_width();
#endif
  return portable::marker_loops_of_width();
}

}  // namespace

const MarkerLoops& marker_loops() {
  static const MarkerLoops& loops = widest_marker_loops();  // asked for at every marker
  return loops;
}

}  // namespace ls
