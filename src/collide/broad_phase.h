#pragma once
#include "math/vec.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ls {

// A box along the axes.
struct Box {
  Vec3<double> low, high;
};

inline bool overlap(const Box& a, const Box& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

inline void extend(Box& b, const Box& c) {
  b.low = {std::min(b.low.x, c.low.x), std::min(b.low.y, c.low.y), std::min(b.low.z, c.low.z)};
  b.high = {std::max(b.high.x, c.high.x), std::max(b.high.y, c.high.y), std::max(b.high.z, c.high.z)};
}

// Finds the boxes that overlap, by a grid of cells about as large as the boxes are: time and memory grow linearly with
// their number while they do not crowd. Keeps its arrays, so that a search allocates nothing once they are long enough.
class BroadPhase {
 public:
  // Pairs (i, j), i < j, in ascending order.
  void find(const std::vector<Box>& boxes, std::vector<std::pair<int, int>>& pairs);

 private:
  struct Entry {
    std::uint64_t cell;
    int box;
  };
  void sort();
  std::vector<Entry> entries_, other_;
  std::vector<double> sizes_;
  std::vector<int> large_, counts_;
};

}  // namespace ls
