#include "run/run.h"

#include "base/error.h"
#include "run/fluid_stepper.h"
#include "run/recorder.h"
#include "run/watchdog.h"
#include "step/energy.h"

#include <cmath>
#include <fmt/format.h>

namespace ls {

namespace {

// One run from its first or a later step to its end: step, look whether that went well, record, save.
class Run {
 public:
  Run(const Plan& plan, const RunOptions& o, Results& results, const TimeScales& scales)
      : plan_(plan),
        scales_(scales),
        schedule_(plan, scales.dt),
        work_(plan.model, o.threads > 0 ? o.threads : plan.solver.threads),
        recorder_(plan, o, results, schedule_, work_),
        watchdog_(plan, schedule_, scales_, work_) {}

  void begin() {
    state_ = plan_.start;
    state_.fluid = first_fluid(plan_);
    const StepReport first = begin_stage();
    state_.memory.ledger.start = total_energy(plan_.model, schedule_.now(state_.clock), state_, work_);
    recorder_.begin(state_, scales_);
    note(first);
    if (status_ != RunStatus::diverged) recorder_.record(state_, true, first.event), recorder_.add_frame(state_);
    watchdog_.trust(state_);
  }
  void go_on_from(Checkpoint& from) {
    recorder_.go_on_from(from);
    state_ = std::move(from.state);
    schedule_.resume_stage(state_);
    choose_stepper();
    stepper_->resume_stage(state_);
    watchdog_.trust(state_);
  }

  RunReport go() {
    while (status_ == RunStatus::done && !finished()) {
      if (schedule_.stage_is_over(state_.clock)) {
        next_stage();
        continue;
      }
      const StepReport r = stepper_->step(state_);
      note(r);
      if (status_ != RunStatus::diverged && !after_step(r)) status_ = RunStatus::diverged;
      if (status_ == RunStatus::done) status_ = recorder_.look_at_clock(state_);
    }
    return finish();
  }

 private:
  bool finished() const {
    return state_.clock.stage + 1 == static_cast<int>(plan_.stages.size()) && schedule_.stage_is_over(state_.clock);
  }
  void choose_stepper() {
    const SolverKind kind = plan_.kind(state_.clock.stage);
    if (stepper_ && kind == kind_) return;
    stepper_.reset();  // before the next one is made: each leaves its mark on the schedule
    stepper_ = make_stepper(kind, plan_, schedule_, work_);
    kind_ = kind;
  }
  StepReport begin_stage() {
    schedule_.begin_stage(state_);
    choose_stepper();
    return stepper_->begin_stage(state_);
  }
  void next_stage() {
    schedule_.end_stage(state_);
    ++state_.clock.stage;
    state_.clock.step_in_stage = 0;
    state_.clock.share = 0;
    state_.memory.halvings = 0;
    const StepReport r = begin_stage();
    note(r);
    if (r.lost_stability) recorder_.record(state_, true, r.event);
    recorder_.log_stage(state_);
  }
  // What a step has to tell goes to the log; stability lost for good, or no step at all, ends the run.
  void note(const StepReport& r) {
    if (r.outcome == Outcome::diverged) {
      status_ = RunStatus::diverged;
      message_ = r.message;
      // What Newton's method could not solve may be a bond beyond its reach.
      if (const std::string why = watchdog_.overturned(state_); !why.empty() && !r.message.empty()) message_ = why;
      // Newton's solvers leave the last good state.
      if (!r.message.empty() && is_finite(state_.nodes)) watchdog_.trust(state_);
      return;
    }
    if (r.event.empty()) return;
    recorder_.log_event(state_, r);
    if (!r.lost_stability) return;
    status_ = RunStatus::lost_stability;
    message_ = r.message;
  }
  // False where the state is no longer one of numbers: the stepper sees that at once in rods, and this in all else.
  bool after_step(const StepReport& r) {
    const bool ends = r.lost_stability || schedule_.stage_is_over(state_.clock);
    const bool all = ends || stepper_->records_every_step() || !r.event.empty();
    if (!watchdog_.approves(state_, all, recorder_)) return false;
    const bool is_last = (ends && state_.clock.stage + 1 == static_cast<int>(plan_.stages.size())) || r.lost_stability;
    recorder_.record_step(state_, r.event, all, is_last);
    return true;
  }
  RunReport finish() {
    RunReport r;
    r.status = status_;
    if (status_ == RunStatus::diverged) {
      r.message = message_.empty()
                      ? watchdog_.divergence(state_)
                      : message_ + fmt::format("; the state of step {} is kept", watchdog_.good().clock.step);
      state_ = watchdog_.take_good();
    } else if (status_ == RunStatus::lost_stability) {
      r.message = message_;
    } else {
      recorder_.show(state_);
    }
    schedule_.resume_stage(state_);
    recorder_.finish(state_, r, scales_);
    return r;
  }

