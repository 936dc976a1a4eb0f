// Compiled once per vector width; see near_loops.h and registers.h. Lanes are sources.
#include "dipoles/tree/near_loops.h"

#include "base/loops_of_width.h"
#include "dipoles/registers.h"

namespace ls::inline LS_ISA {
namespace {

// Squares of distances below which r^-5 would leave the range of numbers.
template <class R>
constexpr R close_square = sizeof(R) == 4 ? R(1e-8) : R(1e-60);

template <class R>
struct Broadcast {
  Register<R> x[3], low[3];
};
template <class R>
Broadcast<R> broadcast_place(const NearTarget<R>& target) {
  Broadcast<R> b;
  for (int k = 0; k < 3; ++k) {
    b.x[k] = broadcast<R>(target.x[k]);
    b.low[k] = broadcast<R>(target.low[k]);
  }
  return b;
}

template <class R>
inline Register<R> distance(const NearSources<R>& s, const Broadcast<R>& target, int k, int j) {
  const Register<R> d = target.x[k] - load(s.x[k] + j);
  if constexpr (sizeof(R) == 4) return d + (target.low[k] - load(s.low[k] + j));
  return d;
}
template <class V>
inline V dot3(const V& ax, const V& ay, const V& az, const V& bx, const V& by, const V& bz) {
  return fused(az, bz, fused(ay, by, ax * bx));
}

template <class R>
void sum(const NearSources<R>& s, const NearTarget<R>& target, NearSums<R>& sums) {
  using V = Register<R>;
  const Broadcast<R> place = broadcast_place(target);
  const V ux = broadcast<R>(target.m[0]), uy = broadcast<R>(target.m[1]), uz = broadcast<R>(target.m[2]);
  const V three = broadcast<R>(3), minus_five = broadcast<R>(-5);
  V total[7][rounds<R>];
  int close = 0;
  for (int round = 0; round < rounds<R>; ++round) {
    V bx{}, by{}, bz{}, fx{}, fy{}, fz{}, along{};
    typename RegisterOf<R>::Bits left_out{};
    for (int j = round * register_lanes<R>; j < s.count; j += sum_lanes<R>) {
      const V dx = distance(s, place, 0, j), dy = distance(s, place, 1, j), dz = distance(s, place, 2, j);
      const V mx = load(s.m[0] + j), my = load(s.m[1] + j), mz = load(s.m[2] + j);
      const V r2 = dot3(dx, dy, dz, dx, dy, dz);
      const auto is_close = r2 < close_square<R>;
      left_out += (typename RegisterOf<R>::Bits)is_close;
      const V i1 = is_close ? V{} : inverse_root<R>(r2);
      const V i2 = i1 * i1, i3 = i1 * i2, i5 = i2 * i3 * three;
      const V md = dot3(mx, my, mz, dx, dy, dz), ud = dot3(ux, uy, uz, dx, dy, dz), um = dot3(ux, uy, uz, mx, my, mz);
      const V g = md * i5, e = ud * i5, k = fused(um, i5, g * ud * (i2 * minus_five));
      bx = fused(g, dx, fused(-i3, mx, bx));
      by = fused(g, dy, fused(-i3, my, by));
      bz = fused(g, dz, fused(-i3, mz, bz));
      along += g;
      fx = fused(e, mx, fused(k, dx, fx));
      fy = fused(e, my, fused(k, dy, fy));
      fz = fused(e, mz, fused(k, dz, fz));
    }
    const V part[7] = {bx, by, bz, fx, fy, fz, along};
    for (int k = 0; k < 7; ++k) total[k][round] = part[k];
    for (int lane = 0; lane < register_lanes<R>; ++lane) close -= static_cast<int>(left_out[lane]);
  }
  for (int k = 0; k < 3; ++k) {
    sums.field[k] = sum_of_lanes<R>(total[k]);
    sums.force[k] = sum_of_lanes<R>(total[3 + k]);
  }
  sums.along = sum_of_lanes<R>(total[6]);
  sums.close = close;
}

template <class R>
int close(const NearSources<R>& s, const NearTarget<R>& target, int* found) {
  const Broadcast<R> place = broadcast_place(target);
  int count = 0;
  for (int j = 0; j < s.count; j += register_lanes<R>) {
    const Register<R> dx = distance(s, place, 0, j), dy = distance(s, place, 1, j), dz = distance(s, place, 2, j);
    const auto is_close = dot3(dx, dy, dz, dx, dy, dz) < close_square<R>;
    for (int lane = 0; lane < register_lanes<R>; ++lane)
      if (is_close[lane]) found[count++] = j + lane;
  }
  return count;
}

}  // namespace

template <>
const NearLoops<float>& loops_of_width<NearLoops<float>>() {
  static constexpr NearLoops<float> loops{sum<float>, close<float>};
  return loops;
}
template <>
const NearLoops<double>& loops_of_width<NearLoops<double>>() {
  static constexpr NearLoops<double> loops{sum<double>, close<double>};
  return loops;
}

}  // namespace ls::inline LS_ISA
