#include "scene/run.h"

#include "base/error.h"
#include "base/isa.h"
#include "scene/probes.h"
#include "scene/results.h"
#include "scene/schedule.h"
#include "scene/summary.h"
#include "scene/take_snapshot.h"
#include "step/critical_step.h"
#include "step/energy.h"
#include "step/explicit_step.h"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace ls {

namespace {

using Clock_ = std::chrono::steady_clock;

double seconds_since(Clock_::time_point t) {
  return std::chrono::duration<double>(Clock_::now() - t).count();
}

bool is_finite(const Nodes& n) {
  double sum = 0;
  for (const auto* triple : {n.x, n.v, n.w})
    for (int k = 0; k < 3; ++k)
      for (const double a : triple[k]) sum += a * 0.0;
  return sum == 0;  // 0 times anything that is not finite is not a number
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
    if (from) {
      keep_ = std::move(*from);
      state_ = std::move(keep_.state);
      schedule_.resume_stage(state_);
      resume_explicit(plan_.model, schedule_.now(state_.clock), work_);
      wall_before_ = keep_.wall_seconds;
      first_step_ = state_.clock.step;
      results_.add_log(
          {{"event", "resumed"}, {"step", state_.clock.step}, {"made_with", keep_.isa}, {"isa", name(chosen_isa())}});
    } else {
      state_ = plan.start;
      keep_.isa = name(chosen_isa());
      begin_stage();
      keep_.first_energy = energy();
      results_.add_log({{"event", "started"},
                        {"version", version},
                        {"isa", keep_.isa},
                        {"dt", scales.dt},
                        {"critical_step", scales.critical}});
      for (const auto& w : plan.warnings) results_.add_log({{"event", "warning"}, {"text", w}});
      results_.add_probes(probes_.header());
      record(true);
      frame();
    }
    good_ = state_;
    first_ = take_snapshot(plan_.model, plan_.start, "");
    if (plan_.output.frames.steps == 0 && plan_.output.frames.time == 0 && !plan_.output.frames_given)
      plan_.output.frames.time = schedule_.total_time() / 50;
  }

