#include "model/soft_moments.h"

#include <algorithm>

namespace ls {

CurvePoint on_curve(const SoftCell& cell, double h) {
  const double chi = 1 / cell.inverse.xx;
  switch (cell.curve) {
    case SoftCurve::froehlich:
      return on_froehlich(chi, cell.saturation, h);
    case SoftCurve::langevin:
      return on_langevin(chi, cell.saturation, h);
    case SoftCurve::linear:
      break;
  }
  return on_straight_line(chi, h);
}

Vec3<double> moment_of(const SoftCell& cell, const Vec3<double>& inner) {
  if (cell.curve == SoftCurve::linear) return cell.volume * (inverse(cell.inverse) * inner);
  return (cell.volume * on_curve(cell, norm(inner)).ratio) * inner;
}

Vec3<double> induced_moment_of(const Model& m, const State& s, int node) {
  Vec3<double> sum{};
  const auto& cells = m.soft.cells;
  if (s.memory.inner_field.size() != cells.size()) return sum;
  for (auto c = std::ranges::lower_bound(cells, node, {}, &SoftCell::node); c != cells.end() && c->node == node; ++c)
    sum += moment_of(*c, s.memory.inner_field[static_cast<std::size_t>(c - cells.begin())]);
  return sum;
}

}  // namespace ls
