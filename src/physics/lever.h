#pragma once
#include "math/vec.h"

// A force acts on a node at the end of a lever that turns with it. What is known of the end (its displacement p, the
// turn theta) goes over to the node by
//   p = x + theta x lever + theta x (theta x lever)/2 + ...
namespace ls::inline LS_ISA {

// A 6x6 block of second derivatives whose columns belong to the end of a lever, for the node instead.
LS_HD inline void shift_columns(double* block, const Vec3<double>& lever) {
  for (int r = 0; r < 6; ++r) {
    const Vec3<double> turned = cross(Vec3<double>{block[6 * r], block[6 * r + 1], block[6 * r + 2]}, lever);
    block[6 * r + 3] -= turned.x, block[6 * r + 4] -= turned.y, block[6 * r + 5] -= turned.z;
  }
}
LS_HD inline void shift_rows(double* block, const Vec3<double>& lever) {
  for (int c = 0; c < 6; ++c) {
    const Vec3<double> turned = cross(Vec3<double>{block[c], block[6 + c], block[12 + c]}, lever);
    block[18 + c] -= turned.x, block[24 + c] -= turned.y, block[30 + c] -= turned.z;
  }
}

// What the second order of the lever's turn does to a node under a force: (lever.f) 1 - (lever f^T + f lever^T)/2.
LS_HD inline void add_lever_stiffness(const Vec3<double>& lever, const Vec3<double>& force, double* block) {
  const double l[3] = {lever.x, lever.y, lever.z}, f[3] = {force.x, force.y, force.z}, along = dot(lever, force);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      block[6 * (3 + r) + 3 + c] += (r == c ? along : 0.0) - 0.5 * (l[r] * f[c] + f[r] * l[c]);
}

}  // namespace ls::inline LS_ISA
