#pragma once
#include "physics/barrier.h"
#include "terms/contact/near_pairs.h"

namespace ls {

class BlockMatrix;

// The energy of a pair below the reach of the barrier, by the places that it acts on. A place is fixed to a node at the
// end of a lever; a hollow wall answers for one place of its own, where the point is.
struct PairPush {
  static constexpr int rows = 12;  // of its stiffness
  int count = 0;
  int node[4] = {};
  Vec3<double> lever[4];    // m, world axes
  Vec3<double> slope[4];    // N: the energy grows so along moves of the places
  double energy = 0;        // J
  double gap = 0;           // m
  double normal_force = 0;  // N
  Vec3<double> normal{};    // from b to a
  double weight[4] = {};    // of the places in what lies between a and b
  double radius[4] = {};    // m, from the place to the surface that touches
};

// Whether the pair is within reach, and what it does; [3 place + c][3 place + c] N/m into `stiffness` where wanted.
// projected: without what the turning of the normal takes away from it.
bool push_of(const Shapes& shapes, const NearPair& which, const std::vector<Vec3<double>>& at, const Nodes& nodes,
             const Barrier& barrier, PairPush& out, double* stiffness = nullptr, bool projected = false);

// Whether each side of a pair is on one node, as those of rigid bodies are; not of a wall around everything.
bool has_rigid_sides(const Shapes& shapes, const NearPair& which);
// Adds the stiffness of such a pair that pushes (push_of), in the moves of its nodes: with all places of a side on one
// node it takes a fifth of what goes by places. False, and adds nothing, where it has no such form: of edges that cross
// near an end.
bool add_rigid_stiffness(const NearPair& which, const std::vector<Vec3<double>>& at, const Barrier& barrier,
                         const PairPush& push, bool projected, BlockMatrix& out);

}  // namespace ls
