#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::filaments {

namespace {

struct Tip {
  std::vector<double> t, x;  // s, m
  double momentum = 0;       // what of it nothing explains
  double wall = 0;           // s
};
Tip run_tip(const Context& c, const std::string& name, const std::vector<std::string>& sets) {
  const SceneRun run = run_scene(c, "filaments.toml", sets, name);
  Tip tip{run.recorded("time", "tip.displacement.x"), run.recorded("tip.displacement.x"), 0, run.wall_seconds};
  tip.momentum = run.last("channel.momentum_error");
  if (run.status != RunStatus::done) tip.x.assign(tip.x.size(), std::nan(""));
  return tip;
}

// The largest and the smallest place within a period of 1 s, and when it swings through the middle of the two upwards.
struct Swing {
  double high = -1e300, low = 1e300, phase = 0;
  double amplitude() const { return 0.5 * (high - low); }
};
Swing swing(const Tip& tip, double from) {
  Swing s;
  std::vector<std::size_t> in;
  for (std::size_t i = 0; i < tip.t.size(); ++i)
    if (tip.t[i] >= from - 1e-9 && tip.t[i] <= from + 1 + 1e-9) in.push_back(i);
  for (const std::size_t i : in) s.high = std::max(s.high, tip.x[i]), s.low = std::min(s.low, tip.x[i]);
  const double middle = 0.5 * (s.high + s.low);
  for (std::size_t k = 0; k + 1 < in.size(); ++k) {
    const double a = tip.x[in[k]] - middle, b = tip.x[in[k + 1]] - middle;
    if (a < 0 && b >= 0) s.phase = tip.t[in[k]] - from + a / (a - b) * (tip.t[in[k + 1]] - tip.t[in[k]]);
  }
  return s;
}

Series curve(const std::string& name, const Tip& tip, bool reference = false) {
  Series s{name, tip.t, tip.x, reference};
  for (double& x : s.x) x *= 1e3;
  for (double& y : s.y) y *= 1e3;
  return s;
}

double largest_difference(const Tip& a, const Tip& b, double from, double to) {
  double most = 0;
  for (std::size_t i = 0; i < a.t.size(); ++i)
    if (a.t[i] >= from && a.t[i] <= to && a.t[i] <= b.t.back())
      most = worse(most, std::abs(a.x[i] - interpolate(b.t, b.x, a.t[i])));
  return most;
}

Result run_fast(const Context& c) {
  const Tip coarse = run_tip(c, "coarse", {"fluid.spacing=1.25 mm", "solver.duration=0.3 s", "output.picture=false"});
  const Table table(c.folder / "fine_grid.csv");
  Tip fine{table["t_ms"], table["x_mm"]};
  for (double& t : fine.t) t *= 1e-3;
  for (double& x : fine.x) x *= 1e-3;
  Result r;
  const double high = *std::max_element(coarse.x.begin(), coarse.x.end());
  const double reference = swing(fine, 0).high;
  r.rows.push_back(compared("first swing on cells of 1.25 mm, over that on 0.417 mm", high / reference, 1, 0.1));
  r.rows.push_back(small("momentum that nothing explains, single precision", coarse.momentum, 1e-5));
  r.plots.push_back({"Tip of the last filament",
                     "time (ms)",
                     "displacement (mm)",
                     {curve("cells of 1.25 mm", coarse), curve("0.417 mm", fine, true)}});
  return r;
}

}  // namespace

Result run(const Context& c) {
  if (c.manner.fast) return run_fast(c);
  Result r;
  const Tip base = run_tip(c, "base", {});
  const Tip fine = run_tip(c, "fine", {"fluid.spacing=0.41666666666666667 mm", "solver.duration=2 s"});
  const Tip implicit = run_tip(c, "implicit", {"solver.kind=implicit", "solver.duration=2 s"});
  const Tip penalty = run_tip(c, "penalty", {"fluid.coupling=penalty", "solver.duration=2 s"});
  const Swing second = swing(base, 1), third = swing(base, 2), finer = swing(fine, 1), newton = swing(implicit, 1);
  const Swing paper = swing(penalty, 1);
  const double size = third.amplitude();
  r.rows.push_back(
      compared("periodic: amplitude of the third swing over the second", size / second.amplitude(), 1, 0.01));
  r.rows.push_back(
      compared("periodic: phase of the third less the second", third.phase, second.phase, 0.003, "periods"));
  r.rows.push_back(compared("cells 1.5 times finer: amplitude", finer.amplitude() / second.amplitude(), 1, 0.05));
  r.rows.push_back(compared("cells 1.5 times finer: phase", finer.phase, second.phase, 0.01, "periods"));
  r.rows.push_back(small("cells 1.5 times finer: largest difference at any time",
                         largest_difference(base, fine, 1, 2) / size, 0.05, "of the amplitude"));
  r.rows.push_back(compared("implicit solids: amplitude", newton.amplitude() / second.amplitude(), 1, 0.01));
  r.rows.push_back(small("momentum that nothing explains, single precision", base.momentum, 1e-5));
  r.remarks.push_back(
      fmt::format("The tip of the last filament swings from {:.2f} to {:.2f} mm.", 1e3 * third.low, 1e3 * third.high));
  r.remarks.push_back(
      fmt::format("The penalty coupling of the paper makes the amplitude {:.1f} % {} and the swing {:.1f} degrees {}.",
                  100 * std::abs(paper.amplitude() / second.amplitude() - 1),
                  paper.amplitude() > second.amplitude() ? "larger" : "smaller",
                  360 * std::abs(paper.phase - second.phase), paper.phase > second.phase ? "later" : "earlier"));
  r.remarks.push_back(
      fmt::format("Three periods took {:.0f} s, {:.0f} s on the finer grid for two.", base.wall, fine.wall));
  r.plots.push_back(
      {"Tip of the last filament",
       "time (ms)",
       "displacement (mm)",
       {curve("ours", base), curve("penalty coupling", penalty), curve("cells 1.5 times finer", fine, true)}});
  return r;
}

}  // namespace ls::validation::filaments
