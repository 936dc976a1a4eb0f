#pragma once
#include "fluid/lattice/fluid.h"

#include <cstdint>

namespace ls {

// Puts `count` tracers into a part of the box, from corner low to corner high (m), each place as likely as any other.
// They have not moved yet, and their marks are where they are.
void seed_tracers(const Fluid& fluid, int count, std::uint64_t seed, const Vec3<double>& low, const Vec3<double>& high,
                  Tracers& tracers);

// To be called after every step of the fluid; moves them every `stride` steps. Beyond periodic faces they go on. Walls
// and free-slip faces hold them back. What gets to a pressure face, or to one that the fluid flows through, stays there
// for good. forces: of markers on the fluid in this step; null: none. The stride follows the fastest of them, which
// goes a tenth of a cell at most.
void move_tracers(const Fluid& fluid, const LatticeDrive& drive, const RowField* forces, FluidState& s, Team& team);

// Where they are now, m: between their moves they go on as they went.
std::vector<Vec3<double>> tracer_places(const Fluid& fluid, const FluidState& s);

}  // namespace ls
