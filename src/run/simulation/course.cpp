#include "run/simulation/course.h"

#include "run/safety/energy_watch.h"
#include "step/ledger.h"

namespace ls {

namespace {

Schedule schedule_of(const Plan& plan, const TimeScales& scales, std::span<const Schedule::Span> spans) {
  Schedule schedule(plan, scales.dt);
  schedule.keep_spans(spans);
  return schedule;
}

}  // namespace

Course::Course(const Plan& plan, const TimeScales& scales, int threads, std::span<const Schedule::Span> spans)
    : schedule(schedule_of(plan, scales, spans)),
      work(plan.model, threads > 0 ? threads : plan.solver.threads),
      observer(plan, schedule, work),
      plan_(plan),
      scales_(scales) {}

void Course::choose_stepper(int stage) {
  const SolverKind kind = plan_.kind(stage);
  if (stepper_ && kind == kind_ && risky_ == is_beyond_critical(plan_, schedule, scales_, stage)) return;
  stepper_.reset();  // before the next one is made: each leaves its mark on the schedule
  risky_ = is_beyond_critical(plan_, schedule, scales_, stage);
  stepper_ = make_stepper(kind, plan_, schedule, work, risky_);
  kind_ = kind;
}

StepReport Course::begin_stage(State& s, const Inputs* was) {
  schedule.begin_stage(s);
  observer.read(s);
  if (was) s.memory.ledger.fields += work_of_switching(plan_.model, *was, schedule.now(s.clock), s, work);
  choose_stepper(s.clock.stage);
  StepReport r = stepper_->begin_stage(s);
  if (work.terms.induction)  // probes and pictures show what is induced, before the first step too
    work.terms.induction->advance(s, schedule.now(s.clock), s.memory);
  if (r.outcome == Outcome::done) observer.read(s);  // a static one has moved
  return r;
}

StepReport Course::next_stage(State& s) {
  const Inputs was = schedule.now(s.clock);
  schedule.end_stage(s);
  ++s.clock.stage;
  s.clock.step_in_stage = 0;
  s.clock.share = 0;
  s.memory.halvings = 0;
  return begin_stage(s, &was);
}

void Course::resume_stage(State& s) {
  stepper_.reset();
  choose_stepper(s.clock.stage);
  stepper_->resume_stage(s);
}

bool Course::is_finished(const State& s) const {
  return s.clock.stage + 1 == static_cast<int>(plan_.stages.size()) && schedule.stage_is_over(s.clock);
}

}  // namespace ls
