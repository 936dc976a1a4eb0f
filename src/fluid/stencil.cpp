#include "fluid/stencil.h"

namespace ls {

double Stencil::total(int component) const {
  double product = 1;
  for (int a = 0; a < 3; ++a) {
    double sum = 0;
    for (int k = 0; k < width; ++k) sum += weight(component, a, k);
    product *= sum;
  }
  return product;
}

Stencil make_stencil(const LatticeSpec& spec, DeltaKernel kernel, const LatticeDrive& drive, const Vec3<double>& place,
                     bool slopes) {
  Stencil s;
  s.width = width(kernel);
  const double x[3] = {place.x, place.y, place.z};
  double beyond[3][2] = {};  // [axis][side] weight beyond a wall
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const int n = spec.cells[axis];
    const bool periodic = spec.faces[axis][0] == FaceKind::periodic;
    const int first = first_cell(kernel, x[a]);
    s.is_plain = s.is_plain && first >= 0 && first + s.width <= n;
    double weight[Stencil::most];
    delta_weights(kernel, x[a] - (first + 0.5), weight);
    for (int k = 0; k < s.width; ++k) {
      double along = weight[k], across = along;
      double slope = slopes ? delta_slope(kernel, x[a] - (first + k + 0.5)) : 0;
      int i = first + k;
      if (periodic && (i < 0 || i >= n)) i = ((i % n) + n) % n;
      while (i < 0 || i >= n) {
        const std::size_t side = i < 0 ? 0 : 1;
        const FaceKind face = spec.faces[axis][side];
        if (face == FaceKind::wall) beyond[a][side] += across, across = -across, slope = -slope;
        if (face == FaceKind::wall || face == FaceKind::free_slip) along = -along;
        i = side == 0 ? -1 - i : 2 * n - 1 - i;
      }
      s.cell[a][k] = i, s.along[a][k] = along, s.across[a][k] = across, s.slope[a][k] = slope;
    }
  }
  if (s.is_plain) return s;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t side = 0; side < 2; ++side) s.from_walls += 2 * beyond[a][side] * drive.velocity[a][side];
  return s;
}

}  // namespace ls
