#include "run/run.h"

#include "base/byte_hash.h"
#include "base/error.h"
#include "run/fluid/fluid_stepper.h"
#include "run/recorder.h"
#include "run/resume/leavings.h"
#include "run/resume/resume.h"
#include "run/safety/watchdog.h"
#include "run/simulation/course.h"
#include "step/energy.h"
#include "step/stride.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

namespace ls {

namespace {

// One run from its first or a later step to its end: step, look whether that went well, record, save.
class Run {
 public:
  // spans: of stages, where they are not those of the plan
  Run(const Plan& plan, const RunOptions& o, Results& results, const TimeScales& scales,
      std::span<const Schedule::Span> spans = {})
      : plan_(plan),
        scales_(scales),
        course_(plan, scales_, o.threads, spans),
        recorder_(plan, o, results, schedule_, work_),
        watchdog_(plan, schedule_, scales_, work_) {
    work_.pulse = Pulse([this] { return may_go_on(); });
  }

  void begin() {
    state_ = plan_.start;
    state_.fluid = first_fluid(plan_);
    const std::optional<StepReport> first = unless_stopped([&] { return course_.begin_stage(state_); });
    if (!first) {
      state_.nodes = plan_.start.nodes;
      has_begun_ = false;
    }
    const double energy = total_energy(plan_.model, schedule_.now(state_.clock), state_, work_);
    if (std::isfinite(energy)) state_.memory.ledger.start = energy;
    recorder_.begin(state_, scales_);
    if (!first) return;
    State drawn = state_;
    drawn.nodes = plan_.start.nodes;
    watchdog_.trust(std::move(drawn));  // should not even the first state be one of numbers
    note(*first);
    const std::string events = status_ == RunStatus::diverged ? "" : look(first->event);
    if (status_ != RunStatus::diverged && watchdog_.begin_stage(state_) &&
        is_recorded(recorder_.record(state_, true, events))) {
      recorder_.add_first_frame(state_);
      return;
    }
    status_ = RunStatus::diverged;
    has_begun_ = false;
  }
  void go_on_from(Checkpoint& from) {
    recorder_.go_on_from(from);
    state_ = std::move(from.state);
    schedule_.resume_stage(state_);
    // Stopped again before its first step, it leaves what it was given.
    (void)unless_stopped([&] {
      course_.resume_stage(state_);
      return StepReport();
    });
    watchdog_.trust(state_);
    (void)watchdog_.begin_stage(state_);
  }

  void tell(const char* kind, const std::string& text) { recorder_.tell(kind, text); }

  RunReport go() {
    while (status_ == RunStatus::done && !course_.is_finished(state_)) {
      if (schedule_.stage_is_over(state_.clock)) {
        next_stage();
        continue;
      }
      if (course_.stepper().takes_long()) begun_with_ = state_;
      const auto r = unless_stopped([&] { return course_.stepper().several_steps(state_, steps_unseen()); });
      if (!r) break;
      note(*r);
      if (status_ != RunStatus::diverged && !after_step(*r)) status_ = RunStatus::diverged;
      // After the last step there is nothing left to stop. And a state from which no step is made any more would lack
      // what a picture of a fluid shows of the last one, the forces of its markers.
      if (status_ == RunStatus::done && !course_.is_finished(state_)) status_ = recorder_.look_at_clock(state_);
    }
    return finish();
  }

