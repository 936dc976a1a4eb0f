#pragma once
#include "build/builder.h"

namespace ls {

// A joint between two nodes, or a node and the world, as they stand.
struct JointSpec {
  std::string name;
  JointKind kind = JointKind::ball;
  int node[2] = {-1, -1};               // -1: the world
  Vec3<double> at{};                    // m, where it is
  std::optional<Vec3<double>> other{};  // m, where its second half is, of distances and springs; none: there as well
  Vec3<double> axis{0, 0, 1};           // of length 1
  std::optional<Vec3<double>> cross{};  // the second axis of a universal joint; none: any across the first
  std::optional<double> length{};       // m, of a distance or a spring; none: as drawn
  Joint settings;                       // all else
};

// Adds it to the model.
void join(const JointSpec& spec, Builder::Result& built);

}  // namespace ls
