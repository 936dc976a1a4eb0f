#pragma once
#include "fluid/lattice/fluid.h"

namespace ls {

// Interpolates along one axis between the centres of cells, for one component of the velocity: cubic convolution (Keys
// 1981), so a parabola is read exactly, and in the centre of a cell its own value. What would lie beyond a wall follows
// the parabola through the wall's velocity on the face and the two cells before it: on the wall itself that is read.
struct AxisWeights {
  int cell[4];
  double weight[4];      // of the cells
  double wall[2];        // of the velocities of the walls at both ends
  double total() const;  // of the cells
};
// x: in cells, from 0 to their number. slope: of the derivative to x, which is continuous, and in the centre of a cell
// half the difference of its neighbours.
AxisWeights axis_weights(const LatticeSpec& spec, int axis, int component, double x, bool slope = false);

// At a place of the box given in cells, in lattice units; half of the force on the fluid is in it as in the cells' own.
struct FlowAt {
  Vec3<double> velocity{};
  Vec3<double> slope[3];  // [axis] derivatives of the velocity
};
// forces: of markers, in the last step; null: none. The markers' delta function, which sample_velocities() reads with,
// would average over three cells instead.
FlowAt flow_at(const Fluid& fluid, const FluidState& s, const LatticeDrive& drive, const RowField* forces,
               const Vec3<double>& place);

}  // namespace ls
