#pragma once
#include <cstddef>
#include <utility>

namespace ls {

// Bytes by the million, all zero at first, on large pages where the system has them. Copies are deep.
class HugeBytes {
 public:
  HugeBytes() = default;
  explicit HugeBytes(std::size_t size);
  HugeBytes(const HugeBytes& other);
  HugeBytes(HugeBytes&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  HugeBytes& operator=(const HugeBytes& other);  // into the memory that is there, where it has the same size
  HugeBytes& operator=(HugeBytes&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~HugeBytes();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ls
