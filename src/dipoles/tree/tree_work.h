#pragma once
#include "base/parallel.h"
#include "dipoles/tree/expansion_loops.h"
#include "dipoles/tree/octree.h"
#include "dipoles/tree/translations.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

namespace ls {

// Calls body(block, worker) for all blocks; which worker does one never matters for a result. Blocks are dealt in
// turns, since neighbouring ones are about as dear.
template <class Body>
void for_blocks(Team& team, int blocks, const Body& body) {
  const int workers = std::min(team.active(), blocks);
  team.run(workers, 2, [&](int begin, int end) {
    for (int worker = begin; worker < end; ++worker)
      for (int b = worker; b < blocks; b += workers) body(b, worker);
  });
}

// The derivatives that an order needs.
struct DerivativeTables {
  explicit DerivativeTables(int order);
  std::vector<Derivative> regular, regular_again, irregular, irregular_again;
};
inline DerivativeTable view(const std::vector<Derivative>& table) {
  return {table.data(), static_cast<int>(table.size())};
}

// What the parts of the tree's sum share. Dipoles are in the order of the tree; their moments are over the rms moment.
template <class R>
struct TreeWork {
  explicit TreeWork(int order) : matrices(order), tables(order) {}

  Translations<R> matrices;
  DerivativeTables tables;
  Octree tree;
  DipoleExclusions excluded;           // by the names that the caller has for dipoles
  std::array<Column, 3> moment;        // [place]
  std::array<Column, 3> field, force;  // [place]
  std::vector<R> multipoles, locals;   // [cell][row of height()]
  // [cell][order]: what an expansion to this order leaves out, in dipoles of unit moment whose directions are random.
  std::vector<float> strength;
  std::vector<double> scale;  // [cell] how large B is there

  int order() const { return matrices.order(); }
  R* multipoles_of(int c) {
    return multipoles.data() + static_cast<std::size_t>(c) * static_cast<std::size_t>(matrices.height());
  }
  R* locals_of(int c) {
    return locals.data() + static_cast<std::size_t>(c) * static_cast<std::size_t>(matrices.height());
  }
  const float* strength_of(int c) const { return strength.data() + static_cast<std::size_t>(c) * (most_order + 1); }
  ExpansionCell expansion_cell(int c) const {
    const auto m = tree.centre(tree.cell(c));
    return {{m[0], m[1], m[2]}, tree.side(tree.cell(c))};
  }
  DipoleRun dipoles_of(int c) const {
    const auto& x = tree.position();
    return {{x[0].data(), x[1].data(), x[2].data()},
            {moment[0].data(), moment[1].data(), moment[2].data()},
            tree.cell(c).begin,
            tree.cell(c).end};
  }
  std::array<double, 3> place_of(int i) const { return at(tree.position(), i); }
  std::array<double, 3> moment_of(int i) const { return at(moment, i); }

  // A coarse leaf and a finer cell that do not touch: dipole by dipole, where expansions would cost more?
  bool is_direct(const OctreeCell& coarse, const OctreeCell& fine) const {
    return fine.is_leaf && (fine.count() <= 12 + order() || double(coarse.count()) * fine.count() < 300);
  }

 private:
  static std::array<double, 3> at(const std::array<Column, 3>& a, int i) {
    const auto k = static_cast<std::size_t>(i);
    return {a[0][k], a[1][k], a[2][k]};
  }
};

// The parts, in the order in which they are done (tree_up.cpp, tree_near.cpp, tree_far.cpp, tree_down.cpp).
template <class R>
void expand_sources(TreeWork<R>& work, Team& team);
template <class R>
void sum_near(TreeWork<R>& work, Team& team);
template <class R>
void translate(TreeWork<R>& work, double accuracy, Team& team);
template <class R>
void read_far(TreeWork<R>& work, Team& team);

}  // namespace ls
