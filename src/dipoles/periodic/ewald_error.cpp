#include "dipoles/periodic/ewald_error.h"

#include <numbers>

namespace ls {

namespace {

using std::numbers::pi;
// rms field and force on a cubic grid with random moments, in m/a^3 and m^2/a^4 of the mean spacing a, less a margin:
// sqrt(2 sum r^-6) = 4.1 and sqrt(10 sum r^-8) = 8.3.
constexpr double usual_field = 3, usual_force = 6;

// From sums of squares (of the tensors of field and force, per volume of one dipole) to relative errors.
SumErrors relative(const PeriodicBox& box, int count, double field_square, double force_square) {
  const double spacing = std::cbrt(box.volume() / count);
  return {std::sqrt(field_square / 3) * std::pow(spacing, 3) / usual_field,
          std::sqrt(force_square / 9) * std::pow(spacing, 4) / usual_force};
}

// Simpson's rule.
template <class F>
double integral(double from, double to, const F& f) {
  constexpr int parts = 64;
  const double h = (to - from) / parts;
  double sum = f(from) + f(to);
  for (int i = 1; i < parts; ++i) sum += (i % 2 ? 4 : 2) * f(from + i * h);
  return sum * h / 3;
}

double sinc(double x) {
  return std::abs(x) < 1e-9 ? 1 : std::sin(x) / x;
}

// Sums over aliases of a wave vector, in units of the mesh.
struct Aliases {
  double exact_field = 0, exact_force = 0;  // sum k^4 g^2, k^6 g^2
  double seen_field = 0, seen_force = 0;    // sum U^2 k^4 g, U^2 k^6 g
  double squares = 0, fourths = 0;          // sum U^2 k^2, U^2 k^4
};
Aliases aliases(const std::array<double, 3>& k, double alpha, int order) {
  Aliases a;
  double at[3][3], weight[3][3];
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (int m = 0; m < 3; ++m) {
      at[axis][m] = k[axis] + 2 * pi * (m - 1);
      weight[axis][m] = std::pow(sinc(at[axis][m] / 2), 2 * order);
    }
  for (int m = 0; m < 27; ++m) {
    const int x = m % 3, y = m / 3 % 3, z = m / 9;
    const double k2 = at[0][x] * at[0][x] + at[1][y] * at[1][y] + at[2][z] * at[2][z];
    const double u2 = weight[0][x] * weight[1][y] * weight[2][z];
    const double g = 4 * pi * std::exp(-k2 / (4 * alpha * alpha)) / k2;
    a.exact_field += k2 * k2 * g * g;
    a.exact_force += k2 * k2 * k2 * g * g;
    a.seen_field += u2 * k2 * k2 * g;
    a.seen_force += u2 * k2 * k2 * k2 * g;
    a.squares += u2 * k2;
    a.fourths += u2 * k2 * k2;
  }
  return a;
}

}  // namespace

Screened screened(double r, double alpha) {
  const double g = 2 * alpha / std::sqrt(pi) * std::exp(-alpha * alpha * r * r), i2 = 1 / (r * r);
  const double b = (std::erfc(alpha * r) / r + g) * i2;
  const double c = (3 * b + 2 * alpha * alpha * g) * i2;
  return {b, c, (5 * c + 4 * std::pow(alpha, 4) * g) * i2};
}

SumErrors cut_error(const PeriodicBox& box, int count, double alpha, double cut) {
  const double density = count / box.volume(), end = cut + 6 / alpha;
  const double field = integral(cut, end, [&](double r) {
    const Screened s = screened(r, alpha);
    const double r2 = r * r;
    return r2 * (3 * s.b * s.b - 2 * s.b * s.c * r2 + s.c * s.c * r2 * r2);
  });
  const double force = integral(cut, end, [&](double r) {
    const Screened s = screened(r, alpha);
    const double r2 = r * r;
    return r2 * (15 * s.c * s.c * r2 - 6 * s.c * s.d * r2 * r2 + s.d * s.d * r2 * r2 * r2);
  });
  return relative(box, count, 4 * pi * density * field, 4 * pi * density * force);
}

SumErrors wave_error(const PeriodicBox& box, int count, double alpha, double longest) {
  const double density = count / box.volume(), end = longest + 8 * alpha;
  const auto beyond = [&](int power) {
    return integral(longest, end, [&](double k) {
      return 2 / pi * 4 * pi * std::pow(k, power) * std::exp(-k * k / (2 * alpha * alpha));
    });
  };
  return relative(box, count, density * beyond(2), density * beyond(4));
}

SumErrors mesh_error(const PeriodicBox& box, int count, double alpha, double spacing, int order) {
  constexpr int points = 6;  // an axis of the octant of the zone, of which the sixth with x <= y <= z is enough
  double field = 0, force = 0;
  const auto middle = [](int n) { return pi * (n + 0.5) / points; };
  for (int z = 0; z < points; ++z)
    for (int y = 0; y <= z; ++y)
      for (int x = 0; x <= y; ++x) {
        const int alike = x == z ? 1 : x == y || y == z ? 3 : 6;
        const Aliases a = aliases({middle(x), middle(y), middle(z)}, alpha * spacing, order);
        const double influence = a.seen_field / (a.squares * a.squares);
        field += alike * (a.exact_field - influence * a.seen_field);
        force += alike * (a.exact_force - 2 * influence * a.seen_force + influence * influence * a.fourths * a.squares);
      }
  const double cell = 1.0 / (points * points * points);  // mean over the zone, which has (2 pi/h)^3
  const double density = count / box.volume(), per_volume = density / std::pow(spacing, 3);
  return relative(box, count, per_volume * field * cell, per_volume * force * cell / (spacing * spacing));
}

}  // namespace ls
