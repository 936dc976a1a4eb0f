#include "dipoles/tree/translation_error.h"
#include "dipoles/tree/tree_work.h"

#include <cmath>
#include <span>
#include <vector>

namespace ls {

namespace {

constexpr int targets_at_once = 256;
// A cell gets some hundred translations; their errors are partly alike. What one of them may add, over what is asked.
constexpr double share_of_one = 0.02;

// Where a source is, for a target in each octant of its parent: which of the parent's mates, and which child of it.
struct Source {
  std::array<int, 8> mate{}, child{};

  // The offset is that seen by a child in the lowest corner; other octants see its mirror image.
  explicit Source(const std::array<int, 3>& offset) {
    for (std::size_t octant = 0; octant < 8; ++octant) {
      std::array<int, 3> at{};
      for (std::size_t k = 0; k < 3; ++k) at[k] = octant >> k & 1 ? 1 - offset[k] : offset[k];
      mate[octant] = (at[0] >> 1) + 1 + 3 * ((at[1] >> 1) + 1) + 9 * ((at[2] >> 1) + 1);
      child[octant] = (at[0] & 1) | (at[1] & 1) << 1 | (at[2] & 1) << 2;
    }
  }
  int find(const Octree& tree, const OctreeCell& target) const {
    const auto octant = static_cast<std::size_t>(target.octant);
    const int from = tree.mates(target.parent)[static_cast<std::size_t>(mate[octant])];
    return from < 0 ? -1 : tree.cell(from).child[static_cast<std::size_t>(child[octant])];
  }
};

// An offset and its images: signs of those axes along which both are among the children of the parent's mates.
struct Images {
  std::array<int, 3> offset;
  std::vector<Source> sources;

  explicit Images(const std::array<int, 3>& o) : offset(o) {
    std::vector<std::array<int, 3>> all{o};
    for (std::size_t k = 0; k < 3; ++k) {
      if (o[k] != 1 && o[k] != 2) continue;
      for (std::size_t i = 0, n = all.size(); i < n; ++i) {
        all.push_back(all[i]);
        all.back()[k] = -o[k];
      }
    }
    for (const auto& d : all) sources.emplace_back(d);
  }
};
std::vector<Images> all_images() {
  std::vector<Images> list;
  for (int o = 0; o < 64; ++o)
    if (const std::array<int, 3> offset{o % 4, o / 4 % 4, o / 16}; std::max({offset[0], offset[1], offset[2]}) >= 2)
      list.emplace_back(offset);
  return list;
}

struct Targets {
  int begin, end;
  double limit;  // error of one translation over the scale of the target, in units of the cells
};

// A target with the sources of one offset and its images, and the order that the strongest of them needs.
struct Waiting {
  int target, order;
  std::array<int, 8> source;
};

template <class R>
void translate_together(TreeWork<R>& work, const typename Translations<R>::Far& far, const Images& images,
                        std::span<const Waiting> waiting) {
  MirrorProducts<R> p{};
  p.matrix = &far.matrix;
  p.count = static_cast<int>(waiting.size());
  for (std::size_t t = 0; t < waiting.size(); ++t) {
    const Waiting& w = waiting[t];
    p.order = std::max(p.order, w.order);
    p.signs[t] = work.matrices.mirror(work.tree.cell(w.target).octant);
    p.to[t] = work.locals_of(w.target);
    for (std::size_t i = 0; i < images.sources.size(); ++i)
      p.from[i][t] = w.source[i] < 0 ? nullptr : work.multipoles_of(w.source[i]);
  }
  translation_loops<R>().add_mirrored(p);
}

// Each target takes the lowest order that serves its sources; those with like orders go together.
template <class R>
void translate_along(TreeWork<R>& work, const Images& images, const Targets& targets, std::vector<Waiting>& waiting) {
  const auto& far = work.matrices.far(images.offset);
  std::array<float, most_order + 1> bound{};  // up to which strength over scale an order serves
  const int kind = offset_class(images.offset[0], images.offset[1], images.offset[2]);
  for (int p = least_order; p < far.order; ++p)
    bound[static_cast<std::size_t>(p)] = static_cast<float>(targets.limit / translation_error(kind, p));
  waiting.clear();
  for (int c = targets.begin; c < targets.end; ++c) {
    Waiting w{c, 0, {}};
    const auto scale = static_cast<float>(work.scale[static_cast<std::size_t>(c)]);
    for (std::size_t i = 0; i < images.sources.size(); ++i) {
      const int source = w.source[i] = images.sources[i].find(work.tree, work.tree.cell(c));
      if (source < 0) continue;
      const float* const strength = work.strength_of(source);
      int p = far.order;
      while (p > std::max(least_order, w.order) && strength[p - 1] <= bound[static_cast<std::size_t>(p - 1)] * scale)
        --p;
      w.order = p;
    }
    if (w.order > 0) waiting.push_back(w);
  }
  std::stable_sort(waiting.begin(), waiting.end(),
                   [](const Waiting& a, const Waiting& b) { return a.order < b.order; });
  constexpr std::size_t lanes = MirrorProducts<R>::lanes;
  for (std::size_t i = 0; i < waiting.size(); i += lanes)
    translate_together(work, far, images,
                       std::span<const Waiting>(waiting).subspan(i, std::min(lanes, waiting.size() - i)));
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
  const std::vector<Images> all = all_images();
  for (int level = 1; level < work.tree.levels(); ++level) {
    const int first = work.tree.level_begin(level), last = work.tree.level_begin(level + 1);
    const double side = work.tree.side(work.tree.cell(first));
    const double limit = accuracy * share_of_one * side * side * side;
    for_blocks(team, (last - first + targets_at_once - 1) / targets_at_once, [&](int part, int) {
      const int begin = first + part * targets_at_once;
      const Targets targets{begin, std::min(begin + targets_at_once, last), limit};
      std::vector<Waiting> waiting;
      for (const Images& images : all) translate_along(work, images, targets, waiting);
      for (int c = targets.begin; c < targets.end; ++c) add_coarse(work, c);
    });
  }
}

template void translate(TreeWork<float>&, double, Team&);
template void translate(TreeWork<double>&, double, Team&);

}  // namespace ls
