#include "output/hdf5_file.h"

#include "output/hdf5/hdf5_handles.h"

#include <algorithm>

namespace ls {

using namespace hdf5;

namespace {

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

template <class T>
std::vector<T> Hdf5File::read(const std::string& name, const Rows& rows) const {
  prepare();
  const At at{path_, name};
  const Handle dataset = open_dataset(at, file_, name);
  const Handle type(at(H5Dget_type(dataset), "cannot read"), H5Tclose);
  check_type<T>(at, type);
  checked_count(at, file_, dataset, sizeof(T));
  const Shape extents = shape_of(at, dataset);
  const std::size_t width = extents.size() > 1 ? extents[1] : 1, wanted = rows.count * rows.block;
  if (wanted == 0) return {};
  if (rows.block > rows.stride && rows.count > 1) fail_at(path_, name, "blocks of rows overlap");
  if (rows.first + (rows.count - 1) * rows.stride + rows.block > extents[0]) fail_at(path_, name, "has no such rows");
  const hsize_t start[2] = {rows.first, 0}, stride[2] = {rows.stride, 1}, count[2] = {rows.count, 1};
  const hsize_t block[2] = {rows.block, width}, memory[1] = {wanted * width};
  const Handle space(at(H5Dget_space(dataset), "cannot read"), H5Sclose),
      target(H5Screate_simple(1, memory, nullptr), H5Sclose);
  at(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block), "cannot choose rows");
  std::vector<T> values(wanted * width);
  if (!values.empty())
    at(H5Dread(dataset, Kind<T>::native(), target, space, H5P_DEFAULT, values.data()), "cannot read");
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
template std::vector<double> Hdf5File::read(const std::string&, const Rows&) const;
template std::vector<float> Hdf5File::read(const std::string&, const Rows&) const;
template std::vector<std::int32_t> Hdf5File::read(const std::string&, const Rows&) const;
template std::vector<double> Hdf5File::read(const std::string&) const;
template std::vector<float> Hdf5File::read(const std::string&) const;
template std::vector<std::int32_t> Hdf5File::read(const std::string&) const;
template std::vector<std::int64_t> Hdf5File::read(const std::string&) const;
template std::vector<std::uint8_t> Hdf5File::read(const std::string&) const;

}  // namespace ls
