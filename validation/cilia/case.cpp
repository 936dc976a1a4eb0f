#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::cilia {

namespace {

constexpr double tip = 4e-3, cell = 1e-3, box = 90e-3;  // m: height of the cilia, of the bins, length of the box

// Net displacements of the tracers above the array, by their height over the tips, of some periods.
struct Pumping {
  std::vector<double> height, mean;  // m, m per period
  std::vector<double> dot_height, dot;
  double near = 0;     // m per period, mean of those up to 4 mm above the tips
  double forward = 0;  // the same, along x only
  double wall = 0, momentum = 0;
  int periods = 0;
};

Pumping pumping(const SceneRun& run, int first, int last) {
  Pumping p;
  p.wall = run.wall_seconds;
  p.momentum = run.last("flow.momentum_error");
  const Table t(run.folder / "tracer_cycles.csv");
  const auto cycle = t["cycle"], x = t["x"], z = t["z"], dx = t["dx"], dy = t["dy"], dz = t["dz"];
  std::vector<double> sum(30, 0.0), count(30, 0.0);
  double near = 0, forward = 0, many = 0;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    p.periods = std::max(p.periods, static_cast<int>(cycle[i]));
    if (cycle[i] < first || cycle[i] > last) continue;
    const double along = x[i] - box * std::floor(x[i] / box), h = z[i] - tip;
    if (along < 25e-3 || along > 65e-3 || h < 0 || h >= 30e-3) continue;
    const double d = std::sqrt(dx[i] * dx[i] + dy[i] * dy[i] + dz[i] * dz[i]);
    const auto bin = static_cast<std::size_t>(h / cell);
    sum[bin] += d, count[bin] += 1;
    if (cycle[i] == last) p.dot_height.push_back(1e3 * h), p.dot.push_back(1e3 * d);
    if (h < 4e-3) near += d, forward += dx[i], many += 1;
  }
  for (std::size_t b = 0; b < sum.size(); ++b)
    if (count[b] > 0)
      p.height.push_back(1e3 * cell * (static_cast<double>(b) + 0.5)), p.mean.push_back(1e3 * sum[b] / count[b]);
  p.near = near / many, p.forward = forward / many;
  if (run.status != RunStatus::done) p.near = std::nan("");
  return p;
}

Result run_fast(const Context& c) {
  Result r;
  const SceneRun run =
      run_scene(c, "cilia.toml",
                {"fluid.spacing=2 mm", "fluid.size=[\"90 mm\", \"36 mm\", \"44 mm\"]", "fluid.dt=185 us",
                 "solver.duration=0.5 s", "fluid.tracers.cycle=0.25 s", "output.picture=false"},
                "fast");
  r.rows.push_back(compared("status", run.status == RunStatus::done ? 1 : 0, 1, 0));
  r.rows.push_back(small("momentum that nothing explains, single precision", run.last("flow.momentum_error"), 1e-5));
  // Recorded on cells of 1 mm: the cilium in the middle has followed the field by then.
  r.rows.push_back(compared("tip after 0.35 s, over that on cells of 1 mm",
                            run.recorded("tip.displacement.x").back() / 3.122e-3, 1, 0.05));
  return r;
}

}  // namespace

Result run(const Context& c) {
  if (c.manner.fast) return run_fast(c);
  Result r;
  Plot plot{"Net displacement of tracers in a period", "height above the tips (mm)", "displacement (mm)", {}};
  std::vector<Pumping> all;
  double three = 0;  // m per period, of the first wavelength in periods 2 and 3
  for (const auto& [name, wavelength] : {std::pair{"1", "1.0"}, {"2", "2.0"}, {"4", "4.0"}, {"infinite", "1e9"}}) {
    const SceneRun run = run_scene(c, "cilia.toml", {fmt::format("define.wavelength={}", wavelength)}, name);
    all.push_back(pumping(run, 2, 10));
    if (all.size() == 1) three = pumping(run, 2, 3).near;
    plot.series.push_back({fmt::format("wavelength {} arrays", name), all.back().height, all.back().mean});
    r.remarks.push_back(
        fmt::format("Wavelength {}: {:.3f} mm a period up to 4 mm above the tips, {:.3f} mm of it along the array; "
                    "{:.0f} s of computing.",
                    name, 1e3 * all.back().near, 1e3 * all.back().forward, all.back().wall));
    r.rows.push_back(compared(fmt::format("wavelength {}: periods recorded", name), all.back().periods, 10, 0));
    r.rows.push_back(small(fmt::format("wavelength {}: momentum that nothing explains, single precision", name),
                           all.back().momentum, 1e-5));
  }
  r.rows.push_back(small("transport at wavelength 2 over that at 1", all[1].near / all[0].near, 1));
  r.rows.push_back(small("transport at wavelength 4 over that at 1", all[2].near / all[0].near, 1));
  r.rows.push_back(
      small("transport without a wave over the least with one", all[3].near / std::min(all[1].near, all[2].near), 1));
  const SceneRun halved =
      run_scene(c, "cilia.toml", {"solver.duration=36 s", "fluid.dt=92.592592592592592 us"}, "halved");
  r.rows.push_back(
      compared("half the step: transport in periods 2 and 3", pumping(halved, 2, 3).near / three, 1, 0.05));
  r.plots.push_back(plot);
  Plot dots{"Every tracer in the last period", "height above the tips (mm)", "displacement (mm)", {}};
  for (std::size_t k = 0; k < all.size(); ++k)
    dots.series.push_back({plot.series[k].name, all[k].dot_height, all[k].dot, true});
  r.plots.push_back(dots);
  return r;
}

}  // namespace ls::validation::cilia
