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

inline constexpr int block_room = 40;  // numbers: a block of 6x6 by rows, and what fills a register

// The dipoles of a node with eight others, each of its own node.
struct CrossRun {
  const double* x[3];        // [dipole] m
  const double* m[3];        // [dipole] A m^2
  int first = 0, last = 0;   // those of the one node
  double place[3];           // m, of that node
  const double* other_x[3];  // [of eight]; who is none has no moment and is far away
  const double* other_m[3];
  const double* other_lever[3];  // m, from its node
};

struct SlopeLoops {
  void (*add)(const SlopeRun&, SlopeSums&);
  // Second derivatives of the energy of each of the eight with all of the node: rows of its own node's degrees of
  // freedom, columns of the one node's.
  void (*blocks)(const CrossRun&, double (&out)[8][block_room]);
};
const SlopeLoops& slope_loops();

}  // namespace ls
