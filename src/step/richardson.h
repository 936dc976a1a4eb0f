#pragma once
#include "step/work.h"

namespace ls {

// The same half kick and drift with LAMMPS's rotation update, for comparison with its trajectories: Richardson's
// extrapolation of two half steps against a full one. Spheres only (the scene reader sees to that), one node at a time.
void kick_and_drift_richardson(const Model& m, const Inputs& in, State& s, const Work& work);

}  // namespace ls
