// Compiled once per vector width; see slope_loops.h. Sums run in eight lanes whatever the width, as in
// direct_loops.cpp.
#include "terms/dipoles/slope_loops.h"

#include "base/loops_of_width.h"
#include "math/pack.h"
#include "physics/dipole_pair.h"

namespace ls::inline LS_ISA {
namespace {

constexpr int lanes = 8;
constexpr int numbers = sizeof(DipoleSlopeSum<double>) / sizeof(double);
// [lanes from here on] 1 where they count.
constexpr double counting[2 * lanes] = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};

Vec3<Pack> take(const double* const (&p)[3], int i) {
  return {Pack::load(p[0] + i), Pack::load(p[1] + i), Pack::load(p[2] + i)};
}
// Twice what is left of a part's half without its trace; off the diagonal, where both mirrors are in it, the part.
void add_part(const double (&half)[6], double (&to)[6]) {
  const double third = (half[0] + half[2] + half[5]) / 3;
  const double part[6] = {2 * (half[0] - third), half[1], 2 * (half[2] - third), half[3], half[4],
                          2 * (half[5] - third)};
  for (int k = 0; k < 6; ++k) to[k] += part[k];
}
void finish(DipoleSlopeSum<double> sum, const Vec3<double>& m, SlopeSums& out) {
  const Vec3<double>& t = sum.turned;
  const double round[6] = {m.x * t.x, m.x * t.y + m.y * t.x, m.y * t.y, m.x * t.z + m.z * t.x, m.y * t.z + m.z * t.y,
                           m.z * t.z};
  for (int k = 0; k < 6; ++k) sum.along[k] -= round[k];
  double slope[6] = {};
  add_part(sum.along, out.curvature);
  add_part(sum.slope, slope);
  for (int k = 0; k < 6; ++k) out.slope[k] += slope[k];
  out.field[0] += sum.b1.x, out.field[1] += sum.b1.y, out.field[2] += sum.b1.z;
  out.force[0] += slope[0] * m.x + slope[1] * m.y + slope[3] * m.z;
  out.force[1] += slope[1] * m.x + slope[2] * m.y + slope[4] * m.z;
  out.force[2] += slope[3] * m.x + slope[4] * m.y + slope[5] * m.z;
}

void add(const SlopeRun& run, SlopeSums& out) {
  const auto spread = [&](const double* const(&p)[3]) {
    return Vec3<Pack>{Pack(p[0][run.one]), Pack(p[1][run.one]), Pack(p[2][run.one])};
  };
  const Vec3<Pack> x = spread(run.x), m = spread(run.m);
  const int whole = run.first + (run.last - run.first) / lanes * lanes;
  double by_lane[numbers][lanes];
  for (int part = 0; part < lanes; part += Pack::width) {
    DipoleSlopeSum<Pack> sum{};
    for (int j = run.first; j < whole; j += lanes)
      add_dipole_slopes(x - take(run.x, j + part), m, take(run.m, j + part), Pack(1.0), sum);
    if (whole < run.last) {
      const Pack share = Pack::load(counting + lanes - (run.last - whole) + part);
      const Vec3<Pack> r =
          pick(share > Pack(0.5), x - take(run.x, whole + part), Vec3<Pack>{Pack(1.0), Pack(0.0), Pack(0.0)});
      add_dipole_slopes(r, m, take(run.m, whole + part), share, sum);
    }
    const auto* packs = reinterpret_cast<const Pack*>(&sum);
    for (int k = 0; k < numbers; ++k) packs[k].store(by_lane[k] + part);
  }
  DipoleSlopeSum<double> total{};
  auto* to = reinterpret_cast<double*>(&total);
  for (int k = 0; k < numbers; ++k) {
    const double* a = by_lane[k];
    to[k] = ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
  }
  finish(total, {run.m[0][run.one], run.m[1][run.one], run.m[2][run.one]}, out);
}

// ---- Blocks between nodes ------------------------------------------------------------------------------------------

constexpr int dofs_of_node = 6;
using PackBlock = Pack[dofs_of_node][dofs_of_node];  // rows of the one, columns of the others

// Of the dipoles of the one node, what does not know of the others' moments and levers yet.
struct CrossSum {
  Pack curvature[3][3], slope[3][3];   // rows: its place; columns: the others' places, their moments
  Pack twisting[3][3], turning[3][3];  // rows: its turn
  Vec3<Pack> field;                    // at the others
};

Vec3<Pack> line_of(const Pack (&m)[3][3], int r) {
  return {m[r][0], m[r][1], m[r][2]};
}
// To column c of a sum.
void add_turned(const Vec3<Pack>& a, const Vec3<Pack>& b, int c, Pack (&sum)[3][3]) {
  sum[0][c] = fused(a.y, b.z, fused(-a.z, b.y, sum[0][c]));
  sum[1][c] = fused(a.z, b.x, fused(-a.x, b.z, sum[1][c]));
  sum[2][c] = fused(a.x, b.y, fused(-a.y, b.x, sum[2][c]));
}
void add_to_lanes(const DipolePairSlopes<Pack>& d, double* own) {
  const auto add = [&](int k, const Pack& value) { (Pack::load(own + lanes * k) + value).store(own + lanes * k); };
  int k = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c <= r; ++c, ++k) add(k, d.curvature[r][c]), add(6 + k, d.slope1[r][c]);
  add(12, d.b1.x), add(13, d.b1.y), add(14, d.b1.z);
}
template <bool with_own>
[[gnu::always_inline]] inline void add_cross(const Vec3<Pack>& r, const Vec3<Pack>& m1, const Vec3<Pack>& m2,
                                             const Vec3<Pack>& lever, double* own, CrossSum& sum) {
  const auto d = dipole_pair_slopes(r, m1, m2, Pack(1.0));
  if constexpr (with_own) {
    add_to_lanes(d, own);
    sum.field = sum.field + d.b2;
  }
  for (int c = 0; c < 3; ++c) {  // of the symmetric parts, columns are lines
    add_turned(m1, line_of(d.slope1, c), c, sum.twisting);
    add_turned(-lever, line_of(d.curvature, c), c, sum.twisting);
    add_turned(m1, line_of(d.coupling, c), c, sum.turning);
    add_turned(lever, line_of(d.slope2, c), c, sum.turning);
    for (int k = 0; k <= c; ++k) {
      sum.curvature[c][k] = sum.curvature[c][k] + d.curvature[c][k];
      sum.slope[c][k] = sum.slope[c][k] + d.slope2[c][k];
    }
  }
}
void set_others(const CrossSum& sum, int part, LanesOfSums& others) {
  int k = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c <= r; ++c, ++k) {
      sum.curvature[r][c].store(others[k] + part);
      (-sum.slope[r][c]).store(others[6 + k] + part);  // to their own place
    }
  sum.field.x.store(others[12] + part);
  sum.field.y.store(others[13] + part);
  sum.field.z.store(others[14] + part);
}
// m2: the others' moments
void set_block(const CrossSum& sum, const Vec3<Pack>& m2, PackBlock& b) {
  for (int r = 0; r < 3; ++r) {
    const auto line = [&](const Pack(&half)[3][3]) {
      return Vec3<Pack>{half[r][0], r < 1 ? half[1][0] : half[r][1], r < 2 ? half[2][r] : half[2][2]};
    };
    const Vec3<Pack> curvature = line(sum.curvature), slope = cross(line(sum.slope), m2),
                     turning = cross(line_of(sum.turning, r), m2);
    b[r][0] = -curvature.x, b[r][1] = -curvature.y, b[r][2] = -curvature.z;
    b[r][3] = slope.x, b[r][4] = slope.y, b[r][5] = slope.z;
    for (int c = 0; c < 3; ++c) b[3 + r][c] = sum.twisting[r][c];
    b[3 + r][3] = turning.x, b[3 + r][4] = turning.y, b[3 + r][5] = turning.z;
  }
}

