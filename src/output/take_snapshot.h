#pragma once
#include "fluid/lattice/fluid.h"
#include "output/snapshot.h"
#include "terms/make_terms.h"

namespace ls {

Snapshot take_snapshot(const Model& m, const State& s, const std::string& stage);

// Where its tracers are.
void add_tracers(const Fluid& fluid, const FluidState& s, Snapshot& shot);

// What touches, where anything can.
void add_contact(const Model& m, const Terms& terms, const State& s, const Inputs& in, Snapshot& shot);

}  // namespace ls
