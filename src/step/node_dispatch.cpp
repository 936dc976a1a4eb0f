#include "base/widths.h"
#include "step/node_loops.h"

const ls::NodeLoops& ls::node_loops() {
  return widest<NodeLoops>();
}
