#pragma once
#include "run/stepper.h"

namespace ls {

// Steps of a fluid and of the solids in it, if there are any.
std::unique_ptr<Stepper> make_fluid_stepper(bool is_implicit, const Plan& plan, Schedule& schedule, Work& work);

// What explicit solids cost: how many steps they take in each step of the fluid, at the start of the stage that asks
// for most, and a sentence that says why and what to do about it. dt: s, the longest step of the solids.
struct SolidSteps {
  double count = 1;
  std::string why;  // empty: nothing to say
};
SolidSteps solid_steps(const Plan& plan, double dt);

// The fluid that a run starts with: at rest, or as another run left it; with its tracers where they are put at first.
FluidState first_fluid(const Plan& plan);

// A marker that has gone more than a cell out of the box through a face that is not periodic; -1: none has.
int marker_astray(const Plan& plan, const Nodes& nodes);

}  // namespace ls
