#include "terms/bonds/bond_slots.h"

#include <algorithm>
#include <map>

namespace ls {

namespace {
constexpr int short_run = 4;  // blocks

// The class of all bonds in a block, -1 where there are several.
int class_of(const int* slots) {
  const int most = *std::max_element(slots, slots + block);
  return std::all_of(slots, slots + block, [most](int k) { return k < 0 || k == most; }) ? most : -1;
}

// One run is better than two where one of them is short: it is not worth setting up its constants.
bool goes_on(const BondRun& last, const BondRun& next) {
  if (last.last_block != next.first_block || last.cls != next.cls) return false;
  if (last.has_gaps == next.has_gaps) return true;
  const BondRun& whole = last.has_gaps ? next : last;
  return whole.last_block - whole.first_block < short_run;
}

// Blocks whose bonds have the same class form uniform runs; blocks with nothing in them are left out.
std::vector<BondRun> runs_of(const std::vector<int>& cls, bool broadcast) {
  std::vector<BondRun> blocks, runs;
  for (int b = 0; b < static_cast<int>(cls.size()) / block; ++b) {
    const int* c = cls.data() + b * block;
    if (std::all_of(c, c + block, [](int k) { return k < 0; })) continue;
    const int kind = broadcast ? class_of(c) : -1;
    const bool has_gaps = kind >= 0 && std::any_of(c, c + block, [](int k) { return k < 0; });
    const BondRun next{b, b + 1, kind, has_gaps};
    if (!blocks.empty() && goes_on(blocks.back(), next) && blocks.back().has_gaps == has_gaps)
      blocks.back().last_block = b + 1;
    else
      blocks.push_back(next);
  }
  for (const BondRun& next : blocks)
    if (!runs.empty() && goes_on(runs.back(), next))
      runs.back().last_block = next.last_block, runs.back().has_gaps |= next.has_gaps;
    else
      runs.push_back(next);
  return runs;
}
}  // namespace

int BondSlots::blocks() const {
  return runs.empty() ? 0 : runs.back().last_block;
}

BondSlots BondSlots::chain(int nodes, const std::vector<BondEntry>& bonds) {
  BondSlots s;
  s.cls.assign(static_cast<std::size_t>(padded(nodes)), -1);
  for (const auto& b : bonds)
    if (is_chain(b)) s.cls[b.node1] = b.cls;
  for (const int cls : s.cls) s.present.push_back(cls < 0 ? 0.0 : 1.0);
  s.runs = runs_of(s.cls, true);
  return s;
}

BondSlots BondSlots::links(const std::vector<BondEntry>& bonds) {
  BondSlots s;
  for (const auto& b : bonds)
    if (!is_chain(b)) {
      s.cls.push_back(b.cls);
      s.node1.push_back(b.node1);
      s.node2.push_back(b.node2);
    }
  const std::size_t size = (s.cls.size() + block - 1) / block * block;
  s.cls.resize(size, -1);
  s.node1.resize(size, 0);
  s.node2.resize(size, 0);
  s.runs = runs_of(s.cls, false);
  return s;
}

LinkIncidence::LinkIncidence(const BondSlots& links) {
  std::map<int, std::vector<int>> at;
  for (int slot = 0; slot < static_cast<int>(links.cls.size()); ++slot) {
    if (links.cls[slot] < 0) continue;
    at[links.node1[slot]].push_back(2 * slot);
    at[links.node2[slot]].push_back(2 * slot + 1);
  }
  for (const auto& [n, list] : at) {
    node.push_back(n);
    first.push_back(static_cast<int>(ends.size()));
    ends.insert(ends.end(), list.begin(), list.end());
  }
  first.push_back(static_cast<int>(ends.size()));
}

}  // namespace ls
