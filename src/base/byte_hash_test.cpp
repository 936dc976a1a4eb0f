#include "base/byte_hash.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>
#include <vector>

namespace ls::byte_hash_test {

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  ByteHash h;
  h.add(bytes);
  return h.value();
}

std::vector<std::byte> sample_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 37 + i / 256);
  return bytes;
}

TEST(ByteHash, EveryFlippedBitIsSeen) {
  for (const std::size_t count : {1u, 31u, 32u, 33u, 200u}) {
    std::vector<std::byte> bytes = sample_bytes(count);
    std::set<std::uint64_t> seen{hash_of(bytes)};
    for (std::size_t bit = 0; bit < 8 * count; ++bit) {
      bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      EXPECT_TRUE(seen.insert(hash_of(bytes)).second) << count << " " << bit;
      bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    }
  }
}

// The highest bits of a word move the least through a multiplication.
TEST(ByteHash, TwoFlippedBitsAreSeen) {
  std::vector<std::byte> bytes = sample_bytes(128);
  std::set<std::uint64_t> seen{hash_of(bytes)};
  for (std::size_t a = 0; a < 16; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      bytes[8 * a + 7] ^= std::byte{0x80}, bytes[8 * b + 7] ^= std::byte{0x80};
      EXPECT_TRUE(seen.insert(hash_of(bytes)).second) << a << " " << b;
      bytes[8 * a + 7] ^= std::byte{0x80}, bytes[8 * b + 7] ^= std::byte{0x80};
    }
}

TEST(ByteHash, ZerosAtTheEndAndTheOrderCount) {
  std::set<std::uint64_t> seen;
  for (std::size_t count = 0; count < 100; ++count)
    EXPECT_TRUE(seen.insert(hash_of(std::vector<std::byte>(count))).second) << count;
  std::vector<std::byte> bytes = sample_bytes(64);
  const auto before = hash_of(bytes);
  std::swap_ranges(bytes.begin(), bytes.begin() + 32, bytes.begin() + 32);
  EXPECT_NE(hash_of(bytes), before);
}

TEST(ByteHash, InPiecesAsAtOnce) {
  const std::vector<std::byte> bytes = sample_bytes(1000);
  const std::span<const std::byte> all(bytes);
  for (const std::size_t piece : {1u, 7u, 32u, 33u, 500u}) {
    ByteHash h;
    for (std::size_t at = 0; at < all.size(); at += piece) h.add(all.subspan(at, std::min(piece, all.size() - at)));
    EXPECT_EQ(h.value(), hash_of(all)) << piece;
  }
}

TEST(ByteHash, OfAFile) {
  const auto path = std::filesystem::temp_directory_path() / ("lodestone_hash_" + std::to_string(::getpid()));
  const std::vector<std::byte> bytes = sample_bytes(1'000'003);
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), 1'000'003);
  EXPECT_EQ(file_hash(path.string()), hash_of(bytes));
  EXPECT_EQ(file_hash(path.string(), 512), hash_of(std::span(bytes).subspan(512)));
  std::filesystem::remove(path);
  EXPECT_FALSE(file_hash(path.string()).has_value());
}

}  // namespace ls::byte_hash_test
