#include "output/hdf5/hdf5_handles.h"

#include <algorithm>

namespace ls {

using namespace hdf5;

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
