#pragma once
#include "model/model.h"

#include <algorithm>
#include <fmt/format.h>

namespace ls {

// A node as a user knows it: "beam[17]", or "cube" of a body that has but one.
inline std::string node_name(const Model& m, int node) {
  if (node < 0 || node >= m.nodes) return "the model";
  const Body& body = m.bodies[m.body_of[node]];
  if (is_single(body)) return body.name;
  const auto at = std::find(body.nodes.begin(), body.nodes.end(), node) - body.nodes.begin();
  return fmt::format("{}[{}]", body.name, at);
}

}  // namespace ls
