#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ls {

// 64 bits that change with any change of the bytes they were made of: finds damage by chance, not by intent. Four sums
// side by side, each step of which can be undone (multiplication by an odd number, rotation): so two inputs that differ
// within one word never agree, and others do by a chance of 2^-64. A cyclic redundancy check would be as good at
// finding damage, and slower without instructions of its own.
class ByteHash {
 public:
  void add(std::span<const std::byte> bytes);
  std::uint64_t value() const;

 private:
  static constexpr std::size_t block = 32;  // bytes: a word for each sum
  void add_block(const std::byte* bytes);

  std::array<std::uint64_t, 4> sums_{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89};
  std::array<std::byte, block> rest_{};
  std::size_t in_rest_ = 0;
  std::uint64_t length_ = 0;
};

// Of the bytes of a file from `first` on; nothing where it can't be read. The second can go on with more.
std::optional<std::uint64_t> file_hash(const std::string& path, std::size_t first = 0);
std::optional<ByteHash> hashed_file(const std::string& path, std::size_t first = 0);

}  // namespace ls
