#pragma once
#include "fluid/immersed/delta.h"

namespace ls {

// The cells around a place, and their weights axis by axis. What would lie beyond a face is folded back into the box,
// with the sign that the face gives the mirrored flow: the velocity beyond a wall is minus that before it (relative to
// the wall), beyond a free-slip face only its normal component is. A component of the velocity along axis a has the
// weights `along[a]` on that axis and `across[b]` on the others. Reading and spreading use the same weights.
struct Stencil {
  static constexpr int most = 4, none = -2'000'000'000;
  int width = 3;
  bool is_plain = true;    // no face is near
  bool is_uniform = true;  // `across` has the weights of all components, and the cells along x follow each other
  int first[3] = {none, none, none};  // cell of each axis, before it is folded
  int cell[3][most];
  double across[3][most];
  int row[most][most];  // [z][y] where cell 0 of its rows is in a RowField
  double along[3][most];
  double slope[3][most];  // derivatives of `across` to the place, where they are asked for
  double beyond[3][2];    // [axis][side] weight beyond walls, where it is not plain

  double weight(int component, int axis, int k) const {
    return component == axis && !is_uniform ? along[axis][k] : across[axis][k];
  }
  // What walls that move add to a velocity read here.
  Vec3<double> from_walls(const LatticeDrive& drive) const;
  // The sum of all weights of a component: less than 1 where a wall takes its share.
  double total(int component) const;
};

// place in cells.
Stencil make_stencil(const LatticeSpec& spec, DeltaKernel kernel, const Vec3<double>& place);
// Into a stencil that is there already, slopes too if wanted; its rows are set by whoever knows them. True: it has
// other cells now.
bool set_stencil(const LatticeSpec& spec, DeltaKernel kernel, const Vec3<double>& place, bool slopes, Stencil& s);

}  // namespace ls
