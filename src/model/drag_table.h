#pragma once
#include "physics/drag.h"

namespace ls {

// What a fluid without inertia or walls does to a node, for one of the bodies that it belongs to.
struct DragPiece {
  int node = 0;
  Vec3<double> axis{0, 0, 1};  // unit, in the node's own axes
  Drag::Params<double> law{};
};

}  // namespace ls
