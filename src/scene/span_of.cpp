#include "scene/span_of.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls {

namespace {

constexpr long long load_steps = 20;       // of a static stage that says nothing but how long it lasts
constexpr long long implicit_steps = 100;  // likewise of an implicit one whose step is "auto"
constexpr double most_substeps = 1e9;      // that can be counted; a run refuses far fewer
constexpr double most_steps = 1e15;

// As many steps as a duration takes. Beyond the most of them their count, as a double, would skip some.
long long steps_in(const Stage& stage, double count) {
  if (!(count <= most_steps))
    fail(stage.length,
         fmt::format("{:.6g} s are {:.3g} steps, expected at most {:.0e}", stage.duration, count, most_steps));
  return std::max(1LL, static_cast<long long>(count));
}

// The step of a fluid is the same in all stages: they last a whole number of them. dt: the longest for the solids.
Schedule::Span fluid_span(const Stage& stage, double step, double dt) {
  Schedule::Span p{stage.duration, step, stage.steps};
  if (p.steps == 0) p.steps = steps_in(stage, std::ceil(p.duration / step * (1 - 1e-9)));
  const double whole = step * static_cast<double>(p.steps);
  if (!(std::abs(whole - p.duration) < 1e-9 * whole)) p.duration = whole;
  const double solid = stage.dt > 0 ? stage.dt : dt;
  if (solid > 0) p.substeps = static_cast<int>(std::clamp(std::ceil(step / solid * (1 - 1e-9)), 1.0, most_substeps));
  return p;
}

}  // namespace

Schedule::Span span_of(const Plan& plan, int k, double dt) {
  const Stage& stage = plan.stages[k];
  if (plan.fluid) return fluid_span(stage, plan.fluid.box->settings().dt, dt);
  Schedule::Span p{stage.duration, stage.dt > 0 ? stage.dt : dt, stage.steps};
  if (plan.kind(k) == SolverKind::statics) {  // time is only a name for how far the loads are
    if (p.steps == 0) p.steps = load_steps;
    p.dt = p.duration / static_cast<double>(p.steps);
    return p;
  }
  if (plan.kind(k) == SolverKind::implicit_dynamics && p.dt == 0 && p.steps == 0) p.steps = implicit_steps;
  if (p.steps > 0 && p.duration > 0) {
    p.dt = p.duration / static_cast<double>(p.steps);
  } else if (p.steps > 0) {
    p.duration = p.dt * static_cast<double>(p.steps);
  } else {
    const double n = std::ceil(p.duration / p.dt * (1 - 1e-12));
    p.steps = steps_in(stage, n);
    if (std::abs(p.dt * n - p.duration) > 1e-9 * p.duration) p.dt = p.duration / static_cast<double>(p.steps);
  }
  return p;
}

}  // namespace ls
