#pragma once
#include "fluid/delta.h"

namespace ls {

// The cells around a place, and their weights axis by axis. What would lie beyond a face is folded back into the box,
// with the sign that the face gives the mirrored flow: the velocity beyond a wall is minus that before it (relative to
// the wall), beyond a free-slip face only its normal component is. A component of the velocity along axis a has the
// weights `along[a]` on that axis and `across[b]` on the others. Reading and spreading use the same weights.
struct Stencil {
  static constexpr int most = 4;
  int width = 3;
  bool is_plain = true;  // no face is near, and the cells follow each other
  int cell[3][most];
  double along[3][most], across[3][most];
  double slope[3][most];      // derivatives of `across` to the place
  Vec3<double> from_walls{};  // what walls that move add to a velocity read here
  int slot[most][most];       // [z][y] of its rows in the fields of FluidWork

  double weight(int component, int axis, int k) const { return component == axis ? along[axis][k] : across[axis][k]; }
  // The sum of all weights of a component: less than 1 where a wall takes its share.
  double total(int component) const;
};

// place in cells.
Stencil make_stencil(const LatticeSpec& spec, DeltaKernel kernel, const LatticeDrive& drive, const Vec3<double>& place,
                     bool slopes = false);

}  // namespace ls
