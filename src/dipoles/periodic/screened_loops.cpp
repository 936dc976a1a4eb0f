// Compiled once per vector width; see screened_loops.h and registers.h. Lanes are sources.
#include "dipoles/periodic/screened_loops.h"

#include "base/loops_of_width.h"
#include "dipoles/registers.h"

namespace ls::inline LS_ISA {
namespace {

using V = Register<double>;
constexpr int lanes = register_lanes<double>;

inline V polynomial(const double* falling, int terms, V x) {
  V sum = broadcast<double>(falling[0]);
  for (int i = 1; i < terms; ++i) sum = fused(sum, x, broadcast<double>(falling[i]));
  return sum;
}

// exp(-a), 0 <= a < 700: 2^n exp(r), |r| < 0.35, by its series; the remainder is below 1e-14.
inline V exp_minus(V a) {
  constexpr double series[] = {
      1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
      1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1,           1};
  constexpr double round_by = 0x1.8p52;  // the sum has the whole number in its lowest bits
  constexpr double log2_high = 0x1.62e42fee00000p-1, log2_low = 0x1.a39ef35793c76p-33;
  using Bits = RegisterOf<double>::Bits;
  const V shifted = fused(a, broadcast<double>(-0x1.71547652b82fep0), broadcast<double>(round_by));
  const V n = shifted - round_by;
  const V r = fused(n, broadcast<double>(-log2_low), fused(n, broadcast<double>(-log2_high), -a));
  const V power = (V)(((Bits)shifted + 1023) << 52);
  return polynomial(series, 13, r) * power;
}

inline V dot3(const V& ax, const V& ay, const V& az, const V& bx, const V& by, const V& bz) {
  return fused(az, bz, fused(ay, by, ax * bx));
}

// First all distances, which goes in lanes, then which of them count, without a branch.
void find(const ScreenedDipoles& all, const double (&place)[3], int itself, int begin, int end, double cut,
          double* squares, int* found, ScreenedNeighbours& near) {
  const double x = place[0], y = place[1], z = place[2], most = cut * cut, least = one_place * most;
  for (int j = begin; j < end; ++j) {
    const double dx = x - all.x[0][j], dy = y - all.x[1][j], dz = z - all.x[2][j];
    squares[j - begin] = dx * dx + dy * dy + dz * dz;
  }
  int count = 0;
  for (int j = begin; j < end; ++j) {
    found[count] = j;
    count += static_cast<int>(squares[j - begin] < most) & static_cast<int>(squares[j - begin] > least) &
             static_cast<int>(j != itself);
  }
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < count; ++i) {
      near.d[k][near.count + i] = place[k] - all.x[k][found[i]];
      near.m[k][near.count + i] = all.m[k][found[i]];
    }
  near.count += count;
}

struct ScreenedPair {
  V b, c, d;
};
inline ScreenedPair screened_pair(const ScreenedLaw& law, V r2) {
  constexpr double two_over_root_pi = 1.1283791670955126;
  const V i1 = inverse_root<double>(r2), i2 = i1 * i1, x = law.alpha * (r2 * i1);
  const V gauss = exp_minus(x * x);
  const V t = (x - 3.75) / (x + 3.75);
  const V erfc = gauss * polynomial(law.erfc, erfc_terms, t) / (1.0 + 2.0 * x);
  const V g = (two_over_root_pi * law.alpha) * gauss;
  const double a2 = 2 * law.alpha * law.alpha;
  const V b = fused(erfc, i1, g) * i2;
  const V c = fused(broadcast<double>(a2), g, 3.0 * b) * i2;
  return {b, c, fused(broadcast<double>(a2 * a2), g, 5.0 * c) * i2};
}

void sum(const ScreenedLaw& law, const double (&moment)[3], ScreenedNeighbours& near, ScreenedSums& sums) {
  for (int i = near.count; i < near.count + sum_lanes<double>; ++i)
    for (int k = 0; k < 3; ++k) {
      near.d[k][i] = law.cut;
      near.m[k][i] = 0;
    }
  const V ux = broadcast<double>(moment[0]), uy = broadcast<double>(moment[1]), uz = broadcast<double>(moment[2]);
  V total[7][rounds<double>];
  for (int round = 0; round < rounds<double>; ++round) {
    V bx{}, by{}, bz{}, fx{}, fy{}, fz{}, along{};
    for (int j = round * lanes; j < near.count; j += sum_lanes<double>) {
      const V dx = load(near.d[0] + j), dy = load(near.d[1] + j), dz = load(near.d[2] + j);
      const V mx = load(near.m[0] + j), my = load(near.m[1] + j), mz = load(near.m[2] + j);
      const ScreenedPair s = screened_pair(law, dot3(dx, dy, dz, dx, dy, dz));
      const V md = dot3(mx, my, mz, dx, dy, dz), ud = dot3(ux, uy, uz, dx, dy, dz), um = dot3(ux, uy, uz, mx, my, mz);
      const V g = s.c * md, e = s.c * ud, k = fused(s.c, um, -(s.d * (ud * md)));
      bx = fused(g, dx, fused(-s.b, mx, bx));
      by = fused(g, dy, fused(-s.b, my, by));
      bz = fused(g, dz, fused(-s.b, mz, bz));
      along += g;
      fx = fused(e, mx, fused(k, dx, fx));
      fy = fused(e, my, fused(k, dy, fy));
      fz = fused(e, mz, fused(k, dz, fz));
    }
    const V part[7] = {bx, by, bz, fx, fy, fz, along};
    for (int k = 0; k < 7; ++k) total[k][round] = part[k];
  }
  for (int k = 0; k < 3; ++k) {
    sums.field[k] = sum_of_lanes<double>(total[k]);
    sums.force[k] = sum_of_lanes<double>(total[3 + k]);
  }
  sums.along = sum_of_lanes<double>(total[6]);
}

}  // namespace

template <>
const ScreenedLoops& loops_of_width<ScreenedLoops>() {
  static constexpr ScreenedLoops loops{find, sum};
  return loops;
}

}  // namespace ls::inline LS_ISA
