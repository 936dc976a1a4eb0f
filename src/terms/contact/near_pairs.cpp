#include "terms/contact/near_pairs.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ls {

bool NearPairs::is_known(const Nodes& nodes) const {
  if (poses_.size() != static_cast<std::size_t>(nodes.count)) return false;
  for (int i = 0; i < nodes.count; ++i) {
    const Frame<double> f = nodes.frame(i);
    static_assert(std::is_trivially_copyable_v<Frame<double>>);
    if (std::memcmp(static_cast<const void*>(&f), static_cast<const void*>(&poses_[i]), sizeof f) != 0) return false;
  }
  return true;
}

void NearPairs::note_moves(const Nodes& nodes) {
  const auto count = static_cast<std::size_t>(nodes.count);
  const bool all = poses_.size() != count;
  poses_.resize(count), moved_.assign(count, 1);
  for (int i = 0; i < nodes.count; ++i) {
    const Frame<double> f = nodes.frame(i);
    moved_[i] = all || std::memcmp(static_cast<const void*>(&f), static_cast<const void*>(&poses_[i]), sizeof f) != 0;
    poses_[i] = f;
  }
}

// Both lists are in ascending order.
void NearPairs::measure(const std::vector<ShapePair>& list, const Nodes& nodes) {
  const auto stays = [&](const Measured& m) {
    return std::none_of(m.of.node, m.of.node + m.of.count, [&](int i) { return moved_[i] != 0; });
  };
  std::swap(measured_, before_);
  measured_.clear();
  auto old = before_.begin();
  for (const ShapePair& pair : list) {
    while (old != before_.end() && old->near.pair < pair) ++old;
    const bool known = old != before_.end() && old->near.pair == pair;
    if (known && stays(*old)) {
      measured_.push_back(*old);
      continue;
    }
    const Nearness n = nearness(shapes_, pair, finder_.at(), nodes);
    measured_.push_back({{pair, n}, known ? old->of : nodes_of(shapes_, pair, n)});
  }
}

const std::vector<NearPair>& NearPairs::within(const Nodes& nodes) {
  if (is_known(nodes)) return pairs_;
  const auto& list = finder_.within(nodes, reach_, gap_);
  note_moves(nodes);
  measure(list, nodes);
  pairs_.clear();
  for (const Measured& m : measured_)
    if (m.near.near.gap() < gap_) pairs_.push_back(m.near);
  return pairs_;
}

const std::vector<ShapePair>& NearPairs::listed(const Nodes& nodes) {
  if (!is_known(nodes)) poses_.clear();  // the places of the points are those of these nodes from now on
  return finder_.near(nodes, reach_);
}

const std::vector<ShapePair>& NearPairs::on_the_way(const Nodes& nodes, const PointMotion& motion) {
  if (!is_known(nodes)) poses_.clear();
  finder_.near_on_the_way(nodes, reach_, motion, gap_, on_the_way_);
  return on_the_way_;
}

}  // namespace ls
