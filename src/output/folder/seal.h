#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace ls {

// A file that says in its first bytes what it is, how long it is and which hash the rest has: whether it is whole and
// undamaged is known before a library that trusts its input opens it. HDF5 leaves such room at the front of a file (a
// user block) and its other readers pass over it.
inline constexpr std::size_t seal_size = 512;  // bytes, the smallest user block

struct SealKind {
  std::string format;  // "lodestone checkpoint"
  int version = 0;
};

// Fills in the first bytes of a file that has room for them. All errors: Error (Fault::io) with the path.
void seal(const std::filesystem::path& path, const SealKind& kind);
// Throws where the file is not such a one, of another version, cut short or changed in any bit.
void check_seal(const std::filesystem::path& path, const SealKind& kind);

}  // namespace ls
