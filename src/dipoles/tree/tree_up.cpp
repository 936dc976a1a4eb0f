#include "dipoles/tree/batch.h"
#include "dipoles/tree/derivatives.h"
#include "dipoles/tree/tree_work.h"

#include <cmath>

namespace ls {

DerivativeTables::DerivativeTables(int order)
    : regular(regular_derivatives(1, order)),
      regular_again(regular_derivatives(1, order - 1)),
      irregular(irregular_derivatives(1, order)),
      irregular_again(irregular_derivatives(2, order + 1)) {}

namespace {

constexpr int leaves_at_once = 256, parents_at_once = 64;

template <class R>
void expand_leaf(TreeWork<R>& work, int c) {
  expansion_loops<R>().add_multipoles(work.dipoles_of(c), work.expansion_cell(c), work.order(),
                                      view(work.tables.regular), work.multipoles_of(c));
}

template <class R>
void collect_children(TreeWork<R>& work, int begin, int end) {
  const int size = work.matrices.size(), height = work.matrices.height();
  for (int octant = 0; octant < 8; ++octant) {
    Batch<R> batch(work.matrices.up(octant), height, height, size);
    for (int c = begin; c < end; ++c)
      if (const int child = work.tree.cell(c).child[static_cast<std::size_t>(octant)]; child >= 0)
        batch.push(work.multipoles_of(child), work.multipoles_of(c));
    batch.flush();
  }
}

// An expansion to order p leaves out the degrees above: the strongest of them counts. Where moments are aligned the
// middle degrees are stronger than the last ones, so looking at those alone would not do.
template <class R>
void measure_strength(TreeWork<R>& work, int c) {
  float* const strength = work.strength.data() + static_cast<std::size_t>(c) * (most_order + 1);
  double most = 0;
  for (int degree = work.order(); degree >= 2; --degree) {
    most = std::max(most, degree_power(work.multipoles_of(c), degree) / work.matrices.unit_power(degree));
    strength[degree - 1] = static_cast<float>(std::sqrt(most));
  }
}

}  // namespace

template <class R>
void expand_sources(TreeWork<R>& work, Team& team) {
  const std::size_t cells = work.tree.cells().size();
  work.multipoles.assign(cells * static_cast<std::size_t>(work.matrices.height()), R(0));
  work.strength.assign(cells * (most_order + 1), 0);
  const int count = static_cast<int>(cells);
  for_blocks(team, (count + leaves_at_once - 1) / leaves_at_once, [&](int part, int) {
    for (int c = part * leaves_at_once; c < std::min(count, (part + 1) * leaves_at_once); ++c)
      if (work.tree.cell(c).is_leaf) expand_leaf(work, c);
  });
  for (int level = work.tree.levels() - 1; level >= 0; --level) {
    const int first = work.tree.level_begin(level), last = work.tree.level_begin(level + 1);
    for_blocks(team, (last - first + parents_at_once - 1) / parents_at_once, [&](int part, int) {
      const int begin = first + part * parents_at_once, end = std::min(begin + parents_at_once, last);
      collect_children(work, begin, end);
      for (int c = begin; c < end; ++c) measure_strength(work, c);
    });
  }
}

template void expand_sources(TreeWork<float>&, Team&);
template void expand_sources(TreeWork<double>&, Team&);

}  // namespace ls
