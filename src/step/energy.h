#pragma once
#include "step/work.h"

namespace ls {

// All energies of a state by name (terms/energies.h). Sums run in fixed blocks, so they do not depend on the number of
// threads.
std::vector<EnergyPart> energies(const Model& m, const Inputs& in, const State& s, Work& work);

// The same of one body: its nodes, and the bonds whose two nodes both belong to it.
std::vector<EnergyPart> energies(const Model& m, const Body& body, const Inputs& in, const State& s);

// Of gravity and of the terms that the inputs drive.
double external_energy(const Model& m, const Inputs& in, const State& s, Work& work);

double total_energy(const Model& m, const Inputs& in, const State& s, Work& work);

}  // namespace ls
