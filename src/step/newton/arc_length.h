#pragma once
#include "step/newton/static_step.h"

namespace ls {

// Follows a branch of equilibria through folds, stable or not: the share s of the stage becomes an unknown, and steps
// are of a given length in (u, s) together [E. Riks 1979]. at(s) gives the inputs at a share of the whole stage.
struct ArcSettings {
  double first_step = 0.05;  // of s
  NewtonSettings newton;
};

struct ArcResult {
  Outcome outcome = Outcome::done;
  double s = 0;             // where the branch is now
  int negative_pivots = 0;  // 0: stable
  bool changed = false;     // stability changed in this step
  bool turned = false;      // and s turned back: a fold, else a bifurcation
  bool ended = false;       // s reached 1 or fell below 0
  NewtonStop reason = NewtonStop::converged;
};

// Memory::path holds what this needs to go on: s, the length of the next step and the greatest one, and the
// direction of the last.
void start_arc(const Model& m, State& s);
[[nodiscard]] ArcResult step_arc(const Model& m, const InputsAt& at, State& s, Work& work, NewtonWork& newton,
                                 const ArcSettings& settings);

}  // namespace ls
