#include "output/folder/seal.h"

#include "base/byte_hash.h"
#include "base/error.h"
#include "output/files.h"

#include <charconv>
#include <fmt/format.h>
#include <fstream>

namespace ls {

namespace {

[[noreturn]] void bad_seal(const std::filesystem::path& path, const std::string& why) {
  throw Error(path.string() + ": " + why, Fault::io);
}

// All of the first bytes: text, as far as it goes, then zeros.
std::string seal_text(const SealKind& kind, std::uintmax_t bytes, std::uint64_t hash) {
  std::string text = fmt::format("{} {}\nbytes {}\nhash {:016x}\n", kind.format, kind.version, bytes, hash);
  text.resize(seal_size, '\0');
  return text;
}

std::uintmax_t bytes_of(const std::filesystem::path& path) {
  std::error_code code;
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (code) bad_seal(path, "cannot read: " + code.message());
  return size;
}

std::string first_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(seal_size, '\0');
  if (!in) bad_seal(path, "cannot read");
  in.read(text.data(), seal_size);
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::uint64_t hash_beyond_seal(const std::filesystem::path& path) {
  const auto hash = file_hash(path.string(), seal_size);
  if (!hash) bad_seal(path, "cannot read");
  return *hash;
}

// The whole number after a word; 0 where there is none.
std::uintmax_t number_after(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  std::uintmax_t n = 0;
  if (at != std::string::npos) std::from_chars(text.data() + at + word.size(), text.data() + text.size(), n);
  return n;
}

}  // namespace

void seal(const std::filesystem::path& path, const SealKind& kind) {
  const std::string text = seal_text(kind, bytes_of(path), hash_beyond_seal(path));
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) bad_seal(path, "cannot write");
}

void check_seal(const std::filesystem::path& path, const SealKind& kind) {
  const std::uintmax_t bytes = bytes_of(path);
  const std::string found = first_bytes(path);
  if (found.starts_with("\x89HDF"))
    bad_seal(path, fmt::format("not a {}, or that of an earlier version: it has no hash", kind.format));
  if (!found.starts_with(kind.format + " ")) bad_seal(path, fmt::format("not a {}, or damaged", kind.format));
  if (const auto version = number_after(found, kind.format + " "); version != static_cast<std::uintmax_t>(kind.version))
    bad_seal(path, fmt::format("{} of version {}, this program reads {}", kind.format.substr(kind.format.find(' ') + 1),
                               version, kind.version));
  if (const auto said = number_after(found, "\nbytes "); said != bytes)
    bad_seal(path, fmt::format("damaged: it has {} bytes where {} were written", bytes, said));
  if (found != seal_text(kind, bytes, hash_beyond_seal(path)))
    bad_seal(path, "damaged: its bytes are not those that were written (their hash is another)");
}

}  // namespace ls
