#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ls {

// A file that appears whole or not at all: readers (and a run that is killed and resumed) never meet half of one.
// Give temporary() to whatever writes, close it, then commit(). Without commit() nothing of it is left behind.
//
// The temporary name is fixed (NAME.tmp) rather than random: a killed run leaves at most one such file and the next
// write takes it over, where random names would pile up. So one writer per target at a time.
class AtomicPath {
 public:
  explicit AtomicPath(std::filesystem::path target);
  ~AtomicPath();
  AtomicPath(const AtomicPath&) = delete;
  AtomicPath& operator=(const AtomicPath&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  const std::filesystem::path& target() const { return target_; }

  // Renames the temporary to the target, replacing what was there: whole even if the program is killed.
  void commit();
  // The same, and on the disk before it returns: whole even if the power fails. Tens of milliseconds, so for
  // checkpoints. What the target was so far gets the name `before`, where one is given.
  void commit_durably(const std::filesystem::path& before = {});

 private:
  std::filesystem::path target_, temporary_;
  bool committed_ = false;
};

// All errors: Error with Fault::io, the path and the reason.
void write_atomically(const std::filesystem::path& path, std::string_view bytes);
void write_atomically(const std::filesystem::path& path,
                      std::span<const std::string_view> pieces);                 // one after another
void append_to_file(const std::filesystem::path& path, std::string_view bytes);  // creates it where missing
std::string read_file(const std::filesystem::path& path);

// Adds to a file that ends in `tail` (the closing tags of an index), before that end, in one write: at every moment but
// that of the write a reader finds a whole file. False, and nothing done, where there is no such file.
bool insert_before_end(const std::filesystem::path& path, std::string_view bytes, std::string_view tail);

// Resume cuts appended files to the length the checkpoint knew. A file shorter than that has been tampered with: Error.
void cut_file(const std::filesystem::path& path, std::uintmax_t length);

// The folder and its parents; fine if it is there.
void make_folder(const std::filesystem::path& path);

// Text as content or attribute value of an XML file, well formed whatever the input: markup is escaped, and what XML
// cannot hold at all (control characters, broken UTF-8) becomes U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace ls
