#pragma once
#include "dipoles/periodic/periodic_box.h"
#include "model/inputs.h"
#include "model/model.h"
#include "terms/dipoles/dipole_stiffness.h"
#include "terms/term.h"

#include <optional>

namespace ls {

// Which nodes with dipoles are coupled in the matrix of Newton's method: those that are near. What is soft, as a
// slender coil, needs more: there far nodes move together, and a node's own block in their field, without the blocks
// between them, is wrong by as much as all of them hold it.
class NodeCoupling {
 public:
  // All must outlive it. strongest: [of nodes] A m^2, the sum of its dipoles' sizes.
  NodeCoupling(const Model& model, std::span<const NodeDipoles> nodes, std::vector<double> strongest,
               const std::optional<PeriodicBox>& box);

  // Before pairs are asked for at a state. all: they are so few that all are coupled.
  void look(const Nodes& at, const Inputs& in, bool all);
  // Adds those that are near each other and do not stand both, by their nodes, ascending. stands: [of nodes]
  void add_pairs(const Nodes& at, std::span<const std::uint8_t> stands, NodePairs& pairs) const;
  // Places in the span of nodes.
  bool are_near(const Nodes& at, std::size_t a, std::size_t b) const;

 private:
  struct SoftBody {
    std::vector<std::size_t> nodes;  // places in the span
    double resists = 0;              // N/m, each of its nodes, when all of them move as they resist least
    double reach = 0;                // m, at the state that was looked at
  };
  void find_soft_bodies();
  double reach_of(const SoftBody& body, const Nodes& at, const Inputs& in) const;
  double limit(std::size_t place) const;
  double reach(std::size_t place) const;  // m, of what it is coupled to
  Vec3<double> apart(const Vec3<double>& a, const Vec3<double>& b) const;

  const Model& model_;
  std::span<const NodeDipoles> nodes_;
  std::vector<double> strongest_;
  const std::optional<PeriodicBox>& box_;
  std::vector<SoftBody> soft_;
  std::vector<int> soft_of_;  // [of nodes] -1: none
  bool all_ = false;
};

}  // namespace ls
