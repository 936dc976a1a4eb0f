#pragma once
#include "model/marker_table.h"
#include "terms/term.h"

#include <memory>

namespace ls {

// What the fluid does to the nodes that markers hang on, as Inputs::flow has it; idle where that is null. Energy: none.
std::unique_ptr<Term> make_marker_term(const MarkerTable& table);

// After a part of an implicit step: what the markers got in dt, by the pose that forces were taken at.
void note_marker_impulses(const std::vector<Marker>& markers, const MarkerFlow& flow, const Nodes& pose, double dt,
                          Memory& memory);

}  // namespace ls