 private:
  // In the midst of a step: false where the run is to stop.
  bool may_go_on() {
    const RunStatus wanted = recorder_.look_within_step(begun_with_ ? &*begun_with_ : nullptr);
    if (wanted == RunStatus::done) return true;
    status_ = wanted;
    return false;
  }
  // Steps up to the next whose state somebody wants to see.
  int steps_unseen() const {
    if (!observer_.is_idle()) return 1;
    for (int n = 1; n < most_in_stride; ++n) {
      const Clock c = schedule_.after(state_.clock, n);
      if (schedule_.stage_is_over(c) || recorder_.is_probe_due(c) || recorder_.is_frame_due(c) ||
          watchdog_.is_time_to_look(c))
        return n;
    }
    return most_in_stride;
  }
  // A step or the start of a stage; nothing where the run stopped in its midst, with the state that it began with.
  template <class Action>
  std::optional<StepReport> unless_stopped(const Action& act) {
    std::optional<StepReport> r;
    try {
      r = act();
    } catch (const Interrupted&) {
      if (begun_with_) state_ = std::move(*begun_with_);
    }
    begun_with_.reset();
    return r;
  }
  // What has come about in the state: for the schedule, the log and the table of the probes. event: of the step itself.
  std::string look(std::string event) {
    if (observer_.is_idle() || !is_finite(state_.nodes)) return event;
    for (const int k : observer_.look(state_, course_.keeps_ledger())) {
      recorder_.log_event(state_, plan_.events[k]);
      event += (event.empty() ? "" : ";") + plan_.events[k].name;
    }
    return event;
  }
  // Moments that no state has, or the bodies that they are of, are why a step failed.
  std::string no_moments() const { return work_.terms.induction ? work_.terms.induction->failure() : ""; }
  void next_stage() {
    if (!plan_.fluid) begun_with_ = state_;  // beside a fluid no solid's stage begins with a search
    const auto r = unless_stopped([&] { return course_.next_stage(state_); });
    if (!r) return;
    note(*r);
    if (status_ != RunStatus::diverged && !watchdog_.begin_stage(state_)) status_ = RunStatus::diverged;
    if (status_ == RunStatus::diverged) return;
    if (r->lost_stability && !is_recorded(recorder_.record(state_, true, r->event))) status_ = RunStatus::diverged;
    recorder_.log_stage(state_);
  }
  // What a step has to tell goes to the log; stability lost for good, or no step at all, ends the run.
  void note(const StepReport& r) {
    if (r.outcome == Outcome::diverged) {
      status_ = RunStatus::diverged;
      message_ = r.message;
      // What Newton's method could not solve may be a bond beyond its reach.
      if (const std::string why = watchdog_.overturned(state_); !why.empty() && !r.message.empty()) message_ = why;
      if (const std::string why = no_moments(); !why.empty())
        message_ = fmt::format("no step could be taken after step {}: {}", state_.clock.step, why);
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
    const std::string event = look(r.event);
    const bool ends = r.lost_stability || schedule_.stage_is_over(state_.clock);
    const bool all = ends || course_.stepper().records_every_step() || !event.empty();
    if (!watchdog_.approves(state_, all, recorder_)) return false;
    const bool is_last = (ends && state_.clock.stage + 1 == static_cast<int>(plan_.stages.size())) || r.lost_stability;
    return is_recorded(recorder_.record_step(state_, event, all, is_last));
  }
  // bad: the column of a probe whose value is no number.
  bool is_recorded(const std::string& bad) {
    if (bad.empty()) return true;
    if (!is_finite(state_.nodes) || watchdog_.knows()) return false;
    const std::string why = bad_input(plan_, schedule_, state_, {state_.clock.share});
    message_ = fmt::format("{} of the probes is not a number at step {} (t = {:.6g} s, stage {})", bad,
                           state_.clock.step, state_.clock.time, plan_.stages[state_.clock.stage].name);
    if (!why.empty()) message_ += ": " + why;
    return false;
  }
  // Takes the steps since the last good state again, one by one, for the one that fails: its inputs and what touches in
  // it tell why. Of short steps only, and not beside a fluid, which is too large to be copied each time.
  void find_cause() {
    constexpr double patience = 5;  // s
    State s = watchdog_.good();
    if (plan_.fluid || course_.kind() != SolverKind::explicit_dynamics || watchdog_.knows() ||
        s.clock.stage != state_.clock.stage)
      return;
    schedule_.resume_stage(s);
    course_.stepper().resume_stage(s);
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::duration<double>(patience) &&
           !schedule_.stage_is_over(s.clock)) {
      const State before = s;
      const StepReport r = course_.stepper().step(s);
      if (r.outcome == Outcome::done && is_finite(s.nodes)) {
        (void)observer_.look(s, false);
        continue;
      }
      watchdog_.look_at_failure(before, s);
      return;
    }
  }
  RunReport finish() {
    RunReport r;
    r.status = status_;
    if (status_ == RunStatus::diverged) {
      if (message_.empty()) message_ = no_moments();
      if (message_.empty()) find_cause();
      r.message = message_.empty() ? watchdog_.divergence(state_) : message_;
      if (has_begun_) r.message += fmt::format("; the state of step {} is kept", watchdog_.good().clock.step);
      state_ = watchdog_.take_good();
    } else if (status_ == RunStatus::lost_stability) {
      r.message = message_;
    } else {
      recorder_.show(state_);
    }
    schedule_.resume_stage(state_);
    r.has_checkpoint = has_begun_;
    r.energy_drift = watchdog_.energy_drift();
    if (const std::string w = watchdog_.energy_warning(); !w.empty() && status_ != RunStatus::diverged) {
      recorder_.tell("warning", w);
      r.warnings.push_back(w);
    }
    recorder_.finish(state_, r, scales_);
    return r;
  }

