#pragma once
#include "base/column.h"
#include "model/bond_table.h"
#include "terms/bonds/bond_loops.h"

#include <vector>

namespace ls {

// Where bonds live in the arrays of the hot loops. A chain bond k joins nodes k and k+1 and has slot k; the links,
// between any other two nodes, are numbered as they come.
struct BondSlots {
  std::vector<int> cls;           // [slot] -1 = no bond here
  std::vector<int> node1, node2;  // [slot] of links; empty for the chain
  Column present;                 // [slot] of the chain: 1 where there is a bond, else 0
  std::vector<BondRun> runs;      // ascending

  static BondSlots chain(int nodes, const std::vector<BondEntry>& bonds);
  static BondSlots links(const std::vector<BondEntry>& bonds);
  int blocks() const;
  bool empty() const { return runs.empty(); }
};

inline bool is_chain(const BondEntry& b) {
  return b.node2 == b.node1 + 1;
}

// The links at each node, in the order of their slots: sums over them come out the same for any number of threads.
struct LinkIncidence {
  std::vector<int> node;   // [entry] linked nodes
  std::vector<int> first;  // [entry] where its ends begin; one more at the end
  std::vector<int> ends;   // 2 slot + 0 for node 1, + 1 for node 2

  explicit LinkIncidence(const BondSlots& links);
};

}  // namespace ls
