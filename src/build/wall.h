#pragma once
#include "build/rigid.h"

namespace ls {

// What stands still unless it is driven: surfaces that everything stays on one side of, or an obstacle.
struct WallSpec {
  std::string name;
  Vec3<double> at{};            // m, where its node is
  std::vector<Hollow> hollows;  // seen from there, along the world's axes; their node is not used
  RigidShape obstacle;          // seen from there too, along the world's axes; empty: none
  Surface surface;
};

// Towards `normal` (unit) everything is free.
WallSpec plane_wall(const Vec3<double>& point, const Vec3<double>& normal);
// Around everything, or in the way of it.
WallSpec box_wall(const Vec3<double>& low, const Vec3<double>& high, bool inside);
WallSpec sphere_wall(const Vec3<double>& centre, double radius, bool inside);
// A closed can around everything, or a capsule in its way: its round ends reach a radius beyond `from` and `to`.
WallSpec cylinder_wall(const Vec3<double>& from, const Vec3<double>& to, double radius, bool inside);
// A tube without ends.
WallSpec tube_wall(const Vec3<double>& centre, const Vec3<double>& axis, double radius);

}  // namespace ls
