#include "terms/induction/krylov.h"

#include "math/numbers.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

// to = a + factor to
void renew(const Numbers& a, double factor, Numbers& to) {
  for (std::size_t k = 0; k < a.size(); ++k) to[k] = a[k] + factor * to[k];
}
bool is_small(const Numbers& residual, double small) {
  return std::sqrt(product(residual, residual)) <= small;
}

}  // namespace

KrylovResult solve_definite(const LinearSystem& system, double small, int most_iterations, Numbers& x,
                            Numbers& residual) {
  KrylovResult r;
  Numbers z(x.size()), p(x.size(), 0.0), ap(x.size());
  double before = 0;
  for (; !is_small(residual, small); ++r.iterations) {
    if (r.iterations == most_iterations) {
      r.stop = KrylovStop::too_slow;
      break;
    }
    system.preconditioner(residual, z);
    const double now = product(residual, z);
    renew(z, before > 0 ? now / before : 0.0, p);
    system.matrix(p, ap);
    const double curvature = product(p, ap);
    if (!(curvature > 0)) {
      r.stop = KrylovStop::indefinite, r.along = p;
      break;
    }
    add(now / curvature, p, x);
    add(-now / curvature, ap, residual);
    before = now;
  }
  return r;
}

// One step of Lanczos' process and one rotation of its tridiagonal matrix an iteration; names as in the paper.
KrylovResult solve_indefinite(const LinearSystem& system, double small, int most_iterations, Numbers& x,
                              Numbers& residual) {
  KrylovResult r;
  const double size = std::sqrt(product(residual, residual));
  if (size <= small) return r;
  const Numbers right = residual;
  Numbers r1 = residual, r2 = residual, y(x.size()), v(x.size()), w(x.size(), 0.0), w1 = w, w2 = w, sum = w;
  system.preconditioner(r1, y);
  const double first = std::sqrt(product(r1, y));
  double old_beta = 0, beta = first, dbar = 0, epsilon = 0, phibar = first, cs = -1, sn = 0;
  while (phibar > 0.5 * small / size * first && beta > 0) {
    if (r.iterations++ == most_iterations) {
      r.stop = KrylovStop::too_slow;
      break;
    }
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = y[k] / beta;
    system.matrix(v, y);
    if (r.iterations > 1) add(-beta / old_beta, r1, y);
    const double alpha = product(v, y);
    add(-alpha / beta, r2, y);
    r1.swap(r2), r2 = y;
    system.preconditioner(r2, y);
    old_beta = beta, beta = std::sqrt(std::max(0.0, product(r2, y)));
    const double old_epsilon = epsilon, delta = cs * dbar + sn * alpha, gbar = sn * dbar - cs * alpha;
    epsilon = sn * beta, dbar = -cs * beta;
    const double gamma = std::hypot(gbar, beta);
    if (gamma == 0) break;
    cs = gbar / gamma, sn = beta / gamma;
    const double phi = cs * phibar;
    phibar *= sn;
    w1.swap(w2), w2.swap(w);
    for (std::size_t k = 0; k < v.size(); ++k) w[k] = (v[k] - old_epsilon * w1[k] - delta * w2[k]) / gamma;
    add(phi, w, sum);
  }
  add(1, sum, x);
  system.matrix(sum, y);
  for (std::size_t k = 0; k < y.size(); ++k) residual[k] = right[k] - y[k];
  return r;
}

}  // namespace ls
