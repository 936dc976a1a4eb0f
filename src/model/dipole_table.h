#pragma once
#include "math/vec.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ls {

// A magnetic moment that is fixed to a node.
struct Dipole {
  int node = 0;
  Vec3<double> position{};  // m, in the node's own axes
  Vec3<double> moment{};    // A m^2, likewise
};

// How the sums over all pairs are taken.
enum class DipoleMethod : std::uint8_t { direct, tree, ewald };

struct DipoleTable {
  std::vector<Dipole> samples;  // by node: of nodes that have several, or one that is not at the node
  bool interact = false;        // whether they act on each other; in fields they act anyway
  DipoleMethod method = DipoleMethod::direct;
  double accuracy = 1e-5;  // rms, of what is not direct
  int exclude_bonds = 1;   // nodes that are joined by so many bonds or fewer do not act on each other
  // m: nodes nearer than this are coupled in the matrix of Newton's method; none: all where they are few, else those
  // within three diameters of the larger one.
  std::optional<double> implicit_distance;
  bool far_is_lagged = false;  // nodes that are farther apart feel each other as they were when the step began
  // Of ewald: what is in this box is repeated beside it in all directions. Nodes may leave it; bonds and contact do not
  // know of it.
  std::array<double, 3> box{};  // m
  bool in_vacuum = false;       // around all copies; else metal ("tin foil")
};

}  // namespace ls
