#include "dipoles/tree/near_loops.h"
#include "dipoles/tree/tree_work.h"

#include <cmath>

namespace ls {

namespace {

constexpr int cells_at_once = 128;

// The sources that the dipoles of one leaf see pair by pair, in its units.
template <class R>
class NearBuffer {
 public:
  void begin(const std::array<double, 3>& centre, double side) {
    centre_ = centre;
    inverse_ = 1 / side;
    count_ = 0;
    runs_.clear();
  }
  void add(const TreeWork<R>& work, const OctreeCell& cell) {
    const int n = cell.count();
    grow(count_ + n + lanes);
    runs_.push_back({cell.begin, cell.end, count_});
    for (std::size_t k = 0; k < 3; ++k) {
      const double* const x = work.tree.position()[k].data() + cell.begin;
      const double* const m = work.moment[k].data() + cell.begin;
      R *const high = row(k) + count_, *const low = row(3 + k) + count_, *const moment = row(6 + k) + count_;
      for (int i = 0; i < n; ++i) {
        const double at = (x[i] - centre_[k]) * inverse_;
        high[i] = static_cast<R>(at);
        low[i] = static_cast<R>(at - double(high[i]));
        moment[i] = static_cast<R>(m[i]);
      }
    }
    count_ += n;
  }
  // Fills the lanes after the last one.
  void end() {
    for (std::size_t r = 0; r < rows; ++r)
      for (int i = 0; i < lanes; ++i) row(r)[count_ + i] = R(r < 3 ? 1e3 : 0);
  }

  NearSources<R> sources() {
    return {{row(0), row(1), row(2)}, {row(3), row(4), row(5)}, {row(6), row(7), row(8)}, count_};
  }
  NearTarget<R> target(const std::array<double, 3>& x, const std::array<double, 3>& m) const {
    NearTarget<R> t;
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = (x[k] - centre_[k]) * inverse_;
      t.x[k] = static_cast<R>(at);
      t.low[k] = static_cast<R>(at - double(t.x[k]));
      t.m[k] = static_cast<R>(m[k]);
    }
    return t;
  }
  // Where a dipole of the tree is in here, or -1; and which one is at a place in here.
  int find(int dipole) const {
    for (const Run& run : runs_)
      if (dipole >= run.begin && dipole < run.end) return run.at + dipole - run.begin;
    return -1;
  }
  int dipole_at(int i) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), i, [](int a, const Run& run) { return a < run.at; });
    const Run& run = *(after - 1);
    return run.begin + i - run.at;
  }
  void set_moment(int i, const std::array<double, 3>& m) {
    for (std::size_t k = 0; k < 3; ++k) row(6 + k)[i] = static_cast<R>(m[k]);
  }
  int count() const { return count_; }

 private:
  static constexpr int lanes = 64 / sizeof(R);
  static constexpr std::size_t rows = 9;
  struct Run {
    int begin, end, at;
  };
  R* row(std::size_t r) { return columns_.data() + r * static_cast<std::size_t>(room_); }
  void grow(int wanted) {
    if (wanted <= room_) return;
    const int room = 2 * wanted + 512;
    std::vector<R> larger(rows * static_cast<std::size_t>(room));
    for (std::size_t r = 0; r < rows; ++r)
      std::copy_n(columns_.data() + r * static_cast<std::size_t>(room_), count_,
                  larger.data() + r * static_cast<std::size_t>(room));
    columns_.swap(larger);
    room_ = room;
  }

  std::array<double, 3> centre_{};
  double inverse_ = 1;
  int count_ = 0, room_ = 0;
  std::vector<R> columns_;
  std::vector<Run> runs_;
};

// One thread's.
template <class R>
struct NearScratch {
  NearBuffer<R> buffer;
  std::vector<int> stack, expanded, close;
};

