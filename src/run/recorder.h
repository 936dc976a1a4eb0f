#pragma once
#include "run/probes.h"
#include "run/results.h"
#include "run/run.h"
#include "run/stepper.h"
#include "run/time_scales.h"

#include <chrono>

namespace ls {

// What a run tells: probes, frames, files of the fluid, the log, checkpoints and progress while it goes, a picture and
// a summary at its end.
class Recorder {
 public:
  Recorder(const Plan& plan, const RunOptions& options, Results& results, const Schedule& schedule, Work& work);

  // Of a run that begins, or goes on from a checkpoint, whose state it leaves to the caller.
  void begin(const State& first, const TimeScales& scales);
  void go_on_from(Checkpoint& from);

  bool is_probe_due(const Clock& clock) const { return probes_.any_due(clock, dt(clock)); }
  // Of solids or of a fluid.
  bool is_frame_due(const Clock& clock) const;

  void record(const State& s, bool all, const std::string& event);
  void add_frame(const State& s);
  // After a step: what is due. all: every probe; is_last: of the run.
  void record_step(State& s, const std::string& event, bool all, bool is_last);
  void log_stage(const State& s);
  void tell(const char* kind, const std::string& text);  // in the log and to the user
  void log_event(const State& s, const StepReport& r);

  // Every so often of wall time: saves, shows, and says whether the run should stop.
  RunStatus look_at_clock(State& s);
  // The end: the picture, the last checkpoint and the summary.
  void finish(State& s, RunReport& report, const TimeScales& scales);
  void show(const State& s);

 private:
  using Wall = std::chrono::steady_clock;
  double dt(const Clock& clock) const { return schedule_.spans()[clock.stage].dt; }
  double seconds() const;  // of wall time, with those of the runs that this one goes on from
  Snapshot snapshot(const State& s);
  void save(State& s, bool done);

  const Plan& plan_;
  const RunOptions& options_;
  Results& results_;
  const Schedule& schedule_;
  Work& work_;
  ProbeTable probes_;
  Every frames_;
  Checkpoint keep_;  // all but the state
  Snapshot first_;
  Wall::time_point start_, last_shown_, last_saved_;
  double wall_before_ = 0;    // s, of the runs that this one resumes
  long long first_step_ = 0;  // of this run
};

}  // namespace ls
