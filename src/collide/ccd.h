#pragma once
#include "collide/pairs.h"

namespace ls {

// The way of all points during a move of the nodes: each goes straight while it turns about its node at a steady rate.
class PointMotion {
 public:
  PointMotion(const Shapes& shapes) : shapes_(shapes) {}
  void set(const Nodes& nodes, const Move& move, const std::vector<Vec3<double>>& at);

  const std::vector<Vec3<double>>& at() const { return at_; }  // [point] before
  const std::vector<Vec3<double>>& to() const { return to_; }  // [point] after
  const std::vector<double>& bulge() const { return bulge_; }  // [point] m, how far beside the straight way
  double longest() const { return longest_; }                  // m, that a point or a wall moves
  Vec3<double> place(int point, double share) const;
  Frame<double> frame(int node, double share) const;
  // m, by which the gap of a pair can shrink at most: cheap, and most pairs need no more.
  double most_closing(const ShapePair& pair, const Nearness& n) const;
  // How much farther than `share` a pair can surely go before its gap is `least`; n: how near it is there.
  double safe_share(const ShapePair& pair, const Nearness& n, double share, double least) const;

 private:
  double safe_in_hollow(const ShapePair& pair, double share, double least) const;
  Vec3<double> velocity_at(int point, double share) const;

  const Shapes& shapes_;
  const Nodes* nodes_ = nullptr;
  const Move* move_ = nullptr;
  std::vector<Vec3<double>> at_, to_;
  std::vector<double> bulge_, travel_;  // [point]
  std::vector<double> unsteady_;        // [point] m, how far it strays from its chord, per share of the move, at most
  double longest_ = 0;
};

// How much of a move a pair can make, 0 to `most`, until its gap has shrunk to `least`; `now`: how near it is. By
// conservative advancement, in steps so short that the gap can't close within one, so nothing is missed however fast
// things move. Convex parts stay apart while a plane between them keeps the points of one from those of the other: so
// a step may be as long as what closes in along the normal allows, however fast they slide past each other.
double allowed_share(const Shapes& shapes, const ShapePair& pair, const Nearness& now, const PointMotion& motion,
                     double least, double most);

}  // namespace ls
