#pragma once
#include "math/vec.h"

#include <array>
#include <vector>

namespace ls {

// Places at which a field is asked for, evenly spread with both ends: on a parallelogram or, with one of the second
// side, on a line.
struct FieldGrid {
  Vec3<double> corner{};               // m
  std::array<Vec3<double>, 2> side{};  // m, from the corner
  std::array<int, 2> points{1, 1};     // along each side

  // The first side fastest.
  std::vector<Vec3<double>> places() const {
    const auto share = [](int i, int n) { return n > 1 ? static_cast<double>(i) / (n - 1) : 0.0; };
    std::vector<Vec3<double>> all;
    for (int j = 0; j < points[1]; ++j)
      for (int i = 0; i < points[0]; ++i)
        all.push_back(corner + share(i, points[0]) * side[0] + share(j, points[1]) * side[1]);
    return all;
  }
};

}  // namespace ls
