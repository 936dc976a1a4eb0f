#pragma once
#include "fluid/lattice/lattice_step.h"
#include "fluid/lattice/row_field.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ls {

// Looks at rows as soon as a thread has stepped all that they exchange populations with: these are still in its cache.
template <class T>
class Lookout {
 public:
  Lookout(const LatticeLayout& layout, const FluidState& s, RowField* seen)
      : layout_(layout), s_(s), seen_(seen), is_done_(seen ? static_cast<std::size_t>(seen->count()) : 0, 0) {}

  // How far one thread has come: it steps the rows from `first` on.
  struct Place {
    int first = -1, next = 0;
  };
  void stepped(Place& at, int end) {
    const int ny = layout_.spec.cells[1];
    for (; at.next < count(); ++at.next) {
      const int row = row_at(at.next), y = row % ny;
      const int reach = y > 0 && y < ny - 1 ? ny + 1 : 2 * ny - 1;  // round periodic faces of y too
      if (std::min(layout_.rows() - 1, row + reach) >= end) return;
      if (!is_round(row) && (at.first == 0 || row - reach >= at.first)) see(at.next);
    }
  }
  // After all threads: what lies at the seams between their rows, or meets rows at the other end.
  void finish() {
    for (int k = 0; k < count(); ++k)
      if (!is_done_[k]) see(k);
  }

 private:
  int count() const { return static_cast<int>(is_done_.size()); }
  int row_at(int k) const { return seen_->row(seen_->in_order(k)); }
  bool is_round(int row) const {
    const int ny = layout_.spec.cells[1];
    return layout_.spec.faces[2][0] == FaceKind::periodic && (row < ny || row + ny >= layout_.rows());
  }
  void see(int k) {
    see_row<T>(layout_, s_, !s_.odd, seen_->in_order(k), *seen_);
    is_done_[k] = 1;
  }

  const LatticeLayout& layout_;
  const FluidState& s_;
  RowField* seen_;
  std::vector<std::uint8_t> is_done_;  // [touched row, in order]
};

}  // namespace ls
