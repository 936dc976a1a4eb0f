// Compiled once per vector width; see bond_loops.h. Includes only headers that live in ls::inline LS_ISA.
#include "terms/bonds/bond_loops.h"

#include "base/loops_of_width.h"
#include "physics/kernels.h"
#include "terms/bonds/bond_packs.h"

namespace ls::inline LS_ISA {
namespace {

template <class K, bool Damped, bool Turned, class Load>
[[gnu::always_inline]] inline void bond_wrench(const BondBatch& b, int i, const BondClassPack<K>& c,
                                               Wrench<Pack> (&w)[2]) {
  Frame<Pack> f[2];
  Load::frames(b, i, f);
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
      Wrench<Pack> viscous[2];
      if constexpr (requires(Halfway<Pack> o) { K::wrench_seen_from(o, c.law, w); }) {
        K::take_shorter_way(f);
        const auto o = halfway(f);
        K::wrench_seen_from(o, c.law, w);
        wrench_of(o, BondDamping::stress(c.viscosity, o, t), viscous);
      } else {
        K::wrench(c.law, f, w);
        BondDamping::wrench(c.viscosity, f, t, viscous);
      }
      w[0] += viscous[0], w[1] += viscous[1];
    }
  }
}

// A run of bonds of one class.
template <class K, bool Damped, bool Turned>
[[gnu::flatten]] void uniform_run(const BondBatch& b, const double* row, int first, int last) {
  const auto c = class_pack<K>([&](int k) { return Pack(row[k]); });
  for (int i = first; i < last; i += Pack::width) {
    Wrench<Pack> w[2];
    bond_wrench<K, Damped, Turned, ChainLoad>(b, i, c, w);
    store3(b.force, i, w[0].force);
    store3(b.torque1, i, w[0].torque);
    store3(b.torque2, i, w[1].torque);
  }
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
    bond_wrench<K, true, true, Load>(b, i, c, w);
    store_wrenches(b, i, active, w);
  }
}

template <class K>
void bond_wrenches(const BondBatch& b, int first_block, int last_block) {
  for (int r = 0; r < b.run_count; ++r) {
    const BondRun& run = b.runs[r];
    const int first = lanes_per_block * (run.first_block > first_block ? run.first_block : first_block);
    const int last = lanes_per_block * (run.last_block < last_block ? run.last_block : last_block);
    if (first >= last) continue;
    const double* row = b.table + (run.cls < 0 ? 0 : run.cls) * b.stride;
    if (b.node1)
      mixed_run<K, IndexedLoad>(b, first, last);
    else if (run.cls < 0)
      mixed_run<K, ChainLoad>(b, first, last);
    else if (b.damped)
      b.turned ? uniform_run<K, true, true>(b, row, first, last) : uniform_run<K, true, false>(b, row, first, last);
    else
      b.turned ? uniform_run<K, false, true>(b, row, first, last) : uniform_run<K, false, false>(b, row, first, last);
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
