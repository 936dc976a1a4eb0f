#pragma once
#include <cstddef>
#include <vector>

namespace ls {

// Four numbers at each of the cells that something is near. Of every row along x (row z * ny + y) it has one run of
// cells; most rows have none, and take no memory.
class RowField {
 public:
  struct alignas(32) Cell {
    double v[4];
  };

  explicit RowField(int rows);

  // First all runs are touched, then laid out: after that the touched cells can be used. Their values are anything.
  void clear();                             // forgets the rows that were touched; costs what they do
  int touch(int row, int first, int last);  // its slot
  void lay_out();
  void lay_out_as(const RowField& other);  // the same rows of this box, in the same slots
  void set_to_zero();

  int count() const { return static_cast<int>(runs_.size()); }  // of touched rows
  int row(int slot) const { return run(slot).row; }
  int first(int slot) const { return run(slot).first; }
  int last(int slot) const { return run(slot).last; }
  int slot(int row) const { return slot_[static_cast<std::size_t>(row)]; }    // -1: not touched
  int in_order(int k) const { return sorted_[static_cast<std::size_t>(k)]; }  // the slot of the kth touched row
  // Cell x of a touched row, first(slot) <= x < last(slot).
  Cell& at(int slot, int x) { return values_[index(slot, x)]; }
  const Cell& at(int slot, int x) const { return values_[index(slot, x)]; }
  // All touched cells, in the order of rows.
  Cell* cells() { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  std::size_t index(int slot, int x) const {
    return static_cast<std::size_t>(start_[static_cast<std::size_t>(slot)] + x);
  }
  const std::ptrdiff_t* starts() const { return start_.data(); }  // [slot] where cell 0 of its row is, had it one
  // One number of any cell of the box: 0 where nothing is near.
  double value(int slot, int x, int k) const {
    return slot < 0 || x < first(slot) || x >= last(slot) ? 0.0 : at(slot, x).v[k];
  }
  std::size_t bytes() const;

 private:
  struct Run {
    int row, first, last;
  };
  const Run& run(int slot) const { return runs_[static_cast<std::size_t>(slot)]; }

  std::vector<int> slot_;              // [row]
  std::vector<Run> runs_;              // [slot]
  std::vector<int> sorted_;            // slots in the order of rows
  std::vector<std::ptrdiff_t> start_;  // [slot] of its cell 0, had it one
  std::vector<Cell> values_;           // by runs
};

}  // namespace ls
