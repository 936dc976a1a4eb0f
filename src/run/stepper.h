#pragma once
#include "scene/schedule.h"
#include "step/newton/static_step.h"

#include <memory>

namespace ls {

// What a step, or the start of a stage, has to tell.
struct StepReport {
  Outcome outcome = Outcome::done;
  std::string event;              // "jump" or "fold", as in probes.csv
  bool lost_stability = false;    // and the scene says to stop there
  std::string message;            // why it failed, or what happened
  std::optional<Vibration> mode;  // that the state gave way to
};

// How a step of the schedule is taken: one class a solver, chosen by the stage. Where the pulse of its Work stops it,
// it throws Interrupted; the state is then as it was, or where its steps take long, for the caller to put back.
class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual StepReport begin_stage(State& s) = 0;
  virtual void resume_stage(State& s) = 0;
  [[nodiscard]] virtual StepReport step(State& s) = 0;
  // Several where they are quicker together, up to `most`, of one stage: nobody looks at the states in between.
  [[nodiscard]] virtual StepReport several_steps(State& s, int /*most*/) { return step(s); }
  virtual bool records_every_step() const { return false; }
  virtual bool takes_long() const { return false; }  // beside a copy of the state
  virtual std::size_t bytes() const { return 0; }
};

// What steppers have in common.
ImplicitSettings implicit_settings(const Plan& plan);
std::string no_implicit_step(const Plan& plan, const Schedule& schedule, const State& s, const Work& work);
// Why there is none. from: the share of the load step at which the state stands; to: how far it was to go.
std::string why_no_equilibrium(const Plan& plan, const Schedule& schedule, const State& s, NewtonStop reason, int node,
                               double from = 0, double to = 0);
// A stage may switch contact on where shapes already overlap: no law can undo that.
std::optional<StepReport> overlap_at_start(const Plan& plan, const Inputs& in, const State& s);

// kind: of the stage. keeps_ledger: also of explicit steps that no probe asks it of.
std::unique_ptr<Stepper> make_stepper(SolverKind kind, const Plan& plan, Schedule& schedule, Work& work,
                                      bool keeps_ledger = false);

}  // namespace ls
