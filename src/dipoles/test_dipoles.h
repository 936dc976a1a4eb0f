#pragma once
#include "base/rng.h"
#include "base/sanitized.h"
#include "dipoles/dipole_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

// Scenes of dipoles, and the plain sum over all pairs as reference; for tests and benchmarks.
namespace ls::test {

// Under a sanitizer only low ones.
inline std::vector<double> accuracies(std::vector<double> all) {
  if (is_sanitized) std::erase_if(all, [](double a) { return a < 0.9e-4; });
  return all;
}

struct Dipoles {
  std::array<std::vector<double>, 3> x, m;
  std::vector<std::array<int, 2>> excluded;

  int count() const { return static_cast<int>(x[0].size()); }
  void add(const std::array<double, 3>& place) {
    for (std::size_t k = 0; k < 3; ++k) x[k].push_back(place[k]);
  }
  std::array<double, 3> place(int i) const { return at(x, i); }
  std::array<double, 3> moment(int i) const { return at(m, i); }
  DipoleSet set() const {
    return {count(), {x[0].data(), x[1].data(), x[2].data()}, {m[0].data(), m[1].data(), m[2].data()}, excluded};
  }

 private:
  static std::array<double, 3> at(const std::array<std::vector<double>, 3>& a, int i) {
    const auto k = static_cast<std::size_t>(i);
    return {a[0][k], a[1][k], a[2][k]};
  }
};

inline double centred(int i, int which) {
  return uniform(7, 0, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(which)) - 0.5;
}
inline std::array<double, 3> random_direction(int i, int which) {
  const auto at = [i](int w) {
    return normal_pair(7, 1, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(w));
  };
  const NormalPair a = at(which), b = at(which + 2);
  const double r = std::sqrt(a.a * a.a + a.b * a.b + b.a * b.a);
  return {a.a / r, a.b / r, b.a / r};
}

inline void add_moments(Dipoles& d, bool is_aligned) {
  for (int i = 0; i < d.count(); ++i) {
    const std::array<double, 3> u = is_aligned ? std::array<double, 3>{0, 0, 1} : random_direction(i, 10);
    for (std::size_t k = 0; k < 3; ++k) d.m[k].push_back(u[k]);
  }
}

// A cubic grid of `across` cubed dipoles, spacing one; each coordinate is off by up to a quarter, so that no two are
// nearer than half a spacing.
inline Dipoles jittered_grid(int across, bool is_aligned) {
  Dipoles d;
  for (int i = 0; i < across * across * across; ++i) {
    const int row = i / across, plane = row / across;
    d.add({i % across + 0.5 * centred(i, 0), row % across + 0.5 * centred(i, 1), plane + 0.5 * centred(i, 2)});
  }
  add_moments(d, is_aligned);
  return d;
}

// Straight rods of `length` dipoles, spacing one, at random places and in random directions.
inline Dipoles straight_rods(int rods, int length, bool is_aligned) {
  Dipoles d;
  const double box = 1000 * std::cbrt(rods * length / 1e6);
  for (int rod = 0; rod < rods; ++rod) {
    const std::array<double, 3> u = random_direction(rod, 20);
    for (int i = 0; i < length; ++i) {
      const double s = i - 0.5 * length;
      d.add({box * centred(rod, 0) + s * u[0], box * centred(rod, 1) + s * u[1], box * centred(rod, 2) + s * u[2]});
    }
  }
  add_moments(d, is_aligned);
  return d;
}

// 27 clouds with normal distributions, whose widths go from 1 to 10.
inline Dipoles clouds(int count, bool is_aligned) {
  Dipoles d;
  const double box = std::cbrt(count);
  for (int i = 0; i < count; ++i) {
    const int cloud = i % 27;
    const double width = 0.004 * box * std::pow(10.0, cloud % 3 / 2.0);
    const auto node = static_cast<std::uint64_t>(i);
    const NormalPair a = normal_pair(7, 2, node, 0), b = normal_pair(7, 2, node, 2);
    const int row = cloud / 3, plane = row / 3;
    d.add({box * (cloud % 3) + width * a.a, box * (row % 3) + width * a.b, box * plane + width * b.a});
  }
  add_moments(d, is_aligned);
  return d;
}

// Those that dipole i has nothing to do with, itself among them, in ascending order.
inline std::vector<int> left_out(const Dipoles& d, int i) {
  std::vector<int> others{i};
  for (const auto& pair : d.excluded) {
    if (pair[0] == i) others.push_back(pair[1]);
    if (pair[1] == i) others.push_back(pair[0]);
  }
  std::sort(others.begin(), others.end());
  return others;
}

// Field at one dipole and the force on it, pair by pair. (With plain numbers: tests are not optimised.)
inline PairEffect direct_effect(const Dipoles& d, int i) {
  std::vector<int> others = left_out(d, i);
  others.push_back(d.count());
  const std::array<double, 3> at = d.place(i), u = d.moment(i);
  const double ux = u[0], uy = u[1], uz = u[2];
  const double *x = d.x[0].data(), *y = d.x[1].data(), *z = d.x[2].data();
  const double *mx = d.m[0].data(), *my = d.m[1].data(), *mz = d.m[2].data();
  double bx = 0, by = 0, bz = 0, fx = 0, fy = 0, fz = 0;
  int j = 0;
  for (const int next : others) {
    for (; j < next; ++j) {
      const double dx = at[0] - x[j], dy = at[1] - y[j], dz = at[2] - z[j];
      const double i2 = 1 / (dx * dx + dy * dy + dz * dz), i3 = i2 * std::sqrt(i2), i5 = 3 * i3 * i2;
      const double md = mx[j] * dx + my[j] * dy + mz[j] * dz, ud = ux * dx + uy * dy + uz * dz;
      const double k = ux * mx[j] + uy * my[j] + uz * mz[j] - 5 * ud * md * i2;
      bx += i5 * md * dx - i3 * mx[j];
      by += i5 * md * dy - i3 * my[j];
      bz += i5 * md * dz - i3 * mz[j];
      fx += i5 * (ud * mx[j] + md * ux + k * dx);
      fy += i5 * (ud * my[j] + md * uy + k * dy);
      fz += i5 * (ud * mz[j] + md * uz + k * dz);
    }
    j = next + 1;
  }
  return {{dipole_constant * bx, dipole_constant * by, dipole_constant * bz},
          {dipole_constant * fx, dipole_constant * fy, dipole_constant * fz}};
}

struct Errors {
  double field = 0, force = 0;                // rms error over rms
  double median_field = 0, median_force = 0;  // of the relative errors of single dipoles
};

inline double median(std::vector<double>& a) {
  std::nth_element(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2), a.end());
  return a[a.size() / 2];
}

