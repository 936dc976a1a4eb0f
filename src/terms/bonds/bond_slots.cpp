#include "terms/bonds/bond_slots.h"

#include "base/column.h"

#include <algorithm>
#include <map>

namespace ls {

namespace {
// Blocks whose eight slots have the same class form uniform runs; blocks with nothing in them are left out.
std::vector<BondRun> runs_of(const std::vector<int>& cls, bool broadcast) {
  std::vector<BondRun> runs;
  for (int b = 0; b < static_cast<int>(cls.size()) / block; ++b) {
    const int* c = cls.data() + b * block;
    if (std::all_of(c, c + block, [](int k) { return k < 0; })) continue;
    const bool same = broadcast && std::all_of(c, c + block, [c](int k) { return k == *c; });
    const int kind = same ? *c : -1;
    if (!runs.empty() && runs.back().last_block == b && runs.back().cls == kind)
      runs.back().last_block = b + 1;
    else
      runs.push_back({b, b + 1, kind});
  }
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
