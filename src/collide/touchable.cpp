#include "collide/touchable.h"

#include <algorithm>
#include <map>

namespace ls {

std::vector<std::uint8_t> touches_something(const Shapes& shapes) {
  std::vector<std::uint8_t> touches(shapes.is_wall.size(), 1);
  if (shapes.rules.empty()) return touches;
  std::map<int, std::pair<int, int>> members;  // [group] a body of it, and how many nodes it has in all
  for (const int body : shapes.body_of) {
    auto& [some, nodes] = members[shapes.group_of[body]];
    some = body, ++nodes;
  }
  std::map<int, bool> group_touches;
  for (const auto& [group, own] : members)
    group_touches[group] = std::ranges::any_of(members, [&, body = own.first, nodes = own.second](const auto& other) {
      if (other.second.first == body && nodes == 1) return false;  // one rigid body does not touch itself
      const PairRule* rule = shapes.rule(body, other.second.first);
      return !rule || rule->touch;
    });
  for (std::size_t n = 0; n < touches.size(); ++n) touches[n] = group_touches[shapes.group_of[shapes.body_of[n]]];
  return touches;
}

}  // namespace ls
