#include "fluid/lattice/row_field.h"

#include <algorithm>

namespace ls {

RowField::RowField(int rows, bool is_double) : is_double_(is_double), slot_(static_cast<std::size_t>(rows), -1) {}

void RowField::clear() {
  for (const Run& r : runs_) slot_[r.row] = -1;
  runs_.clear();
}

int RowField::touch(int row, int first, int last) {
  int& slot = slot_[row];
  if (slot < 0) {
    slot = count();
    runs_.push_back({row, first, last});
    return slot;
  }
  Run& r = runs_[slot];
  r.first = std::min(r.first, first);
  r.last = std::max(r.last, last);
  return slot;
}

void RowField::lay_out() {
  int next = 0;
  sorted_.clear();
  start_.resize(runs_.size());
  for (const int slot : slot_) {
    if (slot < 0) continue;
    const Run& r = run(slot);
    start_[slot] = next - r.first;
    next += r.last - r.first + 1;
    sorted_.push_back(slot);
  }
  cells_ = static_cast<std::size_t>(next);
  numbers_.resize(4 * cells_ * (is_double_ ? sizeof(double) : sizeof(float)));
}

void RowField::lay_out_as(const RowField& other) {
  clear();
  runs_ = other.runs_, sorted_ = other.sorted_, start_ = other.start_;
  for (int k = 0; k < count(); ++k) slot_[row(k)] = k;
  cells_ = other.cells_;
  numbers_.resize(other.numbers_.size());
}

void RowField::set_to_zero() {
  std::fill(numbers_.begin(), numbers_.end(), std::byte{0});
}
void RowField::set_more_to_zero() {
  more_.assign(cells_ * (is_double_ ? sizeof(double) : sizeof(float)), std::byte{0});
}

std::size_t RowField::bytes() const {
  return numbers_.capacity() + more_.capacity() + slot_.size() * sizeof(int) +
         runs_.capacity() * (sizeof(Run) + 2 * sizeof(int));
}

}  // namespace ls
