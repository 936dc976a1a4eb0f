#pragma once
#include "step/newton/newton.h"

namespace ls {

struct ImplicitSettings {
  int a = 2;            // 2: midpoint, second order, keeps energy; 1: backward Euler, first order, damps
  bool flies = false;   // with a = 1: rigid bodies that touch nothing go by the midpoint (node_rules.h)
  double accuracy = 0;  // of the positions in one step, beside the size of the model; 0: steps are what dt says
  NewtonSettings newton;
};

// One step of the schedule, in 2^halvings parts where Newton's method or the accuracy asks for smaller ones. A step
// that can't be taken at any size leaves the state as it was; work.lost_node says where it failed.
[[nodiscard]] Outcome step_implicit(const Model& m, const InputsAt& at, State& s, Work& work, NewtonWork& newton,
                                    const ImplicitSettings& settings);

// Lets the state slide downhill in energy to the next equilibrium that is stable: backward Euler without momentum, in
// steps that grow. Inputs do not change meanwhile. False where none is found.
[[nodiscard]] bool relax(const Model& m, const Inputs& in, State& s, Work& work, NewtonWork& newton,
                         const NewtonSettings& settings);

}  // namespace ls
