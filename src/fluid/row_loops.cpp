// Compiled once per vector width; see row_loops.h. Includes only headers that live in ls::inline LS_ISA.
#include "fluid/row_loops.h"

#include "fluid/d3q19.h"
#include "fluid/lanes.h"

namespace ls::inline LS_ISA {
namespace {

using d3q19::count, d3q19::opposite;

// What a collision needs in every cell, spread over all lanes once a row.
template <class T>
struct Rates {
  using V = typename Lanes<T>::V;
  V body[3];
  V even, half_even, half_odd;  // the rates
  V square, force_square;       // 9/2 rate, 9 (1 - rate/2) of the even half
  V force_energy;               // 3 (1 - rate/2) of the even half
  V linear, force_linear;       // 3 rate, 3 (1 - rate/2) of the odd half

  [[gnu::always_inline]] explicit Rates(const Collision<T>& c) {
    const T rest_even = 1 - c.even / 2, rest_odd = 1 - c.odd / 2;
    const auto all = Lanes<T>::all;
    for (int k = 0; k < 3; ++k) body[k] = all(c.body[k]);
    even = all(c.even), half_even = all(c.even / 2), half_odd = all(c.odd / 2);
    square = all(T(4.5) * c.even), force_square = all(9 * rest_even), force_energy = all(3 * rest_even);
    linear = all(3 * c.odd), force_linear = all(3 * rest_odd);
  }
};

// Two relaxation times with Guo's force (Ginzburg, Verhaeghe and d'Humieres 2008; Guo, Zheng and Shi 2002; the split of
// the force into halves: Postma and Silva 2020). With h = f - w and u = (momentum + F/2) / density,
//   h_i* = h_i - even (h+ - e+) - odd (h- - e-) + (1 - even/2) F+ + (1 - odd/2) F-      h+- = (h_i +- h_opposite)/2
//   e+ = w (density - 1 + density (9/2 (c.u)^2 - 3/2 u^2)),   e- = 3 w density c.u
//   F+ = w (9 (c.u)(c.F) - 3 u.F),                            F- = 3 w c.F
// How sums are associated matters in single precision: pairs of opposite populations first.
// is_part: only the lanes of `mask` change, the others get back what they had.
template <class T, bool is_forced, bool is_part>
[[gnu::always_inline]] inline void collide_lanes(T* const* slot, int x, const Rates<T>& r, const T* const* force,
                                                 typename Lanes<T>::Mask mask) {
  using L = Lanes<T>;
  using V = typename L::V;
  V f[count];
  for (int i = 0; i < count; ++i) f[i] = L::load(slot[opposite[i]] + x);
  V fx = r.body[0], fy = r.body[1], fz = r.body[2];
  if constexpr (is_forced) fx += L::load(force[0] + x), fy += L::load(force[1] + x), fz += L::load(force[2] + x);

  const V excess = ((f[0] + (f[1] + f[2])) + ((f[3] + f[4]) + (f[5] + f[6]))) +
                   (((f[7] + f[8]) + (f[9] + f[10])) + ((f[11] + f[12]) + (f[13] + f[14]))) +
                   ((f[15] + f[16]) + (f[17] + f[18]));
  const V density = excess + T(1), inverse = T(1) / density;
  const V d7 = f[7] - f[8], d9 = f[9] - f[10], d11 = f[11] - f[12];
  const V d13 = f[13] - f[14], d15 = f[15] - f[16], d17 = f[17] - f[18];
  const V ux = (((f[1] - f[2]) + T(0.5) * fx) + ((d7 + d9) + (d11 + d13))) * inverse;
  const V uy = (((f[3] - f[4]) + T(0.5) * fy) + ((d7 - d9) + (d15 + d17))) * inverse;
  const V uz = (((f[5] - f[6]) + T(0.5) * fz) + ((d11 - d13) + (d15 - d17))) * inverse;
  const V energy = r.even * (excess + density * T(-1.5) * (ux * ux + uy * uy + uz * uz)) -
                   r.force_energy * (ux * fx + uy * fy + uz * fz);
  const V square = r.square * density, linear = r.linear * density;
  const V kx = square * ux + r.force_square * fx, ky = square * uy + r.force_square * fy,
          kz = square * uz + r.force_square * fz;
  const V mx = linear * ux + r.force_linear * fx, my = linear * uy + r.force_linear * fy,
          mz = linear * uz + r.force_linear * fz;

  const auto write = [&](int i, V v) __attribute__((always_inline)) {
    if constexpr (is_part) v = mask ? v : f[opposite[i]];
    L::store(slot[i] + x, v);
  };
  const auto pair = [&](int i, V d, V cu, V ck, V cm, T w) __attribute__((always_inline)) {
    const V even = r.half_even * (f[i] + f[i + 1]) - w * (energy + cu * ck), odd = r.half_odd * d - w * cm;
    const V forth = f[i] - (even + odd), back = f[i + 1] - (even - odd);
    write(i, forth);
    write(i + 1, back);
  };
  write(0, f[0] - (r.even * f[0] - T(1. / 3) * energy));
  constexpr T near = T(1. / 18), far = T(1. / 36);
  pair(1, f[1] - f[2], ux, kx, mx, near);
  pair(3, f[3] - f[4], uy, ky, my, near);
  pair(5, f[5] - f[6], uz, kz, mz, near);
  pair(7, d7, ux + uy, kx + ky, mx + my, far);
  pair(9, d9, ux - uy, kx - ky, mx - my, far);
  pair(11, d11, ux + uz, kx + kz, mx + mz, far);
  pair(13, d13, ux - uz, kx - kz, mx - mz, far);
  pair(15, d15, uy + uz, ky + kz, my + mz, far);
  pair(17, d17, uy - uz, ky - kz, my - mz, far);
}

// A row shorter than a register goes through a copy, so that nothing beyond its own cells is touched.
template <class T, bool is_forced>
void collide_short(T* const* slot, int cells, const Rates<T>& r, const T* const* force) {
  constexpr int width = Lanes<T>::width;
  T copy[count][width] = {}, force_copy[3][width] = {};
  T* at[count];
  const T* force_at[3] = {force_copy[0], force_copy[1], force_copy[2]};
  for (int i = 0; i < count; ++i) {
    at[i] = copy[i];
    for (int x = 0; x < cells; ++x) copy[i][x] = slot[i][x];
  }
  for (int k = 0; is_forced && k < 3; ++k)
    for (int x = 0; x < cells; ++x) force_copy[k][x] = force[k][x];
  collide_lanes<T, is_forced, false>(at, 0, r, force_at, typename Lanes<T>::Mask{});
  for (int i = 0; i < count; ++i)
    for (int x = 0; x < cells; ++x) slot[i][x] = copy[i][x];
}

template <class T, bool is_forced>
void collide_cells(T* const* slot, int cells, const Collision<T>& c, const T* const* force) {
  constexpr int width = Lanes<T>::width;
  const Rates<T> r(c);
  if (cells < width) return collide_short<T, is_forced>(slot, cells, r, force);
  // What is left over at the end goes first, together with cells whose turn is yet to come: later, these would have to
  // be loaded again right after they were stored.
  const int rest = cells % width;
  if (rest > 0) collide_lanes<T, is_forced, true>(slot, cells - width, r, force, Lanes<T>::last(rest));
  for (int x = 0; x + width <= cells; x += width)
    collide_lanes<T, is_forced, false>(slot, x, r, force, typename Lanes<T>::Mask{});
}

template <class T>
void collide(T* const* slot, int cells, const Collision<T>& c, const T* const* force) {
  if (force)
    collide_cells<T, true>(slot, cells, c, force);
  else
    collide_cells<T, false>(slot, cells, c, force);
}

template <class V, class At>
[[gnu::always_inline]] inline void sum_moments(const At& f, V (&out)[4]) {
  const V s1 = f(1) + f(2), s3 = f(3) + f(4), s5 = f(5) + f(6);
  const V s7 = (f(7) + f(8)) + (f(9) + f(10)), s11 = (f(11) + f(12)) + (f(13) + f(14));
  out[0] = ((f(0) + s1) + (s3 + s5)) + (s7 + s11) + ((f(15) + f(16)) + (f(17) + f(18)));
  const V d7 = f(7) - f(8), d9 = f(9) - f(10), d11 = f(11) - f(12), d13 = f(13) - f(14), d15 = f(15) - f(16),
          d17 = f(17) - f(18);
  out[1] = (f(1) - f(2)) + ((d7 + d9) + (d11 + d13));
  out[2] = (f(3) - f(4)) + ((d7 - d9) + (d15 + d17));
  out[3] = (f(5) - f(6)) + ((d11 - d13) + (d15 - d17));
}

template <class T>
void moments(const T* const* slot, int first, int last, double* const* out) {
  using L = Lanes<T>;
  int x = first;
  for (; x + L::width <= last; x += L::width) {
    typename L::V m[4];
    sum_moments(
        [&](int i) __attribute__((always_inline)) { return L::load(slot[opposite[i]] + x); }, m);
    for (int k = 0; k < 4; ++k)
      for (int lane = 0; lane < L::width; ++lane) out[k][x - first + lane] = static_cast<double>(m[k][lane]);
  }
  for (; x < last; ++x) {
    T m[4];
    sum_moments(
        [&](int i) __attribute__((always_inline)) { return slot[opposite[i]][x]; }, m);
    for (int k = 0; k < 4; ++k) out[k][x - first] = static_cast<double>(m[k]);
  }
}

template <class T>
void reflect(T* p, int cells, T sign, T shift, const T* shifts, double* sums) {
  constexpr int width = 8;
  double before[width] = {}, after[width] = {};
  const auto run = [&](const auto& changed) __attribute__((always_inline)) {
    const auto one = [&](int x, int lane) __attribute__((always_inline)) {
      const T now = changed(p[x], x);
      before[lane] += static_cast<double>(p[x]);
      after[lane] += static_cast<double>(now);
      p[x] = now;
    };
    int x = 0;
    for (; x + width <= cells; x += width)
      for (int lane = 0; lane < width; ++lane) one(x + lane, lane);
    for (int lane = 0; x < cells; ++x, ++lane) one(x, lane);
  };
  if (shifts)
    run([&](T v, int x) __attribute__((always_inline)) { return sign * v + (shift + shifts[x]); });
  else if (sign != 1 || shift != 0)
    run([&](T v, int) __attribute__((always_inline)) { return sign * v + shift; });
  else
    run([&](T v, int) __attribute__((always_inline)) { return v; });
  const auto total = [](const double* s) { return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); };
  sums[0] = total(before), sums[1] = total(after);
}

template <class T>
constexpr RowLoops<T> loops{collide<T>, moments<T>, reflect<T>};

}  // namespace

const RowLoops<float>& row_loops_of_width(float) {
  return loops<float>;
}
const RowLoops<double>& row_loops_of_width(double) {
  return loops<double>;
}

}  // namespace ls::inline LS_ISA
