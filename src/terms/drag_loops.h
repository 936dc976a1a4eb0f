#pragma once

// Drag of many nodes in a row that share one law, in a fluid at rest: each vector width has its own copy.
namespace ls {

struct DragRun {
  const double* q[4];  // [node]
  const double* v[3];
  const double* w[3];
  double* force[3];   // [node] to add to
  double* torque[3];  // [node]
  double law[7];      // across, along, tumble, spin, and the axis
};

struct DragLoops {
  // Of blocks [first, last) of eight nodes.
  void (*add)(const DragRun&, int first, int last);
};
const DragLoops& drag_loops();

}  // namespace ls
