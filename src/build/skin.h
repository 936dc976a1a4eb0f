#pragma once
#include "build/rigid.h"
#include "build/wall.h"
#include "model/skin.h"

namespace ls {

// What a rigid shape looks like: its triangles, or a ball or a capsule made of some. Its rounding is left out.
void add_skin(int node, const RigidShape& shape, const std::vector<Vec3<double>>& offsets, Skin& skin);

// The outline of a wall; planes and tubes, which have no end, are drawn so large.
void add_outline(int node, const WallSpec& wall, double size, Skin& skin);

}  // namespace ls
