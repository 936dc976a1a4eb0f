#pragma once
#include "base/column.h"

namespace ls {

// One piece of memory for several columns of one length, which then lie at equal distances: who shows them to others as
// one array of rows needs no copy. The columns that a thread makes while it has a scope of it open lie there, as long
// as there is room. It must outlive them.
class ColumnBlock {
 public:
  ColumnBlock(int columns, std::size_t length);
  ~ColumnBlock() { std::free(memory_); }
  ColumnBlock(const ColumnBlock&) = delete;
  ColumnBlock& operator=(const ColumnBlock&) = delete;
  std::size_t distance() const { return distance_ / sizeof(double); }  // from one column to the next, in numbers
  const double* first() const { return reinterpret_cast<const double*>(memory_ + line); }

  // Starts from the front again: nothing that is still in use may lie there.
  class Scope {
   public:
    explicit Scope(ColumnBlock& block);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ColumnBlock* before_;
  };

 private:
  friend std::byte* place_in_block(std::size_t bytes);
  static constexpr std::size_t line = AlignedAllocator<double>::line;
  std::size_t distance_, bytes_, taken_ = 0;
  std::byte* memory_;
};

}  // namespace ls
