#pragma once
#include "math/block_matrix.h"
#include "math/vec.h"
#include "model/inputs.h"
#include "terms/dipoles/dipole_sum.h"

#include <cstdint>
#include <functional>
#include <span>

namespace ls {

// The dipoles of one node in world axes.
struct NodeDipoles {
  int node = 0, first = 0, last = 0;  // [first, last) of the columns
};

// What the stiffness of all pairs is made from.
struct DipoleSystem {
  const DipoleColumns& at;
  std::span<const Vec3<double>> lever;         // [dipole] m, from the node, world axes
  std::span<const NodeDipoles> nodes;          // ascending
  std::span<const std::pair<int, int>> apart;  // of DipoleRules
  std::span<const std::uint8_t> stands;        // [of nodes] neither moves nor turns: it has no unknowns
  // What all others do to each, where a fast sum knows it: of many that are not coupled only the nearest are then
  // looked at one by one, for the slopes of their field, which fall off with the fourth power of the distance and
  // faster. Null: not known, and all are.
  const DipoleEffects* total = nullptr;
  const PeriodicBox* box = nullptr;  // pairs are those of the nearest copies
  // Places in `nodes`: what they exert does not go by the state; empty: none.
  std::function<bool(std::size_t, std::size_t)> is_frozen{};
};

// [of nodes] whether it is held in all directions, and where it has to be.
std::vector<std::uint8_t> standing_nodes(std::span<const NodeDipoles> nodes, const State& s, const Inputs& in);

// Adds `scale` times the second derivatives of the energy of all pairs. Nodes that the matrix has a block for are
// coupled; of others each keeps its own block in the field of the rest. projected: the positive part of each pair of
// nodes, so that every solution leads downhill.
void add_dipole_stiffness(const DipoleSystem& system, double scale, bool projected, BlockMatrix& out);

}  // namespace ls
