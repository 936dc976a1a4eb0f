#include "physics/cuboid_tensor.h"

#include "physics/elliptic.h"

#include <cmath>
#include <numbers>

namespace ls {

namespace {

// Differences of differences of functions that grow with the cube of the distance: doubles would leave few digits.
using Real = long double;

// a asinh(b/c), and a atan(b/c), where a is 0 whenever c is.
Real times_asinh(Real a, Real b, Real c2) {
  return a == 0 || c2 == 0 ? 0 : a * std::asinh(b / std::sqrt(c2));
}
Real times_atan(Real a, Real b, Real c) {
  return a == 0 || c == 0 ? 0 : a * std::atan(b / c);
}

// The functions f and g of the paper, whose second differences along each axis are the tensor.
Real along(Real x, Real y, Real z) {
  const Real x2 = x * x, y2 = y * y, z2 = z * z, r = std::sqrt(x2 + y2 + z2);
  return times_asinh(y / 2 * (z2 - x2), y, x2 + z2) + times_asinh(z / 2 * (y2 - x2), z, x2 + y2) -
         times_atan(x * y * z, y * z, x * r) + (2 * x2 - y2 - z2) * r / 6;
}
Real aside(Real x, Real y, Real z) {
  const Real x2 = x * x, y2 = y * y, z2 = z * z, r = std::sqrt(x2 + y2 + z2);
  return times_asinh(x * y * z, z, x2 + y2) + times_asinh(y / 6 * (3 * z2 - y2), x, y2 + z2) +
         times_asinh(x / 6 * (3 * z2 - x2), y, x2 + z2) - times_atan(z * z2 / 6, x * y, z * r) -
         times_atan(z * y2 / 2, x * z, y * r) - times_atan(z * x2 / 2, y * z, x * r) - x * y * r / 3;
}

template <class F>
double differences(const F& f, const Vec3<double>& size, const Vec3<double>& r) {
  Real sum = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) {
        const Real weight = (i == 0 ? 2 : -1) * (j == 0 ? 2 : -1) * (k == 0 ? 2 : -1);
        sum += weight * f(Real(r.x) + i * Real(size.x), Real(r.y) + j * Real(size.y), Real(r.z) + k * Real(size.z));
      }
  return static_cast<double>(sum / (4 * std::numbers::pi_v<Real> * Real(size.x) * Real(size.y) * Real(size.z)));
}

// Two points along each axis of each cuboid: the differences of two such points are 0 twice and +-size/sqrt(3).
Sym3 by_points(const Vec3<double>& size, const Vec3<double>& r) {
  const double gauss = 1 / std::sqrt(3.0), volume = size.x * size.y * size.z;
  Sym3 sum;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) {
        const double weight = (i == 0 ? 0.5 : 0.25) * (j == 0 ? 0.5 : 0.25) * (k == 0 ? 0.5 : 0.25);
        const Vec3<double> d = r + gauss * Vec3<double>{i * size.x, j * size.y, k * size.z};
        const double inverse = 1 / dot(d, d), i3 = weight * inverse * std::sqrt(inverse);
        sum = sum + diagonal({i3, i3, i3}) + outer(-3 * i3 * inverse, d);
      }
  return volume / (4 * std::numbers::pi) * sum;
}

}  // namespace

Sym3 cuboid_tensor(const Vec3<double>& size, const Vec3<double>& r) {
  constexpr double far = 16;  // sizes: the closed form has six digits left there, points as many already
  if (dot(r, r) > far * far * dot(size, size)) return by_points(size, r);
  const auto turned = [](const auto& f, int axes) {
    return [&f, axes](Real x, Real y, Real z) { return axes == 0 ? f(x, y, z) : axes == 1 ? f(y, z, x) : f(z, x, y); };
  };
  Sym3 n;
  n.xx = differences(turned(along, 0), size, r);
  n.yy = differences(turned(along, 1), size, r);
  n.zz = differences(turned(along, 2), size, r);
  n.xy = differences(turned(aside, 0), size, r);
  n.yz = differences(turned(aside, 1), size, r);
  n.xz = differences(turned(aside, 2), size, r);
  return n;
}

// With tau = length/diameter and k^2 = 1/(1 + tau^2):
//   N = 1 - 4/(3 pi tau) (sqrt(1 + tau^2) (tau^2 K(k) + (1 - tau^2) E(k)) - 1)
double cylinder_factor(double radius, double length) {
  const double tau = length / (2 * radius), t2 = tau * tau, root = std::sqrt(1 + t2), kc = tau / root;
  if (tau > 1e3) return 4 / (3 * std::numbers::pi * tau) - 1 / (8 * t2);  // what is left where the rest cancels
  const double k = cel(kc, 1, 1, 1), e = cel(kc, 1, 1, kc * kc);
  return 1 - 4 / (3 * std::numbers::pi * tau) * (root * (t2 * k + (1 - t2) * e) - 1);
}

}  // namespace ls
