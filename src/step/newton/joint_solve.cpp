#include "step/newton/newton_work.h"

#include <Eigen/Dense>
#include <cmath>

namespace ls {

namespace {

// y = A^-1 (A + B) x = x + A^-1 B x, with B what the matrix leaves out.
std::vector<double> with_asymmetry(const std::vector<double>& x, NewtonWork& newton) {
  std::vector<double> y(x.size(), 0.0);
  newton.terms.joints->add_asymmetry(x, y);
  newton.ldlt.solve(y.data());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += x[i];
  return y;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

// The columns of J that force and error of a joint go by differ where nodes turn far in a step, and what the difference
// does to light directions is not small: left to the iterations of Newton's method they would take dozens. B has the
// rank of the rows, and A^-1 B is small but for a few directions, which GMRES finds.
void solve_with_joints(NewtonWork& newton) {
  constexpr int most = 12;
  constexpr double enough = 1e-6;
  std::vector<double>& x = newton.solution;
  newton.ldlt.solve(x.data());
  if (newton.terms.joints->is_symmetric()) return;
  const double size = std::sqrt(product(x, x));
  if (!(size > 0) || !std::isfinite(size)) return;
  std::vector<std::vector<double>> q{x};
  for (double& v : q[0]) v /= size;
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(most + 1, most);
  Eigen::VectorXd y;
  for (int k = 0; k < most; ++k) {
    std::vector<double> next = with_asymmetry(q[k], newton);
    for (int i = 0; i <= k; ++i) {
      h(i, k) = product(q[i], next);
      for (std::size_t j = 0; j < next.size(); ++j) next[j] -= h(i, k) * q[i][j];
    }
    h(k + 1, k) = std::sqrt(product(next, next));
    Eigen::VectorXd right = Eigen::VectorXd::Zero(k + 2);
    right[0] = size;
    const auto part = h.topLeftCorner(k + 2, k + 1);
    y = part.colPivHouseholderQr().solve(right);
    const double left = (part * y - right).norm();
    if (left <= enough * size || !(h(k + 1, k) > 1e-14)) break;
    for (double& v : next) v /= h(k + 1, k);
    q.push_back(std::move(next));
  }
  std::fill(x.begin(), x.end(), 0.0);
  for (Eigen::Index k = 0; k < y.size(); ++k)
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += y[k] * q[static_cast<std::size_t>(k)][j];
}

}  // namespace ls
