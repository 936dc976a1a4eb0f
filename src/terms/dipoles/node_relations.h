#pragma once
#include "math/block_matrix.h"
#include "terms/dipoles/dipole_stiffness.h"
#include "terms/dipoles/point_cells.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ls {

// What nodes with dipoles are to one of them, where its stiffness is made.
enum class Relation : std::uint8_t { none, far, coupled };

// Looks at all of them, or where they are many and a fast sum knows what they do to each other, at those that are near
// or coupled.
class NodeRelations {
 public:
  // Both must outlive it.
  NodeRelations(const DipoleSystem& system, const BlockPattern& pattern);

  void look(std::size_t a);
  const std::vector<std::size_t>& seen() const { return seen_; }  // ascending
  Relation to(std::size_t b) const { return relation_[b]; }
  bool are_few() const { return cells_.has_value(); }

 private:
  void find_neighbours();
  const std::vector<int>& beside(int node);

  const DipoleSystem& s_;
  const BlockPattern& pattern_;
  std::vector<Relation> relation_;                   // [of nodes]
  std::vector<std::size_t> seen_;                    // of nodes
  std::vector<Vec3<double>> places_;                 // [of nodes] m
  std::optional<PointCells> cells_;                  // where they are many
  std::vector<std::vector<std::size_t>> in_matrix_;  // [of nodes] then: those that it is coupled to
  std::vector<std::vector<int>> apart_of_;           // [node]
  std::vector<int> nobody_;
};

}  // namespace ls
