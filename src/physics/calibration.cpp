#include "physics/calibration.h"

#include <cmath>
#include <numbers>

namespace ls {

using std::numbers::pi;

// Shear factor of a full circle: eq. 25 of the V-model paper (Hutchinson).
Section circular_section(double diameter, double poisson) {
  const double d2 = diameter * diameter, i = pi * d2 * d2 / 64, nu = poisson;
  return {pi * d2 / 4, i, i, 2 * i, 6 * (1 + nu) * (1 + nu) / (7 + 12 * nu + 4 * nu * nu), diameter / 2};
}

// Saint-Venant's torsion of a rectangle a >= b by its series, J = a b^3 (1/3 - (64/pi^5)(b/a) sum tanh(n pi a/2b)/n^5)
// over odd n; shear factor by Cowper, 10(1+nu)/(12+11nu).
Section rectangular_section(double along_x, double along_y, double poisson) {
  const double a = std::fmax(along_x, along_y), b = std::fmin(along_x, along_y);
  double sum = 0;
  for (int n = 1; n <= 41; n += 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  const double torsion = a * b * b * b * (1.0 / 3 - 64 / std::pow(pi, 5) * (b / a) * sum);
  return {a * b,   along_x * along_y * along_y * along_y / 12, along_y * along_x * along_x * along_x / 12,
          torsion, 10 * (1 + poisson) / (12 + 11 * poisson),   b / 2};
}

ElasticBond elastic_bond(Calibration calibration, const Section& s, const Elasticity& m, double l) {
  const double nu = m.poisson(), e = m.young, a = s.area;
  const double constrained = (1 - nu) / ((1 + nu) * (1 - 2 * nu));  // uniaxial strain over uniaxial stress
  ElasticBond b;
  b.l = l;
  b.kt = m.shear * s.torsion / l;
  b.kr = e * a / l;
  b.kb1 = e * s.i1 / l;
  b.kb2 = e * s.i2 / l;
  // Shear along x bends about y.
  const auto timoshenko = [&](double i) {
    const double k = s.shear_factor * a;
    return 12 * k * e * i / (l * (k * l * l + 24 * i * (1 + nu)));
  };
  switch (calibration) {
    case Calibration::bernoulli_euler:
      b.ks1 = 12 * e * s.i2 / (l * l * l);
      b.ks2 = 12 * e * s.i1 / (l * l * l);
      break;
    case Calibration::timoshenko:
      b.ks1 = timoshenko(s.i2);
      b.ks2 = timoshenko(s.i1);
      break;
    case Calibration::short_cylinder:
      b.kr *= constrained;
      b.kb1 *= constrained;
      b.kb2 *= constrained;
      b.ks1 = b.ks2 = m.shear * a / l;
      break;
  }
  return b;
}

}  // namespace ls
