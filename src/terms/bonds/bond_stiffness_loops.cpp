// Compiled once per vector width; see bond_stiffness_loops.h. Includes only headers that live in ls::inline LS_ISA.
#include "terms/bonds/bond_stiffness_loops.h"

#include "base/loops_of_width.h"
#include "physics/kernels.h"
#include "physics/stiffness/bond_stiffness.h"
#include "terms/bonds/bond_packs.h"

namespace ls::inline LS_ISA {
namespace {

// Where the numbers of the matrix come from: the entry in the upper triangle over (r, theta1, theta2), and its sign.
// r = x2 - x1.
struct BlockEntries {
  int entry[pair_numbers];
  bool minus[pair_numbers];
};
constexpr BlockEntries block_entries() {
  constexpr int of_node[2][6] = {{0, 1, 2, 3, 4, 5}, {0, 1, 2, 6, 7, 8}}, row_node[3] = {0, 1, 1},
                column_node[3] = {0, 1, 0};
  BlockEntries e{};
  for (int b = 0, n = 0; b < 3; ++b)
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c, ++n) {
        e.entry[n] = BondStiffness<Pack>::at(of_node[row_node[b]][r], of_node[column_node[b]][c]);
        e.minus[n] = (row_node[b] == 0 && r < 3) != (column_node[b] == 0 && c < 3);
      }
  return e;
}

// [slot][pair number], a whole number of registers at a time.
[[gnu::always_inline]] inline void store_blocks(const BondStiffness<Pack>& s, double* h) {
  constexpr BlockEntries from = block_entries();
  constexpr int w = Pack::width;
#pragma GCC unroll 54
  for (int n = 0; n < pair_numbers; n += w) {
    Pack some[w];
#pragma GCC unroll 8
    for (int k = 0; k < w; ++k) {
      const int e = n + k < pair_numbers ? n + k : pair_numbers - 1;
      some[k] = from.minus[e] ? -s.upper[from.entry[e]] : s.upper[from.entry[e]];
    }
    store_lanes(some, h + n, pair_stride);
  }
}

template <class K>
void stiffness_of_block(const StiffnessBatch& batch, int block, double* h) {
  const BondBatch& b = batch.bonds;
  for (int lane = 0; lane < lanes_per_block; lane += Pack::width) {
    const int i = lanes_per_block * block + lane;
    const auto c = classes_at<K>(b, i);
    BondPoint<K, Pack> point{c.law, c.viscosity, b.damped && batch.rate > 0, {}, {}, Pack(batch.rate), false, {}};
    read_frames(b, i, c, point.frame);
    if (point.damped) read_twists(b, i, point.twist);
    if (batch.predicted) {
      const double* p = batch.predicted + lanes_per_block * stress_numbers * block + lane;
      const auto at = [&](int k) { return Pack::load(p + lanes_per_block * k); };
      point.mixed = true;
      point.predicted = {at(0), {at(1), at(2), at(3)}, {at(4), at(5), at(6)}};
    }
    const auto s = bond_stiffness(point);
    store_blocks(s, h + pair_stride * lane);
  }
}

template <class K>
void predict_block(const BondBatch& b, int block, double* stress) {
  for (int lane = 0; lane < lanes_per_block; lane += Pack::width) {
    const int i = lanes_per_block * block + lane;
    const auto c = classes_at<K>(b, i);
    Frame<Pack> f[2];
    Twist<Pack> move[2];
    read_frames(b, i, c, f);
    read_twists(b, i, move);
    const auto s = predicted_stress<K, Pack>(c.law, f, move);
    store_stress(s, stress + lane);
  }
}

template <class... K>
constexpr StiffnessLoopList list_of(KernelList<K...>) {
  return {{{&stiffness_of_block<K>, &predict_block<K>}...}};
}

}  // namespace

template <>
const StiffnessLoopList& loops_of_width<StiffnessLoopList>() {
  static constexpr StiffnessLoopList loops = list_of(BondKernels{});
  return loops;
}

}  // namespace ls::inline LS_ISA
