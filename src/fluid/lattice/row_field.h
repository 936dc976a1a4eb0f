#pragma once
#include "base/column.h"

#include <vector>

namespace ls {

// Four numbers at each of the cells that something is near, as precise as the populations of a lattice, and one more if
// asked for. Of every row along x (row z * ny + y) it has one run of cells; most rows have none, and take no memory.
class RowField {
 public:
  RowField(int rows, bool is_double);

  // First all runs are touched, then laid out: after that the touched cells can be used. Their numbers are anything.
  void clear();                             // forgets the rows that were touched; costs what they do
  int touch(int row, int first, int last);  // its slot
  void lay_out();
  void lay_out_as(const RowField& other);  // the same rows of this box, in the same slots
  void set_to_zero();
  void set_more_to_zero();

  int count() const { return static_cast<int>(runs_.size()); }  // of touched rows
  int row(int slot) const { return run(slot).row; }
  int first(int slot) const { return run(slot).first; }
  int last(int slot) const { return run(slot).last; }
  int slot(int row) const { return slot_[row]; }    // -1: not touched
  int in_order(int k) const { return sorted_[k]; }  // the slot of the kth touched row

  // Cells are numbered in the order of rows, with one that nothing is near behind each run: cell x of a touched row,
  // first(slot) <= x < last(slot), is the one of number start(slot) + x.
  int start(int slot) const { return start_[slot]; }
  std::size_t index(int slot, int x) const { return start(slot) + x; }
  bool is_double() const { return is_double_; }
  // Four of each cell, on as many bytes as they take.
  template <class T>
  T* numbers() {
    return reinterpret_cast<T*>(numbers_.data());
  }
  template <class T>
  const T* numbers() const {
    return reinterpret_cast<const T*>(numbers_.data());
  }
  template <class T>
  T* more() {
    return reinterpret_cast<T*>(more_.data());
  }
  // One number of any cell of the box: 0 where nothing is near.
  double value(int slot, int x, int k) const {
    if (slot < 0 || x < first(slot) || x >= last(slot)) return 0;
    const std::size_t at = 4 * index(slot, x) + static_cast<std::size_t>(k);
    return is_double_ ? numbers<double>()[at] : static_cast<double>(numbers<float>()[at]);
  }
  std::size_t bytes() const;

 private:
  struct Run {
    int row, first, last;
  };
  const Run& run(int slot) const { return runs_[slot]; }
  using Bytes = std::vector<std::byte, AlignedAllocator<std::byte>>;

  bool is_double_;
  std::vector<int> slot_;    // [row]
  std::vector<Run> runs_;    // [slot]
  std::vector<int> sorted_;  // slots in the order of rows
  std::vector<int> start_;   // [slot]
  std::size_t cells_ = 0;
  Bytes numbers_, more_;
};

}  // namespace ls
