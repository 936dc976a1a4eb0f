#include "fluid/row_field.h"

#include <algorithm>

namespace ls {

RowField::RowField(int rows, int cells, int components, int first_zeroed)
    : cells_(cells), components_(components), first_zeroed_(first_zeroed), slot_(static_cast<std::size_t>(rows), -1) {}

void RowField::clear() {
  for (const int row : rows_) slot_[static_cast<std::size_t>(row)] = -1;
  rows_.clear();
  first_.clear();
  last_.clear();
}

void RowField::touch(int row, int first, int last) {
  int& slot = slot_[static_cast<std::size_t>(row)];
  if (slot >= 0) {
    const auto k = static_cast<std::size_t>(slot);
    first_[k] = std::min(first_[k], first);
    last_[k] = std::max(last_[k], last);
    return;
  }
  slot = count();
  rows_.push_back(row);
  first_.push_back(first);
  last_.push_back(last);
  set_to_zero(slot);
}

void RowField::touch_as(const RowField& other) {
  clear();
  rows_ = other.rows_, first_ = other.first_, last_ = other.last_;
  for (int k = 0; k < count(); ++k) {
    slot_[static_cast<std::size_t>(row(k))] = k;
    set_to_zero(k);
  }
}

void RowField::set_to_zero(int slot) {
  if (values_.size() < rows_.size() * offset(1, 0)) values_.resize(2 * rows_.size() * offset(1, 0));
  std::fill(values_.begin() + static_cast<std::ptrdiff_t>(offset(slot, first_zeroed_)),
            values_.begin() + static_cast<std::ptrdiff_t>(offset(slot + 1, 0)), 0.0);
}

std::size_t RowField::bytes() const {
  return values_.capacity() * sizeof(double) + (slot_.size() + 3 * rows_.capacity()) * sizeof(int);
}

}  // namespace ls