  const Plan& plan_;
  const TimeScales scales_;
  Schedule schedule_;
  Work work_;
  Recorder recorder_;
  Watchdog watchdog_;
  State state_;
  std::unique_ptr<Stepper> stepper_;
  SolverKind kind_ = SolverKind::explicit_dynamics;  // of the stepper
  RunStatus status_ = RunStatus::done;
  std::string message_;  // why the run ended early
};

void start_from(Plan& plan) {
  if (plan.start_from.empty()) return;
  auto c = read_checkpoint(std::filesystem::path(plan.start_from) / "checkpoint.h5");
  if (c.state.nodes.count != plan.model.nodes)
    throw Error(fmt::format("{}: start.from: {} has {} nodes, this scene has {}", plan.file, plan.start_from,
                            c.state.nodes.count, plan.model.nodes));
  plan.start.nodes = c.state.nodes;
  if (plan.fluid && !c.state.fluid.populations.empty()) {
    const FluidSettings& s = plan.fluid.box->settings();
    if (c.state.fluid.populations.size() != plan.fluid.box->lattice().bytes() ||
        std::abs(c.fluid_dt / s.dt - 1) > 1e-9 || std::abs(c.fluid_spacing / s.spacing - 1) > 1e-9)
      throw Error(
          fmt::format("{}: start.from: the fluid of {} has another box, spacing, step or precision than this "
                      "scene's (its step is {:.6g} s, here it is {:.6g} s)",
                      plan.file, plan.start_from, c.fluid_dt, s.dt));
    plan.start.fluid = std::move(c.state.fluid);
  }
  if (!plan.start.memory.broken.empty() && plan.start.memory.broken.size() == c.state.memory.broken.size())
    plan.start.memory.broken = c.state.memory.broken;
}

RunReport run_started(const Plan& plan, const RunOptions& o) {
  const TimeScales scales = time_scales(plan);
  if (!o.resume || !Results::has_checkpoint(o.out)) {
    Results results(plan, o.out, o.force || o.resume);
    Run r(plan, o, results, scales);
    r.begin();
    return r.go();
  }
  Checkpoint c = read_checkpoint(o.out / "checkpoint.h5");
  if (c.scene != scene_identity(plan))
    throw Error(fmt::format("{}: the scene has changed since that run began; undo the change, or give another --out",
                            o.out.string()));
  if (c.finished) {
    RunReport r;
    r.nothing_to_do = r.resumed = true;
    r.steps = c.state.clock.step;
    r.folder = o.out;
    r.picture = plan.output.picture ? o.out / "picture.svg" : std::filesystem::path();
    return r;
  }
  Results results(plan, o.out, c);
  Run r(plan, o, results, scales);
  r.go_on_from(c);
  auto report = r.go();
  report.resumed = true;
  return report;
}

}  // namespace

const char* name(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return "done";
    case RunStatus::lost_stability:
      return "lost stability";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::out_of_time:
      return "out of time";
    case RunStatus::diverged:
      return "diverged";
  }
  return "";
}

Plan started(const Plan& plan) {
  Plan own = plan;
  start_from(own);
  return own;
}

RunReport run(const Plan& plan, const RunOptions& o) {
  return plan.start_from.empty() ? run_started(plan, o) : run_started(started(plan), o);
}

}  // namespace ls
