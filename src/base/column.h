#pragma once
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace ls {

// Vectors of every width load whole blocks: columns are aligned to one, and padded so that neither the last pack nor
// the neighbour at its right end needs a tail loop.
inline constexpr int block = 8;

constexpr int padded(int count) {
  return (count + block - 1) / block * block + block;
}

// In the ColumnBlock that this thread has open (base/column_block.h), if there is room; else null.
std::byte* place_in_block(std::size_t bytes);

template <class T>
struct AlignedAllocator {
  static constexpr std::size_t line = 64, colours = 16;
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  // A step reads some thirty columns side by side. Where their size is near a multiple of 4096 bytes, all of them would
  // fall into the same sets of the first-level cache and throw each other out (seen: 2 times slower at 1000 nodes), so
  // each begins a few lines further on than the one before.
  T* allocate(std::size_t n) {
    static std::atomic<unsigned> count{0};
    const std::size_t shift = line * (1 + count.fetch_add(1, std::memory_order_relaxed) % colours);
    const std::size_t bytes = (n * sizeof(T) + line - 1) / line * line;
    if (std::byte* place = place_in_block(bytes)) {
      const std::byte* const nothing = nullptr;
      std::memcpy(place - sizeof nothing, &nothing, sizeof nothing);
      return reinterpret_cast<T*>(place);
    }
    auto* raw = static_cast<std::byte*>(std::aligned_alloc(line, bytes + shift));
    if (!raw) throw std::bad_alloc();
    std::memcpy(raw + shift - sizeof raw, &raw, sizeof raw);  // what deallocate gives back
    return reinterpret_cast<T*>(raw + shift);
  }
  void deallocate(T* p, std::size_t) {
    std::byte* raw = nullptr;
    std::memcpy(&raw, reinterpret_cast<std::byte*>(p) - sizeof raw, sizeof raw);
    std::free(raw);
  }
  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

using Column = std::vector<double, AlignedAllocator<double>>;

}  // namespace ls
