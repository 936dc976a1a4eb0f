#pragma once
#include "collide/pairs.h"

namespace ls {

// The way of all points during a move of the nodes: each goes straight while it turns about its node at a steady rate.
// Keeps no place of any point, so that it costs nothing where nobody looks.
class PointMotion {
 public:
  explicit PointMotion(const Shapes& shapes);
  // Of these nodes and this move, which must live as long as they are asked about; without a move all stand still.
  void set(const Nodes& nodes, const Move* move);

  bool is_still() const { return move_ == nullptr; }
  double longest() const { return longest_; }  // m, that a wall or a point that may touch something moves at most
  Vec3<double> place(int point, double share) const;
  Frame<double> frame(int node, double share) const;
  Vec3<double> way(int node) const;      // m, of the node
  Vec3<double> turn_of(int node) const;  // rad, its rotation vector
  double turned(int node) const;         // rad
  // m, how far from a node its farthest point is
  double farthest(int node) const {
    const auto i = static_cast<std::size_t>(node);
    return i < node_lever_.size() ? std::max(node_lever_[i], 0.0) : 0.0;
  }
  double lever(int point) const { return lever_[point]; }
  // m, that the points of a node, or a wall where points are or will be, move at most.
  double node_way(int node) const { return norm(way(node)) + std::min(turned(node), 2.0) * farthest(node); }
  double hollow_way(const Hollow& hollow) const;
  // m, how far a point strays at most from the way of its node.
  double stray(int point) const { return std::min(turned(shapes_.points[point].node), 2.0) * lever_[point]; }
  // m, by which the gap of a pair can shrink at most: cheap, and most pairs need no more.
  double most_closing(const ShapePair& pair, const Nearness& n) const;
  // m, by which the nearest places of a pair come nearer in the move, to first order.
  double closing(const ShapePair& pair, const Nearness& n) const;
  // How much farther than `share` a pair can surely go before its gap is `least`; n: how near it is there.
  double safe_share(const ShapePair& pair, const Nearness& n, double share, double least) const;

 private:
  struct Passage {  // of a point at a share of the move
    Vec3<double> at, velocity;
    double bend;  // m, how far it leaves its tangent at most, per share squared
  };
  Passage passage(int point, double share) const;
  double safe_in_hollow(const ShapePair& pair, double share, double least) const;

  const Shapes& shapes_;
  const Nodes* nodes_ = nullptr;
  const Move* move_ = nullptr;
  std::vector<double> lever_;       // [point] m, from its node
  std::vector<double> node_lever_;  // [node] m, of its farthest point; -1: it has none, or touches nothing
  std::vector<double> turned_;      // [node] rad
  double longest_ = 0;
};

// How a wall moves as a surface. Turning about its own axis moves neither a cylinder nor a plane, and no turning about
// its centre moves a sphere.
struct HollowMotion {
  Vec3<double> base{}, axis{};  // m, a point of the plane, the centre or a point of the axis; unit
  Vec3<double> velocity{};      // m, of the base
  Vec3<double> tilt{};          // rad, the part of its turn that moves it
  double bend = 0;              // m, how far the base leaves its tangent at most, per share squared
};
HollowMotion motion_of(const Hollow& hollow, const PointMotion& motion, double share);

// How much of a move a pair can make, 0 to `most`, until its gap has shrunk to `least`; `now`: how near it is. By
// conservative advancement, in steps so short that the gap can't close within one, so nothing is missed however fast
// things move. Convex parts stay apart while a plane between them keeps the points of one from those of the other: so
// a step may be as long as what closes in along the normal allows, however fast they slide past each other.
double allowed_share(const Shapes& shapes, const ShapePair& pair, const Nearness& now, const PointMotion& motion,
                     double least, double most);

}  // namespace ls
