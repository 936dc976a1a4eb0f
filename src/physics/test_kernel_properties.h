#pragma once
// Laws that every bond kernel must obey, as numbers: the relative error of each. The tests run them over the whole
// list.
#include "math/rotation.h"
#include "physics/bond_damping.h"
#include "physics/derive.h"

#include <algorithm>
#include <random>

namespace ls::properties {

using Rng = std::mt19937_64;
using Pair = Frame<double>[2];
using V = Vec3<double>;

inline double uniform(Rng& r, double a, double b) {
  return std::uniform_real_distribution<>(a, b)(r);
}
inline V random_vec(Rng& r, double s) {
  return {uniform(r, -s, s), uniform(r, -s, s), uniform(r, -s, s)};
}

// Two frames near the rest state of a bond of length l along z, strained by about `size`, anywhere and turned anyhow.
inline void random_pair(Rng& r, double l, double size, Pair& f) {
  const Quat<double> all = turn(random_vec(r, 2.0));
  f[0] = {random_vec(r, l), all * turn(random_vec(r, size))};
  f[1] = {f[0].x + rotate(all, V{0, 0, l} + random_vec(r, size * l)), all * turn(random_vec(r, size))};
}
inline Frame<double> moved(const Frame<double>& f, int k, double h) {
  double e[6] = {};
  e[k] = h;
  return {f.x + V{e[0], e[1], e[2]}, turn({e[3], e[4], e[5]}) * f.q};
}
inline double component(const Wrench<double>& w, int k) {
  const double c[6] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
  return c[k];
}
template <class K>
using P = typename K::template Params<double>;

// Central difference of some function of the frames to displacement k of node a.
template <class F>
auto difference(const Pair& f, int a, int k, double h, F&& of) {
  Pair plus = {f[0], f[1]}, minus = {f[0], f[1]};
  plus[a] = moved(f[a], k, h);
  minus[a] = moved(f[a], k, -h);
  return (of(plus) - of(minus)) / (2 * h);
}

// The wrench is minus the gradient of the energy.
template <class K>
double gradient_error(const P<K>& p, const Pair& f, double h = 1e-5) {
  Wrench<double> w[2];
  K::wrench(p, f, w);
  double worst = 0, scale = 1e-300;
  for (int a = 0; a < 2; ++a)
    for (int k = 0; k < 6; ++k) {
      const double fd = -difference(f, a, k, h, [&](const Pair& g) { return total(K::energy(p, g)); });
      worst = std::max(worst, std::abs(fd - component(w[a], k)));
      scale = std::max(scale, std::abs(fd));
    }
  return worst / scale;
}

// The stiffness is the symmetrised derivative of the wrench.
template <class K>
double stiffness_error(const P<K>& p, const Pair& f, double h = 1e-5) {
  double s[12][12], j[12][12];
  stiffness<K>(p, f, s);
  for (int a = 0; a < 2; ++a)
    for (int k = 0; k < 6; ++k)
      for (int i = 0; i < 12; ++i)
        j[i][6 * a + k] = -difference(f, a, k, h, [&](const Pair& g) {
          Wrench<double> w[2];
          K::wrench(p, g, w);
          return component(w[i / 6], i % 6);
        });
  double worst = 0, scale = 1e-300;
  for (int i = 0; i < 12; ++i)
    for (int k = 0; k < 12; ++k) {
      worst = std::max({worst, std::abs(s[i][k] - 0.5 * (j[i][k] + j[k][i])), std::abs(s[i][k] - s[k][i])});
      scale = std::max(scale, std::abs(j[i][k]));
    }
  return worst / scale;
}

// Second derivatives of the energy by nested duals: the oracle of the stiffness.
template <class K>
double hessian_error(const P<K>& p, const Pair& f) {
  using D = Dual<Dual<double, 12>, 12>;
  Frame<D> g[2];
  displace_all(f, g);
  const D u = total(K::energy(p, g));
  double s[12][12], worst = 0, scale = 1e-300;
  stiffness<K>(p, f, s);
  for (int i = 0; i < 12; ++i)
    for (int k = 0; k < 12; ++k) {
      worst = std::max(worst, std::abs(s[i][k] - u.d[i].d[k]));
      scale = std::max(scale, std::abs(s[i][k]));
    }
  return worst / scale;
}

// Moving the whole stencil as one rigid body does not change the energy and turns the wrench along.
template <class K>
double objectivity_error(const P<K>& p, const Pair& f, Rng& r) {
  const Quat<double> all = turn(random_vec(r, 3.0));
  const V shift = random_vec(r, 2.0);
  const Pair g = {{rotate(all, f[0].x) + shift, all * f[0].q}, {rotate(all, f[1].x) + shift, all * f[1].q}};
  Wrench<double> w[2], u[2];
  K::wrench(p, f, w);
  K::wrench(p, g, u);
  double worst = 0, scale = 1e-300;
  for (int a = 0; a < 2; ++a) {
    worst = std::max({worst, norm(rotate(all, w[a].force) - u[a].force), norm(rotate(all, w[a].torque) - u[a].torque)});
    scale = std::max({scale, norm(w[a].force), norm(w[a].torque)});
  }
  const double e = total(K::energy(p, f));
  return std::max(worst / scale, std::abs(total(K::energy(p, g)) - e) / (std::abs(e) + 1e-300));
}

// No net force, and no net torque about any point.
inline double balance_error(const Pair& f, const Wrench<double> (&w)[2]) {
  const V force = w[0].force + w[1].force;
  const V torque = w[0].torque + w[1].torque + cross(f[1].x - f[0].x, w[1].force);
  const double scale = std::max({norm(w[0].force), norm(w[0].torque), norm(w[1].torque), 1e-300});
  return std::max(norm(force), norm(torque)) / scale;
}

// Naming the two nodes the other way round, the bond's axes turned by half a turn about x, changes nothing.
template <class K>
double exchange_error(const P<K>& p, const Pair& f) {
  const Quat<double> back{0.0, {1, 0, 0}};
  const Pair g = {{f[1].x, f[1].q * back}, {f[0].x, f[0].q * back}};
  Wrench<double> w[2], u[2];
  K::wrench(p, f, w);
  K::wrench(p, g, u);
  double worst = 0, scale = 1e-300;
  for (int a = 0; a < 2; ++a) {
    worst = std::max({worst, norm(w[a].force - u[1 - a].force), norm(w[a].torque - u[1 - a].torque)});
    scale = std::max({scale, norm(w[a].force), norm(w[a].torque)});
  }
  const double e = total(K::energy(p, f));
  return std::max(worst / scale, std::abs(total(K::energy(p, g)) - e) / (std::abs(e) + 1e-300));
}

// Work of the wrench around a closed loop of strains of the given size, over the largest energy on the way.
template <class K>
double loop_work(const P<K>& p, double l, double size, int pieces = 20000) {
  const auto at = [&](double a, Pair& f) {
    f[0] = {};
    f[1] = {V{0, 0, l} + (size * l) * V{std::cos(a), std::sin(a), 0.3 * std::sin(2 * a)},
            normalized(Quat<double>{1.0, 0.5 * size * V{std::sin(a + 1), std::cos(2 * a), std::sin(a)}})};
  };
  double work = 0, peak = 0;
  for (int i = 0; i < pieces; ++i) {
    const double step = 2 * 3.141592653589793 / pieces;
    Pair f0, f1, mid;
    at(step * i, f0);
    at(step * (i + 1), f1);
    at(step * (i + 0.5), mid);
    Wrench<double> w[2];
    K::wrench(p, mid, w);
    work += dot(w[1].force, f1[1].x - f0[1].x) + dot(w[1].torque, 2.0 * (f1[1].q * conj(f0[1].q)).v);
    peak = std::max(peak, total(K::energy(p, mid)));
  }
  return work / peak;
}

}  // namespace ls::properties
