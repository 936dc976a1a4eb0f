#include "view/grid_blobs.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls {

namespace {

// Cells lie in the file with x fastest: a layer across any axis is a row of blocks, evenly spaced.
Hdf5File::Rows layer(const std::array<std::size_t, 3>& cells, int axis, std::size_t cell) {
  const std::size_t row = cells[0], sheet = cells[0] * cells[1];
  if (axis == 0) return {.first = cell, .count = cells[1] * cells[2], .stride = row};
  if (axis == 1) return {.first = cell * row, .count = cells[2], .stride = sheet, .block = row};
  return {.first = cell * sheet, .block = sheet};
}

// Beside a dipole fields grow without bounds: the few points that are there must not make all others look the same.
double shown_range(std::vector<double>& sizes) {
  if (sizes.empty()) return 0;
  const auto most = sizes.begin() + static_cast<std::ptrdiff_t>(0.97 * static_cast<double>(sizes.size() - 1));
  std::ranges::nth_element(sizes, most);
  const double strongest = *std::max_element(most, sizes.end());
  return strongest > 3 * *most && *most > 0 ? *most : strongest;
}

}  // namespace

Blob fluid_slice(const Hdf5File& f, const ViewOrigin& origin, int axis, int cell) {
  const auto counts = f.read<std::int32_t>("grid/cells");
  const auto corner = f.read<double>("grid/origin");
  const double h = f.double_attribute("", "spacing");
  if (axis < 0 || axis > 2) throw Error("axis is 0, 1 or 2");
  const auto a = static_cast<std::size_t>(axis);
  if (cell < 0 || cell >= counts[a]) throw Error(fmt::format("cell {} of {} along the axis", cell, counts[a]));
  const std::array<std::size_t, 3> cells{static_cast<std::size_t>(counts[0]), static_cast<std::size_t>(counts[1]),
                                         static_cast<std::size_t>(counts[2])};
  const Hdf5File::Rows rows = layer(cells, axis, static_cast<std::size_t>(cell));
  const std::vector<float> velocity = f.read<float>("cell/velocity", rows);
  double fastest = 0;
  for (std::size_t k = 0; k + 2 < velocity.size(); k += 3)
    fastest = std::max<double>(fastest, std::hypot(velocity[k], velocity[k + 1], velocity[k + 2]));
  const std::size_t across = a == 0 ? 1 : 0, up = a == 2 ? 1 : 2;  // the sides of the layer; the first is the faster
  nlohmann::json low = nlohmann::json::array();
  for (std::size_t c = 0; c < 3; ++c) low.push_back(corner[c] - origin[c] + (c == a ? h * (cell + 0.5) : 0.0));
  Blob blob({{"time", f.double_attribute("", "time")},
             {"axis", axis},
             {"cell", cell},
             {"cells", counts},
             {"sides", {across, up}},
             {"size", {cells[across], cells[up]}},
             {"spacing", h},
             {"corner", low},
             {"fastest", fastest}});
  blob.add("velocity", velocity);
  blob.add("pressure", f.read<float>("cell/pressure", rows));
  return blob;
}

Blob field_slice(const Hdf5File& f, const ViewOrigin& origin) {
  const auto points = f.read<std::int32_t>("grid/points");
  const auto x = f.read<double>("point/position"), b = f.read<double>("point/B");
  std::vector<float> places, field;
  std::vector<double> sizes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    places.push_back(static_cast<float>(x[i] - origin[i % 3]));
    field.push_back(static_cast<float>(b[i]));
    if (i % 3 == 2)
      if (const double size = std::hypot(b[i - 2], b[i - 1], b[i]); std::isfinite(size)) sizes.push_back(size);
  }
  const double shown = shown_range(sizes), strongest = sizes.empty() ? 0 : *std::ranges::max_element(sizes);
  Blob blob({{"time", f.double_attribute("", "time")},
             {"points", points},
             {"strongest", shown},
             {"beyond", shown < strongest}});
  blob.add("place", places);
  blob.add("field", field);
  return blob;
}

}  // namespace ls
