#pragma once
#include "scene/plan.h"
#include "step/work.h"

namespace ls {

// The values of one probe, with their column names ("displacement.x"), in a fixed order.
struct ProbeValue {
  std::string column;
  double value;
};
std::vector<ProbeValue> probe_values(const Plan& plan, const Probe& probe, const State& s, const Inputs& in,
                                     Work& work);

}  // namespace ls
