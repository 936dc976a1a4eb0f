#include "fluid/immersed/stencil.h"

#include "fluid/immersed/marker_loops.h"
#include "math/component.h"

#include <algorithm>

namespace ls {

Vec3<double> Stencil::from_walls(const LatticeDrive& drive) const {
  Vec3<double> sum{};
  for (std::size_t a = 0; !is_plain && a < 3; ++a)
    for (std::size_t side = 0; side < 2; ++side) sum += 2 * beyond[a][side] * drive.velocity[a][side];
  return sum;
}

double Stencil::total(int component) const {
  double product = 1;
  for (int a = 0; a < 3; ++a) {
    double sum = 0;
    for (int k = 0; k < width; ++k) sum += weight(component, a, k);
    product *= sum;
  }
  return product;
}

namespace {

// What lies beyond the box is folded back.
void fold(const LatticeSpec& spec, bool slopes, Stencil& s) {
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const int n = spec.cells[axis];
    const bool periodic = spec.faces[axis][0] == FaceKind::periodic;
    s.beyond[a][0] = s.beyond[a][1] = 0;
    if (a == 0 && (s.first[0] < 0 || s.first[0] + s.width > n)) s.is_uniform = false;
    for (int k = 0; k < s.width; ++k) {
      int i = s.cell[a][k];
      double across = s.across[a][k], along = across, sign = 1;
      if (periodic && (i < 0 || i >= n)) i = ((i % n) + n) % n;
      if (!periodic) i = std::clamp(i, -2 * n, 3 * n - 1);  // who is that far out will be told so
      while (i < 0 || i >= n) {
        const std::size_t side = i < 0 ? 0 : 1;
        const FaceKind face = spec.faces[axis][side];
        if (face == FaceKind::wall) s.beyond[a][side] += across, across = -across, sign = -sign;
        if (face == FaceKind::wall || face == FaceKind::free_slip) along = -along;
        if (face == FaceKind::free_slip) s.is_uniform = false;
        i = side == 0 ? -1 - i : 2 * n - 1 - i;
      }
      s.cell[a][k] = i, s.along[a][k] = along, s.across[a][k] = across;
      if (slopes) s.slope[a][k] *= sign;
    }
  }
}

}  // namespace

bool set_stencil(const LatticeSpec& spec, DeltaKernel kernel, const Vec3<double>& place, bool slopes, Stencil& s) {
  int first[4];
  s.width = width(kernel);
  s.is_uniform = true;
  marker_loops().weigh(s.width, place.x, place.y, place.z, first, s.across);
  const auto is_inside = [&](std::size_t a) { return first[a] >= 0 && first[a] + s.width <= spec.cells[a]; };
  const bool is_plain = is_inside(0) && is_inside(1) && is_inside(2);
  const bool is_other = !std::equal(first, first + 3, s.first);
  if (is_other || !is_plain || !s.is_plain)
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < s.width; ++k) s.cell[a][k] = first[a] + k;
  std::copy(first, first + 3, s.first);
  s.is_plain = is_plain;
  for (int a = 0; slopes && a < 3; ++a)
    for (int k = 0; k < s.width; ++k) s.slope[a][k] = delta_slope(kernel, component(place, a) - (first[a] + k + 0.5));
  if (!is_plain) fold(spec, slopes, s);
  return is_other;
}

Stencil make_stencil(const LatticeSpec& spec, DeltaKernel kernel, const Vec3<double>& place) {
  Stencil s;
  set_stencil(spec, kernel, place, false, s);
  return s;
}

}  // namespace ls
