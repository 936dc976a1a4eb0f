#pragma once
#include "model/state.h"
#include "terms/contact/touching.h"

namespace ls {

// The pair that a key of Memory stands for.
ShapePair pair_of(std::uint64_t key);
// 1 where each side of p has a point in common with the same side of q, -1 where with the other, 0 where they are not
// neighbours.
int kinship(const Shapes& shapes, const ShapePair& p, const ShapePair& q);

// How far touching surfaces have slid elastically, from step to step. Both lists ascend, so they are merged; nothing is
// allocated while the number of contacts stays. A contact that has moved on to a neighbouring edge or node keeps what
// its forerunner had stored: else two rods that stick would let go wherever the place of contact passes a node.
class SlipHistory {
 public:
  explicit SlipHistory(const Shapes& shapes) : shapes_(shapes) {}

  // What the memory knows about these contacts; 0 for new ones.
  void load(const std::vector<Touch>& touches, const Memory& memory);
  void save(const std::vector<Touch>& touches, Memory& memory) const;
  Vec3<double>& operator[](std::size_t touch) { return slip_[touch]; }

 private:
  void inherit(const std::vector<Touch>& touches, const Memory& memory);

  const Shapes& shapes_;
  std::vector<Vec3<double>> slip_;           // [touch] m
  std::vector<std::size_t> fresh_, orphan_;  // touches without a past, entries of the memory without a present
};

}  // namespace ls
