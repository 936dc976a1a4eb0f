#include "fluid/immersed/rod_ends.h"

#include "fluid/immersed/grid_radius.h"
#include "math/component.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

// In cells, over periodic faces where that is shorter.
double cells_between(const Vec3<double>& a, const Vec3<double>& b, const FluidSettings& fluid) {
  Vec3<double> d = (1 / fluid.spacing) * (a - b);
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    if (fluid.faces[k][0] == FaceKind::periodic)
      component(d, axis) = std::remainder(component(d, axis), static_cast<double>(fluid.cells[k]));
  }
  return norm(d);
}

bool stands_on_face(const Vec3<double>& x, const FluidSettings& fluid) {
  constexpr double near = 1;  // cells
  const Vec3<double> at = (1 / fluid.spacing) * (x - fluid.origin);
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    if (fluid.faces[k][0] != FaceKind::periodic &&
        !(component(at, axis) > near && component(at, axis) < fluid.cells[k] - near))
      return true;
  }
  return false;
}

}  // namespace

RodEnds rod_ends(const std::vector<int>& bonds_at, const Body& rod, const Nodes& nodes, const FluidSettings& fluid,
                 const RodSize& size) {
  constexpr double own_image = 2;     // cells, between the ends of a rod that goes on there
  constexpr double most_share = 0.1;  // of the rod that is cut off
  RodEnds ends;
  const int node[2] = {rod.nodes.front(), rod.nodes.back()};
  const Vec3<double> x[2] = {nodes.frame(node[0]).x, nodes.frame(node[1]).x};
  if (fluid.coupling != Coupling::friction || rod.nodes.size() < 3 || cells_between(x[0], x[1], fluid) < own_image)
    return ends;
  for (int k = 0; k < 2; ++k) {
    if (size.radius[k] >= grid_radius(fluid.kernel).across * fluid.spacing || stands_on_face(x[k], fluid) ||
        bonds_at[node[k]] != 1)
      continue;
    const LineEnd end = line_end(fluid.kernel, size.radius[k] / fluid.spacing);
    ends.cut[k] = std::min(end.cut * fluid.spacing, most_share * size.length);
    ends.cap[k] = end.cap * fluid.spacing;
  }
  return ends;
}

}  // namespace ls
