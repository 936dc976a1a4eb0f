#include "output/hdf5_file.h"

#include "base/error.h"

#include <algorithm>
#include <hdf5.h>
#include <utility>

namespace ls {
namespace {

namespace fs = std::filesystem;

static_assert(std::is_same_v<hid_t, std::int64_t>);

// Called before anything else. Stops the library's printing (which it keeps per thread), and its work at exit: every
// file here is closed by then, and after a full disk or a damaged file it would crash over what it has lost track of.
void prepare() {
  [[maybe_unused]] static const herr_t once = H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5Eclear2(H5E_DEFAULT);
}

// The innermost entry of the library's error stack is where it went wrong; the outer ones only say "can't open".
std::string library_reason() {
  std::string reason;
  const auto keep_first = [](unsigned n, const H5E_error2_t* error, void* out) -> herr_t {
    if (n == 0 && error->desc) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  return reason;
}

[[noreturn]] void fail_at(const fs::path& path, const std::string& object, const std::string& what) {
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

const char* lookup_name(const std::string& name) {
  return name.empty() ? "/" : name.c_str();
}

// Positive: there, 0: not there, negative: cannot tell, the file is damaged. The library can only be asked about a link
// whose parent exists, and a group whose parent is a dataset counts as an error to it.
int presence(hid_t file, const std::string& name) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    if (part.empty() || part == "/") continue;
    if (const htri_t there = H5Lexists(file, part.c_str(), H5P_DEFAULT); there <= 0) return there;
  }
  return 1;
}

Handle open_object(const At& at, hid_t file, const std::string& name) {
  if (presence(file, name) == 0) fail_at(at.path, at.object, "no such object");
  return {at(H5Oopen(file, lookup_name(name), H5P_DEFAULT), "cannot open"), H5Oclose};
}

Handle open_dataset(const At& at, hid_t file, const std::string& name) {
  if (presence(file, name) == 0) fail_at(at.path, at.object, "no such dataset");
  return {at(H5Dopen2(file, lookup_name(name), H5P_DEFAULT), "cannot open the dataset"), H5Dclose};
}

Hdf5File::Shape shape_of(const At& at, hid_t dataset) {
  const Handle space(at(H5Dget_space(dataset), "cannot read"), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1 || rank > 2) fail_at(at.path, at.object, "has " + std::to_string(rank) + " extents, expected 1 or 2");
  hsize_t extents[2] = {};
  at(H5Sget_simple_extent_dims(space, extents, nullptr), "cannot read");
  return Hdf5File::Shape(extents, extents + rank);
}

// A damaged header may claim any size: compare with what is stored before memory is asked for. (We never compress.)
std::size_t checked_count(const At& at, hid_t file, hid_t dataset, std::size_t value_size) {
  hsize_t bytes_in_file = 0;
  at(H5Fget_filesize(file, &bytes_in_file), "cannot read");
  std::size_t count = 1;
  for (const std::size_t extent : shape_of(at, dataset)) {
    if (extent != 0 && count > bytes_in_file / value_size / extent) fail_at(at.path, at.object, "damaged: too large");
    count *= extent;
  }
  if (H5Dget_storage_size(dataset) < count * value_size) fail_at(at.path, at.object, "damaged: data are missing");
  return count;
}

// HDF5 puts the time of creation into each object unless told otherwise.
Handle timeless(hid_t list_class) {
  Handle list(H5Pcreate(list_class), H5Pclose);
  H5Pset_obj_track_times(list, false);
  return list;
}

// The format of HDF5 1.8 has checksums in its headers (damage is found, not believed) and long attributes. No locks:
// writers write under temporary names, and not every file system can lock.
Handle file_access() {
  Handle list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(list, false, true);
#endif
  return list;
}

}  // namespace

Hdf5File Hdf5File::create(const fs::path& path, std::size_t user_block) {
  prepare();
  const std::string none;
  const Handle creation = timeless(H5P_FILE_CREATE), access = file_access();
  H5Pset_userblock(creation, user_block);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
  return {At{path, none}(file, "cannot create the file"), path};
}

Hdf5File Hdf5File::open(const fs::path& path) {
  prepare();
  const std::string none;
  const Handle access = file_access();
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  std::error_code code;
  if (file < 0 && !fs::exists(path, code)) fail_at(path, none, "cannot read: No such file or directory");
  return {At{path, none}(file, "cannot read as an HDF5 file: damaged, cut short, or of another kind"), path};
}

Hdf5File::Hdf5File(Hdf5File&& other) noexcept : file_(std::exchange(other.file_, -1)), path_(std::move(other.path_)) {}

Hdf5File& Hdf5File::operator=(Hdf5File&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(path_, other.path_);
  return *this;
}

Hdf5File::~Hdf5File() {
  if (file_ < 0) return;
  prepare();
  H5Fclose(file_);
}

void Hdf5File::close() {
  if (file_ < 0) return;
  prepare();
  const std::string none;
  At{path_, none}(H5Fclose(std::exchange(file_, -1)), "cannot write");
}

void Hdf5File::make_group(const std::string& name) {
  prepare();
  // One group at a time: those the library makes on the way by itself would carry time stamps.
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    if (part.empty() || has(part)) continue;
    const At at{path_, part};
    const Handle creation = timeless(H5P_GROUP_CREATE);
    const Handle group(at(H5Gcreate2(file_, part.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), "cannot make"),
                       H5Gclose);
  }
}

