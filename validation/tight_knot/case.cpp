// A trefoil knot pulled tight: it never passes through itself, and friction adds to the pull.
#include "validation/curves.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>

namespace ls::validation::tight_knot {

namespace {

constexpr double diameter = 2e-3;
constexpr double apart = 0.75 * 3.141592653589793 * diameter;

struct Pull {
  std::vector<double> way, force;  // mm of both ends, N
  Series side;
  double least_gap = 1e300;  // m
  int knots_lost = 0;        // shapes that are no trefoil
  double seconds = 0;
  bool done = false;
};

Pull pulled(const Context& c, double mu) {
  const SceneRun run = run_scene(c, "case.toml", {fmt::format("define.mu={}", mu)}, fmt::format("mu-{}", mu));
  Pull p;
  p.done = run.status == RunStatus::done;
  p.seconds = run.wall_seconds;
  const auto z = run.recorded("end.position.z"), f = run.recorded("end.reaction_force.z");
  for (std::size_t i = 0; i < z.size(); ++i) p.way.push_back(2e3 * (z[i] - z[0])), p.force.push_back(f[i]);
  std::vector<std::vector<double>> x;
  for (int i = 0; i <= 200; ++i)
    for (const char* axis : {"x", "y", "z"}) x.push_back(run[fmt::format("shape.position[{}].{}", i, axis)]);
  for (std::size_t k = 0; k < run.size(); ++k) {
    if (!std::isfinite(x[0][k])) continue;
    Curve curve;
    for (std::size_t i = 0; i <= 200; ++i) curve.push_back({x[3 * i][k], x[3 * i + 1][k], x[3 * i + 2][k]});
    p.least_gap = std::min(p.least_gap, nearest_approach(curve, apart) - diameter);
    if (knot_determinant(curve, {1, 0.2, 0.1}) != 3) ++p.knots_lost;
    p.side = {fmt::format("friction {}", mu), {}, {}};
    for (const auto& q : curve) p.side.x.push_back(1e3 * q.z), p.side.y.push_back(1e3 * q.y);
  }
  return p;
}

}  // namespace

Result run(const Context& c) {
  Result out;
  Plot force{"Pull against the way of the ends", "mm", "N", {}},
      shape{"The knot at the end, from the side", "mm", "mm", {}};
  double before = 0;
  for (const double mu : c.manner.fast ? std::vector<double>{0, 0.2} : std::vector<double>{0, 0.1, 0.2, 0.4}) {
    const Pull p = pulled(c, mu);
    out.rows.push_back(small(fmt::format("friction {}: is pulled to the end", mu), p.done ? 0 : 1, 0));
    out.rows.push_back({fmt::format("friction {}: smallest gap of all outputs", mu), 1e3 * p.least_gap, 0,
                        p.least_gap > 0 ? 0.0 : 1.0 - 1e3 * p.least_gap, 0, "mm"});
    out.rows.push_back(small(fmt::format("friction {}: outputs at which it is no trefoil", mu), p.knots_lost, 0));
    const double last = p.force.empty() ? std::nan("") : p.force.back();
    out.rows.push_back(
        {fmt::format("friction {}: pull grows with friction", mu), last, before, last > before ? 0.0 : 1.0, 0, "N"});
    out.remarks.push_back(fmt::format("Friction {}: pull at the end {:.4g} N, {:.1f} s.", mu, last, p.seconds));
    before = last;
    force.series.push_back({fmt::format("friction {}", mu), p.way, p.force});
    shape.series.push_back(p.side);
  }
  out.plots = {force, shape};
  return out;
}

}  // namespace ls::validation::tight_knot
