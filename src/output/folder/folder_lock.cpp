#include "output/folder/folder_lock.h"

#include "base/error.h"
#include "output/files.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ls {

namespace {

int open_lock(const std::filesystem::path& path, int flags) {
  int file;
  do file = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  while (file < 0 && errno == EINTR);
  return file;
}

// 0, or the reason. EWOULDBLOCK: another process has it.
int try_lock(int file, int kind) {
  int result;
  do result = ::flock(file, kind | LOCK_NB);
  while (result < 0 && errno == EINTR);
  return result < 0 ? errno : 0;
}

// Whoever had the lock may have removed the file between our open and our lock: then ours has no name any more, and the
// next one to come would lock another.
bool still_has_its_name(int file, const std::filesystem::path& path) {
  struct stat own {
  }, named{};
  return ::fstat(file, &own) == 0 && ::stat(path.c_str(), &named) == 0 && own.st_ino == named.st_ino &&
         own.st_dev == named.st_dev;
}

std::string this_process() {
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  return fmt::format("process {} on {} since {:%Y-%m-%d %H:%M:%S} UTC\n", ::getpid(), host,
                     fmt::gmtime(std::time(nullptr)));
}

// The holder writes its name right after it got the lock: a moment's patience where it is not there yet.
std::string written_holder(int file) {
  char text[512];
  for (int attempt = 0; attempt < 20; ++attempt) {
    const ssize_t n = ::pread(file, text, sizeof text, 0);
    if (n > 0 && text[n - 1] == '\n') return {text, static_cast<std::size_t>(n - 1)};
    ::usleep(5000);
  }
  return "another process";
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder)
    : folder_(folder), path_(folder / file_name), made_folder_(!std::filesystem::exists(folder)) {
  make_folder(folder);
  for (;;) {
    file_ = open_lock(path_, O_RDWR | O_CREAT);
    if (file_ < 0) throw Error(fmt::format("{}: cannot write: {}", path_.string(), std::strerror(errno)), Fault::io);
    const int refused = try_lock(file_, LOCK_EX);
    if (refused == EWOULDBLOCK) {
      const std::string who = written_holder(file_);
      ::close(std::exchange(file_, -1));
      throw Error(
          fmt::format("{}: is being written by {}; wait for it, stop it, or give another --out", folder.string(), who),
          Fault::io);
    }
    if (refused != 0 || still_has_its_name(file_, path_)) break;
    ::close(std::exchange(file_, -1));
  }
  const std::string who = this_process();
  // What can't be written here is no harm: the lock holds without the name.
  if (::ftruncate(file_, 0) == 0) [[maybe_unused]]
    const ssize_t n = ::pwrite(file_, who.data(), who.size(), 0);
}

FolderLock::~FolderLock() {
  ::unlink(path_.c_str());  // before the lock goes: the name is ours as long as we have it
  if (made_folder_) ::rmdir(folder_.c_str());
  ::close(file_);
}

std::string holder_of(const std::filesystem::path& folder) {
  const int file = open_lock(folder / FolderLock::file_name, O_RDONLY);
  if (file < 0) return "";
  std::string who = try_lock(file, LOCK_SH) == EWOULDBLOCK ? written_holder(file) : "";
  ::close(file);
  return who;
}

}  // namespace ls
