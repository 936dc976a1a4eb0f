#include "terms/induction/soft_limits.h"

#include "model/model.h"
#include "physics/dipole_pair.h"
#include "terms/dipoles/point_cells.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ls {

namespace {

using V = Vec3<double>;

constexpr std::size_t many_dipoles = 2000;  //, of which the near ones alone are looked at
constexpr double near_dipoles = 216;        // so many, about

double size_of(const Mat3<double>& g) {
  return std::sqrt(dot(g.c1, g.c1) + dot(g.c2, g.c2) + dot(g.c3, g.c3));
}

}  // namespace

Limits soft_limits(const Model& m, std::span<const SwingingDipole> all, const PeriodicBox* box) {
  std::vector<double> along(static_cast<std::size_t>(m.nodes), 0.0), about(along);
  std::vector<V> places;
  for (const SwingingDipole& d : all) places.push_back(d.x);
  std::optional<PointCells> cells;
  if (all.size() > many_dipoles) cells.emplace(places, PointCells::size_for(places, near_dipoles, box), box);
  const auto add_pair = [&](const SwingingDipole& a, const SwingingDipole& b) {
    if (a.node == b.node || !(a.is_soft || b.is_soft)) return;
    V r = a.x - b.x;
    if (box) {
      const auto d = box->nearest({r.x, r.y, r.z});
      r = {d[0], d[1], d[2]};
    }
    const double inverse = 1 / dot(r, r),
                 size = 2 * mu0_over_4pi * norm(a.moment) * norm(b.moment) * inverse * std::sqrt(inverse);
    along[a.node] += 24 * size * inverse;
    about[a.node] += size * (2 + 24 * dot(a.lever, a.lever) * inverse);
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const SwingingDipole& d = all[i];
    if (d.is_soft) {
      const double size = norm(d.moment), b = norm(d.field), slope = size_of(d.outer.gradient);
      double stiff = size * (size_of(d.outer.second[0]) + size_of(d.outer.second[1]) + size_of(d.outer.second[2]));
      if (b > 0) stiff += size / b * slope * slope;
      along[d.node] += stiff;
      about[d.node] += size * b + stiff * dot(d.lever, d.lever);
    }
    if (!m.dipoles.interact) continue;
    if (cells)
      cells->for_near(static_cast<int>(i), [&](int j) { add_pair(d, all[static_cast<std::size_t>(j)]); });
    else
      for (const SwingingDipole& other : all) add_pair(d, other);
  }
  Limits l;
  double stiffest = 0;
  for (int n = 0; n < m.nodes; ++n) {
    if (m.held[n] == hold_all) continue;
    const double inertia = std::min({m.inertia[0][n], m.inertia[1][n], m.inertia[2][n]});
    stiffest = std::max({stiffest, along[n] / m.mass[n], about[n] / inertia});
  }
  if (stiffest > 0) l.step = 2 / std::sqrt(2 * stiffest), l.stiffens = true;
  return l;
}

}  // namespace ls
