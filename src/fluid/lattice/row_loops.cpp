// Compiled once per vector width; see row_loops.h. Includes only headers that live in ls::inline LS_ISA.
#include "fluid/lattice/row_loops.h"

#include "base/loops_of_width.h"
#include "fluid/lattice/d3q19.h"
#include "fluid/lattice/lanes.h"
#include "fluid/lattice/quads.h"

#include <utility>

namespace ls::inline LS_ISA {
namespace {

using d3q19::count, d3q19::opposite;

// Density - 1 and momentum of the populations f(0) to f(18).
template <class V, class At>
[[gnu::always_inline]] inline void sum_moments(const At& f, V (&out)[4]) {
  V sum = f(0) + (f(1) + f(2));
  V x = f(1) - f(2), y = f(3) - f(4), z = f(5) - f(6);
  sum += (f(3) + f(4)) + (f(5) + f(6));
  const V d7 = f(7) - f(8), d9 = f(9) - f(10);
  V far = (f(7) + f(8)) + (f(9) + f(10));
  const V d11 = f(11) - f(12), d13 = f(13) - f(14);
  far += (f(11) + f(12)) + (f(13) + f(14));
  const V d15 = f(15) - f(16), d17 = f(17) - f(18);
  x += (d7 + d9) + (d11 + d13);
  y += (d7 - d9) + (d15 + d17);
  z += (d11 - d13) + (d15 - d17);
  out[0] = (sum + far) + ((f(15) + f(16)) + (f(17) + f(18)));
  out[1] = x, out[2] = y, out[3] = z;
}

template <bool is>
struct Constant {
  static constexpr bool value = is;
};

// The same, spread over all lanes.
template <class T>
struct Rates : Collision<typename Lanes<T>::V> {
  [[gnu::always_inline]] explicit Rates(const Collision<T>& c) {
    const auto all = Lanes<T>::all;
    for (int k = 0; k < 3; ++k) this->body[k] = all(c.body[k]);
    this->even = all(c.even), this->half_even = all(c.half_even), this->half_odd = all(c.half_odd);
    this->square = all(c.square), this->force_square = all(c.force_square);
    this->far_energy = all(c.far_energy), this->rest_energy = all(c.rest_energy);
    this->far_force_energy = all(c.far_force_energy), this->rest_force_energy = all(c.rest_force_energy);
    this->linear = all(c.linear), this->force_linear = all(c.force_linear);
  }
};

// Two relaxation times with Guo's force (Ginzburg, Verhaeghe and d'Humieres 2008; Guo, Zheng and Shi 2002; the split of
// the force into halves: Postma and Silva 2020). With h = f - w and u = (momentum + F/2) / density,
//   h_i* = h_i - even (h+ - e+) - odd (h- - e-) + (1 - even/2) F+ + (1 - odd/2) F-      h+- = (h_i +- h_opposite)/2
//   e+ = w (density - 1 + density (9/2 (c.u)^2 - 3/2 u^2)),   e- = 3 w density c.u
//   F+ = w (9 (c.u)(c.F) - 3 u.F),                            F- = 3 w c.F
// In single precision it matters where numbers are rounded. Changes are summed before they are added to a population.
// And the odd halves along the axes are not computed as above, but as what makes the momentum change by F: so the
// rounding of the momentum that the others start from goes into no flow.
// Each population is loaded twice, for the sums and for its pair: registers do not hold them all, and memory is as near
// as the stack.
// Without any force its products, zeros all, are left out. Sums with them stay, since a compiler that finds none would
// fuse other products with other sums: so no bit changes.
// is_part: only the lanes of `mask` change, the others get back what they had.
enum class Push { none, body, cells };
template <class T, Push push, bool is_part>
[[gnu::always_inline]] inline void collide_lanes(T* const* slot, int x, const Rates<T>& r, const RowForce<T>* force,
                                                 typename Lanes<T>::Mask mask) {
  using L = Lanes<T>;
  using V = typename L::V;
  V fx{}, fy{}, fz{};
  if constexpr (push != Push::none) fx = r.body[0], fy = r.body[1], fz = r.body[2];
  if constexpr (push == Push::cells) {
    fx += L::load(force->column[0] + x), fy += L::load(force->column[1] + x);
    fz += L::load(force->column[2] + x);
  }

  V m[4];
  sum_moments(
      [&](int i) __attribute__((always_inline)) { return L::load(slot[opposite[i]] + x); }, m);
  const V jx = m[1] + T(0.5) * fx, jy = m[2] + T(0.5) * fy, jz = m[3] + T(0.5) * fz;
  const V inverse = T(1) / (m[0] + T(1));
  const V energy = m[0] - (T(1.5) * inverse) * (jx * jx + jy * jy + jz * jz);
  V rest, far, sx{}, sy{}, sz{}, gx{}, gy{}, gz{};
  if constexpr (push == Push::none) {
    rest = r.rest_energy * energy + V{}, far = r.far_energy * energy + V{};
  } else {
    const V power = inverse * (jx * fx + jy * fy + jz * fz);
    rest = r.rest_energy * energy - r.rest_force_energy * power;
    far = r.far_energy * energy - r.far_force_energy * power;
    sx = r.force_square * fx, sy = r.force_square * fy, sz = r.force_square * fz;
    gx = r.force_linear * fx, gy = r.force_linear * fy, gz = r.force_linear * fz;
  }
  const V kx = inverse * (r.square * jx + sx), ky = inverse * (r.square * jy + sy), kz = inverse * (r.square * jz + sz);
  const V near = far + far;

  const auto write = [&](T * at, V v, V old) __attribute__((always_inline)) {
    if constexpr (is_part) v = mask ? v : old;
    L::store(at + x, v);
  };
  const auto far_pair = [&](int i, V cj, V ck, V cg) __attribute__((always_inline)) {
    const V forth = L::load(slot[i + 1] + x), back = L::load(slot[i] + x);
    const V even = (far + cj * ck) - r.half_even * (forth + back);
    const V odd = (r.linear * cj + cg) - r.half_odd * (forth - back);
    write(slot[i], forth + (even + odd), back);
    write(slot[i + 1], back + (even - odd), forth);
    return odd;
  };
  const auto near_pair = [&](int i, V j, V k, V odd) __attribute__((always_inline)) {
    const V forth = L::load(slot[i + 1] + x), back = L::load(slot[i] + x);
    const V even = (near + j * (k + k)) - r.half_even * (forth + back);
    write(slot[i], forth + (even + odd), back);
    write(slot[i + 1], back + (even - odd), forth);
  };
  const V f0 = L::load(slot[0] + x);
  write(slot[0], f0 + (rest - r.even * f0), f0);
  const V xy = far_pair(7, jx + jy, kx + ky, gx + gy), yx = far_pair(9, jx - jy, kx - ky, gx - gy);
  V ox = xy + yx, oy = xy - yx;
  const V xz = far_pair(11, jx + jz, kx + kz, gx + gz), zx = far_pair(13, jx - jz, kx - kz, gx - gz);
  ox += xz + zx;
  V oz = xz - zx;
  const V yz = far_pair(15, jy + jz, ky + kz, gy + gz), zy = far_pair(17, jy - jz, ky - kz, gy - gz);
  oy += yz + zy, oz += yz - zy;
  near_pair(1, jx, kx, T(0.5) * fx - ox);
  near_pair(3, jy, ky, T(0.5) * fy - oy);
  near_pair(5, jz, kz, T(0.5) * fz - oz);
}

// A row shorter than a register goes through a copy, so that nothing beyond its own cells is touched.
template <class T, Push push>
void collide_short(T* const* slot, int cells, const Rates<T>& r, const RowForce<T>* force) {
  constexpr int width = Lanes<T>::width;
  T copy[count][width] = {};
  T force_copy[3][width] = {};
  T* at[count];
  const RowForce<T> force_at{{force_copy[0], force_copy[1], force_copy[2]}, 0, width};
  for (int i = 0; i < count; ++i) {
    at[i] = copy[i];
    for (int x = 0; x < cells; ++x) copy[i][x] = slot[i][x];
  }
  for (int k = 0; push == Push::cells && k < 3; ++k)
    for (int x = 0; x < cells; ++x) force_copy[k][x] = force->column[k][x];
  collide_lanes<T, push, false>(at, 0, r, &force_at, typename Lanes<T>::Mask{});
  for (int i = 0; i < count; ++i)
    for (int x = 0; x < cells; ++x) slot[i][x] = copy[i][x];
}

// streams: the populations of the next row, which is `apart` further on, are fetched meanwhile. The processor follows
// fewer than nineteen columns by itself: without, boxes that stream from memory take a fifth to a third longer.
// Fetching two rows ahead, or to the second level only, gains less. A box in the third level loses a twentieth by it.
template <class T, Push push, bool streams>
[[gnu::always_inline]] inline void collide_row(T* const* slot, int cells, std::ptrdiff_t apart, const Rates<T>& r,
                                               const RowForce<T>* force) {
  constexpr int width = Lanes<T>::width, line = 64 / static_cast<int>(sizeof(T));
  const auto lanes_at = [&](int x, auto is_part, typename Lanes<T>::Mask mask) __attribute__((always_inline)) {
    if constexpr (push == Push::cells)
      if (x + width > force->first && x < force->last)
        return collide_lanes<T, push, is_part.value>(slot, x, r, force, mask);
    collide_lanes<T, push == Push::cells ? Push::body : push, is_part.value>(slot, x, r, force, mask);
  };
  // What is left over at the end is done together with cells before it, whose turn is yet to come and which stay as
  // they are. Two registers before the end: later, its stores would not have left the core when those cells are loaded;
  // earlier, memory would be read out of order.
  const int rest = cells % width, full = cells - rest, turn = full > 2 * width ? full - 2 * width : 0;
  for (int x = 0; x < full; x += width) {
    if (x == turn && rest > 0) lanes_at(cells - width, Constant<true>{}, Lanes<T>::last(rest));
    lanes_at(x, Constant<false>{}, typename Lanes<T>::Mask{});
    if (streams && x % line == 0)
      for (int i = 0; i < count; ++i) __builtin_prefetch(slot[i] + apart + x, 1);
  }
}

template <class T, Push push, bool streams>
void collide_rows(T* const* places, const RowRun& run, const Collision<T>& c, const RowForce<T>* force) {
  const Rates<T> r(c);
  T* slot[count];  // a copy of our own, which no store can change
  for (int row = 0; row < run.rows; ++row) {
    for (int i = 0; i < count; ++i) slot[i] = places[i] + row * run.apart;
    if (run.cells < Lanes<T>::width)
      collide_short<T, push>(slot, run.cells, r, force);
    else
      collide_row<T, push, streams>(slot, run.cells, run.apart, r, force);
  }
}

template <class T>
void collide(T* const* slot, const RowRun& run, const Collision<T>& c, const RowForce<T>* force) {
  const bool is_pushed = c.body[0] != 0 || c.body[1] != 0 || c.body[2] != 0;
  if (force)
    collide_rows<T, Push::cells, false>(slot, run, c, force);
  else if (is_pushed)
    run.streams ? collide_rows<T, Push::body, true>(slot, run, c, force)
                : collide_rows<T, Push::body, false>(slot, run, c, force);
  else
    run.streams ? collide_rows<T, Push::none, true>(slot, run, c, force)
                : collide_rows<T, Push::none, false>(slot, run, c, force);
}

template <class T>
void moments(const T* const* places, int first, int last, double* const* out) {
  using L = Lanes<T>;
  const T* slot[count];
  for (int i = 0; i < count; ++i) slot[i] = places[i];
  if (last - first < L::width) {
    for (int x = first; x < last; ++x) {
      T m[4];
      sum_moments(
          [&](int i) __attribute__((always_inline)) { return slot[opposite[i]][x]; }, m);
      for (int k = 0; k < 4; ++k) out[k][x - first] = static_cast<double>(m[k]);
    }
    return;
  }
  double* const to[4] = {out[0], out[1], out[2], out[3]};
  for (int next = first; next < last; next += L::width) {
    const int x = next + L::width <= last ? next : last - L::width;  // the last ones once more, if need be
    typename L::V m[4];
    sum_moments(
        [&](int i) __attribute__((always_inline)) { return L::load(slot[opposite[i]] + x); }, m);
    for (int k = 0; k < 4; ++k) L::store_doubles(to[k] + (x - first), m[k]);
  }
}

// In groups of four lanes, columns become rows.
template <class V, int... lane>
[[gnu::always_inline]] inline void transpose_fours(V (&v)[4], std::integer_sequence<int, lane...>) {
  constexpr int width = sizeof...(lane);
  const auto low = [](V p, V q) __attribute__((always_inline)) {  // 0 and 1 of both, in turns
    return __builtin_shufflevector(p, q, (lane / 4 * 4 + lane % 4 / 2 + lane % 2 * width)...);
  };
  const auto high = [](V p, V q) __attribute__((always_inline)) {  // 2 and 3
    return __builtin_shufflevector(p, q, (lane / 4 * 4 + 2 + lane % 4 / 2 + lane % 2 * width)...);
  };
  const auto left = [](V p, V q) __attribute__((always_inline)) {  // 0 and 1 of the one, then of the other
    return __builtin_shufflevector(p, q, (lane / 4 * 4 + lane % 2 + lane % 4 / 2 * width)...);
  };
  const auto right = [](V p, V q) __attribute__((always_inline)) {  // 2 and 3
    return __builtin_shufflevector(p, q, (lane / 4 * 4 + 2 + lane % 2 + lane % 4 / 2 * width)...);
  };
  const V a = low(v[0], v[1]), b = high(v[0], v[1]), c = low(v[2], v[3]), d = high(v[2], v[3]);
  v[0] = left(a, c), v[1] = right(a, c), v[2] = left(b, d), v[3] = right(b, d);
}

template <class T>
void flow(const T* const* places, int first, int last, T* cells) {
  using L = Lanes<T>;
  constexpr int width = L::width;
  const T* slot[count];
  for (int i = 0; i < count; ++i) slot[i] = places[i];
  for (int next = first; next < last; next += width) {
    const int x = next + width <= last ? next : last - width;  // the last ones once more, if need be
    T* const to = cells + 4 * (x - first);
    typename L::V m[4];
    sum_moments(
        [&](int i) __attribute__((always_inline)) { return L::load(slot[opposite[i]] + x); }, m);
    const auto inverse = T(1) / (m[0] + T(1));
    typename L::V v[4] = {inverse * m[1], inverse * m[2], inverse * m[3], inverse};
    alignas(64) T part[4][width];
    if constexpr (width % 4 == 0) transpose_fours(v, std::make_integer_sequence<int, width>{});
    for (int k = 0; k < 4; ++k) L::store(part[k], v[k]);
    if constexpr (width % 4 == 0) {
      for (int lane = 0; lane < width; lane += 4)
        for (int k = 0; k < 4; ++k) Four<T>::store(to + 4 * (lane + k), Four<T>::load(part[k] + lane));
    } else {
      for (int lane = 0; lane < width; ++lane)
        for (int k = 0; k < 4; ++k) to[4 * lane + k] = part[k][lane];
    }
  }
}

template <class T>
void reflect(T* p, int cells, T sign, T shift, const T* shifts, double* sums) {
  constexpr int width = 8;
  double before[width] = {}, after[width] = {};
  const auto run = [&](const auto& one) __attribute__((always_inline)) {
    int x = 0;
    for (; x + width <= cells; x += width)
      for (int lane = 0; lane < width; ++lane) one(x + lane, lane);
    for (int lane = 0; x < cells; ++x, ++lane) one(x, lane);
  };
  const auto change = [&](int x, int lane, T now) __attribute__((always_inline)) {
    before[lane] += static_cast<double>(p[x]);
    after[lane] += static_cast<double>(now);
    p[x] = now;
  };
  const auto total = [](const double* s) { return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); };
  if (!shifts && sign == 1 && shift == 0) {
    run([&](int x, int lane) __attribute__((always_inline)) { before[lane] += static_cast<double>(p[x]); });
    sums[0] = sums[1] = total(before);
    return;
  }
  if (shifts)
    run([&](int x, int lane) __attribute__((always_inline)) { change(x, lane, sign * p[x] + (shift + shifts[x])); });
  else
    run([&](int x, int lane) __attribute__((always_inline)) { change(x, lane, sign * p[x] + shift); });
  sums[0] = total(before), sums[1] = total(after);
}

template <class T>
constexpr RowLoops<T> loops{Lanes<T>::width, collide<T>, moments<T>, flow<T>, reflect<T>};

}  // namespace

template <>
const RowLoops<float>& loops_of_width<RowLoops<float>>() {
  return loops<float>;
}
template <>
const RowLoops<double>& loops_of_width<RowLoops<double>>() {
  return loops<double>;
}

}  // namespace ls::inline LS_ISA
