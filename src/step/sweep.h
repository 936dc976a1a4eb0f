#pragma once
#include "step/hold.h"
#include "step/node_loops.h"
#include "step/work.h"

#include <atomic>

// Explicit steps that go over the nodes once, while they are in the cache, instead of pass by pass. Nodes and bonds are
// computed by the same lines as in separate passes, and summed in the same order: the bits are the same.
//
// Large models go tile by tile. Each thread has some tiles in a row; it drifts one, and one tile behind, where both
// neighbours have drifted by then, finds the wrenches of the bonds and kicks. What lies at the seams between the tiles
// of two threads waits until both have drifted all of theirs:
//
//   tiles of thread 1              seam  tiles of thread 2
//   | 0  | 1  | 2  | 3  | 4  | 5  |  ||  | 6  | 7  | 8  |
//     drift ------------------------>      drift ------>        pass 1
//       bonds, kick ------------>            bonds, kick        pass 1, one tile behind
//                            bonds of 5 |            bonds of 8 pass 2: last tile of each
//     kick 0            kick 5          |  kick 6       kick 8  pass 3: first and last tile of each
//
// Contact acts on few nodes, of which it tells beforehand, given a bound of how far any can go. Their blocks wait,
// unkicked, for the end of the sweep, when all positions are known. Where it can't promise to act on no others, since
// its list of pairs is about to be made anew, the step goes by separate passes.
//
// A smaller model may still have rods enough for all threads: islands, between which there are no bonds.
namespace ls {

inline constexpr int blocks_per_tile = 64;  // of nodes: what a step touches of them fits the second-level cache

// Which way a step of this model goes under these inputs. Marks the blocks that wait for contact.
Path choose_path(const Model& m, const Inputs& in, const State& s, Work& work);
bool goes_by_islands(const Model& m, const Inputs& in, const Work& work);

// Cuts between blocks that no chain bond crosses, about as many blocks apart for each thread.
std::vector<int> find_islands(const Model& m, int threads);

class Sweep {
 public:
  Sweep(const Model& m, const Inputs& in, State& s, Work& work, const NodeBatch& batch);

  // A whole step, drift to kick.
  Outcome go_by_tiles();
  // Each thread steps rods of its own. They still go from one pass to the next together: the loops over blocks also
  // look at the first node beyond their last one and at the slot of the bond that is not there, and drop what they
  // find.
  Outcome go_by_islands();
  // Only the wrenches, by islands.
  void sum_by_islands();

 private:
  int begin(int tile) const { return tile * blocks_per_tile; }
  int end(int tile) const;
  template <class F>
  void for_each_island(const F& body);
  bool has_lost() const;
  void drift(int from, int to);
  void find_bond_wrenches(int from, int to);
  void add_node_wrenches(int from, int to, Wrenches& out);
  void kick_island(int from, int to);
  void kick_tile(int from, int to, Wrenches& columns);
  void note_next(int tile, double hardest);
  void kick_what_waits();
  void take_back_kick(int at);

  const Model& m_;
  const Inputs& in_;
  State& s_;
  Work& work_;
  const NodeBatch& batch_;  // with the node columns of the whole model
  HeldBefore before_;
  int tiles_;
  bool acts_on_nodes_;   // some term does, on each by itself
  double held_way_ = 0;  // m, of nodes that are put where the schedule says
  std::atomic<int> lost_;
};

// Notes what all wrenches together do to held nodes, where that is asked for.
void note_held(const Inputs& in, const State& s, Work& work, int first = 0, int last = all_nodes);

}  // namespace ls
