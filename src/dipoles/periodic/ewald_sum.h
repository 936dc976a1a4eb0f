#pragma once
#include "base/parallel.h"
#include "dipoles/dipole_set.h"
#include "dipoles/periodic/box_cells.h"
#include "dipoles/periodic/periodic_box.h"
#include "dipoles/periodic/screened_pairs.h"
#include "dipoles/periodic/wave_part.h"

namespace ls {

// How a sum over all copies of a box is split into one over near pairs and one over waves.
struct EwaldSplit {
  double alpha = 0;    // 1/m
  double cut = 0;      // m, of pairs
  double longest = 0;  // 1/m, of wave vectors
};
// `tilt` moves work from pairs to waves (> 1) or back: no more than the time depends on it.
EwaldSplit ewald_split(const PeriodicBox& box, int count, double accuracy, double tilt = 1);

// Fields, forces and energy of dipoles in a periodic box by the plain Ewald sum: exact up to where both of its sums are
// cut, with a time that goes with the number to the power 3/2 at best. The reference for what is faster, and the method
// for some hundreds of dipoles. See docs/theory/dipole_sums.md.
class EwaldSum {
 public:
  EwaldSum(const PeriodicBox& box, double accuracy, double tilt = 1) : box_(box), accuracy_(accuracy), tilt_(tilt) {}

  void compute(const DipoleSet& set, Team& team, DipoleFields& out);

 private:
  PeriodicBox box_;
  double accuracy_, tilt_;
  EwaldSplit split_;  // of the last number of dipoles: to find it takes longer than to sum over a few
  int count_ = 0;
  WavePart waves_;
  BoxCells cells_;
  ScreenedPairs pairs_;
};

// What an Ewald sum adds besides pairs and waves: a dipole's own smeared field goes, the field of the whole comes, and
// excluded pairs lose the nearest of their copies. Those of them that are in one place (screened_loops.h) had none of
// it in the sum of pairs.
void add_whole(const PeriodicBox& box, double alpha, double cut, const DipoleSet& set, DipoleFields& out);

}  // namespace ls
