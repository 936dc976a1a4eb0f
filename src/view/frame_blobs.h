#pragma once
#include "output/hdf5_file.h"
#include "view/blob.h"

#include <array>

namespace ls {

// Places are sent as single precision numbers, from a point near the bodies: far from the origin of the scene they
// would else lose what can be seen.
using ViewOrigin = std::array<double, 3>;

// What a page can colour nodes by.
struct ViewColour {
  const char *name, *unit;
};
std::span<const ViewColour> view_colours();

// Arrays with an entry a node end at a multiple of this: they go to the graphics card as rows of a texture.
inline constexpr std::size_t view_row = 1024;
// The value of a node that has none: of energy where no bond is, say.
inline constexpr float no_view_value = -1e30F;
inline constexpr std::size_t most_view_arrows = 2000;

// What is the same in all frames: which nodes bonds join, radii, bodies, surfaces, which are walls and balls.
Blob model_blob(const Hdf5File& frame);
ViewOrigin view_origin(const Hdf5File& frame);
// Places, orientations and one value for each node, what is broken, surfaces, arrows, tracers. An unknown colour:
// Error.
Blob frame_blob(const Hdf5File& frame, const ViewOrigin& origin, const std::string& colour);
// All that is known of one node, by name, with units. A node that is not there: Error.
nlohmann::json node_values(const Hdf5File& frame, std::size_t node);
// Its row of a run's plots: x, y, z, speed, force, contact force, angular speed.
std::array<double, 7> node_row(const Hdf5File& frame, std::size_t node);
inline constexpr const char* node_row_names[7] = {"x", "y", "z", "speed", "force", "contact_force", "spin"};

}  // namespace ls
