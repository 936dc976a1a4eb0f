// Compiled once per vector width; see slope_loops.h. Sums run in eight lanes whatever the width, as in
// direct_loops.cpp.
#include "terms/dipoles/slope_loops.h"

#include "base/loops_of_width.h"
#include "math/pack.h"
#include "physics/dipole_pair.h"

namespace ls::inline LS_ISA {
namespace {

constexpr int lanes = 8;
constexpr int numbers = sizeof(SlopeSums) / sizeof(double);
// [lanes from here on] 1 where they count.
constexpr double counting[2 * lanes] = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};

struct PackSums {
  Pack curvature[6], slope[6], field[3], force[3];
};
static_assert(sizeof(PackSums) == numbers * sizeof(Pack));

Vec3<Pack> take(const double* const (&p)[3], int i) {
  return {Pack::load(p[0] + i), Pack::load(p[1] + i), Pack::load(p[2] + i)};
}
void add_vector(const Vec3<Pack>& a, Pack (&to)[3]) {
  to[0] = to[0] + a.x, to[1] = to[1] + a.y, to[2] = to[2] + a.z;
}

void add_pack(const Vec3<Pack>& x, const Vec3<Pack>& m, const Vec3<Pack>& other, const Vec3<Pack>& moment,
              const Pack& share, PackSums& sum) {
  const Vec3<Pack> r = pick(share > Pack(0.5), x - other, Vec3<Pack>{Pack(1.0), Pack(0.0), Pack(0.0)});
  const auto d = dipole_pair_slopes(r, m, moment, share);
  DipolePair<Pack> pair;
  add_dipole_pair(r, fused_dot(r, r), share, m, moment, pair);
  for (int k = 0, at = 0; k < 3; ++k)
    for (int l = 0; l <= k; ++l, ++at) {
      sum.curvature[at] = sum.curvature[at] + d.curvature[k][l];
      sum.slope[at] = sum.slope[at] + d.slope1[k][l];
    }
  add_vector(pair.b1, sum.field);
  add_vector(pair.force, sum.force);
}

void add(const SlopeRun& run, SlopeSums& out) {
  const auto spread = [&](const double* const(&p)[3]) {
    return Vec3<Pack>{Pack(p[0][run.one]), Pack(p[1][run.one]), Pack(p[2][run.one])};
  };
  const Vec3<Pack> x = spread(run.x), m = spread(run.m);
  double by_lane[numbers][lanes];
  for (int part = 0; part < lanes; part += Pack::width) {
    PackSums sum{};
    for (int j = run.first; j < run.last; j += lanes) {
      const int left = run.last - j < lanes ? run.last - j : lanes;
      const Pack share = Pack::load(counting + lanes - left + part);
      add_pack(x, m, take(run.x, j + part), take(run.m, j + part), share, sum);
    }
    const auto* packs = reinterpret_cast<const Pack*>(&sum);
    for (int k = 0; k < numbers; ++k) packs[k].store(by_lane[k] + part);
  }
  auto* to = reinterpret_cast<double*>(&out);
  for (int k = 0; k < numbers; ++k) {
    const double* a = by_lane[k];
    to[k] += ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
  }
}

}  // namespace

template <>
const SlopeLoops& loops_of_width<SlopeLoops>() {
  static constexpr SlopeLoops loops{add};
  return loops;
}

}  // namespace ls::inline LS_ISA
