#include "output/run_folder.h"

#include "output/files.h"

#include <algorithm>
#include <fmt/format.h>

namespace ls {

namespace fs = std::filesystem;

std::string frame_name(const std::string& place, std::size_t number, const std::string& ending) {
  return fmt::format("{}/{:06}.{}", place, number, ending);
}

void RunFolder::append(const std::string& name, std::string_view text) {
  append_to_file(path_ / name, text);
  lengths_[name] += static_cast<std::int64_t>(text.size());
  hashes_[name].add(std::as_bytes(std::span(text)));
}

std::vector<UsedFile> RunFolder::hashes() const {
  std::vector<UsedFile> all;
  for (const auto& [name, hash] : hashes_) all.push_back({name, hash.value()});
  return all;
}

std::int64_t RunFolder::length(const std::string& name) const {
  const auto known = lengths_.find(name);
  return known == lengths_.end() ? 0 : known->second;
}

void RunFolder::cut_back(const std::string& name) {
  std::error_code e;
  if (!lengths_.contains(name)) {
    fs::remove(path_ / name, e);
    return;
  }
  cut_file(path_ / name, static_cast<std::uintmax_t>(length(name)));
  hashes_[name] = hashed_file((path_ / name).string()).value_or(ByteHash());
  const auto known = std::ranges::find(known_, name, &UsedFile::name);
  if (known != known_.end() && known->hash != hashes_[name].value()) changed_.push_back(name);
}

void RunFolder::drop_frames(const std::string& place, std::size_t first, std::span<const std::string> endings) const {
  std::error_code e;
  for (std::size_t n = first;; ++n) {
    bool found = false;
    for (const std::string& ending : endings)
      for (const char* rest : {"", ".tmp"}) found = fs::remove(path_ / frame_name(place, n, ending + rest), e) || found;
    if (!found) break;
  }
}

}  // namespace ls
