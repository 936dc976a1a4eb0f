#include "terms/contact/near_pairs.h"

#include <cstring>

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

const std::vector<NearPair>& NearPairs::within(const Nodes& nodes) {
  if (is_known(nodes)) return pairs_;
  const auto& list = finder_.within(nodes, reach_, gap_);
  poses_.resize(static_cast<std::size_t>(nodes.count));
  for (int i = 0; i < nodes.count; ++i) poses_[i] = nodes.frame(i);
  pairs_.clear();
  for (const ShapePair& pair : list) {
    const Nearness n = nearness(shapes_, pair, finder_.at(), nodes);
    if (n.gap() < gap_) pairs_.push_back({pair, n});
  }
  return pairs_;
}

const std::vector<ShapePair>& NearPairs::listed(const Nodes& nodes) {
  if (!is_known(nodes)) poses_.clear();  // the places of the points are those of these nodes from now on
  return finder_.near(nodes, reach_);
}

const std::vector<ShapePair>& NearPairs::on_the_way(const Nodes& nodes, const PointMotion& motion) {
  const auto& near = listed(nodes);
  if (finder_.moved() + motion.longest() <= finder_.slack()) return near;
  finder_.near_on_the_way(motion, gap_, on_the_way_);
  return on_the_way_;
}

}  // namespace ls