  const Plan& plan_;
  const TimeScales scales_;
  Course course_;
  Schedule& schedule_ = course_.schedule;
  Work& work_ = course_.work;
  Observer& observer_ = course_.observer;
  Recorder recorder_;
  Watchdog watchdog_;
  State state_;
  std::optional<State> begun_with_;  // the state before what is under way, where that may take long
  bool has_begun_ = true;            // false: it was stopped before the first state was found
  RunStatus status_ = RunStatus::done;
  std::string message_;  // why the run ended early
};

void start_from(Plan& plan) {
  if (plan.start_from.empty()) return;
  const auto path = std::filesystem::path(plan.start_from) / checkpoint_file;
  auto c = read_checkpoint(path);
  const auto is_noted = [&](const UsedFile& file) { return file.name == path.string(); };
  if (std::ranges::none_of(plan.files, is_noted))
    plan.files.push_back({path.string(), file_hash(path.string()).value_or(0)});
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

RunReport begin_run(const Plan& plan, const RunOptions& o, const TimeScales& scales) {
  Results results(plan, o.out, o.force || o.resume);
  Run r(plan, o, results, scales);
  if (o.resume) r.tell("note", o.out.string() + ": has no checkpoint: the run starts from its beginning");
  r.begin();
  return r.go();
}

RunReport nothing_to_do(const Plan& plan, const RunOptions& o, const Checkpoint& c) {
  RunReport r;
  r.nothing_to_do = r.resumed = true;
  r.steps = c.state.clock.step;
  r.folder = o.out;
  r.picture = plan.output.picture ? o.out / "picture.svg" : std::filesystem::path();
  // It may have ended where stability was lost.
  std::ifstream file(o.out / "summary.json");
  const auto summary = nlohmann::json::parse(file, nullptr, false);
  if (summary.is_object() && summary.value("status", "") == name(RunStatus::lost_stability))
    r.status = RunStatus::lost_stability;
  return r;
}

RunReport resume_run(const Plan& plan, const RunOptions& o, const TimeScales& scales) {
  auto [c, warning, is_before] = last_checkpoint(o.out);
  const Resumption how = resumption(c, plan, o.out);
  if (how.finished) return nothing_to_do(plan, o, c);
  // The damaged one makes room: the next to be written would else push the good one out.
  if (is_before) std::filesystem::rename(o.out / checkpoint_before_file, o.out / checkpoint_file);
  Results results(plan, o.out, c);
  Run r(plan, o, results, scales, how.spans);
  r.go_on_from(c);
  if (!warning.empty()) r.tell("warning", warning);
  for (const std::string& note : how.notes) r.tell("note", note);
  for (const std::string& damage : results.damages()) r.tell("warning", damage);
  auto report = r.go();
  report.resumed = true;
  return report;
}

RunReport run_started(const Plan& plan, const RunOptions& o) {
  const TimeScales scales = time_scales(plan);
  return o.resume && has_checkpoint(o.out) ? resume_run(plan, o, scales) : begin_run(plan, o, scales);
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
  std::error_code e;
  if (std::filesystem::exists(o.out, e) && !std::filesystem::is_directory(o.out, e))
    throw Error(fmt::format("{}: is a file; --out needs a folder", o.out.string()));
  return run(plan, o, FolderLock(o.out));
}

RunReport run(const Plan& plan, const RunOptions& o, const FolderLock&) {
  return plan.start_from.empty() ? run_started(plan, o) : run_started(started(plan), o);
}

}  // namespace ls
