#pragma once
#include "run/control/observer.h"
#include "run/estimates/time_scales.h"
#include "run/stepper.h"

#include <span>

namespace ls {

// A plan on its way through its stages: what the schedule says, the stepper of the stage under way, and what
// expressions read of the state, which is the caller's.
class Course {
 public:
  // spans: of stages, where they are not those of the plan. Plan and scales outlive it.
  Course(const Plan& plan, const TimeScales& scales, int threads, std::span<const Schedule::Span> spans = {});
  Course(const Course&) = delete;  // its parts know each other
  Course& operator=(const Course&) = delete;

  Schedule schedule;
  Work work;
  Observer observer;

  // The state is at the start of a stage. was: what the stage before ended with; what this one switches at once is work
  // of fields.
  StepReport begin_stage(State& s, const Inputs* was = nullptr);
  // Ends the stage under way and begins the next.
  StepReport next_stage(State& s);
  // In the midst of a stage, whose schedule is resumed: the stepper of it, as new.
  void resume_stage(State& s);
  bool is_finished(const State& s) const;

  Stepper& stepper() { return *stepper_; }
  SolverKind kind() const { return kind_; }
  bool is_risky() const { return risky_; }
  bool keeps_ledger() const { return plan_.keeps_ledger() || risky_ || kind_ != SolverKind::explicit_dynamics; }

 private:
  void choose_stepper(int stage);

  const Plan& plan_;
  const TimeScales& scales_;
  std::unique_ptr<Stepper> stepper_;
  SolverKind kind_ = SolverKind::explicit_dynamics;  // of the stepper
  bool risky_ = false;                               // and whether its steps are too long
};

}  // namespace ls
