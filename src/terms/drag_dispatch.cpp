#include "base/widths.h"
#include "terms/drag_loops.h"

const ls::DragLoops& ls::drag_loops() {
  return widest<DragLoops>();
}
