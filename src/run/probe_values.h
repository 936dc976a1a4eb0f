#pragma once
#include "scene/plan.h"
#include "step/work.h"

namespace ls {

// The values of one probe, with their column names ("displacement.x"), in a fixed order.
struct ProbeValue {
  std::string column;
  double value;
};
void add(std::vector<ProbeValue>& out, const std::string& name, const Vec3<double>& a);  // name.x, name.y, name.z

std::vector<ProbeValue> probe_values(const Plan& plan, const Probe& probe, const State& s, const Inputs& in,
                                     Work& work);

}  // namespace ls
