#include "output/fluid_block_files.h"

#include "output/files.h"
#include "output/hdf5_file.h"
#include "output/vtk_appended.h"

namespace ls {

namespace fs = std::filesystem;

namespace {

template <class T>
std::span<const float> floats(const std::vector<T>& values) {
  return {reinterpret_cast<const float*>(values.data()), values.size() * sizeof(T) / sizeof(float)};
}

Vec3<double> corner(const Fluid& fluid, const FluidBlock& b) {
  const FluidSettings& s = fluid.settings();
  return s.origin + s.spacing * Vec3<double>{static_cast<double>(b.first[0]), static_cast<double>(b.first[1]),
                                             static_cast<double>(b.first[2])};
}

}  // namespace

void write_vti(const fs::path& path, const Fluid& fluid, const FluidBlock& b, const Clock& clock) {
  const Vec3<double> low = corner(fluid, b);
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", b.count[0], b.count[1], b.count[2]);
  std::string head = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "<ImageData WholeExtent=\"{0}\" Origin=\"{1} {2} {3}\" Spacing=\"{4} {4} {4}\">\n"
      "<FieldData>\n"
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{5}</DataArray>\n"
      "<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">{6}</DataArray>\n"
      "</FieldData>\n<Piece Extent=\"{0}\">\n<CellData>\n",
      extent, low.x, low.y, low.z, fluid.settings().spacing, clock.time, clock.step);
  Appended appended;
  appended.add(head, "velocity", 3, floats(b.velocity));
  appended.add(head, "pressure", 1, floats(b.pressure));
  appended.add(head, "vorticity", 3, floats(b.vorticity));
  head += "</CellData>\n</Piece>\n</ImageData>\n";
  appended.write(path, std::move(head));
}

void write_fluid_h5(const fs::path& path, const Fluid& fluid, const FluidBlock& b, const Clock& clock) {
  AtomicPath atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary());
  file.set_attribute("", "format", "lodestone fluid");
  file.set_attribute("", "version", 1);
  file.set_attribute("", "step", clock.step);
  file.set_attribute("", "time", clock.time);
  file.set_attribute("", "spacing", fluid.settings().spacing);
  const Vec3<double> low = corner(fluid, b);
  file.write("grid/origin", std::vector<double>{low.x, low.y, low.z});
  file.write("grid/cells", std::vector<std::int32_t>{b.count[0], b.count[1], b.count[2]});
  const std::size_t cells = b.pressure.size();
  file.write("cell/velocity", floats(b.velocity), {cells, 3});
  file.set_attribute("cell/velocity", "unit", "m/s");
  file.write("cell/pressure", floats(b.pressure), {cells});
  file.set_attribute("cell/pressure", "unit", "Pa");
  file.write("cell/vorticity", floats(b.vorticity), {cells, 3});
  file.set_attribute("cell/vorticity", "unit", "1/s");
  file.close();
  atomic.commit();
}

}  // namespace ls