// At `samples` dipoles spread over all; exact(i) is what should come out at dipole i.
template <class Exact>
Errors errors(const Dipoles& d, const DipoleFields& f, int samples, const Exact& exact) {
  double of_field = 0, of_force = 0, field = 0, force = 0;
  std::vector<double> relative_field, relative_force;
  for (int s = 0; s < samples; ++s) {
    const int i =
        static_cast<int>((static_cast<std::uint64_t>(s) * 2654435761U + 12345) % static_cast<std::uint64_t>(d.count()));
    const PairEffect right = exact(i);
    std::array<double, 4> sums{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double b = f.field[k][static_cast<std::size_t>(i)] - right.field[k];
      const double w = f.force[k][static_cast<std::size_t>(i)] - right.force[k];
      sums[0] += b * b;
      sums[1] += right.field[k] * right.field[k];
      sums[2] += w * w;
      sums[3] += right.force[k] * right.force[k];
    }
    of_field += sums[0];
    field += sums[1];
    of_force += sums[2];
    force += sums[3];
    relative_field.push_back(std::sqrt(sums[0] / sums[1]));
    relative_force.push_back(std::sqrt(sums[2] / sums[3]));
  }
  return {std::sqrt(of_field / field), std::sqrt(of_force / force), median(relative_field), median(relative_force)};
}
inline Errors direct_errors(const Dipoles& d, const DipoleFields& f, int samples) {
  return errors(d, f, samples, [&](int i) { return direct_effect(d, i); });
}

}  // namespace ls::test
