// Implicit steps far beyond what an explicit stepper can take, judged by an explicit run of the same scene.
#include "validation/scene_run.h"
#include "validation/support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls::validation::large_steps {

namespace {

using Sets = std::vector<std::string>;

struct Motion {
  std::vector<double> t, x, y;  // s, m: the tip
  double energy = NAN;          // J, at the end
  double balance = NAN;         // J, not explained by the ledger
  double seconds = 0;
  long long steps = 0, iterations = 0;
};

Motion motion(const Context& c, Sets sets, const std::string& name, double until) {
  sets.push_back(fmt::format("solver.duration={}", until));
  const SceneRun run = run_scene(c, "case.toml", sets, name);
  if (run.status != RunStatus::done) return {};
  const std::string due = "tip.displacement.x";
  return {run.recorded("time", due),
          run.recorded("tip.displacement.x"),
          run.recorded("tip.displacement.y"),
          run.last("system.energy.total"),
          run.balance,
          run.wall_seconds,
          run.steps,
          run.newton_iterations};
}
Motion implicit(const Context& c, double dt, const std::string& scheme, double until) {
  return motion(
      c, {"solver.kind=\"implicit\"", fmt::format("solver.dt={}", dt), fmt::format("solver.scheme=\"{}\"", scheme)},
      fmt::format("{}-{:g}us", scheme, 1e6 * dt), until);
}

// Largest distance of the tips at the times that both have; NaN where a run did not get to its end.
double distance(const Motion& a, const Motion& truth) {
  if (a.t.empty() || a.t.back() < (1 - 1e-9) * truth.t.back()) return NAN;
  double worst = 0;
  std::size_t k = 0, met = 0;
  for (std::size_t i = 0; i < truth.t.size(); ++i) {
    while (k + 1 < a.t.size() && a.t[k] < truth.t[i] - 1e-9) ++k;
    if (std::abs(a.t[k] - truth.t[i]) > 1e-9) continue;
    worst = worse(worst, std::hypot(a.x[k] - truth.x[i], a.y[k] - truth.y[i]));
    ++met;
  }
  return met > 10 ? worst : NAN;
}

void check_midpoint(const Context& c, const Motion& truth, double until, Plot& errors, Result& out) {
  const auto steps = c.manner.fast ? std::vector<double>{4e-3, 2e-3, 1e-3, 5e-4}
                                   : std::vector<double>{4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4};
  Series e{fmt::format("midpoint, t <= {} s", until), {}, {}}, balance{"midpoint", {}, {}};
  Plot tips{"The tip, 1 ms and 4 ms", "time (s)", "deflection (m)", {}};
  for (const double dt : steps) {
    const Motion m = implicit(c, dt, "midpoint", until);
    e.x.push_back(1e3 * dt), e.y.push_back(distance(m, truth));
    balance.x.push_back(1e3 * dt), balance.y.push_back(std::abs(m.balance) / m.energy);
    if (dt == 4e-3 || dt == 1e-3) tips.series.push_back({fmt::format("implicit, {:g} ms", 1e3 * dt), m.t, m.y});
  }
  Series marks{"explicit", {}, {}, true};
  for (std::size_t i = 0; i < truth.t.size(); i += 24) marks.x.push_back(truth.t[i]), marks.y.push_back(truth.y[i]);
  tips.series.push_back(marks);
  out.plots.push_back(tips);
  out.rows.push_back(small("midpoint, 4 ms: distance of the tip", e.y[0], 0.35, "m"));
  out.rows.push_back(small("midpoint, 1 ms: distance of the tip", e.y[2], 0.05, "m"));
  out.rows.push_back(compared(fmt::format("midpoint: order of the error, 2 to {:g} ms", 1e3 * steps.back()),
                              convergence_order(std::span(e.x).subspan(1), std::span(e.y).subspan(1)), 2, 0.1));
  for (std::size_t i = 0; i < steps.size(); ++i)
    out.rows.push_back(small(fmt::format("midpoint, {:g} ms: energy that the ledger does not explain", 1e3 * steps[i]),
                             balance.y[i], 1e-6, "of E"));
  errors.series.push_back(e);
}

// It has to take small steps until its first order shows: its damping is an error of the first order, and large.
void check_backward_euler(const Context& c, const Motion& truth, double until, Plot& errors, Result& out) {
  const auto steps = c.manner.fast
                         ? std::vector<double>{1.25e-4, 6.25e-5, 3.125e-5}
                         : std::vector<double>{4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5, 3.125e-5, 1.5625e-5};
  Series e{fmt::format("backward Euler, t <= {} s", until), {}, {}};
  for (const double dt : steps) {
    const Motion m = implicit(c, dt, "backward-euler", until);
    e.x.push_back(1e3 * dt), e.y.push_back(distance(m, truth));
    if (dt == 1e-3)
      out.remarks.push_back(
          fmt::format("Backward Euler at 1 ms has lost {:.0f} % of the energy by {} s, and is {:.2g} m "
                      "off: right for coming to rest, wrong for motion.",
                      -100 * m.balance / truth.energy, until, e.y.back()));
  }
  const std::size_t n = steps.size();
  const double h[] = {steps[n - 3], steps[n - 2], steps[n - 1]}, last[] = {e.y[n - 3], e.y[n - 2], e.y[n - 1]};
  out.rows.push_back(compared(
      fmt::format("backward Euler: order of the error, {:g} to {:g} us, t <= {} s", 1e6 * h[0], 1e6 * h[2], until),
      convergence_order(h, last), 1, 0.1));
  errors.series.push_back(e);
}

void tell_speed(const Context& c, Result& out) {
  for (const int bonds : c.manner.fast ? std::vector<int>{32} : std::vector<int>{32, 64, 128}) {
    const std::string size = fmt::format("rod.beam.bonds={}", bonds);
    const auto best = [&](Sets sets, const std::string& name) {
      sets.push_back("probe.system.record=[\"energy\"]");  // the ledger takes an explicit run as long as its steps
      Motion m = motion(c, sets, name, 0.3);
      for (int i = 0; i < 2; ++i) m.seconds = std::min(m.seconds, motion(c, sets, name, 0.3).seconds);
      return m;
    };
    const Motion limit =
        best({size, "solver.dt=\"auto\"", "solver.safety=0.9"}, fmt::format("speed-explicit-{}", bonds));
    const Motion large =
        best({size, "solver.dt=\"1 ms\"", "solver.kind=\"implicit\""}, fmt::format("speed-implicit-{}", bonds));
    const double step = 0.3 / static_cast<double>(limit.steps) / 0.9;
    out.remarks.push_back(fmt::format(
        "{} bonds: the explicit limit is {:.3g} us, and 1 ms is {:.0f} times that. 0.3 s take {:.2g} s explicitly at "
        "0.9 of the limit, {:.2g} s in implicit steps of 1 ms ({:.1f} iterations each): a ratio of {:.2g}.",
        bonds, 1e6 * step, 1e-3 / step, limit.seconds, large.seconds,
        static_cast<double>(large.iterations) / static_cast<double>(std::max(1LL, large.steps)),
        limit.seconds / large.seconds));
  }
}

}  // namespace

Result run(const Context& c) {
  Result out;
  const Motion truth = motion(c, {}, "explicit", 0.3);
  Plot errors{"Error of the tip", "step (ms)", "largest distance (m)", {}, true, true};
  check_midpoint(c, truth, 0.3, errors, out);
  const double until = c.manner.fast ? 0.1 : 0.3;
  check_backward_euler(c, c.manner.fast ? motion(c, {}, "explicit-short", until) : truth, until, errors, out);
  out.plots.push_back(errors);
  tell_speed(c, out);
  return out;
}

}  // namespace ls::validation::large_steps
