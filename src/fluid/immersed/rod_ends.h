#pragma once
#include "fluid/lattice/fluid.h"
#include "model/model.h"
#include "model/state.h"

namespace ls {

// How the line of markers of a rod ends, at its start and at its end.
struct RodEnds {
  double cut[2] = {0, 0};  // m that the line is shorter
  double cap[2] = {0, 0};  // m of the cap beyond that; 0: none
};
struct RodSize {
  double length;     // m
  double radius[2];  // m, at both ends
};
// Only ends that the fluid flows around have one: none where the rod goes on (in other bonds, closed to a ring, or to
// its own image beyond a periodic face), stands on a face, or is so thick that it has rings of markers.
// bonds_at: [node] how many there are.
RodEnds rod_ends(const std::vector<int>& bonds_at, const Body& rod, const Nodes& nodes, const FluidSettings& fluid,
                 const RodSize& size);

}  // namespace ls
