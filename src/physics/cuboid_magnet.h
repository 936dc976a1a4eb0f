#pragma once
#include "math/dual_functions.h"
#include "math/vec.h"

#include <algorithm>
#include <numbers>
#include <utility>

// The cuboid with any uniform magnetisation M. As for the cylinder, H = (grad grad psi) M with psi the Newtonian
// potential of the body. With u, v, w the distances of the point from the planes of the faces and R = |(u, v, w)|,
//   psi_xx = -1/(4 pi) sum +- atan(v w / (u R)),   psi_xy = 1/(4 pi) sum +- log(w + R),
// summed over the eight corners (R. Engel-Herbert and T. Hesjedal, J. Appl. Phys. 97 (2005) 074504; older as the
// attraction of a right rectangular prism). Taken one by one these terms have poles on the straight lines through the
// edges, also outside the body where the field has none, and they cancel far away. Here two corners of an edge are
// always taken together, in a form without pole and without loss.
namespace ls::inline LS_ISA {

namespace cuboid {

// log((b + Rb)/(a + Ra)) = int_a^b dw/R for a < b, s2 = u^2 + v^2.
template <class T>
T log_along_edge(const T& s2, T a, T b) {
  if (value_of(b) <= 0) std::swap(a = -a, b = -b);
  if (value_of(a) >= 0) {
    const T ra = sqrt(s2 + a * a), rb = sqrt(s2 + b * b);
    return log_of_one_plus((b - a) * (1.0 + (a + b) / (ra + rb)) / (a + ra));
  }
  const T s = sqrt(s2);
  const auto part = [&](const T& c) { return log_of_one_plus(c * (1.0 + c / (sqrt(s2 + c * c) + s)) / s); };
  return part(b) + part(-a);
}

// atan(v b/(u Rb)) - atan(v a/(u Ra)) for a < b on the same side of 0: the tangent of the difference, its common factor
// u^2 + v^2 divided out.
template <class T>
T angle_along_edge(const T& u, const T& v, T a, T b) {
  if (value_of(b) < 0) std::swap(a = -a, b = -b);
  const T s2 = u * u + v * v, ra = sqrt(s2 + a * a), rb = sqrt(s2 + b * b);
  const T below = a * b + u * u * (a * a + b * b + s2) / (ra * rb + a * b);
  return angle_of_slope(u * v * (b - a) * (a + b) / (b * ra + a * rb), below);
}

// int int u/R^3 over the rectangle v x w seen from a distance u: sum +- atan(v w/(u R)), u the same for all four.
template <class T>
T angle_of_face(const T& u, const T (&v)[2], const T (&w)[2]) {
  const double beyond_v = value_of(v[0]) * value_of(v[1]), beyond_w = value_of(w[0]) * value_of(w[1]);
  if (beyond_w > 0 && beyond_w >= beyond_v)
    return angle_along_edge(u, v[1], w[0], w[1]) - angle_along_edge(u, v[0], w[0], w[1]);
  if (beyond_v > 0) return angle_along_edge(u, w[1], v[0], v[1]) - angle_along_edge(u, w[0], v[0], v[1]);
  const auto corner = [&](const T& b, const T& c) { return angle_of_slope(b * c, u * sqrt(u * u + b * b + c * c)); };
  return (corner(v[1], w[1]) - corner(v[0], w[1])) - (corner(v[1], w[0]) - corner(v[0], w[0]));
}

template <class T>
T second_same(const T (&u)[2], const T (&v)[2], const T (&w)[2]) {
  return (angle_of_face(u[0], v, w) - angle_of_face(u[1], v, w)) * (0.25 / std::numbers::pi);
}
template <class T>
T second_mixed(const T (&u)[2], const T (&v)[2], const T (&w)[2]) {
  const auto edge = [&](int i, int j) { return log_along_edge(T(u[i] * u[i] + v[j] * v[j]), w[0], w[1]); };
  return ((edge(1, 1) - edge(0, 1)) - (edge(1, 0) - edge(0, 0))) * (0.25 / std::numbers::pi);
}

// Gauss's rule with four points on (-1, 1).
inline constexpr double gauss_x[4] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
inline constexpr double gauss_w[4] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};

}  // namespace cuboid

// Of a point dipole at the origin, over mu0.
template <class T>
Vec3<T> dipole_field(const Vec3<double>& m, const Vec3<T>& x) {
  const T r2 = dot(x, x), inverse = 1.0 / r2, scale = (0.25 / std::numbers::pi) * inverse / sqrt(r2);
  return (3.0 * scale * inverse * dot(m, x)) * x - scale * m;
}

struct CuboidShape {
  Vec3<double> half;  // m
};

// B/mu0 in the axes of the cuboid, whose centre is the origin, A/m. Beyond twenty times its size the closed form has
// lost three digits, and 64 dipoles inside it are as good.
template <class T>
Vec3<T> cuboid_field(const CuboidShape& c, const Vec3<double>& m, const Vec3<T>& x) {
  const Vec3<double>& h = c.half;
  const double size = std::max({h.x, h.y, h.z}), volume = 8 * h.x * h.y * h.z;
  const Vec3<double> at{value_of(x.x), value_of(x.y), value_of(x.z)};
  if (norm(at) > 40 * size) {
    Vec3<T> b{};
    for (int i = 0; i < 64; ++i) {
      const int p[3] = {i / 16, i / 4 % 4, i % 4};
      const double weight = cuboid::gauss_w[p[0]] * cuboid::gauss_w[p[1]] * cuboid::gauss_w[p[2]] * volume / 8;
      const Vec3<double> place{h.x * cuboid::gauss_x[p[0]], h.y * cuboid::gauss_x[p[1]], h.z * cuboid::gauss_x[p[2]]};
      b = b + dipole_field<T>(weight * m, x - place);
    }
    return b;
  }
  const T u[2] = {x.x - h.x, x.x + h.x}, v[2] = {x.y - h.y, x.y + h.y}, w[2] = {x.z - h.z, x.z + h.z};
  const T xy = cuboid::second_mixed(u, v, w), yz = cuboid::second_mixed(v, w, u), zx = cuboid::second_mixed(w, u, v);
  const T xx = cuboid::second_same(u, v, w), yy = cuboid::second_same(v, w, u), zz = cuboid::second_same(w, u, v);
  const bool inside = std::abs(at.x) < h.x && std::abs(at.y) < h.y && std::abs(at.z) < h.z;
  const Vec3<T> field{m.x * xx + m.y * xy + m.z * zx, m.x * xy + m.y * yy + m.z * yz, m.x * zx + m.y * yz + m.z * zz};
  return inside ? field + m : field;
}

}  // namespace ls::inline LS_ISA