std::array<double, 3> minus(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// Around a leaf: what is near goes to the buffer, and `expanded` gets finer cells that are not but touch the
// neighbours that they are part of.
template <class R>
void find_near(const TreeWork<R>& work, int leaf, NearScratch<R>& scratch) {
  const Octree& tree = work.tree;
  const OctreeCell& target = tree.cell(leaf);
  scratch.expanded.clear();
  for (const int c : tree.coarse_neighbours(leaf)) scratch.buffer.add(work, tree.cell(c));
  for (const int c : tree.coarse_apart(leaf))
    if (work.is_direct(tree.cell(c), target)) scratch.buffer.add(work, tree.cell(c));
  for (const int mate : tree.mates(leaf)) {
    if (mate < 0) continue;
    scratch.stack.assign(1, mate);
    while (!scratch.stack.empty()) {
      const int c = scratch.stack.back();
      scratch.stack.pop_back();
      const OctreeCell& cell = tree.cell(c);
      if (!touch(target, cell)) {
        if (work.is_direct(target, cell))
          scratch.buffer.add(work, cell);
        else
          scratch.expanded.push_back(c);
      } else if (cell.is_leaf) {
        scratch.buffer.add(work, cell);
      } else {
        for (const int child : cell.child)
          if (child >= 0) scratch.stack.push_back(child);
      }
    }
  }
}

template <class R>
void add_pair(TreeWork<R>& work, int target, int source, double sign) {
  const PairEffect pair =
      pair_effect(minus(work.place_of(target), work.place_of(source)), work.moment_of(source), work.moment_of(target));
  for (std::size_t k = 0; k < 3; ++k) {
    work.field[k][static_cast<std::size_t>(target)] += sign * pair.field[k];
    work.force[k][static_cast<std::size_t>(target)] += sign * pair.force[k];
  }
}

// Pairs that are too close for single precision.
template <class R>
void add_close(TreeWork<R>& work, int target, const NearTarget<R>& seen, std::span<const int> excluded,
               NearScratch<R>& scratch) {
  scratch.close.resize(static_cast<std::size_t>(scratch.buffer.count()) + 64);
  const int count = near_loops<R>().close(scratch.buffer.sources(), seen, scratch.close.data());
  for (int i = 0; i < count; ++i) {
    const int source = scratch.buffer.dipole_at(scratch.close[static_cast<std::size_t>(i)]);
    const int name = work.tree.order()[static_cast<std::size_t>(source)];
    if (source != target && !std::binary_search(excluded.begin(), excluded.end(), name))
      add_pair(work, target, source, 1);
  }
}

// Excluded partners have no moment while their dipole is at work; those that it sees through expansions are taken away
// afterwards. (Taking all away would leave of a strong neighbour the rounding of single precision.)
template <class R>
void sum_target(TreeWork<R>& work, int i, double side, NearScratch<R>& scratch) {
  NearBuffer<R>& buffer = scratch.buffer;
  const std::span<const int> excluded = work.excluded.of(work.tree.order()[static_cast<std::size_t>(i)]);
  for (const int name : excluded)
    if (const int at = buffer.find(work.tree.place(name)); at >= 0) buffer.set_moment(at, {});
  const NearTarget<R> target = buffer.target(work.place_of(i), work.moment_of(i));
  NearSums<R> sums;
  near_loops<R>().sum(buffer.sources(), target, sums);
  const double inverse = 1 / side, of_field = inverse * inverse * inverse, of_force = of_field * inverse;
  for (std::size_t k = 0; k < 3; ++k) {
    work.field[k][static_cast<std::size_t>(i)] = of_field * double(sums.field[k]);
    work.force[k][static_cast<std::size_t>(i)] =
        of_force * (double(sums.force[k]) + double(sums.along) * double(target.m[k]));
  }
  if (sums.close > 1) add_close(work, i, target, excluded, scratch);
  for (const int name : excluded) {
    const int source = work.tree.place(name);
    if (const int at = buffer.find(source); at >= 0)
      buffer.set_moment(at, work.moment_of(source));
    else
      add_pair(work, i, source, -1);
  }
}

template <class R>
void sum_leaf(TreeWork<R>& work, int leaf, NearScratch<R>& scratch) {
  const OctreeCell& cell = work.tree.cell(leaf);
  const double side = work.tree.side(cell);
  scratch.buffer.begin(work.tree.centre(cell), side);
  find_near(work, leaf, scratch);
  scratch.buffer.end();
  for (int i = cell.begin; i < cell.end; ++i) sum_target(work, i, side, scratch);
  const DerivativeTable tables[2] = {view(work.tables.irregular), view(work.tables.irregular_again)};
  double* const field[3] = {work.field[0].data(), work.field[1].data(), work.field[2].data()};
  double* const force[3] = {work.force[0].data(), work.force[1].data(), work.force[2].data()};
  for (const int c : scratch.expanded)
    expansion_loops<R>().read_multipoles(work.multipoles_of(c), work.expansion_cell(c), work.order(), tables,
                                         work.dipoles_of(leaf), field, force);
}

// The geometric mean of |B|. The rms would be that of the closest pair, and all others would be computed to its
// measure.
template <class R>
double field_scale(const TreeWork<R>& work, const OctreeCell& leaf) {
  double sum = 0;
  for (int i = leaf.begin; i < leaf.end; ++i) {
    double square = 1e-300;
    for (const Column& b : work.field) square += b[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i)];
    sum += std::log(square);
  }
  return std::exp(0.5 * sum / leaf.count());
}

}  // namespace

template <class R>
void sum_near(TreeWork<R>& work, Team& team) {
  const int count = static_cast<int>(work.tree.cells().size());
  work.scale.assign(static_cast<std::size_t>(count), 0);
  std::vector<NearScratch<R>> scratch(static_cast<std::size_t>(team.size()));
  for_blocks(team, (count + cells_at_once - 1) / cells_at_once, [&](int part, int worker) {
    for (int c = part * cells_at_once; c < std::min(count, (part + 1) * cells_at_once); ++c) {
      if (!work.tree.cell(c).is_leaf) continue;
      sum_leaf(work, c, scratch[static_cast<std::size_t>(worker)]);
      work.scale[static_cast<std::size_t>(c)] = field_scale(work, work.tree.cell(c));
    }
  });
  for (int c = count - 1; c >= 0; --c) {
    const OctreeCell& cell = work.tree.cell(c);
    if (cell.is_leaf) continue;
    double least = 1e300;
    for (const int child : cell.child)
      if (child >= 0) least = std::min(least, work.scale[static_cast<std::size_t>(child)]);
    work.scale[static_cast<std::size_t>(c)] = least;
  }
}

template void sum_near(TreeWork<float>&, Team&);
template void sum_near(TreeWork<double>&, Team&);

}  // namespace ls
