#pragma once
#include "physics/circular_current.h"

// The cylinder with any uniform magnetisation M, about the z axis. With psi the Newtonian potential of the body,
//   psi = 1/(4 pi) int dV' / |r - r'|,   H = (grad grad psi) M,   B = mu0 (H + M inside),
// and psi a function of w = x^2 + y^2 and z, the nine second derivatives come from three functions of (w, z):
//   psi_zz + inside = F,   psi_xz = x G,   psi_yz = y G,   psi_xy = x y N,
//   psi_xx = -F/2 + (x^2 - y^2) N/2,   psi_yy = -F/2 - (x^2 - y^2) N/2.
// F and G are the axial and the radial field (over rho) of a sheet of current around the mantle: N. Derby and S.
// Olbert, Am. J. Phys. 78 (2010) 229. N is what M across the axis adds; A. Caciagli et al., J. Magn. Magn. Mater. 456
// (2018) 423 give the field itself, which loses digits near the axis.
//
// All three are integrals of loops along the mantle, so their derivatives along z are differences of loops at the two
// ends, and those to w follow from Laplace's equation. The elliptic integral of the third kind is therefore wanted as a
// value only, never as a derivative.
namespace ls::inline LS_ISA {

struct CylinderShape {
  double radius, half;  // m
};

namespace cylinder {

// Gauss's rule with ten points on (-1, 1), positive half.
inline constexpr double gauss_x[5] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845,
                                      0.9739065285171717};
inline constexpr double gauss_w[5] = {0.2955242247147529, 0.2692667193099964, 0.2190863625159820, 0.1494513491505806,
                                      0.0666713443086881};

// Beyond four radii of the sphere around it, the differences of the closed forms lose digits, and the sum of loops
// along the mantle has converged to rounding.
inline bool is_far(const CylinderShape& c, double w, double z) {
  return w + z * z > 16 * (c.radius * c.radius + c.half * c.half);
}
template <class T, class F>
T sum_along(const CylinderShape& c, const T& z, const F& f) {
  T sum(0.0);
  for (int k = 0; k < 5; ++k)
    sum = sum + (c.half * gauss_w[k]) * (f(z - c.half * gauss_x[k]) + f(z + c.half * gauss_x[k]));
  return sum;
}

// The primitive of the axial field of loops along z, odd in z: Derby and Olbert's closed form.
inline double axial_end(double a, double w, double z) {
  const double rho = std::sqrt(w), far = std::hypot(rho + a, z), near = std::hypot(rho - a, z);
  const double gamma = (a - rho) / (a + rho), kc = near / far;
  const double factor = a / (a + rho) * z / far / std::numbers::pi;
  if (gamma == 0) return factor * cel(kc, 1, 1, 1);  // the jump of the mantle, halved: both sides' mean
  return factor * cel(kc, gamma * gamma, 1, gamma);
}
// The primitive of 2 A_phi/rho of loops along z.
inline double potential_end(double a, double w, double z) {
  const double rho = std::sqrt(w), far = std::hypot(rho + a, z), near = std::hypot(rho - a, z);
  const double gamma = (a - rho) / (a + rho), p = gamma * gamma, n = 4 * a * rho / ((a + rho) * (a + rho));
  const double kc = near / far, third = p == 0 ? 0.0 : p * (cel(kc, 1, 1, 1) - cel(kc, p, 1, 1));
  const double integral = cel(kc, 1, 0, 1) / n + third / (n * n);  // of sin^2 cos^2 / ((cos^2 + p sin^2) sqrt(...))
  return 8 * a * a * z / (std::numbers::pi * far * (a + rho) * (a + rho)) * integral;
}

inline double axial(const CylinderShape& c, double w, double z) {
  if (is_far(c, w, z)) return sum_along(c, z, [&](double u) { return loop_field(c.radius, w, u).f; });
  return axial_end(c.radius, w, z + c.half) - axial_end(c.radius, w, z - c.half);
}
// dF/dz = f, dF/dw = g/2 of the loops at the ends: curl B = 0 there.
template <class T, int D>
Dual<T, D> axial(const CylinderShape& c, const Dual<T, D>& w, const Dual<T, D>& z) {
  const auto top = loop_field(c.radius, w.val, z.val + c.half), bottom = loop_field(c.radius, w.val, z.val - c.half);
  return chain(axial(c, w.val, z.val), 0.5 * (top.g - bottom.g), w, top.f - bottom.f, z);
}

template <class T>
T radial(const CylinderShape& c, const T& w, const T& z) {
  if (is_far(c, value_of(w), value_of(z)))
    return sum_along(c, z, [&](const T& u) { return loop_field(c.radius, w, u).g; });
  return loop_field(c.radius, w, z - c.half).a - loop_field(c.radius, w, z + c.half).a;
}

// N within reach of the axis. Laplace's equation says d(w^2 N)/dw = -w/2 dG/dz, so that
//   N(w, z) = -1/2 int_0^1 q dG/dz(q w, z) dq,
// where the integrand is analytic up to |q w| = a^2 + u^2, u the distance to the plane of the nearer end: at half of
// that, ten points of Gauss's rule are right to rounding. Nothing cancels on the axis.
inline bool is_near_axis(const CylinderShape& c, double w, double z) {
  const double a2 = c.radius * c.radius, u = std::abs(z) - c.half;
  return w < 0.5 * (a2 + u * u) && (u > 0 || w < a2);
}
template <class T>
T across_near_axis(const CylinderShape& c, const T& w, const T& z) {
  const auto slope = [&](double q) {
    return loop_field(c.radius, q * w, z + c.half).g - loop_field(c.radius, q * w, z - c.half).g;
  };
  T sum(0.0);
  for (int k = 0; k < 5; ++k)
    for (const double q : {0.5 - 0.5 * gauss_x[k], 0.5 + 0.5 * gauss_x[k]})
      sum = sum + (0.25 * gauss_w[k] * q) * slope(q);
  return -sum;
}
template <class T>
T across_far(const CylinderShape& c, const T& w, const T& z) {
  return sum_along(c, z, [&](const T& u) { return loop_field(c.radius, w, u).across; });
}

inline double across(const CylinderShape& c, double w, double z) {
  if (is_far(c, w, z)) return across_far(c, w, z);
  if (is_near_axis(c, w, z)) return across_near_axis(c, w, z);
  const double potential = potential_end(c.radius, w, z + c.half) - potential_end(c.radius, w, z - c.half);
  return (potential - axial(c, w, z)) / w;
}
template <class T, int D>
Dual<T, D> across(const CylinderShape& c, const Dual<T, D>& w, const Dual<T, D>& z) {
  if (is_far(c, value_of(w), value_of(z))) return across_far(c, w, z);
  if (is_near_axis(c, value_of(w), value_of(z))) return across_near_axis(c, w, z);
  const auto top = loop_field(c.radius, w.val, z.val + c.half), bottom = loop_field(c.radius, w.val, z.val - c.half);
  const T value = across(c, w.val, z.val);
  return chain(value, -((2.0 * value + 0.5 * (top.g - bottom.g)) / w.val), w, top.across - bottom.across, z);
}

}  // namespace cylinder

// B/mu0 in the axes of the cylinder, whose centre is the origin, A/m.
template <class T>
Vec3<T> cylinder_field(const CylinderShape& c, const Vec3<double>& m, const Vec3<T>& x) {
  const T w = x.x * x.x + x.y * x.y;
  const T f = cylinder::axial(c, w, x.z);
  Vec3<T> b{T(0.0), T(0.0), m.z * f};
  const T g = cylinder::radial(c, w, x.z);
  b = b + Vec3<T>{m.z * (x.x * g), m.z * (x.y * g), (m.x * x.x + m.y * x.y) * g};
  if (m.x == 0 && m.y == 0) return b;
  const double inside = value_of(w) < c.radius * c.radius && std::abs(value_of(x.z)) < c.half ? 1.0 : 0.0;
  const T n = cylinder::across(c, w, x.z), mean = inside - 0.5 * f;
  const T even = 0.5 * (x.x * x.x - x.y * x.y) * n, odd = x.x * x.y * n;
  return b + Vec3<T>{m.x * (mean + even) + m.y * odd, m.x * odd + m.y * (mean - even), T(0.0)};
}

}  // namespace ls::inline LS_ISA
