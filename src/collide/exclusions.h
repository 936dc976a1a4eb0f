#pragma once
#include "collide/pairs.h"

namespace ls {

// Which pairs do not touch: neighbours along bonds, parts of one rigid body, two walls, bodies that a rule says it of.
class Exclusions {
 public:
  explicit Exclusions(const Shapes& shapes);

  // Whether pairs of points on these two nodes need be looked at one by one; if not, none of them is excluded.
  bool may_exclude(int node_a, int node_b) const;
  bool excluded(const ShapePair& pair) const;
  std::size_t bytes() const { return neighbours_.size() * sizeof(Neighbour); }

 private:
  struct Neighbour {
    int node;
    double distance;  // m, or bonds
  };
  const Neighbour* neighbour(int node_a, int node_b) const;
  bool excluded(int point_a, int point_b) const;

  const Shapes& shapes_;
  std::vector<int> first_neighbour_;   // [node]
  std::vector<Neighbour> neighbours_;  // ascending by node
};

}  // namespace ls
