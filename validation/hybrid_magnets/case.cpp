// How many pairs of bodies stand in the matrix changes the time of a step and nothing else.
#include "terms/dipoles/dipole_term.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <cmath>
#include <fmt/format.h>

namespace ls::validation::hybrid_magnets {

namespace {

std::size_t pairs_in_matrix(const Context& c, const std::string& near) {
  const Plan plan = read_scene((c.folder / "case.toml").string(), {near});
  NodePairs pairs;
  make_dipole_term(plan.model)->add_pattern(plan.start, {}, pairs);
  return pairs.size();
}

// Largest difference of what the probes say at the end.
double apart(const SceneRun& a, const SceneRun& b) {
  double worst = a.status == RunStatus::done && b.status == RunStatus::done ? 0 : std::nan("");
  for (const char* ball : {"ball_0", "ball_21", "ball_63"}) {
    for (const char* k : {"x", "y", "z"}) {
      worst = worse(worst, std::abs(a.last(fmt::format("{}.position.{}", ball, k)) -
                                    b.last(fmt::format("{}.position.{}", ball, k))));
      worst = worse(worst, std::abs(a.last(fmt::format("{}.orientation.{}", ball, k)) -
                                    b.last(fmt::format("{}.orientation.{}", ball, k))));
    }
  }
  return worst;
}

void add_balls(const Context& c, Result& r) {
  const SceneRun all = run_scene(c, "case.toml", {"define.near=\"100 m\""}, "balls-all");
  Plot plot{"Time a step against pairs in the matrix", "ordered pairs of bodies", "ms", {{"64 balls", {}, {}}}};
  for (const auto& [near, right] : {std::pair{0.21, 288.0}, {0.3, 720.0}, {0.45, 1704.0}, {100.0, 4032.0}}) {
    const std::string set = fmt::format("define.near=\"{} m\"", near);
    const double pairs = 2.0 * static_cast<double>(pairs_in_matrix(c, set));
    r.rows.push_back(compared(fmt::format("pairs nearer than {} m", near), pairs, right, 0));
    const SceneRun run = run_scene(c, "case.toml", {set}, fmt::format("balls-{}", near));
    r.rows.push_back(small(fmt::format("trajectory with {:.0f} pairs beside that with all", pairs), apart(run, all),
                           1e-6, "m or 1"));
    plot.series[0].x.push_back(pairs);
    plot.series[0].y.push_back(1e3 * run.wall_seconds / static_cast<double>(run.steps));
    r.remarks.push_back(fmt::format("With {:.0f} pairs in the matrix {} steps take {} iterations.", pairs, run.steps,
                                    run.newton_iterations));
  }
  r.plots.push_back(plot);
}

void add_bar(const Context& c, Result& r) {
  const SceneRun none = run_scene(c, "bar.toml", {"define.near=\"0 m\""}, "bar-none"),
                 all = run_scene(c, "bar.toml", {"define.near=\"100 m\""}, "bar-all");
  r.rows.push_back(small("cube beside a held bar: way with all pairs beside that with none",
                         std::abs(all.last("cube.position.x") - none.last("cube.position.x")), 1e-9, "m"));
  r.rows.push_back(small("cube beside a held bar: time with all pairs over that with none",
                         all.wall_seconds / none.wall_seconds, 6));
}

}  // namespace

Result run(const Context& c) {
  Result r;
  add_balls(c, r);
  add_bar(c, r);
  return r;
}

}  // namespace ls::validation::hybrid_magnets
