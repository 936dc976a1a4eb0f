#pragma once
#include "math/dual.h"
#include "math/quat.h"

// Turns and their angles without arccos, atan2 or a division by a vanishing angle.
namespace ls::inline LS_ISA {

// h(z) = asin(s) / (s sqrt(1 - s^2)),  s = sqrt z:  the angle of a turn over its sine, as 2 asin(s) = h(z) sin(2 asin
// s). For z <= 1/4 it is 1 + z G(z) with a Chebyshev fit of G (error 2e-16). Beyond, with w = sqrt(1 - z), asin(s) =
// pi/2 - w h((1 - s)/2), the half-angle identity, whose argument is below 1/4 again.
inline constexpr Polynomial<13> angle_fit{
    {0.6666666666666673, 0.5333333333325431, 0.4571428573192472, 0.4063491909306382, 0.3694090671148258,
     0.34097363364319966, 0.3185797065635861, 0.29589314020010576, 0.3118828563914496, 0.12379275849012099,
     0.7601380624559784, -0.8033777372009793, 1.3589244503068343}};

template <class T>
struct TurnAngle {
  T over_sine;  // h(z)
  T excess;     // (h(z) - 1)/z = G(z)
};

template <class T>
LS_HD TurnAngle<T> turn_angle(const T& z) {
  const T g = evaluate(angle_fit, z);
  TurnAngle<T> r{1.0 + z * g, g};
  const auto wide = z > 0.25;
  if (any(wide)) {  // a whole pack of small turns, as in every smooth rod, skips this
    const T s = sqrt(pick(wide, z, T(0.25))), w = sqrt(1.0 - s * s), y = 0.5 - 0.5 * s;
    const T h = (1.5707963267948966 - w * (1.0 + y * evaluate(angle_fit, y))) / (s * w);
    r = {pick(wide, h, r.over_sine), pick(wide, (h - 1.0) / (s * s), r.excess)};
  }
  return r;
}
// d excess/dz. The slope of h is (h - excess/2)/(1 - z): from 2z(1 - z) h' = 1 - (1 - 2z) h.
template <class T>
LS_HD T excess_slope(const T& z, const TurnAngle<T>& at) {
  const T fit = evaluate(slope(angle_fit), z);
  const auto wide = z > 0.25;
  if (!any(wide)) return fit;
  return pick(wide, ((at.over_sine - 0.5 * at.excess) / (1.0 - z) - at.excess) / pick(wide, z, T(1.0)), fit);
}
template <class T>
LS_HD T angle_over_sine(const T& z) {
  return turn_angle(z).over_sine;
}

// cos(sqrt z) and sin(sqrt z)/sqrt z for 0 <= z <= 1/4, Chebyshev fits to 4e-17.
inline constexpr Polynomial<6> cos_fit{{-0.5, 0.041666666666666276, -0.0013888888888705666, 2.4801586988836374e-05,
                                        -2.7557077887523167e-07, 2.0790894217124703e-09}};
inline constexpr Polynomial<6> sin_fit{{-0.16666666666666666, 0.008333333333333307, -0.0001984126984114765,
                                        2.7557319015414588e-06, -2.5051947445533465e-08, 1.600178884003352e-10}};
inline constexpr double small_turn = 0.25;  // largest z of the fits

template <class T>
LS_HD T small_cos(const T& z) {
  return 1.0 + z * evaluate(cos_fit, z);
}
template <class T>
LS_HD T small_sinc(const T& z) {
  return 1.0 + z * evaluate(sin_fit, z);
}

// Cayley's vector of a turn made twice: 2 tan(angle/2) along the axis, where `half` is half of the turn. Beyond some
// 170 degrees, where it goes to infinity, it stays what it is there: callers must not accept such turns.
inline constexpr double least_cayley = 0.1;  // of w^2 - v^2, the cosine of half the turn
template <class T>
LS_HD Vec3<T> cayley_vector(const Quat<T>& half) {
  const T cosine = half.w * half.w - dot(half.v, half.v);
  return (4.0 * half.w / pick(cosine > least_cayley, cosine, T(least_cayley))) * half.v;
}

// The quaternion of a rotation vector, any length.
inline Quat<double> turn(const Vec3<double>& angle) {
  const Vec3<double> half = 0.5 * angle;
  const double z = dot(half, half);
  if (z <= small_turn) return {small_cos(z), small_sinc(z) * half};
  const double a = std::sqrt(z);
  return {std::cos(a), (std::sin(a) / a) * half};
}

// The rotation vector of a unit quaternion, of length up to 2 pi; q and -q differ by a full turn.
inline Vec3<double> rotation_vector(const Quat<double>& q) {
  const double s = norm(q.v);
  if (s < 1e-8) return (q.w > 0 ? 2.0 : -2.0) * q.v;
  return (2.0 * std::atan2(s, q.w) / s) * q.v;
}

// The shortest turn that takes the unit vector a to b; half a turn about any normal where they are opposite.
inline Quat<double> turn_between(const Vec3<double>& a, const Vec3<double>& b) {
  const double w = 1.0 + dot(a, b);
  if (w > 1e-12) return normalized(Quat<double>{w, cross(a, b)});
  const Vec3<double> other = std::abs(a.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  return {0.0, normalized(cross(a, other))};
}

// The rotation whose axes are the given right-handed orthonormal columns (Shepperd's choice of the largest component).
inline Quat<double> quaternion(const Mat3<double>& m) {
  const double xx = m.c1.x, yy = m.c2.y, zz = m.c3.z, trace = xx + yy + zz;
  Quat<double> q;
  if (trace >= xx && trace >= yy && trace >= zz)
    q = {1 + trace, {m.c2.z - m.c3.y, m.c3.x - m.c1.z, m.c1.y - m.c2.x}};
  else if (xx >= yy && xx >= zz)
    q = {m.c2.z - m.c3.y, {1 + xx - yy - zz, m.c1.y + m.c2.x, m.c3.x + m.c1.z}};
  else if (yy >= zz)
    q = {m.c3.x - m.c1.z, {m.c1.y + m.c2.x, 1 + yy - xx - zz, m.c2.z + m.c3.y}};
  else
    q = {m.c1.y - m.c2.x, {m.c3.x + m.c1.z, m.c2.z + m.c3.y, 1 + zz - xx - yy}};
  return normalized(q);
}

}  // namespace ls::inline LS_ISA
