#include "base/widths.h"
#include "math/block_ldlt_loops.h"

const ls::BlockLoops& ls::block_loops() {
  return widest<BlockLoops>();
}
