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
// Of one dipole in the field of the others, all but what it has in common with no pair. Symmetric parts as in
// SlopeSums.
template <class T>
struct Seen {
  T curvature[6], slope[6];
  Vec3<T> field;
};

// Twice what is left of a part's half without its trace; off the diagonal, where both mirrors are in it, the part.
template <class T>
[[gnu::always_inline]] inline void set_part(const T (&half)[6], T (&part)[6]) {
  const T third = T(1.0 / 3) * (half[0] + half[2] + half[5]);
  for (int k = 0; k < 6; ++k) part[k] = half[k];
  for (const int k : {0, 2, 5}) part[k] = T(2.0) * (half[k] - third);
}
// m: its moment
template <class T>
[[gnu::always_inline]] inline Seen<T> finished(const DipoleSlopeSum<T>& sum, const Vec3<T>& m) {
  const Vec3<T>& t = sum.turned;
  const T round[6] = {m.x * t.x, m.x * t.y + m.y * t.x, m.y * t.y, m.x * t.z + m.z * t.x, m.y * t.z + m.z * t.y,
                      m.z * t.z};
  T along[6];
  for (int k = 0; k < 6; ++k) along[k] = sum.along[k] - round[k];
  Seen<T> all;
  set_part(along, all.curvature);
  set_part(sum.slope, all.slope);
  all.field = sum.b1;
  return all;
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> line(const T (&half)[6], int r) {
  constexpr int at[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
  return {half[at[r][0]], half[at[r][1]], half[at[r][2]]};
}
void add_seen(const DipoleSlopeSum<double>& sum, const Vec3<double>& m, SlopeSums& out) {
  const auto all = finished(sum, m);
  for (int k = 0; k < 6; ++k) out.curvature[k] += all.curvature[k], out.slope[k] += all.slope[k];
  out.field[0] += all.field.x, out.field[1] += all.field.y, out.field[2] += all.field.z;
  for (int r = 0; r < 3; ++r) out.force[r] += dot(line(all.slope, r), m);
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
  add_seen(total, {run.m[0][run.one], run.m[1][run.one], run.m[2][run.one]}, out);
}

// ---- Blocks between nodes ------------------------------------------------------------------------------------------
//
// What a dipole j of one node feels of another node, whose dipoles move and turn together, says all of the block
// between the two: a turn of that node is a turn of everything, back again for j. With B, G and K the field, its slope
// and that of the force f = G m at j, l its lever and d the way from the other node to it, a move t and a turn w of the
// other make
//   of the field   w x B - G (t + w x d)
//   of the force   w x f - K (t + w x d) - G (w x m)

constexpr int dofs_of_node = 6;
using Matrix3 = Vec3<Pack>[3];  // by rows

// The matrix of v x, times a.
[[gnu::always_inline]] inline void add_turned(const Vec3<Pack>& v, const Matrix3& a, Matrix3& sum) {
  sum[0] = fused(v.y, a[2], fused(-v.z, a[1], sum[0]));
  sum[1] = fused(v.z, a[0], fused(-v.x, a[2], sum[1]));
  sum[2] = fused(v.x, a[1], fused(-v.y, a[0], sum[2]));
}
// a times the matrix of v x.
[[gnu::always_inline]] inline void add_columns_turned(const Matrix3& a, const Vec3<Pack>& v, Matrix3& sum) {
  for (int r = 0; r < 3; ++r) {
    sum[r].x = fused(a[r].y, v.z, fused(-a[r].z, v.y, sum[r].x));
    sum[r].y = fused(a[r].z, v.x, fused(-a[r].x, v.z, sum[r].y));
    sum[r].z = fused(a[r].x, v.y, fused(-a[r].y, v.x, sum[r].z));
  }
}
Vec3<Pack> turned_line(const Vec3<Pack>& v, int r) {  // of the matrix of v x
  return r == 0 ? Vec3<Pack>{0.0, -v.z, v.y} : r == 1 ? Vec3<Pack>{v.z, 0.0, -v.x} : Vec3<Pack>{-v.y, v.x, 0.0};
}

// Rows of j's own node, columns of the other one, which is `apart` from it.
[[gnu::always_inline]] inline void set_block(const Seen<Pack>& at, const Vec3<Pack>& m, const Vec3<Pack>& lever,
                                             const Vec3<Pack>& apart, Pack (&b)[block_room]) {
  Matrix3 k, g, twist{}, q, pull, turn;
  for (int r = 0; r < 3; ++r) k[r] = -line(at.curvature, r), g[r] = line(at.slope, r);
  add_turned(m, g, twist);  // m x G
  for (int r = 0; r < 3; ++r) q[r] = twist[r];
  add_turned(lever, k, q);  // torque by places
  const Vec3<Pack> f{fused_dot(g[0], m), fused_dot(g[1], m), fused_dot(g[2], m)};
  const Pack along = -fused_dot(m, at.field);
  const Matrix3 mirror{{q[0].x, q[1].x, q[2].x}, {q[0].y, q[1].y, q[2].y}, {q[0].z, q[1].z, q[2].z}};
  for (int r = 0; r < 3; ++r) {
    const Pack b_r = r == 0 ? at.field.x : r == 1 ? at.field.y : at.field.z;
    pull[r] = mirror[r] + turned_line(f, r);
    turn[r] = {b_r * m.x, b_r * m.y, b_r * m.z};
  }
  turn[0].x = turn[0].x + along, turn[1].y = turn[1].y + along, turn[2].z = turn[2].z + along;
  add_turned(lever, pull, turn);
  add_columns_turned(twist, -lever, turn);
  add_columns_turned(q, -apart, turn);
  add_columns_turned(k, -apart, pull);
  const Matrix3* const parts[2][2] = {{&k, &pull}, {&q, &turn}};
  for (int r = 0; r < dofs_of_node; ++r)
    for (int c = 0; c < 2; ++c) {
      const Vec3<Pack>& from = (*parts[r / 3][c])[r % 3];
      Pack* to = b + dofs_of_node * r + 3 * c;
      to[0] = from.x, to[1] = from.y, to[2] = from.z;
    }
}

void add_blocks(const CrossRun& run, double (&out)[8][block_room]) {
  const auto spread = [](const double* const(&p)[3], int i) {
    return Vec3<Pack>{Pack(p[0][i]), Pack(p[1][i]), Pack(p[2][i])};
  };
  const Vec3<Pack> place{Pack(run.place[0]), Pack(run.place[1]), Pack(run.place[2])};
  for (int part = 0; part < lanes; part += Pack::width) {
    const Vec3<Pack> x = take(run.other_x, part), m = take(run.other_m, part), lever = take(run.other_lever, part);
    DipoleSlopeSum<Pack> sum{};
    for (int i = run.first; i < run.last; ++i)
      add_dipole_slopes(x - spread(run.x, i), m, spread(run.m, i), Pack(1.0), sum);
    Pack block[block_room]{};
    set_block(finished(sum, m), m, lever, x - lever - place, block);
    for (int k = 0; k < block_room; k += Pack::width) {
      Pack some[Pack::width];
      for (int i = 0; i < Pack::width; ++i) some[i] = Pack(mu0_over_4pi) * block[k + i];
      store_lanes(some, out[part] + k, block_room);
    }
  }
}

}  // namespace

template <>
const SlopeLoops& loops_of_width<SlopeLoops>() {
  static constexpr SlopeLoops loops{add, add_blocks};
  return loops;
}

}  // namespace ls::inline LS_ISA
