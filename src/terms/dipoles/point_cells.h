#pragma once
#include "dipoles/periodic/periodic_box.h"
#include "math/vec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace ls {

// Points in the cells of a grid, so that those near one are found without a look at all. In a periodic box cells on
// opposite sides are neighbours.
class PointCells {
 public:
  // size: m, of a cell: whoever is nearer than that is found. The points must outlive it; box: null for none.
  PointCells(std::span<const Vec3<double>> at, double size, const PeriodicBox* box);

  // Cells in which so many points are found, about, all around one: where they fill a space, a sheet or a line.
  static double size_for(std::span<const Vec3<double>> at, double points, const PeriodicBox* box);

  // Calls visit(j) for all but i that are in its cell or in one beside it, in a fixed order.
  template <class F>
  void for_near(int i, const F& visit) const {
    const Cell here = cell(at_[static_cast<std::size_t>(i)]);
    Cell around{3, 3, 3};  // cells along each axis that are near: of a box, no more than there are
    for (std::size_t k = 0; box_ && k < 3; ++k) around[k] = std::min(3LL, cells_[k]);
    for (long long a = 0; a < around[0]; ++a)
      for (long long b = 0; b < around[1]; ++b) {
        if (!box_) {  // cells along z lie one after the other
          visit_from({here[0] + a - 1, here[1] + b - 1, here[2] - 1}, {here[0] + a - 1, here[1] + b - 1, here[2] + 1},
                     i, visit);
          continue;
        }
        for (long long c = 0; c < around[2]; ++c) {
          const Cell one{beside(here[0], a, 0), beside(here[1], b, 1), beside(here[2], c, 2)};
          visit_from(one, one, i, visit);
        }
      }
  }

 private:
  using Cell = std::array<long long, 3>;

  Cell cell(const Vec3<double>& x) const;
  long long beside(long long here, long long step, std::size_t axis) const {
    return (here + step + cells_[axis] - 1) % cells_[axis];
  }
  template <class F>
  void visit_from(const Cell& first, const Cell& last, int i, const F& visit) const {
    auto k = std::lower_bound(by_cell_.begin(), by_cell_.end(), std::pair{first, -1});
    for (; k != by_cell_.end() && k->first <= last; ++k)
      if (k->second != i) visit(k->second);
  }

  std::span<const Vec3<double>> at_;
  const PeriodicBox* box_;
  double size_;
  Cell cells_{};                               // of a periodic box
  std::vector<std::pair<Cell, int>> by_cell_;  // ascending
};

}  // namespace ls
