// Compiled once per vector width; see marker_loops.h. Includes only headers that live in ls::inline LS_ISA.
#include "fluid/marker_loops.h"

#include "base/hd.h"

namespace ls::inline LS_ISA {
namespace {

typedef double Quad __attribute__((vector_size(32), may_alias));

// Calls visit(place of the first cell, weight of the row) for every row of some planes.
template <class F>
[[gnu::always_inline]] inline void for_each_row(const CellBlock& c, unsigned planes, const F& visit) {
  for (int k = 0; k < c.width; ++k)
    if (planes >> k & 1)
      for (int j = 0; j < c.width; ++j) visit(c.start[c.slot[k][j]] + c.first, c.weight[2][k] * c.weight[1][j]);
}

template <int width>
void read_cells(const CellBlock& c, const double* more, double (&out)[5]) {
  Quad sum{};
  double last = 0;
  for_each_row(
      c, ~0U, [&](std::ptrdiff_t at, double yz) __attribute__((always_inline)) {
        const Quad* const cell = reinterpret_cast<const Quad*>(c.values) + at;
        Quad row{};
        double row_more = 0;
        for (int i = 0; i < width; ++i) row += c.weight[0][i] * cell[i], row_more += c.weight[0][i] * more[at + i];
        sum += yz * row, last += yz * row_more;
      });
  for (int k = 0; k < 4; ++k) out[k] = sum[k];
  out[4] = last;
}
void read(const CellBlock& c, const double* more, double (&out)[5]) {
  c.width == 3 ? read_cells<3>(c, more, out) : read_cells<4>(c, more, out);
}

template <int width>
void add_to_cells(const CellBlock& c, unsigned planes, const double (&given)[4]) {
  const Quad all{given[0], given[1], given[2], given[3]};
  Quad part[width];
  for (int i = 0; i < width; ++i) part[i] = c.weight[0][i] * all;
  for_each_row(
      c, planes, [&](std::ptrdiff_t at, double yz) __attribute__((always_inline)) {
        Quad* const cell = reinterpret_cast<Quad*>(c.values) + at;
        for (int i = 0; i < width; ++i) cell[i] += yz * part[i];
      });
}
void add(const CellBlock& c, unsigned planes, const double (&given)[4]) {
  c.width == 3 ? add_to_cells<3>(c, planes, given) : add_to_cells<4>(c, planes, given);
}

void add_more(const CellBlock& c, unsigned planes, double given, double* more) {
  for_each_row(
      c, planes, [&](std::ptrdiff_t at, double yz) __attribute__((always_inline)) {
        for (int i = 0; i < c.width; ++i) more[at + i] += given * yz * c.weight[0][i];
      });
}

template <bool is_noted>
void add_drag(const DragRun& r) {
  const double *const vx = r.velocity[0], *const vy = r.velocity[1], *const vz = r.velocity[2];
  const double *const ux = r.flow[0], *const uy = r.flow[1], *const uz = r.flow[2];
  const double *const xx = r.resistance[0], *const yy = r.resistance[1], *const zz = r.resistance[2];
  const double *const yz = r.resistance[3], *const xz = r.resistance[4], *const xy = r.resistance[5];
  double *const fx = r.force[0], *const fy = r.force[1], *const fz = r.force[2];
  double *const jx = r.impulse[0], *const jy = r.impulse[1], *const jz = r.impulse[2];
  const double dt = r.dt;
#pragma GCC ivdep
  for (int i = 0; i < r.count; ++i) {
    const double x = ux[i] - vx[i], y = uy[i] - vy[i], z = uz[i] - vz[i];
    const double px = xx[i] * x + xy[i] * y + xz[i] * z;
    const double py = xy[i] * x + yy[i] * y + yz[i] * z;
    const double pz = xz[i] * x + yz[i] * y + zz[i] * z;
    fx[i] += px, fy[i] += py, fz[i] += pz;
    if constexpr (is_noted) jx[i] += dt * px, jy[i] += dt * py, jz[i] += dt * pz;
  }
}
void drag(const DragRun& r) {
  r.impulse[0] ? add_drag<true>(r) : add_drag<false>(r);
}

}  // namespace

const MarkerLoops& marker_loops_of_width() {
  static constexpr MarkerLoops loops{read, add, add_more, drag};
  return loops;
}

}  // namespace ls::inline LS_ISA
