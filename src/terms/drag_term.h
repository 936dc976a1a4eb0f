#pragma once
#include "model/inputs.h"
#include "model/term.h"
#include "physics/drag.h"

#include <memory>

namespace ls {

// What the fluid does to a node, for one of the bodies that it belongs to.
struct DragPiece {
  int node = 0;
  Vec3<double> axis{0, 0, 1};  // unit, in the node's own axes
  Drag::Params<double> law{};
};

// The pieces of all bodies whose drag is known: rods as slender ones and balls. viscosity: dynamic, Pa s.
std::vector<DragPiece> drag_pieces(const Model& model, const Nodes& nodes, double viscosity);
bool has_known_drag(const Body& body);
// Length over mean radius of a rod.
double slenderness(const Body& rod);

// A fluid without inertia or walls that resists all motion but its own (Inputs::stream). The model is asked for its
// masses only.
std::unique_ptr<const Term> make_drag_term(const Model& model, std::vector<DragPiece> pieces);

}  // namespace ls
