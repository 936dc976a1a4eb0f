#include "fluid/row_field.h"

#include <algorithm>

namespace ls {

RowField::RowField(int rows) : slot_(static_cast<std::size_t>(rows), -1) {}

void RowField::clear() {
  for (const Run& r : runs_) slot_[static_cast<std::size_t>(r.row)] = -1;
  runs_.clear();
}

int RowField::touch(int row, int first, int last) {
  int& slot = slot_[static_cast<std::size_t>(row)];
  if (slot < 0) {
    slot = count();
    runs_.push_back({row, first, last});
    return slot;
  }
  Run& r = runs_[static_cast<std::size_t>(slot)];
  r.first = std::min(r.first, first);
  r.last = std::max(r.last, last);
  return slot;
}

void RowField::lay_out() {
  std::ptrdiff_t next = 0;
  sorted_.clear();
  start_.resize(runs_.size());
  for (const int slot : slot_) {
    if (slot < 0) continue;
    const Run& r = run(slot);
    start_[static_cast<std::size_t>(slot)] = next - r.first;
    next += r.last - r.first;
    sorted_.push_back(slot);
  }
  values_.resize(static_cast<std::size_t>(next));
}

void RowField::lay_out_as(const RowField& other) {
  clear();
  runs_ = other.runs_, sorted_ = other.sorted_, start_ = other.start_;
  for (int k = 0; k < count(); ++k) slot_[static_cast<std::size_t>(row(k))] = k;
  values_.resize(other.values_.size());
}

void RowField::set_to_zero() {
  std::fill(values_.begin(), values_.end(), Cell{});
}

std::size_t RowField::bytes() const {
  return values_.capacity() * sizeof(Cell) + slot_.size() * sizeof(int) +
         runs_.capacity() * (sizeof(Run) + sizeof(int) + sizeof(std::ptrdiff_t));
}

}  // namespace ls
