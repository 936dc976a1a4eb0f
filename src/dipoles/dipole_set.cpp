#include "dipoles/dipole_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ls {

namespace {

bool is_finite(const DipoleSet& set) {
  // A sum keeps whatever is no number, and has no branch in its loop.
  double sum = 0;
  for (const auto& columns : {set.position, set.moment})
    for (const double* column : columns)
      for (int i = 0; i < set.count; ++i) sum += 0.0 * column[i];
  return std::isfinite(sum);
}

void fill_with_nan(DipoleFields& fields) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (auto& column : fields.field) std::fill(column.begin(), column.end(), nan);
  for (auto& column : fields.force) std::fill(column.begin(), column.end(), nan);
  fields.energy = nan;
}

}  // namespace

void DipoleExclusions::build(const DipoleSet& set) {
  partners_.clear();
  begin_.clear();
  if (set.excluded.empty()) return;
  begin_.assign(static_cast<std::size_t>(set.count) + 1, 0);
  for (const auto& pair : set.excluded)
    for (const int i : pair) ++begin_[static_cast<std::size_t>(i) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  partners_.resize(2 * set.excluded.size());
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (const auto& pair : set.excluded) {
    partners_[static_cast<std::size_t>(next[static_cast<std::size_t>(pair[0])]++)] = pair[1];
    partners_[static_cast<std::size_t>(next[static_cast<std::size_t>(pair[1])]++)] = pair[0];
  }
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i)
    std::sort(partners_.begin() + begin_[i], partners_.begin() + begin_[i + 1]);
}

bool begin_sum(const DipoleSet& set, DipoleFields& out) {
  out.resize(set.count);
  out.energy = 0;
  if (set.count == 0) return false;
  if (is_finite(set)) return true;
  fill_with_nan(out);
  return false;
}

double pair_energy(const DipoleSet& set, const DipoleFields& fields) {
  constexpr int block_of_sum = 1024;
  double energy = 0;
  for (int begin = 0; begin < set.count; begin += block_of_sum) {
    double part = 0;
    for (int i = begin; i < std::min(set.count, begin + block_of_sum); ++i)
      for (std::size_t k = 0; k < 3; ++k) part += set.moment[k][i] * fields.field[k][static_cast<std::size_t>(i)];
    energy += part;
  }
  return -0.5 * energy;
}

PairEffect pair_effect(const std::array<double, 3>& d, const std::array<double, 3>& m, const std::array<double, 3>& u) {
  const double i2 = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), i3 = i2 * std::sqrt(i2), i5 = 3 * i3 * i2;
  const double md = m[0] * d[0] + m[1] * d[1] + m[2] * d[2], ud = u[0] * d[0] + u[1] * d[1] + u[2] * d[2];
  const double k = u[0] * m[0] + u[1] * m[1] + u[2] * m[2] - 5 * ud * md * i2;
  PairEffect effect;
  for (std::size_t a = 0; a < 3; ++a) {
    effect.field[a] = i5 * md * d[a] - i3 * m[a];
    effect.force[a] = i5 * (ud * m[a] + md * u[a] + k * d[a]);
  }
  return effect;
}

}  // namespace ls
