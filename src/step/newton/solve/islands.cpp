#include "step/newton/solve/islands.h"

#include "step/newton/follower_loads.h"

#include <algorithm>
#include <numeric>

namespace ls {

Islands islands_of(const NodePairs& pairs, const std::vector<std::uint8_t>& held) {
  std::vector<int> parent(held.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const auto is_free = [&](int i) { return held[i] != hold_all; };
  for (const auto& [i, j] : pairs) {
    if (!is_free(i) || !is_free(j)) continue;
    const auto [low, high] = std::minmax({root(i), root(j)});
    parent[high] = low;
  }
  Islands islands;
  islands.of.assign(held.size(), -1);
  for (int i = 0; i < static_cast<int>(held.size()); ++i)
    if (is_free(i)) islands.of[i] = root(i) == i ? islands.count++ : islands.of[root(i)];
  return islands;
}

bool has_islands(const NewtonProblem& problem, const NewtonWork& newton) {
  const Model& m = problem.model;
  const Inputs& in = problem.inputs;
  const Contact* contact = newton.terms.contact(in);
  if (!problem.scheme || !contact || in.contact != ContactLaw::barrier || m.bonds() > 0 || newton.terms.joints)
    return false;
  const auto is_local = [&](const auto& term) {
    const Scope scope = term->scope(in);
    return term.get() == contact || scope == Scope::idle || scope == Scope::nodes;
  };
  const auto stays = [&](const HeldNode& h) {
    const auto f = problem.start.frame(h.node);
    const auto same = [](const Vec3<double>& a, const Vec3<double>& b) {
      return a.x == b.x && a.y == b.y && a.z == b.z;
    };
    return h.mask == hold_all && same(h.pose.x, f.x) && h.pose.q.w == f.q.w && same(h.pose.q.v, f.q.v);
  };
  return is_conservative(in) && std::all_of(newton.terms.all.begin(), newton.terms.all.end(), is_local) &&
         std::all_of(problem.held.begin(), problem.held.end(), stays);
}

}  // namespace ls
