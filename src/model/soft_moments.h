#pragma once
#include "model/model.h"
#include "physics/magnetisation_curve.h"

namespace ls {

// Where a cell stands on its curve, in an inner field of size h (A/m); of linear matter that is alike along all axes.
CurvePoint on_curve(const SoftCell& cell, double h);

// The moment of a cell with this field (A/m) within it, A m^2; both in its node's axes.
Vec3<double> moment_of(const SoftCell& cell, const Vec3<double>& inner);

// What is induced at a node in a state that a step ended with, A m^2, in the node's own axes.
Vec3<double> induced_moment_of(const Model& m, const State& s, int node);

}  // namespace ls
