#include "dipoles/periodic/ewald_sum.h"

#include "dipoles/periodic/ewald_error.h"
#include "dipoles/periodic/screened_loops.h"

#include <complex>
#include <numbers>

namespace ls {

namespace {

using std::numbers::pi;
using Complex = std::complex<double>;
using Triple = std::array<double, 3>;

double dot(const Triple& a, const Triple& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Triple triple(const std::array<const double*, 3>& a, int i) {
  return {a[0][i], a[1][i], a[2][i]};
}

struct Sum {
  Triple field{}, force{};
};

void add_screened(const Triple& r, const Triple& m, const Triple& u, double alpha, Sum& sum) {
  const Screened s = screened(std::sqrt(dot(r, r)), alpha);
  const double mr = dot(m, r), ur = dot(u, r), along = s.c * dot(u, m) - s.d * ur * mr;
  for (std::size_t k = 0; k < 3; ++k) {
    sum.field[k] += s.c * mr * r[k] - s.b * m[k];
    sum.force[k] += along * r[k] + s.c * (ur * m[k] + mr * u[k]);
  }
}

// All copies of all dipoles within the cut.
Sum near_copies(const PeriodicBox& box, const EwaldSplit& split, const DipoleSet& set, int i) {
  Sum sum;
  std::array<int, 3> most{};
  for (std::size_t k = 0; k < 3; ++k) most[k] = static_cast<int>(std::ceil(split.cut / box.length[k] + 0.5));
  const Triple x = triple(set.position, i), u = triple(set.moment, i);
  for (int j = 0; j < set.count; ++j) {
    const Triple y = triple(set.position, j), m = triple(set.moment, j);
    const Triple d = box.nearest({x[0] - y[0], x[1] - y[1], x[2] - y[2]});
    for (int a = -most[0]; a <= most[0]; ++a)
      for (int b = -most[1]; b <= most[1]; ++b)
        for (int c = -most[2]; c <= most[2]; ++c) {
          const Triple r{d[0] + a * box.length[0], d[1] + b * box.length[1], d[2] + c * box.length[2]};
          const bool is_itself = i == j && a == 0 && b == 0 && c == 0;
          const double r2 = dot(r, r), most = split.cut * split.cut;
          if (!is_itself && r2 < most && r2 > one_place * most) add_screened(r, m, u, split.alpha, sum);
        }
  }
  return sum;
}

struct Wave {
  Triple k;
  double weight;  // 4 pi/V exp(-k^2/4 alpha^2)/k^2, twice since -k is not listed
  Complex total;  // sum (m.k) exp(i k.x)
};

// Half of the wave vectors within the longest.
std::vector<Wave> waves(const PeriodicBox& box, const EwaldSplit& split) {
  std::vector<Wave> list;
  std::array<int, 3> most{};
  for (std::size_t k = 0; k < 3; ++k) most[k] = static_cast<int>(std::floor(split.longest * box.length[k] / (2 * pi)));
  for (int a = 0; a <= most[0]; ++a)
    for (int b = a == 0 ? 0 : -most[1]; b <= most[1]; ++b)
      for (int c = a == 0 && b == 0 ? 1 : -most[2]; c <= most[2]; ++c) {
        const Triple k{2 * pi * a / box.length[0], 2 * pi * b / box.length[1], 2 * pi * c / box.length[2]};
        const double k2 = dot(k, k);
        if (k2 > split.longest * split.longest) continue;
        list.push_back({k, 8 * pi / box.volume() * std::exp(-k2 / (4 * split.alpha * split.alpha)) / k2, 0});
      }
  return list;
}

void sum_wave(const DipoleSet& set, Wave& wave) {
  for (int i = 0; i < set.count; ++i)
    wave.total += dot(triple(set.moment, i), wave.k) * std::polar(1.0, dot(wave.k, triple(set.position, i)));
}

void add_waves(const std::vector<Wave>& list, const Triple& x, const Triple& u, Sum& sum) {
  for (const Wave& wave : list) {
    const Complex there = std::polar(1.0, dot(wave.k, x)) * std::conj(wave.total);
    const double of_field = -wave.weight * there.real(), of_force = wave.weight * dot(u, wave.k) * there.imag();
    for (std::size_t k = 0; k < 3; ++k) {
      sum.field[k] += of_field * wave.k[k];
      sum.force[k] += of_force * wave.k[k];
    }
  }
}

}  // namespace

// Lattices are in step where the estimate takes dipoles as random, so their errors add up; Gaussians fall so fast that
// a hundredth of the error costs little.
EwaldSplit ewald_split(const PeriodicBox& box, int count, double accuracy, double tilt) {
  constexpr double margin = 0.01;
  EwaldSplit split;
  split.alpha = tilt * std::sqrt(pi) * std::pow(std::fmax(count, 1) / (box.volume() * box.volume()), 1.0 / 6);
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
  for (const auto& pair : set.excluded) {
    const Triple x = triple(set.position, pair[0]), y = triple(set.position, pair[1]);
    const Triple d = box.nearest({x[0] - y[0], x[1] - y[1], x[2] - y[2]});
    const Triple m[2] = {triple(set.moment, pair[0]), triple(set.moment, pair[1])};
    const bool is_one_place = dot(d, d) <= one_place * cut * cut;
    for (int side = 0; side < 2; ++side) {
      if (is_one_place) {  // of which only the smeared field is there: that of its own
        for (std::size_t k = 0; k < 3; ++k)
          out.field[k][static_cast<std::size_t>(pair[static_cast<std::size_t>(side)])] += own * m[1 - side][k];
        continue;
      }
      const double sign = side == 0 ? 1 : -1;
      const PairEffect e = pair_effect({sign * d[0], sign * d[1], sign * d[2]}, m[1 - side], m[side]);
      const auto i = static_cast<std::size_t>(pair[static_cast<std::size_t>(side)]);
      for (std::size_t k = 0; k < 3; ++k) {
        out.field[k][i] -= dipole_constant * e.field[k];
        out.force[k][i] -= dipole_constant * e.force[k];
      }
    }
  }
}

void EwaldSum::compute(const DipoleSet& set, Team& team, DipoleFields& out) {
  if (!begin_sum(set, out)) return;
  if (set.count != count_) split_ = ewald_split(box_, set.count, accuracy_, tilt_), count_ = set.count;
  const EwaldSplit& split = split_;
  std::vector<Wave> list = waves(box_, split);
  team.run(static_cast<int>(list.size()), 64, [&](int begin, int end) {
    for (int w = begin; w < end; ++w) sum_wave(set, list[static_cast<std::size_t>(w)]);
  });
  team.run(set.count, 16, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Sum sum = near_copies(box_, split, set, i);
      add_waves(list, triple(set.position, i), triple(set.moment, i), sum);
      for (std::size_t k = 0; k < 3; ++k) {
        out.field[k][static_cast<std::size_t>(i)] = dipole_constant * sum.field[k];
        out.force[k][static_cast<std::size_t>(i)] = dipole_constant * sum.force[k];
      }
    }
  });
  add_whole(box_, split.alpha, split.cut, set, out);
  out.energy = pair_energy(set, out);
}

}  // namespace ls
