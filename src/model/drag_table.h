#pragma once
#include "physics/drag.h"

namespace ls {

// What a fluid without inertia or walls does to a node, for one of the bodies that it belongs to.
struct DragPiece {
  int node = 0;
  Vec3<double> axis{0, 0, 1};  // unit, in the node's own axes
  Drag::Params<double> law{};
};

// Damping of one body: its nodes, each once.
struct NodeDamping {
  int node = 0;
  double rate = 0;       // 1/s, of its velocity
  double spin_rate = 0;  // 1/s
};

}  // namespace ls
