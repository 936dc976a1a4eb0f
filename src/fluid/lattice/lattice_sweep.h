#pragma once
#include "fluid/lattice/lattice_step.h"

#include <span>

// Several steps of a lattice in one sweep over its rows: what streams from memory once a sweep are the populations,
// which stay in the cache from one step to the next. Rows exchange populations with their neighbours only, so a step
// may go on at a block of rows as soon as the step before has passed all that are within reach. Rows are computed as in
// single steps, and sums have their order: the bits are the same.
//
//   blocks of rows, reach 1          seam between the parts of two threads
//   step 3         2                 3   - - - - - - -  /\  - - - - -
//   step 2      1  .  .              2   - - - - - -  /    \  - - - -
//   step 1   0  .  .  .  .           1   - - - - -  /        \  - - -
//   Each step stays that far behind the one before. What parts leave out at a seam, since the neighbour may be anywhere
//   by then, is done when both are through. Periodic faces across z make a seam too.
namespace ls {

// How the blocks of rows are shared out: parts, one a thread, with seams between them.
struct SweepPlan {
  SweepPlan(const LatticeLayout& layout, int steps_at_once, int threads);

  struct Part {
    int first, last;              // blocks
    bool has_before, has_behind;  // a seam there
  };
  // Which blocks of a part are done in a step before the seams are closed.
  int first(const Part& p, int step) const { return p.first + (p.has_before ? step * reach : 0); }
  int last(const Part& p, int step) const {
    return p.last - (p.has_behind ? step * reach + (step > 0 && p.last == blocks ? ragged : 0) : 0);
  }
  bool is_possible() const;  // no part is too short for its seams

  int steps, reach, blocks;  // the latter two in blocks
  int ragged;                // 1 where the last block has fewer rows than others
  bool is_round;
  std::vector<Part> parts;
};

// drives: [step]. s.before is the impulse before the last of them.
template <class T>
void sweep_lattice(const LatticeLayout& layout, FluidState& s, std::span<const LatticeDrive> drives,
                   const SweepPlan& plan, Team& team);

// How many steps are best taken in a sweep, of so many that are to be taken: 1 where a sweep would not pay.
int steps_in_sweep(const LatticeLayout& layout, int wanted, int threads);

}  // namespace ls
