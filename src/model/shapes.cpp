#include "model/shapes.h"

#include <algorithm>
#include <map>

namespace ls {

namespace {

// Two bodies of a kind that may touch each other; two walls do not. Of each group no more than the first two that move
// and the first two walls need be looked at.
std::optional<std::pair<int, int>> first_two(const Shapes& shapes, const std::vector<std::uint8_t>& is_of_kind) {
  std::vector<std::uint8_t> is_wall(shapes.surfaces.size(), 0);
  for (std::size_t n = 0; n < shapes.is_wall.size(); ++n)
    if (shapes.is_wall[n]) is_wall[shapes.body_of[n]] = 1;
  std::map<std::pair<int, bool>, int> seen;  // [group, is a wall] how many
  std::vector<int> candidates;
  for (std::size_t b = 0; b < is_of_kind.size(); ++b) {
    if (!is_of_kind[b]) continue;
    const int group = shapes.group_of.empty() ? 0 : shapes.group_of[b];
    if (++seen[{group, is_wall[b] != 0}] > 2) continue;
    const int body = static_cast<int>(b);
    for (const int other : candidates) {
      const PairRule* rule = shapes.rule(other, body);
      if (!(is_wall[b] && is_wall[other]) && (!rule || rule->touch)) return std::pair(other, body);
    }
    candidates.push_back(body);
  }
  return std::nullopt;
}

}  // namespace

const PairRule* Shapes::rule(int body_a, int body_b) const {
  if (rules.empty()) return nullptr;
  const int a = group_of[body_a], b = group_of[body_b];
  const std::pair<int, int> wanted(std::min(a, b), std::max(a, b));
  const auto groups = [](const PairRule& r) { return std::pair(r.a, r.b); };
  const auto at = std::ranges::lower_bound(rules, wanted, {}, groups);
  return at != rules.end() && groups(*at) == wanted ? &*at : nullptr;
}

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
