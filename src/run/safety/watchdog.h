#pragma once
#include "run/estimates/time_scales.h"
#include "run/recorder.h"
#include "run/safety/cause.h"
#include "run/safety/energy_watch.h"
#include "run/stepper.h"

#include <utility>

namespace ls {

// Whether the state of a run is still one of numbers, and what the last good one was: a run that diverges keeps that,
// and says where and when it went wrong.
class Watchdog {
 public:
  Watchdog(const Plan& plan, const Schedule& schedule, const TimeScales& scales, Work& work)
      : plan_(plan), schedule_(schedule), scales_(scales), work_(work), energy_(plan, schedule, scales, work) {}

  // A state as a stage begins, or is resumed. False where it, or what acts on it, is no number.
  bool begin_stage(const State& s);
  void trust(const State& s) { good_ = s; }
  void trust(State&& s) { good_ = std::move(s); }
  const State& good() const { return good_; }
  State take_good() { return std::move(good_); }

  // Whether it will look at a state at this clock.
  bool is_time_to_look(const Clock& clock) const { return clock.step % steps_a_look(clock.stage) == 0; }
  // Looks at a state after a step: at all of it where `surely`, else now and then. False where it is no good.
  bool approves(const State& s, bool surely, const Recorder& recorder);
  // Whether it knows by itself what is wrong. If not, whoever can should take the steps since the last good state
  // again, and show it the one that fails: the state before that and after.
  bool knows() const { return !message_.empty(); }
  void look_at_failure(const State& before, const State& after);
  // A bond that has turned too far to be right, in words; empty: none.
  std::string overturned(const State& s) const;
  // Why a state was no good.
  std::string divergence(const State& s) const;
  std::string energy_warning() const { return energy_.warning(); }
  double energy_drift() const { return energy_.drift(); }

 private:
  bool is_time_to_look_at_fluid(const Clock& clock, const Recorder& recorder) const;
  bool approves_fluid(const State& s);
  bool approves_markers(const State& s);
  long long steps_a_look(int stage) const;

  const Plan& plan_;
  const Schedule& schedule_;
  const TimeScales& scales_;
  Work& work_;
  EnergyWatch energy_;
  State good_;
  std::string message_;  // of what it found by itself; empty: the stepper found it
};

}  // namespace ls
