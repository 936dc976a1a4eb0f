#pragma once
#include "collide/pairs.h"
#include "model/term.h"

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
  // No point of a pair moves faster than this beside the motion that all share, m for the whole move.
  double speed(const ShapePair& pair, const Nearness& n) const;

 private:
  const Shapes& shapes_;
  const Nodes* nodes_ = nullptr;
  const Move* move_ = nullptr;
  std::vector<Vec3<double>> at_, to_;
  std::vector<double> bulge_;
  std::vector<double> unsteady_;  // [point] m, by how much the speed along its arc differs from the mean at most
  double longest_ = 0;
};

// How much of a move a pair can make, 0 to `most`, until its gap has shrunk to `least`; `now`: how near it is. By
// conservative advancement: in steps so short that the gap can't close within one, so nothing is missed however fast
// things move.
double allowed_share(const Shapes& shapes, const ShapePair& pair, const Nearness& now, const PointMotion& motion,
                     double least, double most);

}  // namespace ls
