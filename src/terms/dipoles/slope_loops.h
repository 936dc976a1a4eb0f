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

// Of a dipole, by rows: curvature and slope as in SlopeSums, field.
inline constexpr int cross_sums = 15;
using LanesOfSums = double[cross_sums][8];

// The dipoles of a node with eight others, each of its own node.
struct CrossRun {
  const double* x[3];        // [dipole] m
  const double* m[3];        // [dipole] A m^2
  const double* lever;       // [dipole][axis] m, from its node
  int first = 0, last = 0;   // those of the one node
  const double* other_x[3];  // [of eight]; who is none has no moment and is far away
  const double* other_m[3];
  const double* other_lever[3];
  // What each feels of all on the other side. own: [dipole of the one node from first on] to add to, by lanes, which
  // are to be summed at the end; others: to be set. Null: not wanted.
  LanesOfSums* own = nullptr;
  LanesOfSums* others = nullptr;
};

struct SlopeLoops {
  void (*add)(const SlopeRun&, SlopeSums&);
  // Second derivatives of the energy of each of the eight with all of the node, by rows of the node's own degrees of
  // freedom and columns of the other node's.
  void (*blocks)(const CrossRun&, double (&out)[36][8]);
};
const SlopeLoops& slope_loops();

}  // namespace ls
