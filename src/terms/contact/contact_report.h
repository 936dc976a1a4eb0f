#pragma once
#include "collide/pairs.h"

#include <limits>
#include <utility>

namespace ls {

// What touches in a state: for probes and results, not for a step.
struct ContactReport {
  int contacts = 0;                                          // pairs of parts that push each other
  double min_gap = std::numeric_limits<double>::infinity();  // m, of the nearest pair that a law looked at
  std::vector<Vec3<double>> force;                           // [node] N, of contact and its friction
  std::vector<double> gap;       // [node] m, the smallest of its pairs, at most the thickness of the settings
  std::vector<double> touching;  // [node] how many pairs push it
  std::vector<std::pair<int, int>> bodies;  // that push each other, the smaller number first; ascending, each once
};

// Notes how near a pair is, and whether it pushes.
void note_pair(const Shapes& shapes, const ShapePair& pair, const Nearness& n, bool pushes, ContactReport& report);

}  // namespace ls
