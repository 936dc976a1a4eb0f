// Compiled once per vector width; see bond_stiffness_loops.h. Includes only headers that live in ls::inline LS_ISA.
#include "terms/bonds/bond_stiffness_loops.h"

#include "base/loops_of_width.h"
#include "physics/bond_stiffness.h"
#include "physics/kernels.h"
#include "terms/bonds/bond_packs.h"

namespace ls::inline LS_ISA {
namespace {

constexpr int entries = 81;

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
    for (int e = 0; e < entries; ++e) s.h[e / 9][e % 9].store(h + lanes_per_block * e + lane);
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
