#pragma once
#include "math/frame.h"

#include <array>

// A permanent dipole, fixed to its node, in an outer field: U = -m . B(x), m = q m0 q* (Jackson, Classical
// Electrodynamics, 5.7). A permanent moment has no factor 1/2; an induced one would.
namespace ls::inline LS_ISA {

LS_HD inline double dipole_energy(const Vec3<double>& m, const Vec3<double>& b) {
  return -dot(m, b);
}

// force_i = m . dB/dx_i, torque = m x B. gradient: column i is dB/dx_i. The force is the gradient of m . B whatever
// curl B is: a field with currents would need another law, which is why such fields get a warning.
LS_HD inline Wrench<double> dipole_wrench(const Vec3<double>& m, const Vec3<double>& b, const Mat3<double>& gradient) {
  return {transposed_times(gradient, m), cross(m, b)};
}

// Second derivatives of U to (x, theta), the node turned by exp(theta) on the left. From
//   exp(theta) m = m + theta x m + theta x (theta x m)/2 + ...
// they are, with dB_i = dB/dx_i,
//   x_i x_j:     -m . d2B/dx_i dx_j
//   x_i theta:   -m x dB_i
//   theta theta: (m . B) 1 - (m B^T + B m^T)/2
// The last is symmetric in this chart; the derivative of the torque alone would not be, away from equilibrium.
// Adds scale times them to h, 6x6 by rows.
LS_HD inline void add_dipole_stiffness(const Vec3<double>& m, const Vec3<double>& b, const Mat3<double>& gradient,
                                       const std::array<Mat3<double>, 3>& second, double scale, double* h) {
  const Vec3<double>* slope[3] = {&gradient.c1, &gradient.c2, &gradient.c3};
  const double mv[3] = {m.x, m.y, m.z}, bv[3] = {b.x, b.y, b.z}, along = dot(m, b);
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> row = transposed_times(second[i], m), turned = cross(m, *slope[i]);
    const double xx[3] = {row.x, row.y, row.z}, xt[3] = {turned.x, turned.y, turned.z};
    for (int j = 0; j < 3; ++j) {
      if (j <= i) h[6 * i + j] -= scale * xx[j];
      if (j < i) h[6 * j + i] -= scale * xx[j];  // the same number, so that rounding leaves it symmetric
      h[6 * i + 3 + j] -= scale * xt[j];
      h[6 * (3 + j) + i] -= scale * xt[j];
      h[6 * (3 + i) + 3 + j] += scale * ((i == j ? along : 0.0) - 0.5 * (mv[i] * bv[j] + bv[i] * mv[j]));
    }
  }
}

}  // namespace ls::inline LS_ISA
