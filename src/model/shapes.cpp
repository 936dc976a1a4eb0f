#include "model/shapes.h"

namespace ls {

namespace {

// The first two bodies of a kind, unless both are walls, which do not touch each other.
std::optional<std::pair<int, int>> first_two(const Shapes& shapes, const std::vector<std::uint8_t>& is_of_kind) {
  std::vector<std::uint8_t> is_wall(shapes.surfaces.size(), 0);
  for (std::size_t n = 0; n < shapes.is_wall.size(); ++n)
    if (shapes.is_wall[n]) is_wall[shapes.body_of[n]] = 1;
  int wall = -1, free = -1;
  for (std::size_t b = 0; b < is_of_kind.size(); ++b) {
    if (!is_of_kind[b]) continue;
    const int body = static_cast<int>(b);
    if (free >= 0) return std::pair(free, body);
    if (!is_wall[b] && wall >= 0) return std::pair(wall, body);
    (is_wall[b] ? wall : free) = body;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::pair<int, int>> rigid_pair(const Shapes& shapes) {
  std::vector<std::uint8_t> rigid;
  for (const Surface& s : shapes.surfaces) rigid.push_back(s.young == 0);
  return first_two(shapes, rigid);
}

std::optional<std::pair<int, int>> sharp_pair(const Shapes& shapes) {
  std::vector<std::uint8_t> has_points(shapes.surfaces.size(), 0), has_radius(has_points);
  for (const ShapePoint& p : shapes.points) {
    const auto body = static_cast<std::size_t>(shapes.body_of[p.node]);
    has_points[body] = 1;
    if (p.radius > 0) has_radius[body] = 1;
  }
  for (std::size_t b = 0; b < has_points.size(); ++b) has_points[b] = has_points[b] && !has_radius[b];
  return first_two(shapes, has_points);
}

}  // namespace ls
