#pragma once
#include "dipoles/tree/harmonics.h"

// From dipoles to expansions about a cell and back, as plain functions: each vector width has its own copy
// (expansion_loops.cpp). Expansions begin with degree 1 and are in units of the cell.
namespace ls {

struct ExpansionCell {
  double centre[3];
  double side;
};

// A run of dipoles, in the order of the tree.
struct DipoleRun {
  const double* x[3];  // [dipole]
  const double* m[3];
  int begin, end;
};

struct DerivativeTable {
  const Derivative* entries;
  int count;
};

template <class R>
struct ExpansionLoops {
  // Multipoles of dipoles in the cell, local coefficients of dipoles far from it. The table: derivatives of all
  // harmonics (regular; irregular) of degree 1 to order.
  void (*add_multipoles)(const DipoleRun&, const ExpansionCell&, int order, const DerivativeTable&, R* out);
  void (*add_local)(const DipoleRun&, const ExpansionCell&, int order, const DerivativeTable&, R* out);
  // Adds B and the force on the dipoles, of local coefficients or of multipoles about a cell. Tables: first
  // derivatives, and those of the derivatives.
  void (*read_local)(const R* coefficients, const ExpansionCell&, int order, const DerivativeTable (&tables)[2],
                     const DipoleRun&, double* const (&field)[3], double* const (&force)[3]);
  void (*read_multipoles)(const R* coefficients, const ExpansionCell&, int order, const DerivativeTable (&tables)[2],
                          const DipoleRun&, double* const (&field)[3], double* const (&force)[3]);
};
template <class R>
const ExpansionLoops<R>& expansion_loops();

}  // namespace ls
