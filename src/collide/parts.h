#pragma once
#include "collide/pairs.h"

namespace ls {

// An edge or triangle with the points and edges that it answers for, or a sphere. Each point and each edge belongs to
// one part, so that pairs of parts name each pair of features once; edges within the face of a rigid body to none.
struct Part {
  PairKind kind;  // spheres, edges or point_triangle: what it is
  int index;
  int points[3] = {-1, -1, -1};
  int edges[3] = {-1, -1, -1};
};

// [edge] 1 where it is no edge of a rigid body but lies within one of its faces, as the diagonal of a box's: whatever
// comes nearest to it is as near to a triangle beside it, or to an edge of the face. So it answers for no pair.
std::vector<std::uint8_t> edges_within_faces(const Shapes& shapes);

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
