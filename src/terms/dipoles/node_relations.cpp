#include "terms/dipoles/node_relations.h"

#include <algorithm>
#include <numeric>

namespace ls {

namespace {

constexpr std::size_t few_to_relate = 1000;
constexpr double nearest_to_relate = 500;  // so many, about

}  // namespace

NodeRelations::NodeRelations(const DipoleSystem& system, const BlockPattern& pattern)
    : s_(system), pattern_(pattern), relation_(system.nodes.size(), Relation::none) {
  if (s_.total && s_.nodes.size() > few_to_relate) find_neighbours();
}

void NodeRelations::find_neighbours() {
  std::vector<int> place_of(static_cast<std::size_t>(pattern_.size), -1);  // [node] in nodes
  for (std::size_t a = 0; a < s_.nodes.size(); ++a) place_of[s_.nodes[a].node] = static_cast<int>(a);
  in_matrix_.resize(s_.nodes.size());
  for (std::size_t a = 0; a < s_.nodes.size(); ++a) {
    const int node = s_.nodes[a].node;
    for (int k = pattern_.first[node] + 1; k < pattern_.first[node + 1]; ++k)
      if (const int b = place_of[pattern_.row[k]]; b >= 0)
        in_matrix_[a].push_back(static_cast<std::size_t>(b)), in_matrix_[b].push_back(a);
  }
  for (const NodeDipoles& n : s_.nodes)
    places_.push_back({s_.at.x[0][n.first], s_.at.x[1][n.first], s_.at.x[2][n.first]});
  cells_.emplace(places_, PointCells::size_for(places_, nearest_to_relate, s_.box), s_.box);
}

void NodeRelations::look(std::size_t a) {
  for (const std::size_t b : seen_) relation_[b] = Relation::none;
  seen_.clear();
  if (cells_) {
    seen_ = in_matrix_[a];
    cells_->for_near(static_cast<int>(a), [&](int b) { seen_.push_back(static_cast<std::size_t>(b)); });
    std::ranges::sort(seen_);
    seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
  } else {
    seen_.resize(s_.nodes.size());
    std::iota(seen_.begin(), seen_.end(), std::size_t{0});
  }
  const int node = s_.nodes[a].node;
  for (const std::size_t b : seen_) {
    const int other = s_.nodes[b].node;
    const bool has_block = !s_.stands[b] && pattern_.find(std::max(node, other), std::min(node, other)) >= 0;
    const bool is_none = a == b || (s_.is_frozen && s_.is_frozen(a, b));
    relation_[b] = is_none ? Relation::none : has_block ? Relation::coupled : Relation::far;
  }
  for (const int other : beside(node)) {
    const auto b = std::ranges::lower_bound(s_.nodes, other, {}, &NodeDipoles::node);
    if (b != s_.nodes.end() && b->node == other)
      relation_[static_cast<std::size_t>(b - s_.nodes.begin())] = Relation::none;
  }
}

// Nodes that do not act on one.
const std::vector<int>& NodeRelations::beside(int node) {
  if (apart_of_.empty() && !s_.apart.empty()) {
    apart_of_.resize(static_cast<std::size_t>(s_.nodes.back().node) + 1);
    for (const auto& [p, q] : s_.apart)
      if (q <= s_.nodes.back().node) apart_of_[p].push_back(q), apart_of_[q].push_back(p);
  }
  return apart_of_.empty() ? nobody_ : apart_of_[node];
}

}  // namespace ls