bool Hdf5File::has(const std::string& name) const {
  prepare();
  return presence(file_, name) > 0;
}

std::vector<std::string> Hdf5File::names(const std::string& group) const {
  prepare();
  const At at{path_, group};
  const Handle handle(at(H5Gopen2(file_, lookup_name(group), H5P_DEFAULT), "cannot open the group"), H5Gclose);
  std::vector<std::string> found;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  at(H5Literate(handle, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &found), "cannot read");
  std::sort(found.begin(), found.end());
  return found;
}

template <class T>
void Hdf5File::write(const std::string& name, std::span<const T> values, Shape shape) {
  prepare();
  const At at{path_, name};
  if (shape.empty()) shape = {values.size()};
  const std::size_t product = shape.size() == 2 ? shape[0] * shape[1] : shape[0];
  if (shape.size() > 2 || product != values.size()) fail_at(path_, name, "shape and number of values differ");
  if (const std::size_t slash = name.rfind('/'); slash != std::string::npos) make_group(name.substr(0, slash));

  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
  const Handle creation = timeless(H5P_DATASET_CREATE);
  const hid_t id = H5Dcreate2(file_, name.c_str(), Kind<T>::stored(), space, H5P_DEFAULT, creation, H5P_DEFAULT);
  const Handle dataset(at(id, "cannot create the dataset"), H5Dclose);
  if (!values.empty())
    at(H5Dwrite(dataset, Kind<T>::native(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "cannot write");
}

template <class T>
std::vector<T> Hdf5File::read(const std::string& name) const {
  prepare();
  const At at{path_, name};
  const Handle dataset = open_dataset(at, file_, name);
  const Handle type(at(H5Dget_type(dataset), "cannot read"), H5Tclose);
  check_type<T>(at, type);
  std::vector<T> values(checked_count(at, file_, dataset, sizeof(T)));
  if (!values.empty())
    at(H5Dread(dataset, Kind<T>::native(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "cannot read");
  return values;
}

Hdf5File::Shape Hdf5File::shape(const std::string& name) const {
  prepare();
  const At at{path_, name};
  const Handle dataset = open_dataset(at, file_, name);
  return shape_of(at, dataset);
}

template void Hdf5File::write(const std::string&, std::span<const double>, Shape);
template void Hdf5File::write(const std::string&, std::span<const float>, Shape);
template void Hdf5File::write(const std::string&, std::span<const std::int32_t>, Shape);
template void Hdf5File::write(const std::string&, std::span<const std::int64_t>, Shape);
template void Hdf5File::write(const std::string&, std::span<const std::uint8_t>, Shape);
template std::vector<double> Hdf5File::read(const std::string&) const;
template std::vector<float> Hdf5File::read(const std::string&) const;
template std::vector<std::int32_t> Hdf5File::read(const std::string&) const;
template std::vector<std::int64_t> Hdf5File::read(const std::string&) const;
template std::vector<std::uint8_t> Hdf5File::read(const std::string&) const;

namespace {

std::string attribute_path(const std::string& object, const std::string& name) {
  return (object.empty() ? "/" : object) + "@" + name;
}

void write_attribute(const At& at, hid_t object, const std::string& name, hid_t stored, hid_t native,
                     const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const hid_t id = H5Acreate2(object, name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT);
  const Handle attribute(at(id, "cannot create the attribute"), H5Aclose);
  at(H5Awrite(attribute, native, value), "cannot write");
}

// Fixed length, UTF-8, padded with zeros. A type of no bytes can't be, so an empty string takes one zero.
Handle string_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(size, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

Handle open_attribute(const At& at, hid_t object, const std::string& name) {
  Handle attribute(at(H5Aopen(object, name.c_str(), H5P_DEFAULT), "no such attribute"), H5Aclose);
  const Handle space(at(H5Aget_space(attribute), "cannot read"), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1) fail_at(at.path, at.object, "is not a single value");
  return attribute;
}

template <class T>
T read_attribute(const fs::path& path, hid_t file, const std::string& object_name, const std::string& name) {
  prepare();
  const std::string full = attribute_path(object_name, name);
  const At at{path, full};
  const Handle object = open_object(at, file, object_name);
  const Handle attribute = open_attribute(at, object, name);
  const Handle type(at(H5Aget_type(attribute), "cannot read"), H5Tclose);
  check_type<T>(at, type);
  T value{};
  at(H5Aread(attribute, Kind<T>::native(), &value), "cannot read");
  return value;
}

template <class T>
void add_number(const fs::path& path, hid_t file, const std::string& object_name, const std::string& name, T value) {
  prepare();
  const std::string full = attribute_path(object_name, name);
  const At at{path, full};
  const Handle object = open_object(at, file, object_name);
  write_attribute(at, object, name, Kind<T>::stored(), Kind<T>::native(), &value);
}

}  // namespace

void Hdf5File::set_attribute(const std::string& object, const std::string& name, const std::string& value) {
  prepare();
  const std::string full = attribute_path(object, name);
  const At at{path_, full};
  const Handle handle = open_object(at, file_, object);
  const Handle type = string_type(value.size());
  write_attribute(at, handle, name, type, type, value.c_str());
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, const char* value) {
  set_attribute(object, name, std::string(value));
}

void Hdf5File::set_int_attribute(const std::string& object, const std::string& name, std::int64_t value) {
  add_number(path_, file_, object, name, value);
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, double value) {
  add_number(path_, file_, object, name, value);
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
  prepare();
  return has(object) && H5Aexists_by_name(file_, lookup_name(object), name.c_str(), H5P_DEFAULT) > 0;
}

std::string Hdf5File::string_attribute(const std::string& object, const std::string& name) const {
  prepare();
  const std::string full = attribute_path(object, name);
  const At at{path_, full};
  const Handle handle = open_object(at, file_, object);
  const Handle attribute = open_attribute(at, handle, name);
  const Handle type(at(H5Aget_type(attribute), "cannot read"), H5Tclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) fail_at(path_, full, "does not hold text");
  std::string value(H5Tget_size(type), '\0');
  at(H5Aread(attribute, type, value.data()), "cannot read");
  value.erase(value.find_last_not_of('\0') + 1);
  return value;
}

std::int64_t Hdf5File::int_attribute(const std::string& object, const std::string& name) const {
  return read_attribute<std::int64_t>(path_, file_, object, name);
}

double Hdf5File::double_attribute(const std::string& object, const std::string& name) const {
  return read_attribute<double>(path_, file_, object, name);
}

}  // namespace ls
