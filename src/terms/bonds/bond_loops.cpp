// Compiled once per vector width; see bond_loops.h. Includes only headers that live in ls::inline LS_ISA.
#include "terms/bonds/bond_loops.h"

#include "base/loops_of_width.h"
#include "physics/kernels.h"
#include "terms/bonds/bond_packs.h"

namespace ls::inline LS_ISA {
namespace {

// absent: the slots without a bond, or null.
template <class K, bool Damped, bool Turned, class Load>
[[gnu::always_inline]] inline void bond_wrench(const BondBatch& b, int i, const BondClassPack<K>& c,
                                               const PackMask* absent, Wrench<Pack> (&w)[2]) {
  Frame<Pack> f[2];
  Load::frames(b, i, f);
  // Where there is no bond the nodes may stand across: for what is then dropped the turn takes no longer way.
  if (absent) f[1].q = {pick(*absent, f[0].q.w, f[1].q.w), pick(*absent, f[0].q.v, f[1].q.v)};
  if constexpr (Turned) f[0].q = f[0].q * c.rest1, f[1].q = f[1].q * c.rest2;
  if constexpr (!Damped) {
    K::wrench(c.law, f, w);
  } else {
    Twist<Pack> t[2];
    Load::twists(b, i, t);
    if constexpr (requires(Halfway<Pack> o) { K::stress(c.law, o); }) {  // one geometry and one wrench for both
      const auto o = halfway(f);
      const auto elastic = K::stress(c.law, o), viscous = BondDamping::stress(c.viscosity, o, t);
      wrench_of(o,
                Stress<Pack>{elastic.tension + viscous.tension, elastic.shear + viscous.shear,
                             elastic.moment + viscous.moment},
                w);
    } else {
      if constexpr (requires(Halfway<Pack> o) { K::wrench_seen_from(o, c.law); }) {
        K::take_shorter_way(f);
        const auto o = halfway(f);
        to_world(o, K::wrench_seen_from(o, c.law) + bond_wrench_of(o, BondDamping::stress(c.viscosity, o, t)), w);
      } else {
        Wrench<Pack> viscous[2];
        K::wrench(c.law, f, w);
        BondDamping::wrench(c.viscosity, f, t, viscous);
        w[0] += viscous[0], w[1] += viscous[1];
      }
    }
  }
}

// A run of bonds of one class. Slots without a bond keep what another term may have left there.
template <class K, bool Damped, bool Turned>
[[gnu::flatten]] void uniform_run(const BondBatch& b, const double* row, int first, int last) {
  const auto c = class_pack<K>([&](int k) { return Pack(row[k]); });
  for (int i = first; i < last; i += Pack::width) {
    Wrench<Pack> w[2];
    bond_wrench<K, Damped, Turned, ChainLoad>(b, i, c, nullptr, w);
    store3(b.force, i, w[0].force);
    store3(b.torque1, i, w[0].torque);
    store3(b.torque2, i, w[1].torque);
  }
}
template <class K, bool Damped, bool Turned>
[[gnu::flatten]] void run_with_gaps(const BondBatch& b, const double* row, int first, int last) {
  const auto c = class_pack<K>([&](int k) { return Pack(row[k]); });
  for (int i = first; i < last; i += Pack::width) {
    const Pack present = Pack::load_aligned(b.present + i);
    const PackMask absent = present < 0.5;
    Wrench<Pack> w[2];
    bond_wrench<K, Damped, Turned, ChainLoad>(b, i, c, &absent, w);
    store_wrenches(b, i, present > 0.5, w);
  }
}
template <class K, bool Damped, bool Turned>
void run_of_one_class(const BondBatch& b, const BondRun& run, int first, int last) {
  const double* const row = b.table + run.cls * b.stride;
  run.has_gaps ? run_with_gaps<K, Damped, Turned>(b, row, first, last)
               : uniform_run<K, Damped, Turned>(b, row, first, last);
}

// Bonds of different classes side by side, or none in some slots; those keep what another term may have left there.
template <class K, class Load>
[[gnu::flatten]] void mixed_run(const BondBatch& b, int first, int last) {
  for (int i = first; i < last; i += Pack::width) {
    const auto lane_class = [&](int lane) { return b.cls[i + lane]; };
    bool none = true;
    for (int lane = 0; lane < Pack::width; ++lane) none = none && lane_class(lane) < 0;
    if (none) continue;
    const auto c = class_pack<K>([&](int k) {
      return Pack::from_lanes(
          [&](int lane) { return b.table[(lane_class(lane) < 0 ? 0 : lane_class(lane)) * b.stride + k]; });
    });
    const PackMask active = Pack::from_lanes([&](int lane) { return lane_class(lane) < 0 ? 0.0 : 1.0; }) > 0.5;
    Wrench<Pack> w[2];
    bond_wrench<K, true, true, Load>(b, i, c, nullptr, w);
    store_wrenches(b, i, active, w);
  }
}

// The first run that ends beyond a block.
int first_run(const BondBatch& b, int block) {
  int from = 0, to = b.run_count;
  while (from < to) {
    const int middle = (from + to) / 2;
    b.runs[middle].last_block > block ? to = middle : from = middle + 1;
  }
  return from;
}

template <class K>
void bond_wrenches(const BondBatch& b, int first_block, int last_block) {
  for (int r = first_run(b, first_block); r < b.run_count && b.runs[r].first_block < last_block; ++r) {
    const BondRun& run = b.runs[r];
    const int first = lanes_per_block * (run.first_block > first_block ? run.first_block : first_block);
    const int last = lanes_per_block * (run.last_block < last_block ? run.last_block : last_block);
    if (b.node1)
      mixed_run<K, IndexedLoad>(b, first, last);
    else if (run.cls < 0)
      mixed_run<K, ChainLoad>(b, first, last);
    else if (b.damped)
      b.turned ? run_of_one_class<K, true, true>(b, run, first, last)
               : run_of_one_class<K, true, false>(b, run, first, last);
    else
      b.turned ? run_of_one_class<K, false, true>(b, run, first, last)
               : run_of_one_class<K, false, false>(b, run, first, last);
  }
}

template <class... K>
constexpr BondLoops list_of(KernelList<K...>) {
  return {{&bond_wrenches<K>...}};
}

}  // namespace

template <>
const BondLoops& loops_of_width<BondLoops>() {
  static constexpr BondLoops loops = list_of(BondKernels{});
  return loops;
}

}  // namespace ls::inline LS_ISA
