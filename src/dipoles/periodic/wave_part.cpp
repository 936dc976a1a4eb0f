#include "dipoles/periodic/wave_part.h"

#include "base/widths.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ls {

namespace {

using std::numbers::pi;

constexpr int lanes = 8;
constexpr int dipoles_at_once = 8 * lanes, rows_at_once = 8;

}  // namespace

void WavePart::prepare(const PeriodicBox& box, double alpha, double longest) {
  box_ = box;
  rows_.clear(), weights_.clear();
  std::array<double, 3> unit{};
  for (std::size_t k = 0; k < 3; ++k) {
    unit[k] = 2 * pi / box.length[k];
    most_[k] = static_cast<int>(std::floor(longest / unit[k]));
  }
  for (int a = 0; a <= most_[0]; ++a)
    for (int b = a == 0 ? 0 : -most_[1]; b <= most_[1]; ++b) {
      const double kx = a * unit[0], ky = b * unit[1], rest = longest * longest - kx * kx - ky * ky;
      if (rest < 0) continue;
      const int last = std::min(most_[2], static_cast<int>(std::floor(std::sqrt(rest) / unit[2]))),
                first = a == 0 && b == 0 ? 1 : -last;
      if (first > last) continue;
      rows_.push_back({a, b, first, last, static_cast<int>(weights_.size()), kx, ky});
      for (int c = first; c <= last; ++c) {
        const double kz = c * unit[2], k2 = kx * kx + ky * ky + kz * kz;
        weights_.push_back(8 * pi / box.volume() * std::exp(-k2 / (4 * alpha * alpha)) / k2);
      }
    }
  totals_.resize(2 * weights_.size());
  tables_.kz = unit[2];
}

void WavePart::fill_tables(const DipoleSet& set, Team& team) {
  tables_.room = (set.count + lanes - 1) / lanes * lanes;
  const auto room = static_cast<std::size_t>(tables_.room);
  for (std::size_t k = 0; k < 3; ++k) {
    cosine_[k].assign((static_cast<std::size_t>(most_[k]) + 1) * room, 0.0);
    sine_[k].assign(cosine_[k].size(), 0.0);
    moment_[k].assign(room, 0.0);
    std::copy_n(set.moment[k], set.count, moment_[k].begin());
    tables_.cosine[k] = cosine_[k].data(), tables_.sine[k] = sine_[k].data(), tables_.moment[k] = moment_[k].data();
  }
  team.run(set.count, dipoles_at_once, [&](int begin, int end) {
    for (std::size_t k = 0; k < 3; ++k)
      for (int i = begin; i < end; ++i) {
        const double boxes = set.position[k][i] / box_.length[k], angle = 2 * pi * (boxes - std::floor(boxes));
        for (int n = 0; n <= most_[k]; ++n) {
          const std::size_t at = static_cast<std::size_t>(n) * room + static_cast<std::size_t>(i);
          cosine_[k][at] = std::cos(n * angle), sine_[k][at] = std::sin(n * angle);
        }
      }
  });
}

void WavePart::find_totals(Team& team) {
  const WaveLoops& loops = wave_loops();
  team.run(static_cast<int>(rows_.size()), rows_at_once, [&](int begin, int end) {
    std::vector<double> scratch(3 * static_cast<std::size_t>(tables_.room));
    for (int r = begin; r < end; ++r) {
      const WaveRow& row = rows_[static_cast<std::size_t>(r)];
      loops.find_totals(tables_, row, scratch.data(), totals_.data() + 2 * row.wave);
    }
  });
  for (std::size_t w = 0; w < weights_.size(); ++w) totals_[2 * w] *= weights_[w], totals_[2 * w + 1] *= weights_[w];
}

void WavePart::compute(const DipoleSet& set, Team& team, DipoleFields& out) {
  fill_tables(set, team);
  find_totals(team);
  const auto room = static_cast<std::size_t>(tables_.room);
  std::array<Column, 3> field, force;
  WaveColumns to{};
  for (std::size_t k = 0; k < 3; ++k) {
    field[k].assign(room, 0.0), force[k].assign(room, 0.0);
    to.field[k] = field[k].data(), to.force[k] = force[k].data();
  }
  const WaveLoops& loops = wave_loops();
  team.run(tables_.room / lanes, 2, [&](int begin, int end) {
    loops.read(tables_, rows_.data(), static_cast<int>(rows_.size()), totals_.data(), lanes * begin, lanes * end, to);
  });
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < static_cast<std::size_t>(set.count); ++i)
      out.field[k][i] = dipole_constant * field[k][i], out.force[k][i] = dipole_constant * force[k][i];
}

const WaveLoops& wave_loops() {
  return widest<WaveLoops>();
}

}  // namespace ls
