#include "base/widths.h"
#include "fluid/immersed/marker_loops.h"

const ls::MarkerLoops& ls::marker_loops() {
  return widest<MarkerLoops>();
}
