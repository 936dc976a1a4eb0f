#pragma once
#include <filesystem>
#include <string>

namespace ls {

// One writer a folder: while an object of this lives, no other process gets one for the same folder. The lock is the
// system's (flock) on a file there, so it ends with its process, however that ends; a file that a killed process left
// behind locks nothing. It says who has the lock and since when, for those who are refused.
//
// Where a file system can't lock, there is no protection, and the run goes on: to refuse would keep it from all work.
class FolderLock {
 public:
  static constexpr const char* file_name = "lock";

  // Makes the folder where it is missing, and takes it away again where nothing is in it at the end. Throws Error
  // (Fault::io) that names the holder where there is one.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::filesystem::path folder_, path_;
  bool made_folder_;
  int file_ = -1;  // descriptor
};

// Who writes to a folder now, "process 4711 on HOST since 2026-01-31 12:00:00 UTC"; empty: nobody.
std::string holder_of(const std::filesystem::path& folder);

}  // namespace ls
