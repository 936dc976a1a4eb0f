#include "run/recorder.h"

#include "base/isa.h"
#include "output/mode_files.h"
#include "output/take_snapshot.h"
#include "picture/take_field_picture.h"
#include "picture/take_flow_picture.h"
#include "picture/take_magnet_picture.h"
#include "run/safety/cause.h"
#include "run/safety/energy_watch.h"
#include "run/summary.h"
#include "step/energy.h"

#include <algorithm>
#include <fmt/format.h>
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

std::vector<PictureMagnet> magnets_now(const Plan& plan, const Schedule& schedule, const State& s) {
  if (std::ranges::none_of(plan.fields, [](const SceneField& f) { return f.magnet() != nullptr; })) return {};
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
      near_samples_(plan.model),
      frames_(frames_of(plan, schedule)),
      first_(take_snapshot(plan.model, plan.start, "")) {
  start_ = last_shown_ = last_saved_ = last_look_ = Wall::now();
}

void Recorder::begin(const State& first, const TimeScales& scales) {
  keep_.isa = name(chosen_isa());
  keep_.first_energy = shown_energy_ = first.memory.ledger.start;
  const Vec3<double> g = schedule_.now(first.clock).gravity;
  results_.add_log({{"event", "started"},
                    {"title", plan_.title},
                    {"version", version},
                    {"isa", keep_.isa},
                    {"dt", scales.dt},
                    {"critical_step", scales.critical},
                    {"duration", schedule_.total_time()},
                    {"gravity", {g.x, g.y, g.z}}});
  for (const auto& w : plan_.warnings) results_.add_log({{"event", "warning"}, {"text", w}});
  if (const std::string w = step_warning(plan_, scales); !w.empty()) tell("warning", w);
  results_.add_probes(probes_.header());
}

void Recorder::go_on_from(Checkpoint& from) {
  keep_ = std::move(from);
  from = Checkpoint();
  from.state = std::move(keep_.state);
  wall_before_ = keep_.wall_seconds;
  first_step_ = saved_step_ = from.state.clock.step;
  shown_energy_ = keep_.first_energy;
  results_.add_log(
      {{"event", "resumed"}, {"step", first_step_}, {"made_with", keep_.isa}, {"isa", name(chosen_isa())}});
  if (const std::string table = results_.go_on_with_probes(probes_.header()); !table.empty())
    tell("note", "the probes have other columns than before: from here on they are in " + table);
}

void Recorder::tell(const char* kind, const std::string& text) {
  results_.add_log({{"event", kind}, {"text", text}});
  if (options_.tell) options_.tell(kind, text);
}

bool Recorder::is_now(const Every& every, const Clock& clock) const {
  return is_due(every, clock, dt(clock)) || (every.ends_stage && schedule_.stage_is_over(clock));
}

bool Recorder::ends_cycle(const Clock& clock) const {
  return is_due({.time = plan_.fluid.tracers.cycle}, clock, dt(clock));
}

bool Recorder::is_frame_due(const Clock& clock) const {
  return is_now(frames_, clock) || (plan_.fluid && (is_now(plan_.output.fluid.every, clock) || ends_cycle(clock))) ||
         (plan_.output.field.is_given() && is_now(plan_.output.field.every, clock));
}

std::string Recorder::record(const State& s, bool all, const std::string& event) {
  std::string bad;
  const std::string row = probes_.row(s, schedule_.now(s.clock), dt(s.clock), all, event, work_, bad);
  if (bad.empty()) results_.add_probes(row);
  return bad;
}

Snapshot Recorder::snapshot(const State& s) {
  Snapshot shot = take_snapshot(plan_.model, s, plan_.stages[s.clock.stage].name);
  add_contact(plan_.model, work_.terms, s, schedule_.now(s.clock), shot);
  if (!plan_.moment_factors.empty()) {
    const Inputs in = schedule_.now(s.clock);
    for (int i = 0; i < plan_.model.nodes; ++i) {  // what is induced is not switched
      const Vec3<double> less = rotate(s.nodes.frame(i).q, (1 - moment_factor(in, i)) * moment_of(plan_.model, i));
      const double by[3] = {less.x, less.y, less.z};
      for (int c = 0; c < 3; ++c) shot.moment[i][c] -= by[c];
    }
  }
  for (const PictureMagnet& magnet : magnets_now(plan_, schedule_, s)) {
    shot.magnet_line.insert(shot.magnet_line.end(), magnet.lines.begin(), magnet.lines.end());
    shot.magnet_centre.push_back(magnet.centre);
    shot.magnet_north.push_back(magnet.north);
  }
  if (plan_.fluid) add_tracers(*plan_.fluid.box, s.fluid, shot);
  return shot;
}

void Recorder::look_at_samples(const State& s) {
  const NearSamples::Pairs found = near_samples_.look(s, keep_.near_samples);
  for (std::size_t k = 0; k < found.size(); k += 2) tell("warning", near_samples_.warning(found[k], found[k + 1]));
}

void Recorder::add_first_frame(const State& s) {
  look_at_samples(s);
  add_frame(s);
  if (plan_.output.field.is_repeated) results_.field().add_frame(s, schedule_.now(s.clock), work_.team);
}

void Recorder::add_frame(const State& s) {
  results_.add_frame(snapshot(s));
  results_.fluid().add_tracks(s);
  if (options_.frame) options_.frame(s);
}

std::string Recorder::record_step(State& s, const std::string& event, bool all, bool is_last) {
  look_at_samples(s);
  if (all || is_probe_due(s.clock))
    if (std::string bad = record(s, all, event); !bad.empty()) return bad;
  if (is_last || is_now(frames_, s.clock)) add_frame(s);
  if (is_last || is_now(plan_.output.field.every, s.clock))
    results_.field().add_frame(s, schedule_.now(s.clock), work_.team);
  if (!plan_.fluid) return "";
  if (is_last || is_now(plan_.output.fluid.every, s.clock))
    results_.fluid().add_frame(s, schedule_.now(s.clock), work_.team);
  if (ends_cycle(s.clock)) results_.fluid().end_cycle(s);
  return "";
}

void Recorder::log_stage(const State& s) {
  results_.add_log(
      {{"event", "stage"}, {"name", plan_.stages[s.clock.stage].name}, {"step", s.clock.step}, {"time", s.clock.time}});
}

void Recorder::log_event(const State& s, const StepReport& r) {
  const std::string file = r.mode ? write_mode(results_.folder(), ++keep_.modes, snapshot(s), *r.mode) : std::string();
  results_.add_log({{"event", r.event},
                    {"step", s.clock.step},
                    {"time", s.clock.time},
                    {"s", schedule_.now(s.clock).s},
                    {"text", r.message},
                    {"omega_squared", r.mode ? r.mode->omega_squared : 0.0},
                    {"mode", file}});
}

void Recorder::log_event(const State& s, const PlannedEvent& event) {
  results_.add_log({{"event", "event"},
                    {"name", event.name},
                    {"step", s.clock.step},
                    {"time", s.clock.time},
                    {"text", fmt::format("{} holds", event.when.text())}});
}

bool Recorder::is_out_of_time() const {
  return options_.max_wall > 0 && seconds_since(start_) > options_.max_wall;
}

// A step that takes longer than the time between two checkpoints has no more than one to save.
void Recorder::save_if_due(State& s) {
  if (seconds_since(last_saved_) <= plan_.output.checkpoint || s.clock.step == saved_step_ || !is_finite(s.nodes))
    return;
  save(s, false);
  last_saved_ = Wall::now();
}

// The clock on the wall is looked at about once a millisecond, however long steps take; it decides nothing but when to
// save, to show and to stop.
RunStatus Recorder::look_at_clock(State& s) {
  constexpr double seldom = 1e-3;  // s
  if (wants_to_stop()) return RunStatus::interrupted;
  if (--steps_to_look_ > 0) return RunStatus::done;
  const double since = seconds_since(last_look_);
  if (since < 0.5 * seldom)
    steps_a_look_ *= 2;
  else if (since > 2 * seldom)
    steps_a_look_ = std::max(1LL, static_cast<long long>(static_cast<double>(steps_a_look_) * seldom / since));
  steps_to_look_ = steps_a_look_;
  last_look_ = Wall::now();
  if (is_out_of_time()) return RunStatus::out_of_time;
  save_if_due(s);
  if (options_.show && seconds_since(last_shown_) > 0.2) show(s);
  return RunStatus::done;
}

RunStatus Recorder::look_within_step(State* last) {
  if (wants_to_stop()) return RunStatus::interrupted;
  if (is_out_of_time()) return RunStatus::out_of_time;
  if (!last) return RunStatus::done;
  save_if_due(*last);
  // With the energy of before: the terms that would tell it are at work. Seldom, so that the end of the step may show
  // the new one.
  if (options_.show && seconds_since(last_shown_) > 1) show(*last, shown_energy_);
  return RunStatus::done;
}

void Recorder::show(const State& s) {
  if (!options_.show) return;
  shown_energy_ = total_energy(plan_.model, schedule_.now(s.clock), s, work_);
  show(s, shown_energy_);
}

void Recorder::show(const State& s, double energy) {
  const long long steps = schedule_.total_steps(), gone = s.clock.step;
  const auto here = std::max(1LL, gone - first_step_);
  const double left =
      seconds_since(start_) / static_cast<double>(here) * static_cast<double>(std::max(0LL, steps - gone));
  options_.show({std::min(1.0, static_cast<double>(gone) / static_cast<double>(steps)), gone, steps, s.clock.time, left,
                 energy, keep_.first_energy, plan_.stages[s.clock.stage].name});
  last_shown_ = Wall::now();
}

double Recorder::seconds() const {
  return wall_before_ + seconds_since(start_);
}

void Recorder::save(State& s, bool done) {
  keep_.wall_seconds = seconds();
  keep_.finished = done;
  keep_.spans.clear();
  for (const auto& p : schedule_.spans())
    keep_.spans.insert(keep_.spans.end(), {p.duration, p.dt, static_cast<double>(p.steps)});
  std::swap(keep_.state, s);  // a copy of a fluid could be too large
  results_.save(keep_);
  std::swap(keep_.state, s);
  saved_step_ = s.clock.step;
}

void Recorder::finish(State& s, RunReport& r, const TimeScales& scales) {
  r.wall_seconds = seconds();
  r.steps = s.clock.step;
  const Inputs in = schedule_.now(s.clock);
  const Snapshot last = snapshot(s);
  std::optional<FlowPicture> flow;
  if (plan_.fluid && plan_.output.picture) flow = take_flow_picture(*plan_.fluid.box, s.fluid, in, last, work_.team);
  const std::vector<PictureMagnet> magnets = magnets_now(plan_, schedule_, s);
  const MagneticField magnetism(plan_.model, s, in);
  std::optional<FieldPicture> field;
  if (plan_.output.field_lines > 0 && plan_.output.picture && is_finite(s.nodes))
    field = take_field_picture(magnetism, last, magnets, plan_.output.field_lines, work_.team);
  results_.write_picture(first_, last, in.gravity, flow ? &*flow : nullptr, magnets, field ? &*field : nullptr);
  results_.add_log(
      {{"event", name(r.status)}, {"step", s.clock.step}, {"time", s.clock.time}, {"wall_seconds", r.wall_seconds}});
  // The checkpoint is the last: where it says that the run is finished, nothing would be written any more.
  std::vector<std::string> near;
  for (std::size_t k = 0; k + 1 < keep_.near_samples.size(); k += 2)
    near.push_back(near_samples_.warning(keep_.near_samples[k], keep_.near_samples[k + 1]));
  r.warnings.insert(r.warnings.end(), near.begin(), near.end());
  nlohmann::json sums = summary(plan_, scales, schedule_, s, in, keep_.first_energy, r, work_);
  for (const std::string& w : near) sums["warnings"].push_back(w);
  results_.write_summary(sums);
  if (r.has_checkpoint) save(s, r.status == RunStatus::done || r.status == RunStatus::lost_stability);
  r.folder = results_.folder();
  r.picture = plan_.output.picture ? results_.picture() : std::filesystem::path();
}

}  // namespace ls
