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
  for (int k = 0, at = 0; k < 3; ++k)
    for (int l = 0; l <= k; ++l, ++at) {
      sum.curvature[at] = sum.curvature[at] + d.curvature[k][l];
      sum.slope[at] = sum.slope[at] + d.slope1[k][l];
    }
  add_vector(d.b1, sum.field);
  add_vector(d.force, sum.force);
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

// ---- Blocks between nodes ------------------------------------------------------------------------------------------

constexpr int dofs_of_node = 6;
using PackBlock = Pack[dofs_of_node][dofs_of_node];  // rows of the one, columns of the others

Vec3<Pack> line_of(const Pack (&m)[3][3], int r) {
  return {m[r][0], m[r][1], m[r][2]};
}

// Of one dipole with those of the lanes: places and turns of the dipoles themselves.
void set_block(const Vec3<Pack>& r, const Vec3<Pack>& m1, const Vec3<Pack>& m2, PackBlock& b) {
  const auto d = dipole_pair_slopes(r, m1, m2, Pack(mu0_over_4pi));
  Vec3<Pack> turned[3];  // rows: coupling [m2]
  for (int k = 0; k < 3; ++k) {
    turned[k] = cross(line_of(d.coupling, k), m2);
    const Vec3<Pack> slope = cross(line_of(d.slope2, k), m2);
    b[k][3] = slope.x, b[k][4] = slope.y, b[k][5] = slope.z;
    for (int c = 0; c < 3; ++c) b[k][c] = -d.curvature[k][c];
  }
  const Vec3<Pack> columns[3] = {{turned[0].x, turned[1].x, turned[2].x},
                                 {turned[0].y, turned[1].y, turned[2].y},
                                 {turned[0].z, turned[1].z, turned[2].z}};
  for (int c = 0; c < 3; ++c) {
    const Vec3<Pack> slope = cross(m1, line_of(d.slope1, c)), both = cross(m1, columns[c]);
    b[3][c] = slope.x, b[4][c] = slope.y, b[5][c] = slope.z;
    b[3][3 + c] = both.x, b[4][3 + c] = both.y, b[5][3 + c] = both.z;
  }
}

// physics/lever.h, for packs.
void shift_block_rows(PackBlock& b, const Vec3<Pack>& lever) {
  for (int c = 0; c < dofs_of_node; ++c) {
    const Vec3<Pack> turned = cross(Vec3<Pack>{b[0][c], b[1][c], b[2][c]}, lever);
    b[3][c] = b[3][c] - turned.x, b[4][c] = b[4][c] - turned.y, b[5][c] = b[5][c] - turned.z;
  }
}
void shift_block_columns(PackBlock& b, const Vec3<Pack>& lever) {
  for (auto& row : b) {
    const Vec3<Pack> turned = cross(Vec3<Pack>{row[0], row[1], row[2]}, lever);
    row[3] = row[3] - turned.x, row[4] = row[4] - turned.y, row[5] = row[5] - turned.z;
  }
}

void add_blocks(const CrossRun& run, double (&out)[36][8]) {
  const auto spread = [](const double* const(&p)[3], int i) {
    return Vec3<Pack>{Pack(p[0][i]), Pack(p[1][i]), Pack(p[2][i])};
  };
  for (int part = 0; part < lanes; part += Pack::width) {
    const Vec3<Pack> x = take(run.other_x, part), m = take(run.other_m, part);
    PackBlock sum{}, one;
    for (int i = run.first; i < run.last; ++i) {
      set_block(spread(run.x, i) - x, spread(run.m, i), m, one);
      const double* lever = run.lever + 3 * i;
      shift_block_rows(one, {Pack(lever[0]), Pack(lever[1]), Pack(lever[2])});
      for (int r = 0; r < dofs_of_node; ++r)
        for (int c = 0; c < dofs_of_node; ++c) sum[r][c] = sum[r][c] + one[r][c];
    }
    shift_block_columns(sum, take(run.other_lever, part));
    for (int r = 0; r < dofs_of_node; ++r)
      for (int c = 0; c < dofs_of_node; ++c) sum[r][c].store(out[dofs_of_node * r + c] + part);
  }
}

}  // namespace

template <>
const SlopeLoops& loops_of_width<SlopeLoops>() {
  static constexpr SlopeLoops loops{add, add_blocks};
  return loops;
}

}  // namespace ls::inline LS_ISA
