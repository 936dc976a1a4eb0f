#pragma once
#include "collide/pair_finder.h"

namespace ls {

struct NearPair {
  ShapePair pair;
  Nearness near;
};

// Pairs that are near, and how near, found once for a state however often it is asked for: forces, stiffness, pattern
// and collision detection of an iteration all look at it.
class NearPairs {
 public:
  // Within `gap` pairs may push; all within `reach` are listed.
  NearPairs(const Shapes& shapes, double gap, double reach)
      : shapes_(shapes), gap_(gap), reach_(reach), finder_(shapes) {}

  // All pairs with a gap below that at which they may push, ascending.
  const std::vector<NearPair>& within(const Nodes& nodes);
  // All pairs with a gap below the reach, and some more, ascending.
  const std::vector<ShapePair>& listed(const Nodes& nodes);
  // Those that may come within the gap during a motion, in no order.
  const std::vector<ShapePair>& on_the_way(const Nodes& nodes, const PointMotion& motion);
  const std::vector<Vec3<double>>& at() const { return finder_.at(); }  // [point] of pairs that were asked for last
  std::size_t bytes() const { return finder_.bytes() + pairs_.capacity() * sizeof(NearPair); }

 private:
  bool is_known(const Nodes& nodes) const;
  void note_moves(const Nodes& nodes);
  void measure(const std::vector<ShapePair>& list, const Nodes& nodes);

  const Shapes& shapes_;
  double gap_, reach_;  // m
  PairFinder finder_;
  std::vector<ShapePair> on_the_way_;
  std::vector<NearPair> pairs_;
  std::vector<Frame<double>> poses_;  // [node] that pairs_ are of; empty: of none
  // How near the pairs of the finder's inner list are, kept for those none of whose nodes has moved.
  struct Measured {
    NearPair near;
    PairNodes of;
  };
  std::vector<Measured> measured_, before_;
  std::vector<std::uint8_t> moved_;  // [node] since poses_
};

}  // namespace ls
