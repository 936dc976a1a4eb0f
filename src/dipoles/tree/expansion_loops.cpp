// Compiled once per vector width; see expansion_loops.h and registers.h. Lanes are dipoles.
#include "dipoles/tree/expansion_loops.h"

#include "base/loops_of_width.h"
#include "dipoles/registers.h"

namespace ls::inline LS_ISA {
namespace {

enum class Kind { regular, irregular };

template <Kind kind, class R>
inline void harmonics(int degree, const Register<R>& x, const Register<R>& y, const Register<R>& z, Register<R>* h) {
  if constexpr (kind == Kind::regular)
    regular_harmonics<R>(degree, x, y, z, h);
  else
    irregular_harmonics<R>(degree, x, y, z, inverse_root<R>(x * x + y * y + z * z), h);
}

// Coordinates of `lanes` dipoles from `first` on in units of the cell. Where the run ends before, the last one again.
template <class R>
inline void load_places(const DipoleRun& run, const ExpansionCell& cell, int first, Register<R> (&x)[3]) {
  R lanes[3][register_lanes<R>];
  const double inverse = 1 / cell.side;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < register_lanes<R>; ++j) {
      const int i = first + j < run.end ? first + j : run.end - 1;
      lanes[k][j] = static_cast<R>((run.x[k][i] - cell.centre[k]) * inverse);
    }
  for (int k = 0; k < 3; ++k) x[k] = load(lanes[k]);
}
template <class R>
inline Register<R> load_moment(const double* m, int first, int end) {
  R lanes[register_lanes<R>];
  for (int j = 0; j < register_lanes<R>; ++j) lanes[j] = first + j < end ? static_cast<R>(m[first + j]) : R(0);
  return load(lanes);
}

// sum over dipoles of m . grad of every harmonic, by sums of m times the harmonics that the gradients are made of.
template <Kind kind, class R>
void add_expansion(const DipoleRun& run, const ExpansionCell& cell, int order, const DerivativeTable& table, R* out) {
  using V = Register<R>;
  const int degree = kind == Kind::regular ? order - 1 : order + 1, count = harmonics_to(degree);
  V h[most_harmonics];
  V sums[3][most_harmonics][rounds<R>];
  for (auto& axis : sums)
    for (int b = 0; b < count; ++b)
      for (V& sum : axis[b]) sum = V{};
  for (int round = 0; round < rounds<R>; ++round)
    for (int i = run.begin + round * register_lanes<R>; i < run.end; i += sum_lanes<R>) {
      V x[3];
      load_places<R>(run, cell, i, x);
      harmonics<kind, R>(degree, x[0], x[1], x[2], h);
      for (int k = 0; k < 3; ++k) {
        const V m = load_moment<R>(run.m[k], i, run.end);
        for (int b = 0; b < count; ++b) sums[k][b][round] = fused(m, h[b], sums[k][b][round]);
      }
    }
  R total[3][most_harmonics], gradient[most_harmonics];
  for (int k = 0; k < 3; ++k)
    for (int b = 0; b < count; ++b) total[k][b] = sum_of_lanes<R>(sums[k][b]);
  for (int b = 0; b < harmonics_to(order); ++b) gradient[b] = R(0);
  for (int e = 0; e < table.count; ++e) {
    const Derivative& d = table.entries[e];
    gradient[d.of] += static_cast<R>(d.factor) * total[d.axis][d.in];
  }
  for (int l = 1; l <= order; ++l)
    for (int b = l * l; b < harmonics_to(l); ++b)
      out[b - 1] += (kind == Kind::irregular && b > l * l ? R(2) : R(1)) * gradient[b];
}

// The coefficients of the three first and of five second derivatives (the sixth follows, since their trace is zero).
template <class R>
struct Differentiated {
  R first[3][most_harmonics];
  R second[5][most_harmonics];  // xx, xy, xz, yy, yz
};
template <class R>
void differentiate(const R* coefficients, int count1, int count2, const DerivativeTable (&tables)[2],
                   Differentiated<R>& out) {
  for (auto& set : out.first)
    for (int b = 0; b < count1; ++b) set[b] = R(0);
  for (auto& set : out.second)
    for (int b = 0; b < count2; ++b) set[b] = R(0);
  for (int e = 0; e < tables[0].count; ++e) {
    const Derivative& d = tables[0].entries[e];
    out.first[d.axis][d.in] += static_cast<R>(d.factor) * coefficients[d.of];
  }
  for (int e = 0; e < tables[1].count; ++e) {
    const Derivative& d = tables[1].entries[e];
    const R factor = static_cast<R>(d.factor);
    out.second[d.axis][d.in] += factor * out.first[0][d.of];
    if (d.axis > 0) out.second[2 + d.axis][d.in] += factor * out.first[1][d.of];
  }
}

// B = - grad phi, F = - (grad grad phi) m, with the units of the cell taken away.
template <class R>
inline void add_effect(const R (&v)[8][register_lanes<R>], int lane, double side, const DipoleRun& run, int i,
                       double* const (&field)[3], double* const (&force)[3]) {
  const double inverse = 1 / side, of_field = inverse * inverse * inverse, of_force = of_field * inverse;
  const double xx = v[3][lane], xy = v[4][lane], xz = v[5][lane], yy = v[6][lane], yz = v[7][lane], zz = -xx - yy;
  const double mx = run.m[0][i], my = run.m[1][i], mz = run.m[2][i];
  for (int k = 0; k < 3; ++k) field[k][i] -= of_field * v[k][lane];
  force[0][i] -= of_force * (xx * mx + xy * my + xz * mz);
  force[1][i] -= of_force * (xy * mx + yy * my + yz * mz);
  force[2][i] -= of_force * (xz * mx + yz * my + zz * mz);
}

template <Kind kind, class R>
void read(const R* coefficients, const ExpansionCell& cell, int order, const DerivativeTable (&tables)[2],
          const DipoleRun& run, double* const (&field)[3], double* const (&force)[3]) {
  using V = Register<R>;
  constexpr int step = kind == Kind::regular ? -1 : 1;
  const int count1 = harmonics_to(order + step), count2 = harmonics_to(order + 2 * step);
  R all[most_harmonics];  // with degree 0; multipoles with the weights of the expansion of 1/r
  all[0] = R(0);
  for (int l = 1; l <= order; ++l)
    for (int b = l * l; b < harmonics_to(l); ++b)
      all[b] = (kind == Kind::irregular && b > l * l ? R(2) : R(1)) * coefficients[b - 1];
  Differentiated<R> d;
  differentiate(all, count1, count2, tables, d);
  V h[most_harmonics];
  for (int i = run.begin; i < run.end; i += register_lanes<R>) {
    V x[3];
    load_places<R>(run, cell, i, x);
    harmonics<kind, R>(kind == Kind::regular ? order - 1 : order + 2, x[0], x[1], x[2], h);
    V sums[8] = {};
    for (int b = 0; b < count1; ++b)
      for (int k = 0; k < 3; ++k) sums[k] = fused(broadcast<R>(d.first[k][b]), h[b], sums[k]);
    for (int b = 0; b < count2; ++b)
      for (int k = 0; k < 5; ++k) sums[3 + k] = fused(broadcast<R>(d.second[k][b]), h[b], sums[3 + k]);
    R lanes[8][register_lanes<R>];
    for (int k = 0; k < 8; ++k) store<R>(lanes[k], sums[k]);
    for (int j = 0; j < register_lanes<R> && i + j < run.end; ++j)
      add_effect<R>(lanes, j, cell.side, run, i + j, field, force);
  }
}

}  // namespace

template <>
const ExpansionLoops<float>& loops_of_width<ExpansionLoops<float>>() {
  static constexpr ExpansionLoops<float> loops{add_expansion<Kind::regular, float>,
                                               add_expansion<Kind::irregular, float>, read<Kind::regular, float>,
                                               read<Kind::irregular, float>};
  return loops;
}
template <>
const ExpansionLoops<double>& loops_of_width<ExpansionLoops<double>>() {
  static constexpr ExpansionLoops<double> loops{add_expansion<Kind::regular, double>,
                                                add_expansion<Kind::irregular, double>, read<Kind::regular, double>,
                                                read<Kind::irregular, double>};
  return loops;
}

}  // namespace ls::inline LS_ISA
