#pragma once
// What the files of Hdf5File share of the HDF5 library: handles that close themselves, errors with path and object.
#include "base/error.h"
#include "output/hdf5_file.h"

#include <hdf5.h>
#include <utility>

namespace ls::hdf5 {

namespace fs = std::filesystem;

static_assert(std::is_same_v<hid_t, std::int64_t>);

// Called before anything else. Stops the library's printing (which it keeps per thread), and its work at exit: every
// file here is closed by then, and after a full disk or a damaged file it would crash over what it has lost track of.
inline void prepare() {
  [[maybe_unused]] static const herr_t once = H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5Eclear2(H5E_DEFAULT);
}

// The innermost entry of the library's error stack is where it went wrong; the outer ones only say "can't open".
inline std::string library_reason() {
  std::string reason;
  const auto keep_first = [](unsigned n, const H5E_error2_t* error, void* out) -> herr_t {
    if (n == 0 && error->desc) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  return reason;
}

[[noreturn]] inline void fail_at(const fs::path& path, const std::string& object, const std::string& what) {
  throw Error(path.string() + ": " + (object.empty() ? "" : object + ": ") + what, Fault::io);
}

// Where a call is made, for its message.
struct At {
  const fs::path& path;
  const std::string& object;

  template <class Result>
  Result operator()(Result result, const char* what) const {
    if (result >= 0) return result;
    const std::string reason = library_reason();
    fail_at(path, object, what + (reason.empty() ? "" : " (HDF5: " + reason + ")"));
  }
};

// A handle of the library with the function that gives it back.
class Handle {
 public:
  Handle(hid_t id, herr_t (*release)(hid_t)) : id_(id), release_(release) {}
  ~Handle() {
    if (id_ >= 0) release_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), release_(other.release_) {}
  Handle& operator=(Handle&&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*release_)(hid_t);
};

template <class T>
struct Kind;  // the type in the file is little endian everywhere, the type in memory is the machine's
template <>
struct Kind<double> {
  static constexpr const char* name = "64-bit floating point numbers";
  static hid_t stored() { return H5T_IEEE_F64LE; }
  static hid_t native() { return H5T_NATIVE_DOUBLE; }
};
template <>
struct Kind<float> {
  static constexpr const char* name = "32-bit floating point numbers";
  static hid_t stored() { return H5T_IEEE_F32LE; }
  static hid_t native() { return H5T_NATIVE_FLOAT; }
};
template <>
struct Kind<std::int32_t> {
  static constexpr const char* name = "32-bit integers";
  static hid_t stored() { return H5T_STD_I32LE; }
  static hid_t native() { return H5T_NATIVE_INT32; }
};
template <>
struct Kind<std::int64_t> {
  static constexpr const char* name = "64-bit integers";
  static hid_t stored() { return H5T_STD_I64LE; }
  static hid_t native() { return H5T_NATIVE_INT64; }
};
template <>
struct Kind<std::uint8_t> {
  static constexpr const char* name = "bytes";
  static hid_t stored() { return H5T_STD_U8LE; }
  static hid_t native() { return H5T_NATIVE_UINT8; }
};

template <class T>
void check_type(const At& at, hid_t type) {
  if (H5Tequal(type, Kind<T>::stored()) <= 0)
    fail_at(at.path, at.object, std::string("does not hold ") + Kind<T>::name);
}

inline const char* lookup_name(const std::string& name) {
  return name.empty() ? "/" : name.c_str();
}

// Positive: there, 0: not there, negative: cannot tell, the file is damaged. The library can only be asked about a link
// whose parent exists, and a group whose parent is a dataset counts as an error to it.
inline int presence(hid_t file, const std::string& name) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    if (part.empty() || part == "/") continue;
    if (const htri_t there = H5Lexists(file, part.c_str(), H5P_DEFAULT); there <= 0) return there;
  }
  return 1;
}

inline Handle open_object(const At& at, hid_t file, const std::string& name) {
  if (presence(file, name) == 0) fail_at(at.path, at.object, "no such object");
  return {at(H5Oopen(file, lookup_name(name), H5P_DEFAULT), "cannot open"), H5Oclose};
}

}  // namespace ls::hdf5
