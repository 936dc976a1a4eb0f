// Friction on a slope: where a box begins to slide, and how fast, by two laws of contact.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::incline {

namespace {

constexpr double g = 9.81, duration = 0.5, degree = 3.141592653589793 / 180;

struct Slide {
  double way = std::nan("");  // m
  bool done = false;
  Series line;
};

Slide slide(const Context& c, const std::string& kind, double mu, double angle, const std::string& name) {
  std::vector<std::string> sets = {fmt::format("define.mu={}", mu), fmt::format("define.angle={}", angle),
                                   fmt::format("solver.kind=\"{}\"", kind)};
  if (kind == "explicit") sets.emplace_back("solver.dt=\"auto\"");
  const SceneRun run = run_scene(c, "case.toml", sets, name);
  Slide s;
  s.done = run.status == RunStatus::done;
  s.line = {name, {}, {}};
  const auto x = run["box.position.x"], t = run["time"];
  const auto& stage = run.text("stage");
  const auto first = static_cast<std::size_t>(std::find(stage.begin(), stage.end(), "slide") - stage.begin());
  if (first == 0 || first == x.size()) return s;
  for (std::size_t i = first - 1; i < x.size(); ++i)
    s.line.x.push_back(t[i] - t[first - 1]), s.line.y.push_back(1e3 * (x[i] - x[first - 1]));
  s.way = x.back() - x[first - 1];
  return s;
}

}  // namespace

Result run(const Context& c) {
  Result out;
  Plot plot{"Half a degree below and above, friction 0.4", "s", "mm", {}};
  for (const std::string kind : {"implicit", "explicit"})
    for (const double mu : c.manner.fast ? std::vector<double>{0.4} : std::vector<double>{0.1, 0.2, 0.4, 0.8}) {
      const double edge = std::atan(mu);
      const Slide below = slide(c, kind, mu, edge - 0.5 * degree, fmt::format("{}-{}-below", kind, mu));
      const Slide above = slide(c, kind, mu, edge + 0.5 * degree, fmt::format("{}-{}-above", kind, mu));
      const double a = g * (std::sin(edge + 0.5 * degree) - mu * std::cos(edge + 0.5 * degree));
      const double expected = 0.5 * a * duration * duration;
      out.rows.push_back(small(fmt::format("{}, friction {}: half a degree below, way", kind, mu),
                               1e3 * std::abs(below.way), 0.1, "mm"));
      out.rows.push_back({fmt::format("{}, friction {}: half a degree above, way", kind, mu), 1e3 * above.way,
                          1e3 * expected, std::abs(above.way / expected - 1), 0.05, "of itself"});
      if (mu == 0.4) plot.series.push_back(below.line), plot.series.push_back(above.line);
    }
  out.plots = {plot};
  return out;
}

}  // namespace ls::validation::incline
