#include "output/run_folder.h"

#include "output/files.h"

#include <fmt/format.h>

namespace ls {

namespace fs = std::filesystem;

std::string frame_name(const std::string& place, std::size_t number, const std::string& ending) {
  return fmt::format("{}/{:06}.{}", place, number, ending);
}

void RunFolder::append(const std::string& name, std::string_view text) {
  append_to_file(path_ / name, text);
  lengths_[name] += static_cast<std::int64_t>(text.size());
}

std::int64_t RunFolder::length(const std::string& name) const {
  const auto known = lengths_.find(name);
  return known == lengths_.end() ? 0 : known->second;
}

void RunFolder::cut_back(const std::string& name) const {
  std::error_code e;
  if (lengths_.contains(name))
    cut_file(path_ / name, static_cast<std::uintmax_t>(length(name)));
  else
    fs::remove(path_ / name, e);
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
