#pragma once
#include "scene/plan.h"
#include "step/work.h"

namespace ls {

// The time scales of a plan: what `check` tells and `dt = "auto"` uses.
struct TimeScales {
  double frequency = 0;  // rad/s, the largest of small vibrations about the start
  double critical = 0;   // s, the largest stable step
  double dt = 0;         // s, the step that will be taken where no stage says otherwise
};
TimeScales time_scales(const Plan& plan);

// Bytes of the model, the state and the scratch of a run.
std::size_t memory_bytes(const Plan& plan, int threads);
std::size_t memory_bytes(const Plan& plan, const Work& work);

}  // namespace ls
