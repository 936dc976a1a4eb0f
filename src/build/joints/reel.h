#pragma once
#include "model/model.h"
#include "model/state.h"

namespace ls {

// m, of all bonds of a rod.
double rest_length_of(const Body& rod, const Model& m);
// Whether the rod is on a reel already.
bool is_reeled(const Body& rod, const Model& m);
// Puts a rod on a reel of its own, `length` long at the start (m), and returns its number.
int add_reel(const Body& rod, double length, Model& m, State& start);

}  // namespace ls
