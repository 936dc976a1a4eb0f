#include "run/recorder.h"

#include "base/isa.h"
#include "output/mode_files.h"
#include "output/take_snapshot.h"
#include "picture/take_flow_picture.h"
#include "picture/take_magnet_picture.h"
#include "run/summary.h"
#include "run/watchdog.h"
#include "step/energy.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ls {

namespace {

constexpr int default_frames = 50;

// Where nobody said how often.
Every frames_of(const Plan& plan, const Schedule& schedule) {
  Every every = plan.output.frames;
  if (every.steps > 0 || every.time > 0 || plan.output.frames_given) return every;
  if (plan.uses(SolverKind::statics))
    every.steps = std::max(1LL, schedule.total_steps() / default_frames);
  else
    every.time = schedule.total_time() / default_frames;
  return every;
}

double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

}  // namespace

Recorder::Recorder(const Plan& plan, const RunOptions& options, Results& results, const Schedule& schedule, Work& work)
    : plan_(plan),
      options_(options),
      results_(results),
      schedule_(schedule),
      work_(work),
      probes_(plan, work),
      frames_(frames_of(plan, schedule)),
      first_(take_snapshot(plan.model, plan.start, "")) {
  start_ = last_shown_ = last_saved_ = Wall::now();
}

void Recorder::begin(const State& first, const TimeScales& scales) {
  keep_.isa = name(chosen_isa());
  keep_.first_energy = first.memory.ledger.start;
  results_.add_log({{"event", "started"},
                    {"version", version},
                    {"isa", keep_.isa},
                    {"dt", scales.dt},
                    {"critical_step", scales.critical}});
  for (const auto& w : plan_.warnings) results_.add_log({{"event", "warning"}, {"text", w}});
  results_.add_probes(probes_.header());
}

void Recorder::go_on_from(Checkpoint& from) {
  State state = std::move(from.state);
  keep_ = std::move(from);
  from.state = std::move(state);
  wall_before_ = keep_.wall_seconds;
  first_step_ = from.state.clock.step;
  results_.add_log(
      {{"event", "resumed"}, {"step", first_step_}, {"made_with", keep_.isa}, {"isa", name(chosen_isa())}});
}

bool Recorder::is_frame_due(const Clock& clock) const {
  return is_due(frames_, clock, dt(clock)) || (plan_.fluid && is_due(plan_.output.fluid.every, clock, dt(clock)));
}

void Recorder::record(const State& s, bool all, const std::string& event) {
  results_.add_probes(probes_.row(s, schedule_.now(s.clock), dt(s.clock), all, event, work_));
}

Snapshot Recorder::snapshot(const State& s) {
  Snapshot shot = take_snapshot(plan_.model, s, plan_.stages[s.clock.stage].name);
  add_contact(plan_.model, work_.terms, s, schedule_.now(s.clock), shot);
  if (plan_.fluid) add_tracers(*plan_.fluid.box, s.fluid, shot);
  return shot;
}

void Recorder::add_frame(const State& s) {
  results_.add_frame(snapshot(s));
  results_.fluid().add_tracks(s);
}

void Recorder::record_step(State& s, const std::string& event, bool all, bool is_last) {
  if (all || is_probe_due(s.clock)) record(s, all, event);
  if (is_last || is_due(frames_, s.clock, dt(s.clock))) add_frame(s);
  if (!plan_.fluid) return;
  if (is_last || is_due(plan_.output.fluid.every, s.clock, dt(s.clock)))
    results_.fluid().add_frame(s, schedule_.now(s.clock), work_.team);
  if (is_due({0, plan_.fluid.tracers.cycle}, s.clock, dt(s.clock))) results_.fluid().end_cycle(s);
}

void Recorder::log_stage(const State& s) {
  results_.add_log(
      {{"event", "stage"}, {"name", plan_.stages[s.clock.stage].name}, {"step", s.clock.step}, {"time", s.clock.time}});
}

