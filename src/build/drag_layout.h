#pragma once
#include "model/model.h"

namespace ls {

bool has_known_drag(const Body& body);
// Length over mean radius of a rod.
double slenderness(const Body& rod);

// The pieces of all bodies whose drag is known, by node: rods as slender ones and balls. viscosity: dynamic, Pa s.
std::vector<DragPiece> lay_drag(const Model& model, const Nodes& nodes, double viscosity);

}  // namespace ls
