#include "run/run.h"

#include "base/error.h"
#include "base/isa.h"
#include "fluid/immersed/marker_term.h"
#include "model/node_name.h"
#include "output/fluid_field.h"
#include "output/mode_files.h"
#include "output/take_snapshot.h"
#include "picture/take_flow_picture.h"
#include "run/fluid_stepper.h"
#include "run/probes.h"
#include "run/results.h"
#include "run/stepper.h"
#include "run/summary.h"
#include "step/critical_step.h"
#include "step/energy.h"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace ls {

namespace {

using Clock_ = std::chrono::steady_clock;

constexpr int default_frames = 50;
constexpr long long fluid_check_steps = 100, fluid_probe_steps = 10;
constexpr double most_mach = 1;  // of a fluid that has not blown up

double seconds_since(Clock_::time_point t) {
  return std::chrono::duration<double>(Clock_::now() - t).count();
}

// What moves faster than light has diverged as well, though it still is a number.
bool is_finite(const Nodes& n) {
  constexpr double light = 3e8;  // m/s
  double sum = 0;
  bool slow = true;
  for (const auto* triple : {n.x, n.v, n.w})
    for (int k = 0; k < 3; ++k)
      for (const double a : triple[k]) sum += a * 0.0;
  for (int k = 0; k < 3; ++k)
    for (const double v : n.v[k]) slow = slow && !(std::abs(v) > light);
  return sum == 0 && slow;  // 0 times anything that is not finite is not a number
}

// One run from its first or a later step to its end. The order of things within a step: step, record, save.
class Run {
 public:
  Run(Plan& plan, const RunOptions& o, Results& results, const TimeScales& scales, Checkpoint* from)
      : plan_(plan),
        options_(o),
        results_(results),
        scales_(scales),
        schedule_(plan, scales.dt),
        probes_(plan),
        work_(plan.model, o.threads > 0 ? o.threads : plan.solver.threads, has_loads(plan)) {
    start_ = last_shown_ = last_saved_ = Clock_::now();
    if (from) {
      keep_ = std::move(*from);
      state_ = std::move(keep_.state);
      schedule_.resume_stage(state_);
      choose_stepper();
      stepper_->resume_stage(state_);
      wall_before_ = keep_.wall_seconds;
      first_step_ = state_.clock.step;
      results_.add_log(
          {{"event", "resumed"}, {"step", state_.clock.step}, {"made_with", keep_.isa}, {"isa", name(chosen_isa())}});
    } else {
      state_ = plan.start;
      state_.fluid = first_fluid(plan);
      keep_.isa = name(chosen_isa());
      const StepReport first = begin_stage();
      keep_.first_energy = state_.memory.ledger.start = energy();
      results_.add_log({{"event", "started"},
                        {"version", version},
                        {"isa", keep_.isa},
                        {"dt", scales.dt},
                        {"critical_step", scales.critical}});
      for (const auto& w : plan.warnings) results_.add_log({{"event", "warning"}, {"text", w}});
      results_.add_probes(probes_.header());
      note(first);
      if (status_ != RunStatus::diverged) record(true, first.event), frame();
    }
    good_ = state_;
    first_ = take_snapshot(plan_.model, plan_.start, "");
    if (plan_.output.frames.steps == 0 && plan_.output.frames.time == 0 && !plan_.output.frames_given) {
      if (plan_.uses("static"))
        plan_.output.frames.steps = std::max(1LL, schedule_.total_steps() / default_frames);
      else
        plan_.output.frames.time = schedule_.total_time() / default_frames;
    }
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
      if (status_ == RunStatus::done) status_ = wish_to_stop();
    }
    return finish(status_);
  }

