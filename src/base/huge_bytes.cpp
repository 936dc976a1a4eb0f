#include "base/huge_bytes.h"

#include <cstdlib>
#include <cstring>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace ls {

namespace {
constexpr std::size_t page = std::size_t{1} << 21;
}

HugeBytes::HugeBytes(std::size_t size) : size_(size) {
  if (size == 0) return;
  const std::size_t whole = (size + page - 1) / page * page;
  data_ = static_cast<std::byte*>(std::aligned_alloc(page, whole));
  if (!data_) throw std::bad_alloc();
#ifdef __linux__
  madvise(data_, whole, MADV_HUGEPAGE);  // a wish only
#endif
  std::memset(data_, 0, size);
}
HugeBytes::HugeBytes(const HugeBytes& other) : HugeBytes(other.size_) {
  if (size_ > 0) std::memcpy(data_, other.data_, size_);
}
HugeBytes& HugeBytes::operator=(const HugeBytes& other) {
  if (this == &other) return *this;
  if (size_ != other.size_) return *this = HugeBytes(other);
  if (size_ > 0) std::memcpy(data_, other.data_, size_);
  return *this;
}
HugeBytes::~HugeBytes() {
  std::free(data_);
}

}  // namespace ls
