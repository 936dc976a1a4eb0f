#include "dipoles/tree/batch.h"
#include "dipoles/tree/translation_error.h"
#include "dipoles/tree/tree_work.h"

#include <cmath>

namespace ls {

namespace {

constexpr int targets_at_once = 256;
// A cell gets some hundred translations; their errors are partly alike. What one of them may add, over what is asked.
constexpr double share_of_one = 0.02;

// One direction: where its source is, for a target in each octant of its parent.
struct Direction {
  std::array<int, 3> offset;  // source - target
  std::array<int, 8> uncle;   // among the mates of the parent, or -1 where the source is too far for this level
  std::array<int, 8> child;   // of that uncle

  explicit Direction(const std::array<int, 3>& d) : offset(d) {
    for (int octant = 0; octant < 8; ++octant) {
      const int x = (octant & 1) + d[0], y = (octant >> 1 & 1) + d[1], z = (octant >> 2) + d[2];
      const int px = x >> 1, py = y >> 1, pz = z >> 1;
      const bool is_here = std::max({std::abs(px), std::abs(py), std::abs(pz)}) <= 1;
      uncle[static_cast<std::size_t>(octant)] = is_here ? px + 1 + 3 * (py + 1) + 9 * (pz + 1) : -1;
      child[static_cast<std::size_t>(octant)] = (x & 1) | (y & 1) << 1 | (z & 1) << 2;
    }
  }
  int source(const Octree& tree, const OctreeCell& target) const {
    const auto octant = static_cast<std::size_t>(target.octant);
    if (uncle[octant] < 0) return -1;
    const int from = tree.mates(target.parent)[static_cast<std::size_t>(uncle[octant])];
    return from < 0 ? -1 : tree.cell(from).child[static_cast<std::size_t>(child[octant])];
  }
};

struct Targets {
  int begin, end;
  double limit;  // error of one translation over the scale of the target, in units of the cells
};

// All pairs with offsets that differ by signs alone: one matrix. Each pair takes the lowest order that serves it.
template <class R>
void translate_along(TreeWork<R>& work, const std::array<int, 3>& offset, const Targets& targets) {
  const auto& far = work.matrices.far(offset);
  const int order = far.order;
  std::array<float, most_order + 1> bound{};  // up to which strength over scale an order serves
  const int kind = offset_class(offset[0], offset[1], offset[2]);
  for (int p = least_order; p < order; ++p)
    bound[static_cast<std::size_t>(p)] = static_cast<float>(targets.limit / translation_error(kind, p));
  std::array<Batch<R>, most_order + 1> batch;
  for (int p = 1; p <= order; ++p)
    batch[static_cast<std::size_t>(p)] = Batch<R>(far.matrix.data(), far.height, padded_rows(p), p * (p + 2));
  for (int mirror = 0; mirror < 8; ++mirror) {
    std::array<int, 3> d = offset;
    bool is_new = true;
    for (int k = 0; k < 3; ++k) {
      auto& along = d[static_cast<std::size_t>(k)];
      if (!(mirror >> k & 1)) continue;
      is_new = is_new && along != 0;
      along = -along;
    }
    if (!is_new) continue;
    const Direction direction(d);
    const R* const signs = mirror ? work.matrices.mirror(mirror) : nullptr;
    for (int c = targets.begin; c < targets.end; ++c) {
      const int source = direction.source(work.tree, work.tree.cell(c));
      if (source < 0) continue;
      const float* const strength = work.strength_of(source);
      const auto scale = static_cast<float>(work.scale[static_cast<std::size_t>(c)]);
      int p = order;
      while (p > least_order && strength[p - 1] <= bound[static_cast<std::size_t>(p - 1)] * scale) --p;
      batch[static_cast<std::size_t>(p)].push(work.multipoles_of(source), work.locals_of(c), signs);
    }
  }
  for (auto& b : batch) b.flush();
}

// Coarse leaves that are far from a cell but not from its parent act on its local expansion, dipole by dipole.
template <class R>
void add_coarse(TreeWork<R>& work, int c) {
  for (const int leaf : work.tree.coarse_apart(c)) {
    if (work.tree.cell(c).is_leaf && work.is_direct(work.tree.cell(leaf), work.tree.cell(c))) continue;
    expansion_loops<R>().add_local(work.dipoles_of(leaf), work.expansion_cell(c), work.order(),
                                   view(work.tables.irregular), work.locals_of(c));
  }
}

}  // namespace

template <class R>
void translate(TreeWork<R>& work, double accuracy, Team& team) {
  work.locals.assign(work.multipoles.size(), R(0));
  for (int level = 1; level < work.tree.levels(); ++level) {
    const int first = work.tree.level_begin(level), last = work.tree.level_begin(level + 1);
    const double side = work.tree.side(work.tree.cell(first));
    const double limit = accuracy * share_of_one * side * side * side;
    for_blocks(team, (last - first + targets_at_once - 1) / targets_at_once, [&](int part, int) {
      const int begin = first + part * targets_at_once;
      const Targets targets{begin, std::min(begin + targets_at_once, last), limit};
      for (int o = 0; o < 64; ++o)
        if (const std::array<int, 3> offset{o % 4, o / 4 % 4, o / 16}; std::max({offset[0], offset[1], offset[2]}) >= 2)
          translate_along(work, offset, targets);
      for (int c = targets.begin; c < targets.end; ++c) add_coarse(work, c);
    });
  }
}

template void translate(TreeWork<float>&, double, Team&);
template void translate(TreeWork<double>&, double, Team&);

}  // namespace ls
