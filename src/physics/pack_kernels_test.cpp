// Every kernel computes on a pack what it computes lane by lane.
#include "math/pack.h"
#include "physics/kernels.h"
#include "physics/test_kernel_properties.h"

#include <gtest/gtest.h>

namespace ls::properties::pack_kernels_test {

template <class K>
void compare(const ElasticBond& bond) {
  Rng r(21);
  const auto p = K::of(bond);
  typename K::template Params<Pack> packed;
  for (unsigned k = 0; k < sizeof(p) / sizeof(double); ++k)
    reinterpret_cast<Pack*>(&packed)[k] = Pack(reinterpret_cast<const double*>(&p)[k]);
  for (const double size : {0.01, 0.3, 1.5}) {
    Pair lane[Pack::width];
    for (auto& f : lane) random_pair(r, bond.l, size, f);
    Frame<Pack> f[2];
    for (int a = 0; a < 2; ++a) {
      const auto gather = [&](auto&& of) { return Pack::from_lanes([&](int i) { return of(lane[i][a]); }); };
      using F = Frame<double>;
      f[a].x = {gather([](const F& g) { return g.x.x; }), gather([](const F& g) { return g.x.y; }),
                gather([](const F& g) { return g.x.z; })};
      f[a].q = {gather([](const F& g) { return g.q.w; }),
                {gather([](const F& g) { return g.q.v.x; }), gather([](const F& g) { return g.q.v.y; }),
                 gather([](const F& g) { return g.q.v.z; })}};
    }
    Wrench<Pack> w[2];
    K::wrench(packed, f, w);
    const auto energy = K::energy(packed, f);
    for (int i = 0; i < Pack::width; ++i) {
      Wrench<double> s[2];
      K::wrench(p, lane[i], s);
      const double scale = norm(s[0].force) * bond.l + norm(s[0].torque) + norm(s[1].torque);
      for (int a = 0; a < 2; ++a) {
        EXPECT_NEAR(w[a].force.x[i], s[a].force.x, 1e-13 * scale / bond.l) << K::name;
        EXPECT_NEAR(w[a].torque.y[i], s[a].torque.y, 1e-13 * scale) << K::name;
      }
      EXPECT_NEAR(total(energy)[i], total(K::energy(p, lane[i])), 1e-12 * scale) << K::name;
    }
  }
}

template <class... K>
void compare_all(KernelList<K...>) {
  (compare<K>({3, 0.9, 1.4, 0.7, 0.5, 0.4, 1.0}), ...);
}

TEST(PackKernels, AgreeWithScalarOnes) {
  compare_all(BondKernels{});
}

}  // namespace ls::properties::pack_kernels_test
