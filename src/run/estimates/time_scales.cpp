#include "run/estimates/time_scales.h"

#include "base/error.h"
#include "run/fluid/fluid_stepper.h"
#include "scene/schedule.h"
#include "step/coupled/coupled_step.h"
#include "step/critical_step.h"
#include "step/newton/newton_work.h"
#include "step/work.h"
#include "terms/field_term.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ls {

namespace {

void refuse_endless_steps(const Plan& plan, double dt) {
  if (!plan.fluid) return;
  const SolidSteps steps = solid_steps(plan, dt);
  if (steps.count > most_solid_steps)
    throw Error(
        fmt::format("{}: solver.kind: explicit solids can't keep up with this fluid: {}", plan.file, steps.why));
}

// Magnets and bodies that are far apart at the start tell nothing of how they will meet.
double hundredth_of_stages(const Plan& plan) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < plan.stages.size(); ++k)
    if (plan.kind(static_cast<int>(k)) == SolverKind::explicit_dynamics && plan.stages[k].duration > 0)
      least = std::min(least, 0.01 * plan.stages[k].duration);
  return least;
}

// The largest step that magnets can be followed with as they turn and swing in the fields of explicit stages, looked at
// where they start; infinite: there are none.
double step_in_fields(const Plan& plan) {
  double least = std::numeric_limits<double>::infinity();
  if (plan.fields.empty()) return least;
  const auto term = make_field_term(plan.model);
  Schedule schedule(plan, 1.0);
  State state = plan.start;
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    state.clock.stage = static_cast<int>(k);
    schedule.begin_stage(state);
    const auto steps = schedule.spans()[k].steps;
    for (const double s : {0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0}) {
      if (plan.kind(static_cast<int>(k)) != SolverKind::explicit_dynamics) break;
      const Inputs in = schedule.within(state.clock, s * static_cast<double>(steps));
      least = std::min(least, term->limits(state, in).step);
    }
    state.clock.step_in_stage = steps;
    schedule.end_stage(state);
    state.clock.step_in_stage = 0;
    state.clock.time += schedule.spans()[k].duration;
  }
  return least;
}

}  // namespace

TimeScales time_scales(const Plan& plan) {
  TimeScales t;
  t.dt = plan.solver.dt;
  const bool is_explicit = plan.uses(SolverKind::explicit_dynamics);
  if (!is_explicit && !plan.uses(SolverKind::implicit_dynamics)) return t;
  const Schedule schedule(plan, 1.0);
  const Terms terms = make_terms(plan.model);
  const auto held = plan.stages.empty() ? plan.model.held : schedule.held(0);
  const bool by_parts = plan.model.nodes > large_model && are_rods(plan.model);
  t.frequency = by_parts ? largest_frequency_by_parts(plan.model, plan.start, held)
                         : largest_frequency(plan.model, terms, plan.start, held);
  double damping = 0;
  for (const auto& term : terms.all) damping = std::max(damping, term->limits(plan.start, Inputs{}).damping_time);
  t.critical = critical_step(t.frequency, damping);
  if (!is_explicit) return t;
  Inputs touching;
  touching.contact = ContactLaw::hertz_mindlin;
  t.critical = critical_step(t.critical, terms, plan.start, touching);
  // Beside bonds it is next to nothing that a field adds.
  const double in_fields = t.frequency == 0 ? step_in_fields(plan) : HUGE_VAL;
  if (std::isfinite(in_fields)) t.critical = 1 / std::hypot(1 / t.critical, 1 / in_fields);
  if (t.dt == 0) t.dt = plan.solver.safety * t.critical;
  refuse_endless_steps(plan, t.dt);
  if (!plan.fluid && !(t.dt < std::numeric_limits<double>::infinity()))
    throw Error(
        fmt::format("{}: solver.dt: \"auto\" needs something stiff to go by, and nothing is: give a time", plan.file));
  const bool is_auto = plan.solver.dt == 0;
  if (is_auto && t.frequency == 0 && !plan.fluid) t.dt = std::min(t.dt, hundredth_of_stages(plan));
  const Schedule whole(plan, t.dt);  // too many steps are told before anything is written
  return t;
}

std::size_t memory_bytes(const Plan& plan, int threads) {
  return memory_bytes(plan, Work(plan.model, threads));
}

std::size_t memory_bytes(const Plan& plan, const Work& work) {
  const std::size_t nodes = static_cast<std::size_t>(padded(plan.model.nodes)) * 19 * sizeof(double);
  const std::size_t newton = plan.uses_newton() ? NewtonWork(plan.model, work.terms).bytes() + 4 * nodes : 0;
  const std::size_t fluid = plan.fluid ? 3 * plan.fluid.box->lattice().bytes() : 0;  // as check_memory() has it
  return fluid + plan.model.bytes() + work.bytes() + newton +
         3 * nodes;  // the state, its first value, the last good one
}

}  // namespace ls
