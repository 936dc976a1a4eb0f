#include "picture/take_flow_picture.h"

#include "output/fluid_field.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

// The layer of cells that the middle one of the nodes is in; of an empty box the middle.
int layer_of(const Fluid& fluid, const Snapshot& shot, std::size_t axis) {
  const int n = fluid.settings().cells[axis];
  std::vector<double> places;
  for (std::size_t i = 0; i < shot.position.size(); ++i)
    if ((i >= shot.is_wall.size() || !shot.is_wall[i]) && std::isfinite(shot.position[i][axis]))
      places.push_back(shot.position[i][axis]);
  if (places.empty()) return n / 2;
  const auto middle = places.begin() + static_cast<std::ptrdiff_t>(places.size() / 2);
  std::nth_element(places.begin(), middle, places.end());
  const Vec3<double> cell = fluid.to_cells({*middle, *middle, *middle});
  double layer = std::floor(axis == 0 ? cell.x : axis == 1 ? cell.y : cell.z);
  if (fluid.settings().faces[axis][0] == FaceKind::periodic) layer -= n * std::floor(layer / n);
  return static_cast<int>(std::clamp(layer, 0.0, n - 1.0));
}

}  // namespace

FlowPicture take_flow_picture(const Fluid& fluid, const FluidState& s, const Inputs& in, const Snapshot& shot,
                              Team& team) {
  const FluidSettings& set = fluid.settings();
  FlowPicture p;
  for (int axis = 1; axis >= 0; --axis)
    if (set.cells[axis] < set.cells[p.across]) p.across = axis;
  p.right = p.across == 0 ? 1 : 0;
  p.up = 3 - p.across - p.right;
  const Vec3<double> size = fluid.size();
  p.low = {set.origin.x, set.origin.y, set.origin.z};
  p.high = {set.origin.x + size.x, set.origin.y + size.y, set.origin.z + size.z};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t side = 0; side < 2; ++side)
      p.is_wall[axis][side] = set.faces[axis][side] == FaceKind::wall || set.faces[axis][side] == FaceKind::free_slip;
  for (std::size_t axis = 0; axis < 3; ++axis) p.is_periodic[axis] = set.faces[axis][0] == FaceKind::periodic;
  const auto across = static_cast<std::size_t>(p.across), right = static_cast<std::size_t>(p.right),
             up = static_cast<std::size_t>(p.up);
  std::array<int, 3> first{}, count = set.cells;
  first[across] = layer_of(fluid, shot, across);
  count[across] = 1;
  const FluidBlock layer = read_block(fluid, s, in, first, count, team);
  p.columns = count[right];
  p.rows = count[up];
  for (const auto& v : layer.velocity) {  // x fastest, and right comes before up: the same order
    p.velocity.push_back({v[right], v[up]});
    p.speed.push_back(std::hypot(v[0], v[1], v[2]));
  }
  return p;
}

}  // namespace ls
