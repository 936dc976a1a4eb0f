#pragma once

// The hot loops over bonds as plain functions on plain arrays: each vector width has its own copy, compiled from
// bond_loops.cpp into a namespace of its own, and the best one for this CPU is chosen at start.
namespace ls {

// Consecutive blocks of eight slots that share one class of bonds (broadcast), or that do not (cls = -1).
struct BondRun {
  int first_block, last_block;  // [first, last)
  int cls;
  bool has_gaps = false;  // some slots have no bond, though all bonds are of one class: the ends of rods
};

struct BondBatch {
  const double* x[3];  // [node]
  const double* q[4];
  const double* v[3];
  const double* w[3];
  const int* node1;       // [slot] of indexed bonds; null for a chain, whose bond k joins nodes k and k+1
  const int* node2;       //
  const int* cls;         // [slot] class of the bond, -1 for none (padding, a gap between rods, a broken bond)
  const double* present;  // [slot] of a chain: 1 where there is a bond, else 0
  const double* table;    // [class][stride] law, damping, rest turn of node 1, of node 2
  int stride;             //
  const BondRun* runs;    //
  int run_count;          //
  bool damped;            // some class has damping
  bool turned;            // some class has rest turns
  double* force[3];       // [slot] on node 1
  double* torque1[3];     // [slot]
  double* torque2[3];     // [slot]
};

// Wrenches of the bonds in blocks [first, last).
using BondLoop = void (*)(const BondBatch&, int first, int last);

inline constexpr int stress_numbers = 7;  // of a bond: tension, shear, moment
inline constexpr int most_kernels = 8;
struct BondLoops {
  BondLoop of_kernel[most_kernels];  // [index in BondKernels]
};
BondLoop bond_loop(int kernel);

}  // namespace ls
