#include "terms/dipoles/point_cells.h"

namespace ls {

namespace {

constexpr double neighbourhood = 27;  // cells

std::array<double, 3> numbers(const Vec3<double>& x) {
  return {x.x, x.y, x.z};
}

}  // namespace

PointCells::PointCells(std::span<const Vec3<double>> at, double size, const PeriodicBox* box)
    : at_(at), box_(box), size_(size) {
  for (std::size_t k = 0; box && k < 3; ++k)
    cells_[k] = std::max(1LL, std::llround(std::floor(std::min(1e6, box->length[k] / size))));
  by_cell_.reserve(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) by_cell_.emplace_back(cell(at[i]), static_cast<int>(i));
  std::sort(by_cell_.begin(), by_cell_.end());
}

PointCells::Cell PointCells::cell(const Vec3<double>& x) const {
  constexpr double most = 1e15;  // cells from the origin: what is lost is far away from all else
  const auto at = numbers(x);
  Cell c{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!box_) {
      const double place = std::floor(at[k] / size_);
      c[k] = std::isfinite(place) ? std::llround(std::clamp(place, -most, most)) : 0;
      continue;
    }
    const double share = at[k] / box_->length[k], within = share - std::floor(share);
    c[k] = std::isfinite(within) ? std::llround(std::floor(within * static_cast<double>(cells_[k]))) % cells_[k] : 0;
  }
  return c;
}

double PointCells::size_for(std::span<const Vec3<double>> at, double points, const PeriodicBox* box) {
  const double share = points / neighbourhood / static_cast<double>(std::max<std::size_t>(1, at.size()));
  if (box) return std::cbrt(box->volume() * share);
  std::array<double, 3> low{}, high{};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto x = numbers(at[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = i == 0 ? x[k] : std::min(low[k], x[k]);
      high[k] = i == 0 ? x[k] : std::max(high[k], x[k]);
    }
  }
  std::array<double, 3> length{high[0] - low[0], high[1] - low[1], high[2] - low[2]};
  std::ranges::sort(length);
  // The box of a sheet or of a row of points has no volume.
  return std::max({std::cbrt(length[0] * length[1] * length[2] * share), std::sqrt(3 * length[1] * length[2] * share),
                   9 * length[2] * share, 1e-300});
}

}  // namespace ls
