#pragma once
#include "math/vec.h"

#include <array>
#include <vector>

namespace ls {

// What bodies look like beside their bonds: for pictures and viewers, whether they touch or not.
struct SkinPoint {
  int node = 0;
  Vec3<double> offset{};  // m, in the node's own axes
};
struct Skin {
  std::vector<SkinPoint> points;
  std::vector<std::array<int, 3>> triangles;  // points, anticlockwise from outside
  std::vector<std::array<int, 2>> lines;      // points: outlines of walls that are around everything
  std::vector<int> balls;                     // nodes that are balls of their radius; they have triangles as well
};

}  // namespace ls
