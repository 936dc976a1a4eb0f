#pragma once
#include <cstddef>

// The nineteen directions: none, six to the faces and twelve to the edges of a cube, each next to its opposite.
namespace ls::d3q19 {

inline constexpr int count = 19;
inline constexpr int cx[count] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
inline constexpr int cy[count] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
inline constexpr int cz[count] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
inline constexpr int opposite[count] = {0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17};
inline constexpr double weight[count] = {1. / 3,  1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18,
                                         1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36,
                                         1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

}  // namespace ls::d3q19
