#include "base/column_block.h"

namespace ls {

namespace {
thread_local ColumnBlock* open_block = nullptr;
}  // namespace

// A line between two columns keeps them from falling into the same sets of the cache, and has room for the word that
// says that there is nothing to give back.
ColumnBlock::ColumnBlock(int columns, std::size_t length)
    : distance_((length * sizeof(double) + line - 1) / line * line + line),
      bytes_(distance_ * static_cast<std::size_t>(columns)),
      memory_(static_cast<std::byte*>(std::aligned_alloc(line, bytes_ + line))) {
  if (!memory_) throw std::bad_alloc();
}

ColumnBlock::Scope::Scope(ColumnBlock& block) : before_(open_block) {
  open_block = &block;
  block.taken_ = 0;
}

ColumnBlock::Scope::~Scope() {
  open_block = before_;
}

std::byte* place_in_block(std::size_t bytes) {
  ColumnBlock* block = open_block;
  if (!block || bytes + ColumnBlock::line > block->distance_ || block->taken_ + block->distance_ > block->bytes_)
    return nullptr;
  std::byte* place = block->memory_ + ColumnBlock::line + block->taken_;
  block->taken_ += block->distance_;
  return place;
}

}  // namespace ls
