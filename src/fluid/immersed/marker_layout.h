#pragma once
#include "fluid/lattice/fluid.h"
#include "model/model.h"

namespace ls {

// Markers for the bodies of a model as it is drawn: a line of them along rods that are thinner than what the delta
// function makes of a line and along struts, rings around thicker ones, and one for each patch of the surface of shells
// and rigid bodies. Walls have none. without: [body] true: this body is not to feel the fluid; empty: all are.
std::vector<Marker> lay_markers(const Model& m, const Nodes& nodes, const FluidSettings& fluid,
                                const std::vector<bool>& without = {});

// The fluid that they displace, node by node.
std::vector<Floating> lay_floating(const Model& m, const Nodes& nodes, const FluidSettings& fluid,
                                   const std::vector<bool>& without = {});

// What of a model is outside the fluid's box through a face that is not periodic: a marker, or -1 for none.
int first_marker_outside(const std::vector<Marker>& markers, const Nodes& nodes, const Fluid& fluid);
// How many markers have a wall or another face within reach of their delta function.
int markers_near_faces(const std::vector<Marker>& markers, const Nodes& nodes, const Fluid& fluid);

}  // namespace ls
