#pragma once
#include <cmath>

// How matter without hysteresis is magnetised by the field H within it, by susceptibility chi at first and up to its
// saturation Ms:
//   Froehlich: M = chi H / (1 + chi H/Ms)                       (O. Froehlich, Elektrotechnische Zeitschrift 2 (1881))
//   Langevin:  M = Ms L(3 chi H/Ms), L(x) = coth x - 1/x        (P. Langevin, Annales de chimie et physique 5 (1905))
namespace ls {

// Where matter stands on its curve, at a field of size h.
struct CurvePoint {
  double ratio = 0;   // M/H
  double slope = 0;   // dM/dH
  double stored = 0;  // (A/m)^2, the integral of H dM: times mu0 the energy per volume
};

inline CurvePoint on_straight_line(double chi, double h) {
  return {chi, chi, 0.5 * chi * h * h};
}

inline CurvePoint on_froehlich(double chi, double ms, double h) {
  const double y = chi * h / ms, t = y / (1 + y);
  // log(1 + y) - t = -log(1 - t) - t, as a series where the two nearly cancel.
  double gone = std::log1p(y) - t;
  if (t < 0.1) {
    double power = t * t;
    gone = 0;
    for (int k = 2; k <= 18; ++k, power *= t) gone += power / k;
  }
  return {chi / (1 + y), chi / ((1 + y) * (1 + y)), ms * ms / chi * gone};
}

inline CurvePoint on_langevin(double chi, double ms, double h) {
  const double x = 3 * chi * h / ms, x2 = x * x;
  double over_x = 0, slope = 0, gone = 0;  // L/x, L', x L - log(sinh x / x)
  if (x < 1) {
    double fraction = 19;  // x coth x - 1 = x^2/(3 + x^2/(5 + ...))
    for (int k = 17; k >= 3; k -= 2) fraction = k + x2 / fraction;
    over_x = 1 / fraction;
    slope = 1 - 2 * over_x - x2 * over_x * over_x;
    double term = x2 / 6, sum = 0;
    for (int k = 2; k < 12; ++k) sum += term, term *= x2 / ((2 * k) * (2 * k + 1));
    gone = x2 * over_x - std::log1p(sum);
  } else {
    const double far = std::exp(-2 * x), less = 1 - far;
    over_x = ((1 + far) / less - 1 / x) / x;
    slope = 1 / x2 - 4 * far / (less * less);
    gone = 2 * x * far / less - 1 - std::log(0.5 * less / x);
  }
  return {3 * chi * over_x, 3 * chi * slope, ms * ms / (3 * chi) * gone};
}

}  // namespace ls
