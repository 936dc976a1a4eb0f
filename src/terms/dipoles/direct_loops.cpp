// Compiled once per vector width; see direct_loops.h. Sums over the second tile run in eight lanes whatever the width:
// narrower registers go over it once for each part of the lanes. What is fused is written so.
#include "terms/dipoles/direct_loops.h"

#include "base/loops_of_width.h"
#include "math/pack.h"
#include "physics/dipole_pair.h"

#include <array>

namespace ls::inline LS_ISA {
namespace {

constexpr int eight = 8;

// [bits of eight pairs][lane] 1 where they act.
constexpr auto acting = [] {
  std::array<std::array<double, eight>, 256> table{};
  for (int bits = 0; bits < 256; ++bits)
    for (int lane = 0; lane < eight; ++lane) table[bits][lane] = (bits >> lane) & 1;
  return table;
}();

template <class Number>  // const or not
Vec3<Pack> load(Number* const (&p)[3], int i) {
  return {Pack::load(p[0] + i), Pack::load(p[1] + i), Pack::load(p[2] + i)};
}
void store(const Vec3<Pack>& a, double* const (&p)[3], int i) {
  a.x.store(p[0] + i);
  a.y.store(p[1] + i);
  a.z.store(p[2] + i);
}
Vec3<Pack> all_lanes(const double* const (&p)[3], int i) {
  return {Pack(p[0][i]), Pack(p[1][i]), Pack(p[2][i])};
}
double sum(const double (&lane)[eight]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}
void add_sums(const double (&lanes)[3][eight], double* const (&p)[3], int i) {
  for (int c = 0; c < 3; ++c) p[c][i] += sum(lanes[c]);
}

// One dipole of the first tile with all of the second.
template <bool masked>
inline void add_row(const DipoleTiles& t, int i, int second, int seconds, std::uint64_t mask) {
  const Vec3<Pack> x = all_lanes(t.x, i), m = all_lanes(t.m, i);
  double field[3][eight], force[3][eight];
  for (int part = 0; part < eight; part += Pack::width) {
    Vec3<Pack> b{}, f{};
    for (int k = part; k < seconds; k += eight) {
      const int j = second + k;
      const Vec3<Pack> r = x - load(t.x, j);
      Pack r2 = fused_dot(r, r), share(1.0);
      if constexpr (masked) {
        share = Pack::load(acting[(mask >> (k - part)) & 255].data() + part);
        r2 = r2 + (Pack(1.0) - share);
      }
      DipolePair<Pack> pair{b, load(t.b, j), {}};
      add_dipole_pair(r, r2, share, m, load(t.m, j), pair);
      b = pair.b1;
      f = f + pair.force;
      store(pair.b2, t.b, j);
      store(load(t.force, j) - pair.force, t.force, j);
    }
    double* const b_lanes[3] = {field[0], field[1], field[2]};
    double* const f_lanes[3] = {force[0], force[1], force[2]};
    store(b, b_lanes, part);
    store(f, f_lanes, part);
  }
  add_sums(field, t.b, i);
  add_sums(force, t.force, i);
}

void add(const DipoleTiles& t, const TilePair& p) {
  for (int i = 0; i < p.firsts; ++i)
    if (p.masks)
      add_row<true>(t, p.first + i, p.second, p.seconds, p.masks[i]);
    else
      add_row<false>(t, p.first + i, p.second, p.seconds, 0);
}

}  // namespace

template <>
const DirectLoops& loops_of_width<DirectLoops>() {
  static constexpr DirectLoops loops{add};
  return loops;
}

}  // namespace ls::inline LS_ISA
