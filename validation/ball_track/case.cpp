// A ball that an electromagnet drives round a track: what the magnet gave is what was lost.
#include "output/files.h"
#include "validation/meshes.h"
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace ls::validation::ball_track {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double half_x = 0.30, half_y = 0.24, rise = 0.02;  // m: the loop is an ellipse, highest at low x
constexpr double rail_radius = 4e-3, half_gauge = 14e-3;     // m
constexpr int places = 480, sides = 12;

Context with_track(const Context& c) {
  Path loop;
  loop.closed = true;
  for (int i = 0; i < places; ++i) {
    const double a = 2 * pi * i / places;
    loop.places.push_back({half_x * std::cos(a), half_y * std::sin(a), 0.5 * rise * (1 - std::cos(a))});
  }
  Context own = c;
  own.folder = c.scratch / "scene";
  std::filesystem::create_directories(own.folder);
  write_obj(own.folder / "rail0.obj", swept(loop, rail_radius, sides, -half_gauge));
  write_obj(own.folder / "rail1.obj", swept(loop, rail_radius, sides, half_gauge));
  write_atomically(own.folder / "case.toml", read_file(c.folder / "case.toml"));
  return own;
}

// Turns about z since the start, at each record.
std::vector<double> laps(const SceneRun& run) {
  const auto x = run["ball.position.x"], y = run["ball.position.y"];
  std::vector<double> out;
  double before = pi, sum = 0;  // it starts at the far end
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::atan2(y[i] / half_y, x[i] / half_x);
    sum += std::remainder(a - before, 2 * pi);
    before = a;
    out.push_back(sum / (2 * pi));
  }
  return out;
}

// What has gone since the start, at each record: to friction, to the scheme, and less what the barrier brought in.
std::vector<double> lost(const SceneRun& run) {
  auto sum = run["system.ledger.friction"];
  const auto numerical = run["system.ledger.numerical"], barrier = run["system.ledger.barrier"];
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += numerical[i] - barrier[i];
  return sum;
}

// Records at which the magnet was switched off.
std::vector<std::size_t> switched_off(const SceneRun& run) {
  const auto& events = run.text("event");
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].find("let_go") != std::string::npos) at.push_back(i);
  return at;
}

// From one switching to another the ball is in the same state again: all that the magnet gave has gone.
void add_laps(const SceneRun& run, double turns, Result& r) {
  r.rows.push_back({"laps in 30 s, at least 10", turns, 10, std::max(0.0, 10 - turns), 0, ""});
  const auto at = switched_off(run);
  if (at.size() < 8) {
    r.rows.push_back(small("the magnet was switched off often enough to tell", std::nan(""), 0));
    return;
  }
  const std::size_t first = at[at.size() - 6], last = at.back();
  const auto given = run["system.ledger.fields"], gone = lost(run);
  r.rows.push_back(compared("the last 5 laps: work of the magnet over what was lost",
                            (given[last] - given[first]) / (gone[last] - gone[first]), 1, 0.02));
}

void add_plots(const SceneRun& run, const std::vector<double>& turns, Result& r) {
  const auto t = run["time"];
  r.plots.push_back({"Laps", "time (s)", "", {thinned("laps", t, turns)}});
  Plot energy{"What the magnet gave, and where it went", "time (s)", "energy (J)", {}};
  energy.series.push_back(thinned("work of the magnet", t, run["system.ledger.fields"]));
  energy.series.push_back(thinned("lost in all", t, lost(run)));
  energy.series.push_back(thinned("friction", t, run["system.ledger.friction"]));
  energy.series.push_back(thinned("the scheme's own (numerical)", t, run["system.ledger.numerical"]));
  energy.series.push_back(thinned("in the barrier (contact)", t, run["system.ledger.contact"]));
  r.plots.push_back(energy);
}

}  // namespace

Result run(const Context& c) {
  Result r;
  const double duration = c.manner.fast ? 2.5 : 30;  // s; the magnet has been switched off once by then
  const SceneRun run = run_scene(with_track(c), "case.toml", {fmt::format("solver.duration={}", duration)}, "track");
  const auto turns = laps(run);
  const auto given = run["system.ledger.fields"], balance = run["system.ledger.balance"];
  const auto gap = run["system.min_gap"], z = run["ball.position.z"];
  const double end = run["time"].back();
  r.rows.push_back(compared("it runs to the end", end, duration, 1e-9, "s"));
  double unexplained = 0;
  for (const double b : balance) unexplained = worse(unexplained, std::abs(b));
  r.rows.push_back(small("energy that no entry of the ledger explains, of the magnet's work",
                         unexplained / std::abs(given.back()), 0.02));
  const double nearest = *std::min_element(gap.begin(), gap.end());
  r.rows.push_back(small("how far ball and rails are within each other", nearest > 0 ? 0 : -nearest, 0, "m"));
  const double least = half_gauge;  // between the rails it would be lower than that
  const double lowest = *std::min_element(z.begin(), z.end()), highest = *std::max_element(z.begin(), z.end());
  r.rows.push_back({"it stays on the rails: lowest place", lowest, least, std::max(0.0, least - lowest), 0, "m"});
  r.rows.push_back(
      {"it stays on the rails: highest place", highest, rise + 0.02, std::max(0.0, highest - rise - 0.02), 0, "m"});
  if (!c.manner.fast) add_laps(run, turns.back(), r);
  add_plots(run, turns, r);
  r.remarks.push_back(fmt::format("{:.1f} laps in {:.0f} s; {:.2f} ms a step.", turns.back(), end,
                                  1e3 * run.wall_seconds / static_cast<double>(run.steps)));
  return r;
}

}  // namespace ls::validation::ball_track
