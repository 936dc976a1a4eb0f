#include "dipoles/tree/batch.h"
#include "dipoles/tree/tree_work.h"

namespace ls {

namespace {

constexpr int children_at_once = 256, leaves_read_at_once = 128;

template <class R>
void hand_down(TreeWork<R>& work, int begin, int end) {
  const int size = work.matrices.size(), height = work.matrices.height();
  for (int octant = 0; octant < 8; ++octant) {
    Batch<R> batch(work.matrices.down(octant), height, height, size);
    for (int c = begin; c < end; ++c)
      if (work.tree.cell(c).octant == octant) batch.push(work.locals_of(work.tree.cell(c).parent), work.locals_of(c));
    batch.flush();
  }
}

}  // namespace

template <class R>
void read_far(TreeWork<R>& work, Team& team) {
  for (int level = 2; level < work.tree.levels(); ++level) {
    const int first = work.tree.level_begin(level), last = work.tree.level_begin(level + 1);
    for_blocks(team, (last - first + children_at_once - 1) / children_at_once, [&](int part, int) {
      const int begin = first + part * children_at_once;
      hand_down(work, begin, std::min(begin + children_at_once, last));
    });
  }
  const int count = static_cast<int>(work.tree.cells().size());
  const DerivativeTable tables[2] = {view(work.tables.regular), view(work.tables.regular_again)};
  double* const field[3] = {work.field[0].data(), work.field[1].data(), work.field[2].data()};
  double* const force[3] = {work.force[0].data(), work.force[1].data(), work.force[2].data()};
  for_blocks(team, (count + leaves_read_at_once - 1) / leaves_read_at_once, [&](int part, int) {
    for (int c = part * leaves_read_at_once; c < std::min(count, (part + 1) * leaves_read_at_once); ++c)
      if (work.tree.cell(c).is_leaf)
        expansion_loops<R>().read_local(work.locals_of(c), work.expansion_cell(c), work.order(), tables,
                                        work.dipoles_of(c), field, force);
  });
}

template void read_far(TreeWork<float>&, Team&);
template void read_far(TreeWork<double>&, Team&);

}  // namespace ls
