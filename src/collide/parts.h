#pragma once
#include "collide/pairs.h"

namespace ls {

// An edge or triangle with the points and edges that it answers for, or a sphere. Each point and each edge belongs to
// one part, so that pairs of parts name each pair of features once.
struct Part {
  PairKind kind;  // spheres, edges or point_triangle: what it is
  int index;
  int points[3] = {-1, -1, -1};
  int edges[3] = {-1, -1, -1};
};

std::vector<Part> parts_of(const Shapes& shapes);

// The points that a part is spanned by.
struct Corners {
  int point[3] = {};
  int count = 0;
  const int* begin() const { return point; }
  const int* end() const { return point + count; }
};
Corners corners_of(const Shapes& shapes, const Part& part);

}  // namespace ls
