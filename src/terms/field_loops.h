#pragma once

// Torques of a uniform field on many nodes in a row that have a magnetic moment each: each vector width has its own
// copy.
namespace ls {

struct UniformFieldRun {
  const double* q[4];       // [node]
  const double* moment[3];  // [node] A m^2, in the node's own axes; 0: none
  double b[3];              // T
  double scale;             // of the moments
  double* torque[3];        // [node] to add to
};

struct FieldLoops {
  // Of blocks [first, last) of eight nodes.
  void (*add_torques)(const UniformFieldRun&, int first, int last);
};
const FieldLoops& field_loops();

}  // namespace ls
