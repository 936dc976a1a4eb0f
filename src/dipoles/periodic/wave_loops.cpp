// Compiled once per vector width; see wave_loops.h and registers.h. Lanes are dipoles.
#include "dipoles/periodic/wave_loops.h"

#include "base/loops_of_width.h"
#include "dipoles/registers.h"

#include <cstddef>
#include <cstdlib>

namespace ls::inline LS_ISA {
namespace {

using V = Register<double>;
constexpr int lanes = register_lanes<double>;

struct Phase {
  V cosine, sine;
};
inline Phase product(const Phase& a, const Phase& b) {
  return {fused(a.cosine, b.cosine, -(a.sine * b.sine)), fused(a.cosine, b.sine, a.sine * b.cosine)};
}
inline Phase phase(const WaveTables& t, int axis, int number, int dipole) {
  const std::ptrdiff_t at = std::ptrdiff_t{std::abs(number)} * t.room + dipole;
  const V sine = load(t.sine[axis] + at);
  return {load(t.cosine[axis] + at), number < 0 ? -sine : sine};
}

void find_totals(const WaveTables& t, const WaveRow& row, double* scratch, double* totals) {
  double *cosine = scratch, *sine = scratch + t.room, *across = scratch + 2 * t.room;
  const V kx = broadcast<double>(row.kx), ky = broadcast<double>(row.ky);
  for (int i = 0; i < t.room; i += lanes) {
    const Phase p = product(phase(t, 0, row.a, i), phase(t, 1, row.b, i));
    store(cosine + i, p.cosine);
    store(sine + i, p.sine);
    store(across + i, fused(ky, load(t.moment[1] + i), kx * load(t.moment[0] + i)));
  }
  for (int c = row.first; c <= row.last; ++c, totals += 2) {
    const V kz = broadcast<double>(c * t.kz);
    V sum[2][rounds<double>];
    for (int round = 0; round < rounds<double>; ++round) {
      V real{}, imaginary{};
      for (int i = round * lanes; i < t.room; i += sum_lanes<double>) {
        const Phase p = product({load(cosine + i), load(sine + i)}, phase(t, 2, c, i));
        const V along = fused(kz, load(t.moment[2] + i), load(across + i));
        real = fused(along, p.cosine, real);
        imaginary = fused(along, p.sine, imaginary);
      }
      sum[0][round] = real, sum[1][round] = imaginary;
    }
    for (int k = 0; k < 2; ++k) totals[k] = sum_of_lanes<double>(sum[k]);
  }
}

// Of a row: sums of the real part and its kz-fold, of the imaginary part, its kz- and kz^2-fold.
struct RowSums {
  V real{}, real1{}, imaginary{}, imaginary1{}, imaginary2{};
};
inline RowSums sums_of(const WaveTables& t, const WaveRow& row, const double* totals, int i) {
  const Phase across = product(phase(t, 0, row.a, i), phase(t, 1, row.b, i));
  RowSums s;
  for (int c = row.first; c <= row.last; ++c, totals += 2) {
    const Phase p = product(across, phase(t, 2, c, i));
    const V kz = broadcast<double>(c * t.kz), of_cosine = broadcast<double>(totals[0]),
            of_sine = broadcast<double>(totals[1]);
    const V real = fused(p.cosine, of_cosine, p.sine * of_sine);
    const V imaginary = fused(p.sine, of_cosine, -(p.cosine * of_sine)), once = kz * imaginary;
    s.real += real;
    s.real1 = fused(kz, real, s.real1);
    s.imaginary += imaginary;
    s.imaginary1 += once;
    s.imaginary2 = fused(kz, once, s.imaginary2);
  }
  return s;
}

void read(const WaveTables& t, const WaveRow* rows, int count, const double* totals, int begin, int end,
          const WaveColumns& out) {
  for (int i = begin; i < end; i += lanes) {
    const V ux = load(t.moment[0] + i), uy = load(t.moment[1] + i), uz = load(t.moment[2] + i);
    V field[3]{}, force[3]{};
    for (const WaveRow* row = rows; row < rows + count; ++row) {
      const RowSums s = sums_of(t, *row, totals + 2 * row->wave, i);
      const V kx = broadcast<double>(row->kx), ky = broadcast<double>(row->ky);
      const V along = fused(ky, uy, kx * ux), across = fused(uz, s.imaginary1, along * s.imaginary);
      field[0] = fused(-kx, s.real, field[0]);
      field[1] = fused(-ky, s.real, field[1]);
      field[2] = field[2] - s.real1;
      force[0] = fused(kx, across, force[0]);
      force[1] = fused(ky, across, force[1]);
      force[2] = fused(along, s.imaginary1, fused(uz, s.imaginary2, force[2]));
    }
    for (int k = 0; k < 3; ++k) store(out.field[k] + i, field[k]), store(out.force[k] + i, force[k]);
  }
}

}  // namespace

template <>
const WaveLoops& loops_of_width<WaveLoops>() {
  static constexpr WaveLoops loops{find_totals, read};
  return loops;
}

}  // namespace ls::inline LS_ISA