 private:
  static bool has_loads(const Plan& plan) {
    for (const auto& s : plan.stages)
      if (!s.loads.empty()) return true;
    return false;
  }
  bool finished() {
    return state_.clock.stage + 1 == static_cast<int>(plan_.stages.size()) && schedule_.stage_is_over(state_.clock);
  }
  void choose_stepper() {
    const std::string& kind = plan_.kind(state_.clock.stage);
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
  // What a step has to tell goes to the log; stability lost for good, or no step at all, ends the run.
  void note(const StepReport& r) {
    if (r.outcome == Outcome::diverged) {
      status_ = RunStatus::diverged;
      message_ = r.message;
      if (!r.message.empty() && is_finite(state_.nodes)) good_ = state_;  // Newton's solvers leave the last good one
      return;
    }
    if (r.event.empty()) return;
    const std::string file = r.mode ? write_mode(results_.folder(), ++events_, snapshot(), *r.mode) : std::string();
    results_.add_log({{"event", r.event},
                      {"step", state_.clock.step},
                      {"s", inputs().s},
                      {"text", r.message},
                      {"omega_squared", r.mode ? r.mode->omega_squared : 0.0},
                      {"mode", file}});
    if (!r.lost_stability) return;
    status_ = RunStatus::lost_stability;
    message_ = r.message;
  }
  void next_stage() {
    ++state_.clock.stage;
    state_.clock.step_in_stage = 0;
    state_.clock.share = 0;
    state_.memory.halvings = 0;
    const StepReport r = begin_stage();
    note(r);
    if (r.lost_stability) record(true, r.event);
    results_.add_log({{"event", "stage"},
                      {"name", plan_.stages[state_.clock.stage].name},
                      {"step", state_.clock.step},
                      {"time", state_.clock.time}});
  }

  // False where the state is no longer one of numbers: the stepper sees that at once in rods, and this in all else.
  bool after_step(const StepReport& r) {
    const double dt = schedule_.spans()[state_.clock.stage].dt;
    const bool ends = r.lost_stability || schedule_.stage_is_over(state_.clock);
    const bool all = ends || stepper_->records_every_step() || !r.event.empty();
    if (plan_.fluid && (all || is_time_to_look_at_fluid(dt)) && !fluid_is_good()) return false;
    if (all || state_.clock.step % (plan_.fluid ? fluid_check_steps : 1000) == 0) {
      if (!is_finite(state_.nodes)) return false;
      good_ = state_;
    }
    if (all || probes_.any_due(state_.clock, dt)) record(all, r.event);
    const bool is_last = (ends && state_.clock.stage + 1 == static_cast<int>(plan_.stages.size())) || r.lost_stability;
    if (is_last || is_due(plan_.output.frames, state_.clock, dt)) frame();
    if (plan_.fluid) write_fluid(is_last, dt);
    return true;
  }
  // Beyond a face there is no fluid that they could feel.
  bool solids_are_in_fluid() {
    const int astray = marker_astray(plan_, state_.nodes);
    if (astray < 0 || !is_finite(state_.nodes)) return true;
    const Marker& m = find_marker_term(plan_.model)->markers()[astray];
    message_ = fmt::format(
        "`{}` has left the box of the fluid by step {} (t = {:.6g} s, stage {}). Enlarge the box, end the run earlier, "
        "or "
        "hold it back: [[wall]] and [contact] where the fluid has a wall",
        plan_.model.bodies[m.body].name, state_.clock.step, state_.clock.time, plan_.stages[state_.clock.stage].name);
    good_ = state_;
    return false;
  }
  // A look costs about as much as a step.
  bool is_time_to_look_at_fluid(double dt) const {
    const long long step = state_.clock.step;
    return step % fluid_check_steps == 0 || is_due(plan_.output.frames, state_.clock, dt) ||
           is_due(plan_.output.fluid.every, state_.clock, dt) ||
           (step % fluid_probe_steps == 0 && probes_.any_due(state_.clock, dt));
  }
  void write_fluid(bool is_last, double dt) {
    if (is_last || is_due(plan_.output.fluid.every, state_.clock, dt))
      results_.fluid().add_frame(state_, inputs(), work_.team);
    if (is_due({0, plan_.fluid.tracers.cycle}, state_.clock, dt)) results_.fluid().end_cycle(state_);
  }
  // A lattice that blows up goes through speeds beyond that of sound before it stops being numbers.
  bool fluid_is_good() {
    const Fluid& fluid = *plan_.fluid.box;
    const FluidScan scan = scan_fluid(fluid, state_.fluid, inputs(), work_.team);
    const double mach = fluid_numbers(fluid, scan.speed).mach;
    if (scan.finite && mach < most_mach) return solids_are_in_fluid();
    message_ = fmt::format(
        "the fluid diverged at step {} (t = {:.6g} s, stage {}): {} in cell ({}, {}, {}). {}", state_.clock.step,
        state_.clock.time, plan_.stages[state_.clock.stage].name,
        scan.finite ? fmt::format("a speed of {:.3g} m/s, Mach {:.2g} on this lattice,", scan.speed, mach)
                    : std::string("no number"),
        scan.cell[0], scan.cell[1], scan.cell[2],
        fluid.settings().coupling == Coupling::friction
            ? "Give `fluid.speed`, the largest speed that you expect, so that dt = \"auto\" takes a shorter step, or a "
              "smaller spacing"
            : "Take coupling = \"friction\": \"penalty\" pushes too hard on what is heavy, and \"direct\" has nothing "
              "that gives way; or a shorter dt");
    return false;
  }
  const Inputs& inputs() { return schedule_.now(state_.clock); }
  void record(bool all, const std::string& event) {
    const double dt = schedule_.spans()[state_.clock.stage].dt;
    results_.add_probes(probes_.row(state_, inputs(), dt, all, event, work_.team));
  }
  Snapshot snapshot() {
    Snapshot shot = take_snapshot(plan_.model, state_, plan_.stages[state_.clock.stage].name);
    add_contact(plan_.model, state_, inputs(), shot);
    if (plan_.fluid) add_tracers(*plan_.fluid.box, state_.fluid, shot);
    return shot;
  }
  void frame() {
    results_.add_frame(snapshot());
    results_.fluid().add_tracks(state_);
  }
  double energy() { return total_energy(energies(plan_.model, inputs(), state_, work_.team)); }

  // The clock on the wall is looked at every few tens of microseconds of work; it decides nothing but when to save.
  RunStatus wish_to_stop() {
    if (options_.stop && options_.stop->load(std::memory_order_relaxed) != 0) return RunStatus::interrupted;
    const long long seldom = plan_.fluid ? 1 : std::max(1, 4096 / (plan_.model.nodes + 1));
    if (state_.clock.step % seldom != 0) return RunStatus::done;
    const auto now = Clock_::now();
    if (options_.max_wall > 0 && std::chrono::duration<double>(now - start_).count() > options_.max_wall)
      return RunStatus::out_of_time;
    if (std::chrono::duration<double>(now - last_saved_).count() > plan_.output.checkpoint && is_finite(state_.nodes)) {
      save(false);
      last_saved_ = Clock_::now();
    }
    if (options_.show && std::chrono::duration<double>(now - last_shown_).count() > 0.2) {
      show();
      last_shown_ = now;
    }
    return RunStatus::done;
  }
  void show() {
    const long long steps = schedule_.total_steps(), gone = state_.clock.step;
    const double spent = seconds_since(start_);
    const auto here = std::max(1LL, gone - first_step_);
    options_.show({std::min(1.0, static_cast<double>(gone) / static_cast<double>(steps)), gone, steps,
                   state_.clock.time,
                   spent / static_cast<double>(here) * static_cast<double>(std::max(0LL, steps - gone)), energy(),
                   keep_.first_energy, plan_.stages[state_.clock.stage].name});
  }
  void save(bool done) {
    keep_.wall_seconds = wall_before_ + seconds_since(start_);
    keep_.finished = done;
    std::swap(keep_.state, state_);  // a copy of a fluid could be too large
    results_.save(keep_);
    std::swap(keep_.state, state_);
  }

  RunReport finish(RunStatus status) {
    RunReport r;
    r.status = status;
    r.wall_seconds = wall_before_ + seconds_since(start_);
    if (status == RunStatus::diverged) {
      r.message =
          message_.empty() ? divergence() : message_ + fmt::format("; the state of step {} is kept", good_.clock.step);
      state_ = std::move(good_);
    } else if (status == RunStatus::lost_stability) {
      r.message = message_;
    } else if (options_.show) {
      show();
    }
    r.steps = state_.clock.step;
    schedule_.resume_stage(state_);
    const Inputs& in = inputs();
    const Snapshot last = snapshot();
    std::optional<FlowPicture> flow;
    if (plan_.fluid && plan_.output.picture)
      flow = take_flow_picture(*plan_.fluid.box, state_.fluid, in, last, work_.team);
    results_.write_picture(first_, last, in.gravity, flow ? &*flow : nullptr);
    results_.add_log({{"event", name(status)},
                      {"step", state_.clock.step},
                      {"time", state_.clock.time},
                      {"wall_seconds", r.wall_seconds}});
    save(status == RunStatus::done || status == RunStatus::lost_stability);
    results_.write_summary(summary(plan_, scales_, schedule_, state_, energies(plan_.model, in, state_, work_.team),
                                   keep_.first_energy, r, work_.team.size()));
    r.folder = results_.folder();
    r.picture = plan_.output.picture ? results_.picture() : std::filesystem::path();
    return r;
  }
  // The stepper names a block of nodes; the one in it (or, after a check of all, the first) that went astray.
  int lost_node() const {
    const Nodes& n = state_.nodes;
    const double dt = schedule_.spans()[state_.clock.stage].dt;
    const auto astray = [&](int i) {
      const auto x = n.frame(i).x;
      const auto t = n.twist(i);
      return !(norm(t.w) * dt < 3.14) || !std::isfinite(norm(x) + norm(t.v));
    };
    for (int i = std::max(0, work_.lost_node); i < plan_.model.nodes; ++i)
      if (astray(i)) return i;
    return std::clamp(work_.lost_node, 0, std::max(0, plan_.model.nodes - 1));
  }
  std::string divergence() const {
    const std::string node = node_name(plan_.model, lost_node());
    const double dt = schedule_.spans()[state_.clock.stage].dt;
    std::string text = fmt::format(
        "diverged at step {} (t = {:.6g} s, stage {}): {} turned by more than half a turn in one step "
        "or is no longer a number; the state of step {} is kept",
        state_.clock.step + 1, state_.clock.time, plan_.stages[state_.clock.stage].name, node, good_.clock.step);
    if (dt > 0.9 * scales_.critical)
      text += fmt::format(
          ". The step of {:.3g} s is beyond the critical one of {:.3g} s: use dt = \"auto\" or a smaller dt", dt,
          scales_.critical);
    else
      text += ". Try a smaller dt, or more bond damping";
    return text;
  }

  Plan& plan_;
  const RunOptions& options_;
  Results& results_;
  TimeScales scales_;
  Schedule schedule_;
  ProbeTable probes_;
  Work work_;
  State state_, good_;
  Checkpoint keep_;
  Snapshot first_;
  std::unique_ptr<Stepper> stepper_;
  std::string kind_;  // of the stepper
  RunStatus status_ = RunStatus::done;
  std::string message_;  // why the run ended early
  int events_ = 0;       // with a mode written
  Clock_::time_point start_, last_shown_, last_saved_;
  double wall_before_ = 0;    // s, of the runs that this one resumes
  long long first_step_ = 0;  // of this run
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

TimeScales time_scales(const Plan& plan) {
  TimeScales t;
  t.dt = plan.solver.dt;
  if (!plan.uses("explicit") && !plan.uses("implicit")) return t;
  const Schedule schedule(plan, 1.0);
  t.frequency = largest_frequency(plan.model, plan.start, plan.stages.empty() ? plan.model.held : schedule.held(0));
  double damping = 0;
  for (const auto& term : plan.model.terms) damping = std::max(damping, term->longest_damping_time());
  t.critical = critical_step(t.frequency, damping);
  if (!plan.uses("explicit")) return t;
  Inputs touching;
  touching.contact = ContactLaw::hertz_mindlin;
  t.critical = critical_step(t.critical, plan.model, plan.start, touching);
  if (t.dt > 0) return t;
  t.dt = plan.solver.safety * t.critical;
  if (!plan.fluid && !(t.dt < std::numeric_limits<double>::infinity()))
    throw Error(
        fmt::format("{}: solver.dt: \"auto\" needs something stiff to go by, and nothing is: give a time", plan.file));
  return t;
}

std::size_t memory_bytes(const Plan& plan, int threads) {
  const Work work(plan.model, threads, false);
  const std::size_t nodes = static_cast<std::size_t>(padded(plan.model.nodes)) * 19 * sizeof(double);
  const bool newton = plan.uses("static") || plan.uses("implicit");
  const std::size_t fluid = plan.fluid ? 3 * plan.fluid.box->lattice().bytes() : 0;  // as check_memory() has it
  return fluid + plan.model.bytes() + work.bytes() + (newton ? NewtonWork(plan.model).bytes() + 4 * nodes : 0) +
         3 * nodes;  // the state, its first value, the last good one
}

RunReport run(Plan& plan, const RunOptions& o) {
  start_from(plan);
  const TimeScales scales = time_scales(plan);
  if (o.resume && Results::has_checkpoint(o.out)) {
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
    Run r(plan, o, results, scales, &c);
    auto report = r.go();
    report.resumed = true;
    return report;
  }
  Results results(plan, o.out, o.force || o.resume);
  return Run(plan, o, results, scales, nullptr).go();
}

}  // namespace ls
