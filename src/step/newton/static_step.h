#pragma once
#include "step/newton/implicit_step.h"
#include "step/newton/vibrations.h"

namespace ls {

enum class OnInstability { stop, jump };

struct StaticSettings {
  OnInstability on_instability = OnInstability::stop;
  NewtonSettings newton;
};

enum class StaticEvent { none, jump, fold };

struct StaticResult {
  Outcome outcome = Outcome::done;
  StaticEvent event = StaticEvent::none;  // jump: the step went over one; fold: stability ended at `share`
  double share = 1;                       // of the load step, where the event lies or the solver gave up
  std::optional<Vibration> mode;          // that the state gives way to
  NewtonStop reason = NewtonStop::converged;
};

// Equilibrium of the state as it is. Loads are built up from nothing where going there at once fails.
StaticResult find_equilibrium(const Model& m, const InputsAt& at, State& s, Work& work, NewtonWork& newton,
                              const StaticSettings& settings);

// One load step from equilibrium to equilibrium, in smaller parts where it takes them. An equilibrium is accepted where
// it is stable (no negative pivot in the factored stiffness) and lies on the same branch as the one before. Where that
// ends, it is found to a hundredth of a step; the state is then the last stable one, or slides to the next.
StaticResult step_static(const Model& m, const InputsAt& at, State& s, Work& work, NewtonWork& newton,
                         const StaticSettings& settings);

}  // namespace ls
