#pragma once
#include "base/byte_hash.h"
#include "base/used_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ls {

// Bytes of files that grow by their end, by their name in the folder of a run.
using FileLengths = std::map<std::string, std::int64_t>;

// Relative to the folder of a run: frames/000012.vtp. place: a folder in it.
std::string frame_name(const std::string& place, std::size_t number, const std::string& ending);

// The folder of a run, as whatever writes there needs it. It counts what is appended, so that a run that goes on after
// a checkpoint can cut its files to what that knew; the writers need no such counts of their own.
class RunFolder {
 public:
  // lengths, hashes: of a run that goes on, as its checkpoint has them
  explicit RunFolder(std::filesystem::path path, FileLengths lengths = {}, std::vector<UsedFile> hashes = {})
      : path_(std::move(path)), lengths_(std::move(lengths)), known_(std::move(hashes)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  void append(const std::string& name, std::string_view text);  // creates it where missing
  std::int64_t length(const std::string& name) const;           // 0: not yet begun
  const FileLengths& lengths() const { return lengths_; }
  std::vector<UsedFile> hashes() const;  // of what was appended

  // To the length that the checkpoint knew; what was begun after it goes.
  void cut_back(const std::string& name);
  // Of those that were cut back, the ones that do not hold what was written: somebody or something has changed them.
  const std::vector<std::string>& changed() const { return changed_; }
  // Removes frames of this and higher numbers, and what a killed run has left of one.
  void drop_frames(const std::string& place, std::size_t first, std::span<const std::string> endings) const;

 private:
  std::filesystem::path path_;
  FileLengths lengths_;
  std::map<std::string, ByteHash> hashes_;
  std::vector<UsedFile> known_;
  std::vector<std::string> changed_;
};

}  // namespace ls
