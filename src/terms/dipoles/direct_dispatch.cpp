#include "base/widths.h"
#include "terms/dipoles/direct_loops.h"
#include "terms/dipoles/slope_loops.h"

const ls::DirectLoops& ls::direct_loops() {
  return widest<DirectLoops>();
}

const ls::SlopeLoops& ls::slope_loops() {
  return widest<SlopeLoops>();
}
