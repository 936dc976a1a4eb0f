#pragma once

// Second derivatives of the energy of one dipole with a run of others: each vector width has its own copy.
namespace ls {

// Symmetric 3x3 parts by rows of their lower half: xx, yx, yy, zx, zy, zz. All over mu0/(4 pi).
struct SlopeSums {
  double curvature[6] = {}, slope[6] = {};  // of U to the place of the dipole; of the field of the others there
  double field[3] = {}, force[3] = {};
};

struct SlopeRun {
  const double* x[3];       // [dipole] m
  const double* m[3];       // [dipole] A m^2
  int one = 0;              // the dipole
  int first = 0, last = 0;  // the others; the columns go on for eight more
};

struct SlopeLoops {
  void (*add)(const SlopeRun&, SlopeSums&);
};
const SlopeLoops& slope_loops();

}  // namespace ls
