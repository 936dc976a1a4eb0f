#include "output/field_grid_files.h"

#include "output/files.h"
#include "output/hdf5_file.h"
#include "output/vtk_appended.h"

namespace ls {

namespace {

std::span<const double> doubles(std::span<const Vec3<double>> vectors) {
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));
  return {reinterpret_cast<const double*>(vectors.data()), 3 * vectors.size()};
}

}  // namespace

void write_field_vts(const std::filesystem::path& path, const FieldGrid& grid, FieldValues b, const Clock& clock) {
  const std::string extent = fmt::format("0 {} 0 {} 0 0", grid.points[0] - 1, grid.points[1] - 1);
  std::string head = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"StructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "<StructuredGrid WholeExtent=\"{0}\">\n"
      "<FieldData>\n"
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{1}</DataArray>\n"
      "<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">{2}</DataArray>\n"
      "</FieldData>\n<Piece Extent=\"{0}\">\n<PointData Vectors=\"B\">\n",
      extent, clock.time, clock.step);
  const std::vector<Vec3<double>> places = grid.places();
  Appended appended;
  appended.add(head, "B", 3, doubles(b));
  head += "</PointData>\n<Points>\n";
  appended.add(head, "Points", 3, doubles(places));
  head += "</Points>\n</Piece>\n</StructuredGrid>\n";
  appended.write(path, std::move(head));
}

void write_field_h5(const std::filesystem::path& path, const FieldGrid& grid, FieldValues b, const Clock& clock) {
  AtomicPath atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary());
  file.set_attribute("", "format", "lodestone field");
  file.set_attribute("", "version", 1);
  file.set_attribute("", "step", clock.step);
  file.set_attribute("", "time", clock.time);
  const std::vector<Vec3<double>> places = grid.places();
  file.write("grid/points", std::vector<std::int32_t>{grid.points[0], grid.points[1]});
  file.write("point/position", doubles(places), {places.size(), 3});
  file.set_attribute("point/position", "unit", "m");
  file.write("point/B", doubles(b), {b.size(), 3});
  file.set_attribute("point/B", "unit", "T");
  file.close();
  atomic.commit();
}

}  // namespace ls