// physics/lever.h, for packs.
void shift_block_columns(PackBlock& b, const Vec3<Pack>& lever) {
  for (auto& row : b) {
    const Vec3<Pack> turned = cross(Vec3<Pack>{row[0], row[1], row[2]}, lever);
    row[3] = row[3] - turned.x, row[4] = row[4] - turned.y, row[5] = row[5] - turned.z;
  }
}

template <bool with_own>
void add_blocks_of(const CrossRun& run, double (&out)[36][8]) {
  const auto spread = [](const double* const(&p)[3], int i) {
    return Vec3<Pack>{Pack(p[0][i]), Pack(p[1][i]), Pack(p[2][i])};
  };
  for (int part = 0; part < lanes; part += Pack::width) {
    const Vec3<Pack> x = take(run.other_x, part), m = take(run.other_m, part);
    CrossSum sum{};
    for (int i = run.first; i < run.last; ++i) {
      const double* lever = run.lever + 3 * i;
      double* own = with_own ? &run.own[i - run.first][0][part] : nullptr;
      add_cross<with_own>(spread(run.x, i) - x, spread(run.m, i), m, {Pack(lever[0]), Pack(lever[1]), Pack(lever[2])},
                          own, sum);
    }
    if constexpr (with_own) set_others(sum, part, *run.others);
    PackBlock block;
    set_block(sum, m, block);
    shift_block_columns(block, take(run.other_lever, part));
    for (int r = 0; r < dofs_of_node; ++r)
      for (int c = 0; c < dofs_of_node; ++c) (Pack(mu0_over_4pi) * block[r][c]).store(out[dofs_of_node * r + c] + part);
  }
}
void add_blocks(const CrossRun& run, double (&out)[36][8]) {
  if (run.own)
    add_blocks_of<true>(run, out);
  else
    add_blocks_of<false>(run, out);
}

}  // namespace

template <>
const SlopeLoops& loops_of_width<SlopeLoops>() {
  static constexpr SlopeLoops loops{add, add_blocks};
  return loops;
}

}  // namespace ls::inline LS_ISA
