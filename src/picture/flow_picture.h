#pragma once
#include "output/snapshot.h"

#include <array>

namespace ls {

// A plane through a fluid, for a picture: across the shortest side of its box, through the middle of what is in it.
struct FlowPicture {
  int across = 2, right = 0, up = 1;             // axes
  Snapshot::Triple low{}, high{};                // m, corners of the box
  std::array<std::array<bool, 2>, 3> is_wall{};  // [axis][side] the box ends there
  std::array<bool, 3> is_periodic{};             // [axis]
  int columns = 0, rows = 0;                     // cells
  std::vector<std::array<float, 2>> velocity;    // [row from below][column] m/s, along right and up
  std::vector<float> speed;                      // [row from below][column] m/s, in all directions
};

}  // namespace ls
