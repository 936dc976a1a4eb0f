#pragma once
#include "dipoles/dipole_set.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ls {

// A cube of the tree.
struct OctreeCell {
  int begin = 0, end = 0;  // its dipoles, in the order of the tree
  int parent = -1, level = 0, octant = 0;
  std::array<int, 3> place{};  // in units of its side
  std::array<int, 8> child{-1, -1, -1, -1, -1, -1, -1, -1};
  bool is_leaf = true;

  int count() const { return end - begin; }
};

// Do the closed cubes touch (or lie within each other)?
bool touch(const OctreeCell& a, const OctreeCell& b);

// An adaptive octree over dipoles: a cell with more than three times the wanted number is split. The root is stretched,
// up to twofold, so that the leaves of some level have about the number wanted: halving a tight cube offers only
// factors of eight. Dipoles are in Morton order, cells level by level.
class Octree {
 public:
  static constexpr int deepest = 20;  // so that three coordinates fit one key; dipoles nearer than that share a leaf

  void build(const DipoleSet& set, double wanted);

  const std::vector<OctreeCell>& cells() const { return cells_; }
  const OctreeCell& cell(int c) const { return cells_[static_cast<std::size_t>(c)]; }
  int levels() const { return static_cast<int>(level_.size()) - 1; }
  int level_begin(int level) const { return level_[static_cast<std::size_t>(level)]; }
  double side(const OctreeCell& c) const;
  std::array<double, 3> centre(const OctreeCell& c) const;

  // [place in the tree] the dipole there, and its position.
  const std::vector<int>& order() const { return order_; }
  const std::array<Column, 3>& position() const { return position_; }
  // The place of a dipole in the tree.
  int place(int dipole) const { return place_[static_cast<std::size_t>(dipole)]; }

  // Cells of the same level around it, itself in the middle: [x + 3 y + 9 z], or -1.
  const std::array<int, 27>& mates(int c) const { return mates_[static_cast<std::size_t>(c)]; }
  // Leaves of coarser levels that touch the cell; those that do not, but touch its parent.
  const std::vector<int>& coarse_neighbours(int c) const { return coarse_[static_cast<std::size_t>(c)]; }
  const std::vector<int>& coarse_apart(int c) const { return apart_[static_cast<std::size_t>(c)]; }

 private:
  struct Key {
    std::uint64_t key;
    std::int64_t dipole;
  };
  void sort(const DipoleSet& set);
  double stretch(double wanted) const;
  void split(int most);
  void add_children(int c);
  void find_neighbours();

  std::array<double, 3> origin_{};
  double size_ = 1;
  std::vector<Key> keys_, other_;
  std::vector<OctreeCell> cells_;
  std::vector<int> level_, order_, place_;
  std::array<Column, 3> position_;
  std::vector<std::array<int, 27>> mates_;
  std::vector<std::vector<int>> coarse_, apart_;
};

}  // namespace ls
