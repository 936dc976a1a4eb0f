#pragma once
#include "model/inputs.h"

namespace ls {

// Half a step of the damping of single bodies, exactly. At both ends of a step it is of second order, and neither too
// much nor unstable however long the step is; as a force it would see velocities that are half a step old.
void damp_bodies(const Model& m, const Inputs& in, State& s);

// Half a step of friction and noise at the bath's temperature (the O of OBABO): v <- c v + sqrt((1 - c^2) kT/m) xi, and
// likewise every component of the spin about the body's axes. half: 0 at the start of a step, 1 at its end.
void add_heat(const Model& m, const Inputs& in, State& s, int half);

}  // namespace ls
