#include "step/newton/newton_work.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace ls {

namespace {

using Numbers = std::vector<double>;

double product(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
void add(double factor, const Numbers& a, Numbers& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * a[i];
}

// Least squares without what the matrix makes less of than that.
Eigen::VectorXd solved_above(double least, const Eigen::MatrixXd& m, const Eigen::VectorXd& right) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(m, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Eigen::VectorXd parts = svd.matrixU().transpose() * right;
  for (Eigen::Index k = 0; k < parts.size(); ++k)
    parts[k] = svd.singularValues()[k] > least ? parts[k] / svd.singularValues()[k] : 0.0;
  return svd.matrixV() * parts;
}

// x = right at first, then the solution of apply(x) = right to a share of it, by GMRES; returns what is left, a share
// too. Operators whose eigenvalues are near 1 but for a few take few rounds. What it makes less of than `least` is
// left.
double solve_near_one(const std::function<Numbers(const Numbers&)>& apply, int most, double enough, double least,
                      Numbers& x) {
  const double size = std::sqrt(product(x, x));
  if (!(size > 0) || !std::isfinite(size)) return 0;
  std::vector<Numbers> q{x};
  for (double& v : q[0]) v /= size;
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(most + 1, most);
  Eigen::VectorXd y;
  double left = 1, some_before = 1;
  for (int k = 0; k < most; ++k) {
    Numbers next = apply(q[k]);
    for (int i = 0; i <= k; ++i) h(i, k) = product(q[i], next), add(-h(i, k), q[i], next);
    h(k + 1, k) = std::sqrt(product(next, next));
    Eigen::VectorXd right = Eigen::VectorXd::Zero(k + 2);
    right[0] = size;
    const auto part = h.topLeftCorner(k + 2, k + 1);
    y = least > 0 ? solved_above(least, part, right) : Eigen::VectorXd(part.colPivHouseholderQr().solve(right));
    left = (part * y - right).norm() / size;
    if (left <= enough || !(h(k + 1, k) > 1e-14)) break;
    if (least > 0 && k % 8 == 7 && left > 0.9 * std::exchange(some_before, left)) break;
    for (double& v : next) v /= h(k + 1, k);
    q.push_back(std::move(next));
  }
  std::fill(x.begin(), x.end(), 0.0);
  for (Eigen::Index k = 0; k < y.size(); ++k) add(y[k], q[static_cast<std::size_t>(k)], x);
  return left;
}

// x = (A + B)^-1 x, with B what the matrix leaves out. The columns of J that force and error of a joint go by differ
// where nodes turn far in a step, and what the difference does to light directions is not small: left to the iterations
// of Newton's method they would take dozens. B has the rank of the rows, and A^-1 B is small but for a few directions.
void solve_whole(NewtonWork& newton, Numbers& x) {
  constexpr int most = 12;
  constexpr double enough = 1e-6;
  newton.ldlt.solve(x.data());
  if (newton.terms.joints->is_symmetric()) return;
  const auto with_asymmetry = [&](const Numbers& a) {
    Numbers b(a.size(), 0.0);
    newton.terms.joints->add_asymmetry(a, b);
    newton.ldlt.solve(b.data());
    add(1, a, b);
    return b;
  };
  solve_near_one(with_asymmetry, most, enough, 0, x);
}

// What is left of the rows' errors after the move, by the linear model, to nearly nothing. Rows pull a thousand times
// as hard as what resists their own nodes; what a long chain gives way by as a whole is less by the square of its
// length, and such errors would go down by a few percent an iteration.
void close_rows(NewtonWork& newton) {
  constexpr int most = 30;
  constexpr double slow = 0.02, enough = 1e-3;  // of the errors before
  constexpr double rounding = 1e-9;
  constexpr double spare = 1e-6;  // rows that others nearly close: exact forces of such would grow without bound
  Joints& joints = *newton.terms.joints;
  Numbers way = newton.solution;
  add(1, newton.driven, way);
  Numbers errors;
  const double before = joints.errors_after(way, errors);
  const double after = std::sqrt(product(errors, errors));
  if (!(after > slow * before) || !std::isfinite(after)) return;
  const auto reply = [&](const Numbers& forces) {
    Numbers u(newton.solution.size(), 0.0);
    joints.add_row_forces(forces, u);
    solve_whole(newton, u);
    return u;
  };
  const auto closing = [&](const Numbers& forces) {
    Numbers gone;
    joints.errors_by(reply(forces), gone);
    return gone;
  };
  Numbers forces = errors;
  if (solve_near_one(closing, most, std::max(enough * before / after, rounding), spare, forces) > 0.5) return;
  add(-1, reply(forces), newton.solution);
  joints.add_to_forces(forces);
}

}  // namespace

void solve_with_joints(NewtonWork& newton) {
  solve_whole(newton, newton.solution);
  // Where some have bounds, the search for those that are at them was seen to go to and fro for it.
  if (!newton.terms.joints->have_bounds()) close_rows(newton);
}

}  // namespace ls
