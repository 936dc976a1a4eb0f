#pragma once
#include "base/parallel.h"

#include <algorithm>
#include <vector>

namespace ls {

// The sum over i in [0, count) of what add(i, part) adds to its part, in parts of `size` items that are then summed in
// order: the same bits for any number of threads. least: of parts, below which one thread takes all.
template <class T, class F>
T blocked_sum(int count, int size, int least, Team& team, const F& add) {
  std::vector<T> part((count + size - 1) / size);
  team.run(static_cast<int>(part.size()), least, [&](int first, int last) {
    for (int p = first; p < last; ++p)
      for (int i = p * size; i < std::min(count, (p + 1) * size); ++i) add(i, part[p]);
  });
  T sum{};
  for (const T& p : part) sum += p;
  return sum;
}

}  // namespace ls
