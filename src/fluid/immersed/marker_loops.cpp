// Compiled once per vector width; see marker_loops.h. Includes only headers that live in ls::inline LS_ISA.
#include "fluid/immersed/marker_loops.h"

#include "base/loops_of_width.h"
#include "fluid/lattice/quads.h"
#include "math/quat.h"

// The arrays that a loop goes over lie apart, so that the compiler may vectorise it.
#ifdef __clang__
#define LS_NO_OVERLAP _Pragma("clang loop vectorize(assume_safety)")
#else
#define LS_NO_OVERLAP _Pragma("GCC ivdep")
#endif

namespace ls::inline LS_ISA {
namespace {

// Towards minus infinity.
struct Floor {
  using Ints __attribute__((vector_size(16))) = int;
  Ints whole;
  Quad value;
  [[gnu::always_inline]] explicit Floor(Quad x) : whole(__builtin_convertvector(x, Ints)) {
    const Quad towards_zero = __builtin_convertvector(whole, Quad);
    const auto is_above = x < towards_zero;
    whole += __builtin_convertvector(is_above, Ints);
    value = is_above ? towards_zero - 1.0 : towards_zero;
  }
};

// Square roots, of what rounding made negative too.
[[gnu::always_inline]] inline Quad root(Quad x) {
  Quad out;
  for (int i = 0; i < 4; ++i) out[i] = __builtin_sqrt(x[i] > 0 ? x[i] : 0.0);
  return out;
}

// Since the weights sum to 1 and balance, one square root gives all of them.
void weigh(int width, double x, double y, double z, int (&first)[4], double (&weight)[3][4]) {
  constexpr double far = 1e9;  // so that cells stay whole numbers, whatever became of the place
  Quad place{x, y, z, 0};
  place = place > -far ? place : Quad{} - far;
  place = place < far ? place : Quad{} + far;
  const Floor cell(width == 3 ? place : place - 0.5);
  Quad w0, w1, w2, w3;
  if (width == 3) {
    const Quad r = place - (cell.value + 0.5);  // from the middle cell
    w1 = (1.0 + root(1.0 - 3.0 * r * r)) * (1. / 3);
    const Quad rest = 0.5 * (1.0 - w1), side = 0.5 * r;
    w0 = rest - side, w2 = rest + side, w3 = Quad{};
  } else {
    const Quad r = place - (cell.value + 0.5);  // from the second cell, 0 to 1
    const Quad s = root(1.0 + 4.0 * r - 4.0 * r * r);
    w0 = 0.125 * (3.0 - 2.0 * r - s), w1 = 0.125 * (3.0 - 2.0 * r + s);
    w2 = 0.125 * (1.0 + 2.0 * r + s), w3 = 0.125 * (1.0 + 2.0 * r - s);
  }
  for (int a = 0; a < 3; ++a) Four<double>::store(weight[a], Quad{w0[a], w1[a], w2[a], w3[a]});
  for (int a = 0; a < 4; ++a) first[a] = cell.whole[a] - 1;
}

// Where a row of a stencil begins.
[[gnu::always_inline]] inline std::ptrdiff_t row_of(const CellBlock& c, int k, int j) {
  return c.row[k][j] + std::ptrdiff_t{c.first};
}

// The weights along an axis, each in all lanes.
template <class T, int width>
struct Weights {
  typename Four<T>::V of[width];
  [[gnu::always_inline]] explicit Weights(const double* weight) {
    const typename Four<T>::V all = Four<T>::from(weight);
    of[0] = __builtin_shufflevector(all, all, 0, 0, 0, 0), of[1] = __builtin_shufflevector(all, all, 1, 1, 1, 1);
    of[2] = __builtin_shufflevector(all, all, 2, 2, 2, 2);
    if constexpr (width == 4) of[3] = __builtin_shufflevector(all, all, 3, 3, 3, 3);
  }
};

struct ReadCells {
  template <class T, int width>
  [[gnu::noinline]] static void on(const CellBlock& c, double (&out)[5]) {
    using F = Four<T>;
    using V = typename F::V;
    const Weights<T, width> x(c.weight[0]), y(c.weight[1]), z(c.weight[2]);
    const V* const cells = static_cast<const V*>(c.values);
    const T* const more = static_cast<const T*>(c.more);
    V sum{}, last{};
#pragma GCC unroll 4
    for (int k = 0; k < width; ++k) {
      V plane{}, plane_more{};
#pragma GCC unroll 4
      for (int j = 0; j < width; ++j) {
        const std::ptrdiff_t at = row_of(c, k, j);
        V row = x.of[0] * cells[at];
#pragma GCC unroll 4
        for (int i = 1; i < width; ++i) row += x.of[i] * cells[at + i];
        plane += y.of[j] * row, plane_more += y.of[j] * F::load(more + at);
      }
      sum += z.of[k] * plane, last += z.of[k] * plane_more;
    }
    for (int k = 0; k < 4; ++k) out[k] = static_cast<double>(sum[k]);
    last *= F::from(c.weight[0]);
    out[4] = static_cast<double>((last[0] + last[1]) + (last[2] + last[3]));
  }
};

struct AddToCells {
  template <class T, int width>
  [[gnu::noinline]] static void on(const CellBlock& c, unsigned planes, double gx, double gy, double gz) {
    using V = typename Four<T>::V;
    const Weights<T, width> x(c.weight[0]), y(c.weight[1]), z(c.weight[2]);
    const V all{static_cast<T>(gx), static_cast<T>(gy), static_cast<T>(gz), T(0)};
    V* const cells = static_cast<V*>(c.values);
#pragma GCC unroll 4
    for (int k = 0; k < width; ++k) {
      if (!(planes >> k & 1)) continue;
      const V plane = z.of[k] * all;
#pragma GCC unroll 4
      for (int j = 0; j < width; ++j) {
        V* const cell = cells + row_of(c, k, j);
        const V row = y.of[j] * plane;
#pragma GCC unroll 4
        for (int i = 0; i < width; ++i) cell[i] += x.of[i] * row;
      }
    }
  }
};

struct AddOneEach {
  template <class T, int width>
  [[gnu::noinline]] static void on(const CellBlock& c, unsigned planes, double given) {
    using F = Four<T>;
    const Weights<T, width> y(c.weight[1]), z(c.weight[2]);
    const typename F::V all = static_cast<T>(given) * F::from(c.weight[0]);
    T* const more = static_cast<T*>(c.more);
#pragma GCC unroll 4
    for (int k = 0; k < width; ++k) {
      if (!(planes >> k & 1)) continue;
      const typename F::V plane = z.of[k] * all;
#pragma GCC unroll 4
      for (int j = 0; j < width; ++j) {
        T* const row = more + row_of(c, k, j);
        F::store(row, F::load(row) + y.of[j] * plane);
      }
    }
  }
};

// Runs the loop for the numbers and the width of a block. Each is a function of its own: in one, the compiler would
// load what they have in common first, and run out of registers.
template <class Loop, class... More>
[[gnu::always_inline]] inline void run_for(const CellBlock& c, More&... more) {
  if (c.is_double)
    c.width == 3 ? Loop::template on<double, 3>(c, more...) : Loop::template on<double, 4>(c, more...);
  else
    c.width == 3 ? Loop::template on<float, 3>(c, more...) : Loop::template on<float, 4>(c, more...);
}
void read(const CellBlock& c, double (&out)[5]) {
  run_for<ReadCells>(c, out);
}
void add(const CellBlock& c, unsigned planes, double x, double y, double z) {
  run_for<AddToCells>(c, planes, x, y, z);
}
void add_more(const CellBlock& c, unsigned planes, double given) {
  run_for<AddOneEach>(c, planes, given);
}

void resist(const ResistanceRun& r) {
  const double *const qw = r.turn[0], *const qx = r.turn[1], *const qy = r.turn[2], *const qz = r.turn[3];
  const double *const ax = r.axis[0], *const ay = r.axis[1], *const az = r.axis[2];
  const double *const ease = r.ease, *const along = r.along;
  double *const xx = r.resistance[0], *const yy = r.resistance[1], *const zz = r.resistance[2];
  double *const yz = r.resistance[3], *const xz = r.resistance[4], *const xy = r.resistance[5];
  const double unit = r.unit;
  LS_NO_OVERLAP
  for (int i = 0; i < r.count; ++i) {
    const Vec3<double> t = rotate(Quat<double>{qw[i], {qx[i], qy[i], qz[i]}}, Vec3<double>{ax[i], ay[i], az[i]});
    const double all = unit / ease[i], less = all * (along[i] / (ease[i] + along[i]));
    xx[i] = all - less * t.x * t.x, yy[i] = all - less * t.y * t.y, zz[i] = all - less * t.z * t.z;
    yz[i] = -less * t.y * t.z, xz[i] = -less * t.x * t.z, xy[i] = -less * t.x * t.y;
  }
}

template <bool is_noted>
void add_drag(const MarkerDragRun& r) {
  const double *const vx = r.velocity[0], *const vy = r.velocity[1], *const vz = r.velocity[2];
  const double *const ux = r.flow[0], *const uy = r.flow[1], *const uz = r.flow[2];
  const double *const xx = r.resistance[0], *const yy = r.resistance[1], *const zz = r.resistance[2];
  const double *const yz = r.resistance[3], *const xz = r.resistance[4], *const xy = r.resistance[5];
  double *const fx = r.force[0], *const fy = r.force[1], *const fz = r.force[2];
  double *const jx = r.impulse[0], *const jy = r.impulse[1], *const jz = r.impulse[2];
  const double dt = r.dt;
  LS_NO_OVERLAP
  for (int i = 0; i < r.count; ++i) {
    const double x = ux[i] - vx[i], y = uy[i] - vy[i], z = uz[i] - vz[i];
    const double px = xx[i] * x + xy[i] * y + xz[i] * z;
    const double py = xy[i] * x + yy[i] * y + yz[i] * z;
    const double pz = xz[i] * x + yz[i] * y + zz[i] * z;
    fx[i] += px, fy[i] += py, fz[i] += pz;
    if constexpr (is_noted) jx[i] += dt * px, jy[i] += dt * py, jz[i] += dt * pz;
  }
}
void drag(const MarkerDragRun& r) {
  r.impulse[0] ? add_drag<true>(r) : add_drag<false>(r);
}

}  // namespace

template <>
const MarkerLoops& loops_of_width<MarkerLoops>() {
  static constexpr MarkerLoops loops{weigh, read, add, add_more, resist, drag};
  return loops;
}

}  // namespace ls::inline LS_ISA
