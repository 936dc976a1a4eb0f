#include "base/byte_hash.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <vector>

namespace ls {

namespace {

// Odd, with bits that look random: from the digits of pi, as are the sums at the start.
constexpr std::uint64_t spread = 0x452821e638d01377, turn_over = 0xbe5466cf34e90c6d;

std::uint64_t stirred(std::uint64_t h) {
  h = (h ^ h >> 32) * spread;
  h = (h ^ h >> 29) * turn_over;
  return h ^ h >> 32;
}

}  // namespace

void ByteHash::add_block(const std::byte* bytes) {
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    std::uint64_t word;
    std::memcpy(&word, bytes + 8 * k, 8);
    sums_[k] = std::rotl(sums_[k] + word * turn_over, 29) * spread;
  }
}

void ByteHash::add(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  length_ += bytes.size();
  if (in_rest_ > 0) {
    const std::size_t taken = std::min(bytes.size(), block - in_rest_);
    std::memcpy(rest_.data() + in_rest_, bytes.data(), taken);
    in_rest_ += taken;
    bytes = bytes.subspan(taken);
    if (in_rest_ < block) return;
    add_block(rest_.data());
    in_rest_ = 0;
  }
  for (; bytes.size() >= block; bytes = bytes.subspan(block)) add_block(bytes.data());
  if (!bytes.empty()) std::memcpy(rest_.data(), bytes.data(), bytes.size());
  in_rest_ = bytes.size();
}

std::uint64_t ByteHash::value() const {
  ByteHash whole = *this;
  if (in_rest_ > 0) {
    std::fill(whole.rest_.begin() + static_cast<std::ptrdiff_t>(in_rest_), whole.rest_.end(), std::byte{});
    whole.add_block(whole.rest_.data());
  }
  std::uint64_t h = length_;  // zeros at the end count
  for (const std::uint64_t sum : whole.sums_) h = stirred(h ^ sum) * spread;
  return h;
}

std::optional<ByteHash> hashed_file(const std::string& path, std::size_t first) {
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(first));
  if (!in) return std::nullopt;
  ByteHash hash;
  std::vector<char> part(1 << 18);
  while (in.read(part.data(), static_cast<std::streamsize>(part.size())) || in.gcount() > 0)
    hash.add(std::as_bytes(std::span(part.data(), static_cast<std::size_t>(in.gcount()))));
  if (in.bad()) return std::nullopt;
  return hash;
}

std::optional<std::uint64_t> file_hash(const std::string& path, std::size_t first) {
  const auto hash = hashed_file(path, first);
  return hash ? std::optional(hash->value()) : std::nullopt;
}

}  // namespace ls
