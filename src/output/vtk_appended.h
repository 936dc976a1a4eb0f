#pragma once
// The binary part of VTK's XML files.
#include "output/files.h"
#include "output/vtk.h"

#include <bit>
#include <fmt/format.h>

namespace ls {

static_assert(std::endian::native == std::endian::little);  // the files say byte_order="LittleEndian"

inline const char* vtk_type(double) {
  return "Float64";
}
inline const char* vtk_type(float) {
  return "Float32";
}
inline const char* vtk_type(std::int32_t) {
  return "Int32";
}
inline const char* vtk_type(std::int64_t) {
  return "Int64";
}
inline const char* vtk_type(std::uint8_t) {
  return "UInt8";
}

// The XML head names each array with its place in the raw tail, where it stands behind its length in bytes.
class Appended {
 public:
  template <class T>
  void add(std::string& head, const char* name, std::size_t width, std::span<const T> values) {
    head += fmt::format("<DataArray type=\"{}\" Name=\"{}\"", vtk_type(T{}), name);
    if (width > 1) head += fmt::format(" NumberOfComponents=\"{}\"", width);
    if (width == 4) head += " ComponentName0=\"w\" ComponentName1=\"x\" ComponentName2=\"y\" ComponentName3=\"z\"";
    head += fmt::format(" format=\"appended\" offset=\"{}\"/>\n", offset_);
    blocks_.push_back({values.size_bytes(), std::as_bytes(values)});
    offset_ += sizeof(std::uint64_t) + values.size_bytes();
  }

  void add(std::string& head, const FrameArray& array) {
    std::visit([&](auto values) { add(head, array.name, array.width, values); }, array.values);
  }

  void write(const std::filesystem::path& path, std::string head) const {
    head += "<AppendedData encoding=\"raw\">\n_";
    std::vector<std::string_view> pieces{head};
    for (const Block& b : blocks_) {
      pieces.emplace_back(reinterpret_cast<const char*>(&b.size), sizeof b.size);
      pieces.emplace_back(reinterpret_cast<const char*>(b.bytes.data()), b.bytes.size());
    }
    pieces.emplace_back("\n</AppendedData>\n</VTKFile>\n");
    write_atomically(path, pieces);
  }

 private:
  struct Block {
    std::uint64_t size;
    std::span<const std::byte> bytes;
  };
  std::vector<Block> blocks_;
  std::uint64_t offset_ = 0;
};

}  // namespace ls
