#pragma once
#include "step/hold.h"
#include "step/node_loops.h"
#include "step/work.h"

#include <atomic>
#include <span>

// Explicit steps of rods, several of them in one sweep over tiles of nodes: what streams from memory once a sweep is
// the state; wrenches of bonds, and forces between two of the steps, stay in the cache with the tile. The loops are
// those of separate passes, and sums have their order: the bits are the same.
//
// With k steps there are k + 1 phases: the drift of the first step; then, again and again, wrenches, kick and the next
// drift; the last wrenches and kick. A bond needs its right neighbour at the same phase, so each phase stays one block
// behind the one before, and hands the wrench of its last bond to where it will go on:
//
//   blocks   0  1  2  3  4  5  6  7  8  9          seam between the parts of two threads, 4 phases:
//   tile 1   0  0  0  0                            phase 0   - - - - - - | - - - - - -
//            1  1  1                                     1   - - - - -  / \  - - - - -
//            2  2                                        2   - - - -  /     \  - - - -
//   tile 2               0  0  0  0                      3   - - -  /         \  - - -
//                     1  1  1  1                   What each thread leaves out at the seam is done when both are
//                  2  2  2  2                      through, with the wrenches of the bonds at its two edges.
namespace ls {

inline constexpr int most_in_stride = 8;  // steps

class Stride {
 public:
  // in, nodes: [step] what acts, and the node columns of the whole model.
  Stride(const Model& m, std::span<const Inputs> in, State& s, Work& work, std::span<const NodeBatch> nodes);
  // From the drift of the first step to the kick of the last. On divergence the Work has the node, and lost_step.
  Outcome go();
  int lost_step() const { return static_cast<int>(lost_ / m_.nodes); }

 private:
  struct Edges {
    const BondEnd* before;  // wrench of the last bond before the blocks; null: it is found here
    const BondEnd* last;    // wrench of their last bond, where nodes beyond have gone on; null: it is found here
  };

  void go_along(int from, int to, bool seam_before, bool seam_behind, StrideTile& tile);
  void close_seam(int at, StrideTile& before, StrideTile& tile);
  void go_on(int phase, int from, int to, Edges edges, StrideTile& tile);
  void find_bond_wrenches(int step, int from, int to, Edges edges, StrideTile& tile);
  void kick(int step, int from, int to, StrideTile& tile);
  void drift(int step, int from, int to, StrideTile& tile);
  NodeBatch batch(int step, bool own_wrenches, int from, int to, StrideTile& tile) const;

  const Model& m_;
  std::span<const Inputs> in_;
  State& s_;
  Work& work_;
  std::span<const NodeBatch> nodes_;
  HeldBefore before_;
  bool held_in_order_;
  std::vector<std::uint8_t> acts_on_nodes_;  // [step] some term does, on each by itself
  std::atomic<long long> lost_;              // step * nodes + node
};

}  // namespace ls
