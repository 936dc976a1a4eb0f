#pragma once
#include "model/inputs.h"

namespace ls {

// All energies of a state by name: kinetic, spin (rotational kinetic), stretch, shear, bend, twist, gravity,
// zeeman (magnets in fields), and total.
// Sums run in fixed blocks, so they do not depend on the number of threads.
std::vector<EnergyPart> energies(const Model& m, const Inputs& in, const State& s, Team& team);

// The same of one body: its nodes, and the bonds whose two nodes both belong to it.
std::vector<EnergyPart> energies(const Model& m, const Body& body, const Inputs& in, const State& s);

// Of gravity and of the terms that the inputs drive.
double external_energy(const Model& m, const Inputs& in, const State& s, Team& team);

double total_energy(const std::vector<EnergyPart>& parts);
double energy_of(const std::vector<EnergyPart>& parts, std::string_view name);

}  // namespace ls