void Recorder::log_event(const State& s, const StepReport& r) {
  const std::string file = r.mode ? write_mode(results_.folder(), ++events_, snapshot(s), *r.mode) : std::string();
  results_.add_log({{"event", r.event},
                    {"step", s.clock.step},
                    {"s", schedule_.now(s.clock).s},
                    {"text", r.message},
                    {"omega_squared", r.mode ? r.mode->omega_squared : 0.0},
                    {"mode", file}});
}

// The clock on the wall is looked at every few tens of microseconds of work; it decides nothing but when to save.
RunStatus Recorder::look_at_clock(State& s) {
  if (options_.stop && options_.stop->load(std::memory_order_relaxed) != 0) return RunStatus::interrupted;
  const long long seldom = plan_.fluid ? 1 : std::max(1, 4096 / (plan_.model.nodes + 1));
  if (s.clock.step % seldom != 0) return RunStatus::done;
  if (options_.max_wall > 0 && seconds_since(start_) > options_.max_wall) return RunStatus::out_of_time;
  if (seconds_since(last_saved_) > plan_.output.checkpoint && is_finite(s.nodes)) {
    save(s, false);
    last_saved_ = Wall::now();
  }
  if (options_.show && seconds_since(last_shown_) > 0.2) {
    show(s);
    last_shown_ = Wall::now();
  }
  return RunStatus::done;
}

void Recorder::show(const State& s) {
  if (!options_.show) return;
  const long long steps = schedule_.total_steps(), gone = s.clock.step;
  const auto here = std::max(1LL, gone - first_step_);
  const double left =
      seconds_since(start_) / static_cast<double>(here) * static_cast<double>(std::max(0LL, steps - gone));
  options_.show({std::min(1.0, static_cast<double>(gone) / static_cast<double>(steps)), gone, steps, s.clock.time, left,
                 total_energy(plan_.model, schedule_.now(s.clock), s, work_), keep_.first_energy,
                 plan_.stages[s.clock.stage].name});
}

double Recorder::seconds() const {
  return wall_before_ + seconds_since(start_);
}

void Recorder::save(State& s, bool done) {
  keep_.wall_seconds = seconds();
  keep_.finished = done;
  std::swap(keep_.state, s);  // a copy of a fluid could be too large
  results_.save(keep_);
  std::swap(keep_.state, s);
}

namespace {

std::vector<PictureMagnet> magnets_now(const Plan& plan, const Schedule& schedule, const State& s) {
  State now;
  now.clock = s.clock;
  now.memory = s.memory;
  schedule.end_stage(now);  // notes where they stand
  std::vector<PictureMagnet> magnets;
  const double* a = now.memory.field_anchors.data();
  for (const SceneField& field : plan.fields)
    if (const SceneMagnet* magnet = field.magnet()) {
      magnets.push_back(take_magnet_picture(magnet->magnet, {{a[0], a[1], a[2]}, {a[3], {a[4], a[5], a[6]}}}));
      a += 7;
    }
  return magnets;
}

}  // namespace

void Recorder::finish(State& s, RunReport& r, const TimeScales& scales) {
  r.wall_seconds = seconds();
  r.steps = s.clock.step;
  const Inputs in = schedule_.now(s.clock);
  const Snapshot last = snapshot(s);
  std::optional<FlowPicture> flow;
  if (plan_.fluid && plan_.output.picture) flow = take_flow_picture(*plan_.fluid.box, s.fluid, in, last, work_.team);
  results_.write_picture(first_, last, in.gravity, flow ? &*flow : nullptr, magnets_now(plan_, schedule_, s));
  results_.add_log(
      {{"event", name(r.status)}, {"step", s.clock.step}, {"time", s.clock.time}, {"wall_seconds", r.wall_seconds}});
  save(s, r.status == RunStatus::done || r.status == RunStatus::lost_stability);
  results_.write_summary(summary(plan_, scales, schedule_, s, in, keep_.first_energy, r, work_));
  r.folder = results_.folder();
  r.picture = plan_.output.picture ? results_.picture() : std::filesystem::path();
}

}  // namespace ls
