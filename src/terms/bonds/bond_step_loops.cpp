// Compiled once per vector width; see bond_step_loops.h. Includes only headers that live in ls::inline LS_ISA.
#include "terms/bonds/bond_step_loops.h"

#include "base/loops_of_width.h"
#include "physics/bond_step.h"
#include "physics/kernels.h"
#include "terms/bonds/bond_packs.h"

namespace ls::inline LS_ISA {
namespace {

template <class K>
BondStep<Pack> read_step(const BondStepBatch& batch, int i, const BondClassPack<K>& c) {
  BondBatch start = batch.bonds;
  for (int k = 0; k < 3; ++k) start.x[k] = batch.start[k];
  for (int k = 0; k < 4; ++k) start.q[k] = batch.turn[k];
  BondStep<Pack> s;
  read_frames(start, i, c, s.start);
  read_frames(batch.bonds, i, c, s.pose);
  return s;
}

// Slots without a bond keep what another term may have left there.
template <class K>
void step_wrenches(const BondStepBatch& batch, int first_block, int last_block) {
  const BondBatch& b = batch.bonds;
  for (int i = lanes_per_block * first_block; i < lanes_per_block * last_block; i += Pack::width) {
    const PackMask active = Pack::from_lanes([&](int lane) { return b.cls[i + lane] < 0 ? 0.0 : 1.0; }) > 0.5;
    if (!any(active)) continue;
    const auto c = classes_at<K>(b, i);
    Halfway<Pack> o;
    Stress<Pack> s = step_stress<K, Pack>(c.law, read_step(batch, i, c), o);
    if (b.damped) {
      Twist<Pack> t[2];
      read_twists(b, i, t);
      s = sum_of(s, Pack(1.0), BondDamping::stress(c.viscosity, o, t));
    }
    Wrench<Pack> w[2];
    wrench_of(o, s, w);
    store_wrenches(b, i, active, w);
  }
}

template <class K>
void step_stresses(const BondStepBatch& batch, int block, bool foreseen, double* stress) {
  const BondBatch& b = batch.bonds;
  for (int lane = 0; lane < lanes_per_block; lane += Pack::width) {
    const int i = lanes_per_block * block + lane;
    const auto c = classes_at<K>(b, i);
    Halfway<Pack> o;
    Stress<Pack> s = step_stress<K, Pack>(c.law, read_step(batch, i, c), o);
    if (foreseen) {
      Twist<Pack> move[2];
      read_twists(b, i, move);
      s = sum_of(s, Pack(1.0), BondDamping::stress(K::small_strain(c.law), o, move));
    }
    store_stress(s, stress + lane);
  }
}

template <class... K>
constexpr BondStepLoopList list_of(KernelList<K...>) {
  return {{{&step_wrenches<K>, &step_stresses<K>}...}};
}

}  // namespace

template <>
const BondStepLoopList& loops_of_width<BondStepLoopList>() {
  static constexpr BondStepLoopList loops = list_of(BondKernels{});
  return loops;
}

}  // namespace ls::inline LS_ISA