  RunReport go() {
    start_ = last_shown_ = last_saved_ = Clock_::now();
    RunStatus status = RunStatus::done;
    while (!finished()) {
      if (schedule_.stage_is_over(state_.clock)) {
        next_stage();
        continue;
      }
      if (step_explicit(plan_.model, schedule_.next(state_.clock), state_, work_) == Outcome::diverged) {
        status = RunStatus::diverged;
        break;
      }
      if (!after_step()) {
        status = RunStatus::diverged;
        break;
      }
      if (const auto stop = wish_to_stop(); stop != RunStatus::done) {
        status = stop;
        break;
      }
    }
    return finish(status);
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
  void begin_stage() {
    schedule_.begin_stage(state_);
    start_explicit(plan_.model, schedule_.now(state_.clock), state_, work_);
  }
  void next_stage() {
    ++state_.clock.stage;
    state_.clock.step_in_stage = 0;
    begin_stage();
    results_.add_log({{"event", "stage"},
                      {"name", plan_.stages[state_.clock.stage].name},
                      {"step", state_.clock.step},
                      {"time", state_.clock.time}});
  }

  // False where the state is no longer one of numbers: the stepper sees that at once in rods, and this in all else.
  bool after_step() {
    const double dt = schedule_.spans()[state_.clock.stage].dt;
    const bool ends = schedule_.stage_is_over(state_.clock);
    if (ends || state_.clock.step % 1000 == 0) {
      if (!is_finite(state_.nodes)) return false;
      good_ = state_;
    }
    if (ends || probes_.any_due(state_.clock, dt)) record(ends);
    if ((ends && state_.clock.stage + 1 == static_cast<int>(plan_.stages.size())) ||
        is_due(plan_.output.frames, state_.clock, dt))
      frame();
    return true;
  }
  void record(bool all) {
    const double dt = schedule_.spans()[state_.clock.stage].dt;
    results_.add_probes(probes_.row(state_, schedule_.now(state_.clock), dt, all, work_.team));
  }
  void frame() { results_.add_frame(take_snapshot(plan_.model, state_, plan_.stages[state_.clock.stage].name)); }
  double energy() {
    return total_energy(energies(plan_.model, schedule_.now(state_.clock).gravity, state_, work_.team));
  }

  // The clock on the wall is looked at every few tens of microseconds of work; it decides nothing but when to save.
  RunStatus wish_to_stop() {
    if (options_.stop && options_.stop->load(std::memory_order_relaxed) != 0) return RunStatus::interrupted;
    const long long seldom = std::max(1, 4096 / (plan_.model.nodes + 1));
    if (state_.clock.step % seldom != 0) return RunStatus::done;
    const auto now = Clock_::now();
    if (options_.max_wall > 0 && std::chrono::duration<double>(now - start_).count() > options_.max_wall)
      return RunStatus::out_of_time;
    if (std::chrono::duration<double>(now - last_saved_).count() > plan_.output.checkpoint && is_finite(state_.nodes)) {
      save(state_, false);
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
    options_.show({static_cast<double>(gone) / static_cast<double>(steps), gone, steps, state_.clock.time,
                   spent / static_cast<double>(here) * static_cast<double>(steps - gone), energy(), keep_.first_energy,
                   plan_.stages[state_.clock.stage].name});
  }
  void save(const State& s, bool done) {
    keep_.wall_seconds = wall_before_ + seconds_since(start_);
    keep_.finished = done;
    keep_.state = s;
    results_.save(keep_);
    keep_.state = State();
  }

  RunReport finish(RunStatus status) {
    RunReport r;
    r.status = status;
    r.wall_seconds = wall_before_ + seconds_since(start_);
    if (status == RunStatus::diverged) {
      r.message = divergence();
      state_ = good_;
    } else if (options_.show) {
      show();
    }
    r.steps = state_.clock.step;
    schedule_.resume_stage(state_);
    const Inputs& in = schedule_.now(state_.clock);
    const Snapshot last = take_snapshot(plan_.model, state_, plan_.stages[state_.clock.stage].name);
    results_.write_picture(first_, last, in.gravity);
    results_.add_log({{"event", name(status)},
                      {"step", state_.clock.step},
                      {"time", state_.clock.time},
                      {"wall_seconds", r.wall_seconds}});
    save(state_, status == RunStatus::done);
    results_.write_summary(summary(plan_, scales_, schedule_, state_,
                                   energies(plan_.model, in.gravity, state_, work_.team), keep_.first_energy, r,
                                   work_.team.size()));
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
    return std::clamp(work_.lost_node, 0, plan_.model.nodes - 1);
  }
  std::string divergence() const {
    const int node = lost_node();
    const Body& body = plan_.model.bodies[plan_.model.body_of[node]];
    const auto at = std::find(body.nodes.begin(), body.nodes.end(), node) - body.nodes.begin();
    const double dt = schedule_.spans()[state_.clock.stage].dt;
    std::string text = fmt::format(
        "diverged at step {} (t = {:.6g} s, stage {}): {}[{}] turned by more than half a turn in one step "
        "or is no longer a number; the state of step {} is kept",
        state_.clock.step + 1, state_.clock.time, plan_.stages[state_.clock.stage].name, body.name, at,
        good_.clock.step);
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
  Clock_::time_point start_, last_shown_, last_saved_;
  double wall_before_ = 0;    // s, of the runs that this one resumes
  long long first_step_ = 0;  // of this run
};

void start_from(Plan& plan) {
  if (plan.start_from.empty()) return;
  const auto c = read_checkpoint(std::filesystem::path(plan.start_from) / "checkpoint.h5");
  if (c.state.nodes.count != plan.model.nodes)
    throw Error(fmt::format("{}: start.from: {} has {} nodes, this scene has {}", plan.file, plan.start_from,
                            c.state.nodes.count, plan.model.nodes));
  plan.start.nodes = c.state.nodes;
  if (!plan.start.memory.broken.empty() && plan.start.memory.broken.size() == c.state.memory.broken.size())
    plan.start.memory.broken = c.state.memory.broken;
}

}  // namespace

const char* name(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return "done";
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
  const Schedule schedule(plan, 1.0);
  t.frequency = largest_frequency(plan.model, plan.start, plan.stages.empty() ? plan.model.held : schedule.held(0));
  double damping = 0;
  for (const auto& term : plan.model.terms) damping = std::max(damping, term->longest_damping_time());
  t.critical = critical_step(t.frequency, damping);
  t.dt = plan.solver.dt > 0 ? plan.solver.dt : plan.solver.safety * t.critical;
  if (!(t.dt < std::numeric_limits<double>::infinity()))
    throw Error(
        fmt::format("{}: solver.dt: \"auto\" needs something stiff to go by, and nothing is: give a time", plan.file));
  return t;
}

std::size_t memory_bytes(const Plan& plan, int threads) {
  const Work work(plan.model, threads, false);
  const std::size_t nodes = static_cast<std::size_t>(padded(plan.model.nodes)) * 19 * sizeof(double);
  return plan.model.bytes() + work.bytes() + 3 * nodes;  // the state, its first value, the last good one
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
