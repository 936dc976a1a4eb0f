#pragma once
#include "model/inputs.h"

namespace ls {

// The energy of some nodes' dipoles in the fields, J: what a probe of one rod records.
double energy_in_fields(const Model& model, const State& state, const Inputs& in, const std::vector<int>& nodes);

// The first node with a moment at which the fields, or their slopes, are not finite: it sits on a point dipole, a wire
// or an edge. -1 for none.
int first_node_without_field(const Model& model, const State& state, const Inputs& in);

}  // namespace ls
