#pragma once
#include "dipoles/dipole_set.h"
#include "dipoles/periodic/periodic_box.h"

#include <array>
#include <cmath>
#include <vector>

namespace ls {

// Where it is within a box.
inline double wrapped(double x, double length) {
  const double y = x - length * std::floor(x / length);
  return y < length ? y : 0;
}

// Dipoles of a periodic box sorted into cells, at least two of them within a cut along each axis.
class BoxCells {
 public:
  void build(const PeriodicBox& box, const DipoleSet& set, double cut);

  int count() const { return static_cast<int>(order_.size()); }
  // [place] which dipole is there, where it is within the box, and its moment.
  const std::vector<int>& order() const { return order_; }
  const std::array<Column, 3>& position() const { return position_; }
  const std::array<Column, 3>& moment() const { return moment_; }

  // A run of dipoles near a cell, and how far the copy of the box is that it is seen in.
  struct Run {
    int begin, end;
    std::array<double, 3> shift;
    std::array<double, 2> low, high;  // where its row of cells is in x and y, as seen from here
  };
  int cells() const { return across_[0] * across_[1] * across_[2]; }
  int begin(int cell) const { return begin_[static_cast<std::size_t>(cell)]; }
  // All that may be within the cut of a dipole in the cell.
  void near(int cell, std::vector<Run>& runs) const;

 private:
  PeriodicBox box_;
  std::array<int, 3> across_{}, reach_{};  // cells; how many the cut goes
  std::vector<int> begin_, order_, cell_;
  std::array<Column, 3> position_, moment_;
};

}  // namespace ls
