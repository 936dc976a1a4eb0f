#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace ls {

// Vectors of every width load whole blocks: columns are aligned to one, and padded so that neither the last pack nor
// the neighbour at its right end needs a tail loop.
inline constexpr int block = 8;

constexpr int padded(int count) {
  return (count + block - 1) / block * block + block;
}

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) {
    const std::size_t bytes = (n * sizeof(T) + 63) / 64 * 64;
    if (void* p = std::aligned_alloc(64, bytes)) return static_cast<T*>(p);
    throw std::bad_alloc();
  }
  void deallocate(T* p, std::size_t) { std::free(p); }
  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

using Column = std::vector<double, AlignedAllocator<double>>;

}  // namespace ls
