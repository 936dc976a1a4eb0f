#include "output/files.h"

#include "base/error.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace ls {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void io_error(const fs::path& path, const char* what, int code) {
  throw Error(path.string() + ": " + what + ": " + std::strerror(code), Fault::io);
}

// An open file that closes itself; close() reports what a network or full disk says only then.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags, const char* what) : path_(path) {
    do fd_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    while (fd_ < 0 && errno == EINTR);
    if (fd_ < 0) io_error(path, what, errno);
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;  // Ctrl-C asks the run to stop at its next step, not the write
      if (n < 0) io_error(path_, "cannot write", errno);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  void sync() {
    int result;
    do result = ::fsync(fd_);
    while (result < 0 && errno == EINTR);
    // Pipes and some network file systems cannot sync; that is no fault of the data.
    if (result < 0 && errno != EINVAL && errno != ENOTSUP) io_error(path_, "cannot write", errno);
  }

  void close() {
    if (::close(std::exchange(fd_, -1)) < 0 && errno != EINTR) io_error(path_, "cannot write", errno);
  }

 private:
  const fs::path& path_;
  int fd_ = -1;
};

// Makes the new name survive a power cut. Some file systems refuse to open or sync a folder: nothing is lost then that
// could be helped, so this never fails.
void sync_folder_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  const int fd = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

// A second name for a file that is about to be replaced. By a link where the file system has them: the first name is
// there at every moment. A link that would be a third name of the same file is no error, and rename leaves it behind.
void keep_as(const fs::path& path, const fs::path& kept) {
  fs::path link = kept;
  link += ".tmp";
  ::unlink(link.c_str());
  if (::link(path.c_str(), link.c_str()) == 0) {
    if (::rename(link.c_str(), kept.c_str()) < 0) io_error(kept, "cannot write", errno);
    ::unlink(link.c_str());
  } else if (errno != ENOENT && ::rename(path.c_str(), kept.c_str()) < 0) {
    io_error(kept, "cannot write", errno);
  }
}

}  // namespace

AtomicPath::AtomicPath(fs::path target) : target_(std::move(target)), temporary_(target_) {
  temporary_ += ".tmp";
}

AtomicPath::~AtomicPath() {
  if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicPath::commit() {
  if (::rename(temporary_.c_str(), target_.c_str()) < 0) io_error(target_, "cannot write", errno);
  committed_ = true;
}

void AtomicPath::commit_durably(const fs::path& before) {
  {
    Descriptor file(temporary_, O_RDONLY, "cannot write");
    file.sync();
  }
  if (!before.empty()) keep_as(target_, before);
  commit();
  sync_folder_of(target_);
}

void write_atomically(const fs::path& path, std::string_view bytes) {
  write_atomically(path, std::span(&bytes, 1));
}

void write_atomically(const fs::path& path, std::span<const std::string_view> pieces) {
  AtomicPath atomic(path);
  Descriptor file(atomic.temporary(), O_WRONLY | O_CREAT | O_TRUNC, "cannot write");
  for (const std::string_view piece : pieces) file.write(piece);
  file.close();
  atomic.commit();
}

void append_to_file(const fs::path& path, std::string_view bytes) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_APPEND, "cannot write");
  file.write(bytes);
  file.close();
}

bool insert_before_end(const fs::path& path, std::string_view bytes, std::string_view tail) {
  std::error_code code;
  const std::uintmax_t size = fs::file_size(path, code);
  if (code || size < tail.size()) return false;
  Descriptor file(path, O_RDWR, "cannot write");
  const auto end = static_cast<off_t>(size - tail.size());
  std::string found(tail.size(), '\0');
  if (::pread(file.get(), found.data(), found.size(), end) != static_cast<ssize_t>(found.size()) || found != tail)
    return false;
  if (::lseek(file.get(), end, SEEK_SET) < 0) io_error(path, "cannot write", errno);
  file.write(std::string(bytes).append(tail));
  file.close();
  return true;
}

std::string read_file(const fs::path& path) {
  const Descriptor file(path, O_RDONLY, "cannot read");
  std::string bytes;
  std::error_code ignored;
  const std::uintmax_t size = fs::file_size(path, ignored);
  if (!ignored) bytes.reserve(size);  // only a hint: pipes and /proc have no size
  char chunk[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file.get(), chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) io_error(path, "cannot read", errno);
    if (n == 0) return bytes;
    bytes.append(chunk, static_cast<std::size_t>(n));
  }
}

void cut_file(const fs::path& path, std::uintmax_t length) {
  std::error_code code;
  const std::uintmax_t size = fs::file_size(path, code);
  if (code) io_error(path, "cannot read", code.value());
  if (size < length)
    throw Error(path.string() + ": has " + std::to_string(size) + " bytes where at least " + std::to_string(length) +
                    " were written",
                Fault::io);
  fs::resize_file(path, length, code);
  if (code) io_error(path, "cannot write", code.value());
}

void make_folder(const fs::path& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code) io_error(path, "cannot make the folder", code.value());
}

namespace {

// Length of the valid UTF-8 sequence at the front of text and its code point; length 0 where there is none.
std::pair<std::size_t, std::uint32_t> decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead >= 0xf8 || text.size() < length) return {0, 0};
  std::uint32_t code = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const std::uint32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  if (code < least || code > 0x10ffff) return {0, 0};
  return {length, code};
}

bool allowed_in_xml(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code != 0x7f && (code < 0xd800 || code > 0xdfff) && code != 0xfffe && code != 0xffff;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [length, code] = decode(text);
    const std::string_view piece = text.substr(0, length);
    text.remove_prefix(length > 0 ? length : 1);
    if (length == 0 || !allowed_in_xml(code))
      out += "\xef\xbf\xbd";
    else if (code == '&')
      out += "&amp;";
    else if (code == '<')
      out += "&lt;";
    else if (code == '>')
      out += "&gt;";
    else if (code == '"')
      out += "&quot;";
    else if (code == '\'')
      out += "&apos;";
    else
      out += piece;
  }
  return out;
}

}  // namespace ls
