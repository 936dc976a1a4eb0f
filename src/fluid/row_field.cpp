#include "fluid/row_field.h"

#include <algorithm>

namespace ls {

RowField::RowField(int rows, int cells, int components)
    : cells_(cells), components_(components), slot_(static_cast<std::size_t>(rows), -1) {}

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
  const std::size_t size = offset(1, 0);
  if (values_.size() < rows_.size() * size) values_.resize(2 * rows_.size() * size);
  std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(offset(slot, 0)), size, 0.0);
}

std::size_t RowField::bytes() const {
  return values_.capacity() * sizeof(double) + (slot_.size() + 3 * rows_.capacity()) * sizeof(int);
}

}  // namespace ls
