#include "step/newton/solve/asymmetry.h"

#include <Eigen/Dense>
#include <cmath>
#include <utility>

namespace ls {

namespace {

using V = Vec3<double>;

// N m/rad, that stiffen() has added: the same across the axis in all directions.
V stiffening(const V& moment, const V& turn) {
  const double size = norm(moment);
  return size * turn - (dot(moment, turn) / size) * moment;
}

// Least squares without what the matrix makes less of than that.
Eigen::VectorXd solved_above(double least, const Eigen::MatrixXd& m, const Eigen::VectorXd& right) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(m, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Eigen::VectorXd parts = svd.matrixU().transpose() * right;
  for (Eigen::Index k = 0; k < parts.size(); ++k)
    parts[k] = svd.singularValues()[k] > least ? parts[k] / svd.singularValues()[k] : 0.0;
  return svd.matrixV() * parts;
}

// Least squares of Hessenberg matrices that grow by a column: by a rotation each, what is left is known at no cost.
class GrowingFit {
 public:
  GrowingFit(int most, double size) : triangle_(Eigen::MatrixXd::Zero(most + 1, most)), right_(most + 1) {
    right_.setZero(), right_[0] = size;
  }
  // Returns what is left.
  double add(int k, Eigen::VectorXd column) {
    for (int i = 0; i < k; ++i) turn(turns_[i], column[i], column[i + 1]);
    const double length = std::hypot(column[k], column[k + 1]);
    turns_.push_back(length > 0 ? Turn{column[k] / length, column[k + 1] / length} : Turn{1, 0});
    turn(turns_.back(), column[k], column[k + 1]);
    turn(turns_.back(), right_[k], right_[k + 1]);
    triangle_.col(k).head(k + 1) = column.head(k + 1);
    return std::abs(right_[k + 1]);
  }
  Eigen::VectorXd solution(int count) const {
    return triangle_.topLeftCorner(count, count).triangularView<Eigen::Upper>().solve(right_.head(count));
  }

 private:
  struct Turn {
    double cosine, sine;
  };
  static void turn(const Turn& t, double& a, double& b) {
    const double first = t.cosine * a + t.sine * b;
    b = t.cosine * b - t.sine * a, a = first;
  }
  Eigen::MatrixXd triangle_;
  Eigen::VectorXd right_;
  std::vector<Turn> turns_;
};

}  // namespace

double solve_near_one(const std::function<Numbers(const Numbers&)>& apply, int most, double enough, double least,
                      Numbers& x) {
  const double size = std::sqrt(product(x, x));
  if (!(size > 0) || !std::isfinite(size)) return 0;
  std::vector<Numbers> q{x};
  for (double& v : q[0]) v /= size;
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(most + 1, most);
  GrowingFit fit(most, size);
  double left = 1, some_before = 1;
  int count = 0;
  while (count < most) {
    const int k = count++;
    Numbers next = apply(q[k]);
    for (int i = 0; i <= k; ++i) h(i, k) = product(q[i], next), add(-h(i, k), q[i], next);
    h(k + 1, k) = std::sqrt(product(next, next));
    left = fit.add(k, h.col(k)) / size;
    if (left <= enough || !(h(k + 1, k) > 1e-14)) break;
    if (least > 0 && k % 8 == 7 && left > 0.9 * std::exchange(some_before, left)) break;
    for (double& v : next) v /= h(k + 1, k);
    q.push_back(std::move(next));
  }
  Eigen::VectorXd y = least > 0 ? Eigen::VectorXd() : fit.solution(count);
  if (least > 0) {
    Eigen::VectorXd right = Eigen::VectorXd::Zero(count + 1);
    right[0] = size;
    const auto part = h.topLeftCorner(count + 1, count);
    y = solved_above(least, part, right), left = (part * y - right).norm() / size;
  }
  std::fill(x.begin(), x.end(), 0.0);
  for (Eigen::Index k = 0; k < y.size(); ++k) add(y[k], q[static_cast<std::size_t>(k)], x);
  return left;
}

// The two directions across the axis matter, in which the rest is a matrix of 2x2: its determinant by cofactors, since
// it may be stiff along the axis alone, as a sheet is. A node's neighbours go along and resist less than its block
// says, so that a hundredth of it is a third of what counts.
bool is_gyroscope(const V& moment, const double* block) {
  constexpr double counts = 0.01;
  const auto row = [&](int r) {
    const double* k = block + static_cast<std::ptrdiff_t>(dofs) * (3 + r) + 3;
    return V{k[0], k[1], k[2]};
  };
  const V x = row(0), y = row(1), z = row(2);
  const V along = moment.x * cross(y, z) + moment.y * cross(z, x) + moment.z * cross(x, y);
  const double square = dot(moment, moment);
  return square * square > counts * counts * dot(moment, along);
}

void stiffen(const Gyroscope& g, double* block) {
  for (int c = 0; c < 3; ++c) {
    const V column = stiffening(g.moment, {c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0});
    double* to = block + static_cast<std::ptrdiff_t>(dofs) * 3 + 3 + c;
    to[0] += column.x, to[dofs] += column.y, to[static_cast<std::ptrdiff_t>(2) * dofs] += column.z;
  }
}

// Of joints: the columns of J that force and error go by differ where nodes turn far in a step, and what the difference
// does to light directions is not small: left to the iterations of Newton's method they would take dozens. B has the
// rank of the rows, and A^-1 B is small but for a few directions. Gyroscopes may be all nodes of a sheet; the
// iterations that they are solved for are not better than their linear model, so that less of them is asked.
void solve_whole(NewtonWork& newton, Numbers& x) {
  const bool joints = newton.terms.joints && !newton.terms.joints->is_symmetric(), gyro = !newton.gyroscopes.empty();
  const int most = gyro ? 30 : 12;
  const double enough = joints ? 1e-6 : 1e-3;
  newton.ldlt.solve(x.data());
  if (!joints && !gyro) return;
  const auto with_asymmetry = [&](const Numbers& a) {
    Numbers b(a.size(), 0.0);
    if (joints) newton.terms.joints->add_asymmetry(a, b);
    for (const Gyroscope& g : newton.gyroscopes) {
      const double* w = a.data() + static_cast<std::ptrdiff_t>(dofs) * g.node + 3;
      double* t = b.data() + static_cast<std::ptrdiff_t>(dofs) * g.node + 3;
      const V turn{w[0], w[1], w[2]}, torque = cross(g.moment, turn) - stiffening(g.moment, turn);
      t[0] += torque.x, t[1] += torque.y, t[2] += torque.z;
    }
    newton.ldlt.solve(b.data());
    add(1, a, b);
    return b;
  };
  solve_near_one(with_asymmetry, most, enough, 0, x);
}

}  // namespace ls
