#pragma once
#include <vector>

namespace ls {

// Values at the cells of those rows along x that something is near: most rows have none, and take no memory. Row
// z * ny + y; what a row holds are `components` columns of nx doubles.
class RowField {
 public:
  // first_zeroed: the columns before it are written before they are read, and need not be set to 0.
  RowField(int rows, int cells, int components, int first_zeroed = 0);

  void clear();  // forgets the rows that were touched; costs what they do
  // Cells first..last-1 of a row are going to be used. The columns of a row that was not touched before are set to 0.
  void touch(int row, int first, int last);
  // The same rows as another field of this box, in the same slots.
  void touch_as(const RowField& other);

  int count() const { return static_cast<int>(rows_.size()); }  // of touched rows
  int row(int slot) const { return rows_[static_cast<std::size_t>(slot)]; }
  int first(int slot) const { return first_[static_cast<std::size_t>(slot)]; }
  int last(int slot) const { return last_[static_cast<std::size_t>(slot)]; }
  int slot(int row) const { return slot_[static_cast<std::size_t>(row)]; }  // -1: not touched
  double* column(int slot, int component) { return values_.data() + offset(slot, component); }
  const double* column(int slot, int component) const { return values_.data() + offset(slot, component); }
  std::size_t bytes() const;

 private:
  std::size_t offset(int slot, int component) const {
    return (static_cast<std::size_t>(slot) * static_cast<std::size_t>(components_) +
            static_cast<std::size_t>(component)) *
           static_cast<std::size_t>(cells_);
  }
  void set_to_zero(int slot);

  int cells_, components_, first_zeroed_;
  std::vector<int> slot_;                 // [row]
  std::vector<int> rows_, first_, last_;  // [slot]
  std::vector<double> values_;            // [slot][component][cell]
};

}  // namespace ls
