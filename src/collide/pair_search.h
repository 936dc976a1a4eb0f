#pragma once
#include "collide/broad_phase.h"
#include "collide/ccd.h"
#include "collide/exclusions.h"
#include "collide/part_tree.h"
#include "collide/parts.h"

namespace ls {

// Finds the pairs that may touch, in two levels (broad phase). First boxes: one around each rigid body of many parts,
// one around each part of all others, in a grid. Then, of boxes that overlap, the parts: those of a rigid body lie in a
// tree in its own axes. So a body costs as much as what is near it, however many triangles it has, and its own
// triangles are never compared with each other.
class PairSearch {
 public:
  explicit PairSearch(const Shapes& shapes);

  // All pairs whose gap may be `reach` or less at some time of a motion, and some more, each once and in no order. With
  // `only`, [node], those in which a node that is marked there has a part, and some more.
  void find(const PointMotion& motion, double reach, std::vector<ShapePair>& out,
            const std::vector<std::uint8_t>* only = nullptr);
  std::size_t trees() const { return trees_.size(); }
  std::size_t bytes() const;

 private:
  struct Body {  // rigid, with its parts in a tree
    int node;
    std::size_t tree;
    int first;  // of body_parts_
  };
  // Where something is and how it moves: a box in world axes that goes along `way`, and up to `lever` beside it.
  struct Moving : PartTree::Branch {
    Vec3<double> way{};
  };

  void make_bodies();
  void plant(Body& body, const std::vector<Box>& boxes);
  void mark(const std::vector<std::uint8_t>& only);
  bool is_wall(int node) const { return shapes_.is_wall[node] != 0; }
  Moving moving(const Part& part, const PointMotion& motion) const;
  Moving moving(const Body& body, const PointMotion& motion) const;
  void add_bodies(const Body& a, const Body& b, const PointMotion& motion, double reach, std::vector<ShapePair>& out);
  void add_body_and_part(const Body& a, std::size_t loose, const PointMotion& motion, double reach,
                         std::vector<ShapePair>& out);
  void add_loose(std::size_t a, std::size_t b, double reach, std::vector<ShapePair>& out) const;
  void add_pairs(const Part& p, const Part& q, bool all, std::vector<ShapePair>& out) const;
  void add_one_way(const Part& p, const Part& q, bool all, std::vector<ShapePair>& out) const;
  void add_hollow(int hollow, const PointMotion& motion, double reach, const std::vector<std::uint8_t>* only,
                  std::vector<ShapePair>& out);

  const Shapes& shapes_;
  Exclusions exclusions_;
  std::vector<Part> parts_;
  std::vector<int> loose_;  // parts that stand for themselves
  std::vector<int> bare_;   // points of no part
  std::vector<Body> bodies_;
  std::vector<int> body_parts_;            // of all bodies, one after the other
  std::vector<PartTree> trees_;            // of all shapes
  std::vector<std::vector<Box>> planted_;  // [tree] what it was made of; only while trees are made
  // Scratch
  BroadPhase broad_;
  std::vector<Moving> movings_;  // of bodies, then of loose parts
  std::vector<Box> boxes_;
  std::vector<std::uint8_t> marked_;  // likewise, which are looked for
  std::vector<std::pair<int, int>> overlaps_, tree_pairs_;
  std::vector<int> branches_;
};

}  // namespace ls
