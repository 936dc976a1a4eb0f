#include "dipoles/periodic/ewald_sum.h"

#include "dipoles/periodic/ewald_error.h"
#include "dipoles/periodic/screened_loops.h"

#include <numbers>

namespace ls {

namespace {

using std::numbers::pi;
using Triple = std::array<double, 3>;

double dot(const Triple& a, const Triple& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Triple triple(const std::array<const double*, 3>& a, int i) {
  return {a[0][i], a[1][i], a[2][i]};
}
// From the nearest copy of j to i, rounded as ScreenedPairs has it: in a large box a pair's own field changes more by
// another rounding than all copies of the pair amount to.
Triple way_from(const PeriodicBox& box, const DipoleSet& set, std::size_t j, std::size_t i) {
  Triple d{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double length = box.length[k], here = wrapped(set.position[k][i], length),
                 there = wrapped(set.position[k][j], length);
    d[k] = (here - std::round((here - there) / length) * length) - there;
  }
  return d;
}

}  // namespace

// Lattices are in step where the estimate takes dipoles as random, so their errors add up; Gaussians fall so fast that
// a hundredth of the error costs little. A wave takes less time than a pair: to_waves is where a sum over 64 to 216
// dipoles was fastest, 3 times as fast as with 1 at an accuracy of 1e-9.
EwaldSplit ewald_split(const PeriodicBox& box, int count, double accuracy, double tilt) {
  constexpr double margin = 0.01, to_waves = 1.8;
  EwaldSplit split;
  split.alpha =
      tilt * to_waves * std::sqrt(pi) * std::pow(std::fmax(count, 1) / (box.volume() * box.volume()), 1.0 / 6);
  split.cut = least_that_serves(0.1 / split.alpha, 20 / split.alpha, margin * accuracy,
                                [&](double cut) { return cut_error(box, count, split.alpha, cut).larger(); });
  split.longest = least_that_serves(0.1 * split.alpha, 40 * split.alpha, margin * accuracy, [&](double longest) {
    return wave_error(box, count, split.alpha, longest).larger();
  });
  return split;
}

void add_whole(const PeriodicBox& box, double alpha, double cut, const DipoleSet& set, DipoleFields& out) {
  Triple total{};
  for (std::size_t k = 0; k < 3; ++k)
    for (int i = 0; i < set.count; ++i) total[k] += set.moment[k][i];
  const double own = dipole_constant * 4 * std::pow(alpha, 3) / (3 * std::sqrt(pi));
  const double whole =
      box.surround == PeriodicBox::Surround::vacuum ? -dipole_constant * 4 * pi / (3 * box.volume()) : 0.0;
  for (std::size_t k = 0; k < 3; ++k)
    for (int i = 0; i < set.count; ++i)
      out.field[k][static_cast<std::size_t>(i)] += own * set.moment[k][i] + whole * total[k];
  for (const auto& pair : set.excluded)
    for (std::size_t side = 0; side < 2; ++side) {
      const auto i = static_cast<std::size_t>(pair[side]), j = static_cast<std::size_t>(pair[1 - side]);
      const Triple d = way_from(box, set, j, i), m = triple(set.moment, pair[1 - side]);
      if (dot(d, d) <= one_place * cut * cut) {  // of which only the smeared field is there: that of its own
        for (std::size_t k = 0; k < 3; ++k) out.field[k][i] += own * m[k];
        continue;
      }
      const PairEffect e = pair_effect(d, m, triple(set.moment, pair[side]));
      for (std::size_t k = 0; k < 3; ++k) {
        out.field[k][i] -= dipole_constant * e.field[k];
        out.force[k][i] -= dipole_constant * e.force[k];
      }
    }
}

void EwaldSum::compute(const DipoleSet& set, Team& team, DipoleFields& out) {
  if (!begin_sum(set, out)) return;
  if (set.count != count_) {
    split_ = ewald_split(box_, set.count, accuracy_, tilt_), count_ = set.count;
    waves_.prepare(box_, split_.alpha, split_.longest);
  }
  waves_.compute(set, team, out);
  cells_.build(box_, set, split_.cut);
  pairs_.add(cells_, split_.alpha, split_.cut, team, out);
  add_whole(box_, split_.alpha, split_.cut, set, out);
  out.energy = pair_energy(set, out);
}

}  // namespace ls
