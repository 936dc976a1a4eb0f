#pragma once
#include "run/estimates/time_scales.h"
#include "run/probes.h"
#include "run/results.h"
#include "run/run.h"
#include "run/safety/near_samples.h"
#include "run/stepper.h"

#include <chrono>

namespace ls {

// What a run tells: probes, frames, files of the fluid and of the field, the log, checkpoints and progress while it
// goes, a picture and a summary at its end.
class Recorder {
 public:
  Recorder(const Plan& plan, const RunOptions& options, Results& results, const Schedule& schedule, Work& work);

  // Of a run that begins, or goes on from a checkpoint, whose state it leaves to the caller.
  void begin(const State& first, const TimeScales& scales);
  void go_on_from(Checkpoint& from);

  bool is_probe_due(const Clock& clock) const { return probes_.any_due(clock, dt(clock)); }
  // Of solids, of a fluid or of a magnetic field, or the end of a cycle of tracers.
  bool is_frame_due(const Clock& clock) const;

  // Both return the column whose value is no number, and then write nothing; else nothing.
  [[nodiscard]] std::string record(const State& s, bool all, const std::string& event);
  void add_first_frame(const State& s);  // of the run
  // After a step: what is due. all: every probe; is_last: of the run.
  [[nodiscard]] std::string record_step(State& s, const std::string& event, bool all, bool is_last);
  void log_stage(const State& s);
  void tell(const char* kind, const std::string& text);  // in the log and to the user
  void log_event(const State& s, const StepReport& r);
  void log_event(const State& s, const PlannedEvent& event);

  // Every so often of wall time: saves, shows, and says whether the run should stop.
  RunStatus look_at_clock(State& s);
  // The same in the midst of a long step. last: the state that it began with; null: there is none to save.
  RunStatus look_within_step(State* last);
  // The end: the picture, the last checkpoint and the summary.
  void finish(State& s, RunReport& report, const TimeScales& scales);
  void show(const State& s);

 private:
  using Wall = std::chrono::steady_clock;
  double dt(const Clock& clock) const { return schedule_.spans()[clock.stage].dt; }
  bool is_now(const Every& every, const Clock& clock) const;
  bool ends_cycle(const Clock& clock) const;
  double seconds() const;  // of wall time, with those of the runs that this one goes on from
  Snapshot snapshot(const State& s);
  void add_frame(const State& s);
  void look_at_samples(const State& s);
  void save(State& s, bool done);
  bool wants_to_stop() const {
    return (options_.stop && options_.stop->load(std::memory_order_relaxed) != 0) ||
           (options_.asks_to_stop && options_.asks_to_stop());
  }
  bool is_out_of_time() const;
  void save_if_due(State& s);
  void show(const State& s, double energy);

  const Plan& plan_;
  const RunOptions& options_;
  Results& results_;
  const Schedule& schedule_;
  Work& work_;
  ProbeTable probes_;
  NearSamples near_samples_;
  Every frames_;
  Checkpoint keep_;  // all but the state
  Snapshot first_;
  Wall::time_point start_, last_shown_, last_saved_, last_look_;
  long long steps_a_look_ = 1, steps_to_look_ = 1;  // by what steps cost
  long long saved_step_ = -1;                       // of the last checkpoint of this run
  double shown_energy_ = 0;                         // J, that was last shown
  double wall_before_ = 0;                          // s, of the runs that this one resumes
  long long first_step_ = 0;                        // of this run
};

}  // namespace ls
