#pragma once
#include "run/probe_values.h"

namespace ls {

// What a probe of the fluid, or of a place in it, records; zeros for a fluid that has not been set up.
void add_fluid_values(std::vector<ProbeValue>& out, const Plan& plan, const Probe& probe, const State& s,
                      const Inputs& in, Team& team);

// N, what the fluid exerted on a node in the last step, by the markers that hang on it.
Vec3<double> fluid_force(const Plan& plan, const State& s, int node);

}  // namespace ls
