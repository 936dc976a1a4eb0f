#pragma once
#include "math/dual.h"
#include "math/frame.h"
#include "physics/modes.h"

#include <concepts>

// What every solver needs of a bond kernel, derived from the kernel's own lines.
namespace ls::inline LS_ISA {

// A bond law: energy by mode and the wrench on its two nodes, for any number type.
template <class K>
concept BondKernel = requires(const typename K::template Params<double>& p, const Frame<double> (&f)[2],
                              Wrench<double> (&w)[2]) {
  { K::energy(p, f) } -> std::same_as<Modes<double>>;
  K::wrench(p, f, w);
  { K::is_potential } -> std::convertible_to<bool>;
};

// A law whose wrench is minus the gradient of its energy.
template <class K>
concept EnergyKernel = BondKernel<K> && K::is_potential;

// A law that answers to velocities.
template <class K>
concept RateKernel = requires(const typename K::template Params<double>& p, const Frame<double> (&f)[2],
                              const Twist<double> (&t)[2], Wrench<double> (&w)[2]) {
  K::wrench(p, f, t, w);
};

// Frame f displaced by six variables: x + dx and exp(dtheta) q, exact to second order in them.
template <class T>
LS_HD Frame<T> displaced(const Frame<double>& f, const Vec3<T>& dx, const Vec3<T>& dtheta) {
  const Vec3<T> half = 0.5 * dtheta;
  const Quat<T> turn{1.0 - 0.5 * dot(half, half), half};
  return {f.x + dx, turn * f.q};
}

// Variable number i, with value 0, of a first- or second-order Dual.
template <class D>
struct Seed;
template <int N>
struct Seed<Dual<double, N>> {
  LS_HD static Dual<double, N> at(int i) { return Dual<double, N>::variable(0.0, i); }
};
template <class T, int N>
struct Seed<Dual<T, N>> {
  LS_HD static Dual<T, N> at(int i) { return Dual<T, N>::variable(Seed<T>::at(i), i); }
};
template <class D>
LS_HD void displace_all(const Frame<double> (&f)[2], Frame<D> (&moved)[2]) {
  for (int a = 0; a < 2; ++a) {
    const auto var = [a](int k) { return Seed<D>::at(6 * a + k); };
    moved[a] = displaced<D>(f[a], {var(0), var(1), var(2)}, {var(3), var(4), var(5)});
  }
}

// Second derivatives of U, symmetric: duals through the closed wrench. The derivative of a torque to a turn of its own
// node is not symmetric away from equilibrium; its symmetric part is the Hessian in the exponential chart.
template <BondKernel K>
LS_HD void stiffness(const typename K::template Params<double>& p, const Frame<double> (&f)[2], double (&h)[12][12]) {
  using D = Dual<double, 12>;
  Frame<D> moved[2];
  Wrench<D> w[2];
  displace_all(f, moved);
  K::wrench(p, moved, w);
  for (int a = 0; a < 2; ++a) {
    const D* row[6] = {&w[a].force.x, &w[a].force.y, &w[a].force.z, &w[a].torque.x, &w[a].torque.y, &w[a].torque.z};
    for (int k = 0; k < 6; ++k)
      for (int j = 0; j < 12; ++j) h[6 * a + k][j] = -row[k]->d[j];
  }
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < i; ++j) h[i][j] = h[j][i] = 0.5 * (h[i][j] + h[j][i]);
}

// Change of the wrenches when the nodes move by the given twists (read as small displacements): minus the stiffness
// times them, without a matrix.
template <BondKernel K>
LS_HD void wrench_change(const typename K::template Params<double>& p, const Frame<double> (&f)[2],
                         const Twist<double> (&move)[2], Wrench<double> (&change)[2]) {
  using D = Dual<double, 1>;
  const auto along = [](const Vec3<double>& a) {
    Vec3<D> r;
    r.x.d[0] = a.x, r.y.d[0] = a.y, r.z.d[0] = a.z;
    return r;
  };
  const auto slope = [](const Vec3<D>& a) { return Vec3<double>{a.x.d[0], a.y.d[0], a.z.d[0]}; };
  Frame<D> moved[2];
  Wrench<D> w[2];
  for (int a = 0; a < 2; ++a) moved[a] = displaced<D>(f[a], along(move[a].v), along(move[a].w));
  K::wrench(p, moved, w);
  for (int a = 0; a < 2; ++a) change[a] = {slope(w[a].force), slope(w[a].torque)};
}

}  // namespace ls::inline LS_ISA
