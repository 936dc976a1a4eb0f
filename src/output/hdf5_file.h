#pragma once
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ls {

// The little of HDF5 that frames and checkpoints need: numbers in datasets of rank 1 or 2, attributes, groups.
// Names are paths ("node/position"); "" and "/" mean the root. Every failure is an Error (Fault::io) that names file
// and object; the HDF5 library itself prints nothing. No time stamps are stored: the same data give the same bytes.
// Not for two threads at once.
class Hdf5File {
 public:
  using Shape = std::vector<std::size_t>;

  // Replaces what is there; see AtomicPath. user_block: bytes at the front that are left to others, 0 or 512 at least.
  static Hdf5File create(const std::filesystem::path& path, std::size_t user_block = 0);
  static Hdf5File open(const std::filesystem::path& path);  // to read

  Hdf5File(Hdf5File&& other) noexcept;
  Hdf5File& operator=(Hdf5File&& other) noexcept;
  ~Hdf5File();

  // After the last write: what a full disk has to say comes out here (the destructor can't tell).
  void close();

  void make_group(const std::string& name);                        // with its parents; fine if it is there
  bool has(const std::string& name) const;                         // a dataset or group
  std::vector<std::string> names(const std::string& group) const;  // its members, sorted

  // T: double, float, int32_t, int64_t, uint8_t. Groups on the way are made; a name that exists is an error.
  // shape: one or two extents whose product is the number of values (zero is fine); left out: one extent.
  template <class T>
  void write(const std::string& name, std::span<const T> values, Shape shape = {});
  template <class T>
  void write(const std::string& name, const std::vector<T>& values, Shape shape = {}) {
    write(name, std::span<const T>(values), std::move(shape));
  }

  // The stored type must be T exactly: a silent conversion could round a checkpoint.
  template <class T>
  std::vector<T> read(const std::string& name) const;
  // Some rows of it alone: `count` blocks of `block` rows each, `stride` rows apart. Rows that are not there: an Error.
  struct Rows {
    std::size_t first = 0, count = 1, stride = 1, block = 1;
  };
  template <class T>
  std::vector<T> read(const std::string& name, const Rows& rows) const;
  Shape shape(const std::string& name) const;

  // object: a group or dataset. A string may be of any length; an attribute that exists is an error.
  void set_attribute(const std::string& object, const std::string& name, const std::string& value);
  void set_attribute(const std::string& object, const std::string& name, const char* value);
  void set_attribute(const std::string& object, const std::string& name, double value);
  void set_attribute(const std::string& object, const std::string& name, std::integral auto value) {
    set_int_attribute(object, name, static_cast<std::int64_t>(value));
  }
  bool has_attribute(const std::string& object, const std::string& name) const;
  std::string string_attribute(const std::string& object, const std::string& name) const;
  std::int64_t int_attribute(const std::string& object, const std::string& name) const;
  double double_attribute(const std::string& object, const std::string& name) const;

 private:
  void set_int_attribute(const std::string& object, const std::string& name, std::int64_t value);

  Hdf5File(std::int64_t file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}

  std::int64_t file_ = -1;  // hid_t: kept out of this header, so that only one file needs the library's
  std::filesystem::path path_;
};

}  // namespace ls
