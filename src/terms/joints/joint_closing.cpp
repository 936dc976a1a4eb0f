#include "terms/joints/joint_term.h"

#include <cmath>

// What a solve asks rows that have to be closed, by the linear model from where it set out.
namespace ls {

// 0: a row that need not be closed, or by another law.
double Joints::root(std::size_t r) const {
  const JointRowEntry& row = rows_[r];
  return from_[r].stiffness > 0 && !std::isfinite(row.stiffness) ? std::sqrt(from_[r].stiffness) : 0;
}

double Joints::errors_after(const std::vector<double>& move, std::vector<double>& errors) const {
  errors_by(move, errors);
  double sum = 0;
  for (std::size_t i = 0; i < packed_.size(); ++i) {
    const double before = packed_[i].root * from_[packed_[i].row].c;
    errors[i] += before;
    sum += before * before;
  }
  return std::sqrt(sum);
}

void Joints::errors_by(const std::vector<double>& move, std::vector<double>& errors) const {
  errors.resize(packed_.size());
  for (std::size_t i = 0; i < packed_.size(); ++i) {
    const PackedRow& p = packed_[i];
    double gone = 0;
    for (std::size_t n = 0; n < 2; ++n) {
      if (p.node[n] < 0) continue;
      const double* u = move.data() + static_cast<std::ptrdiff_t>(6) * p.node[n];
      for (std::size_t c = 0; c < 6; ++c) gone += p.change[6 * n + c] * u[c];
    }
    errors[i] = p.root * gone;
  }
}

void Joints::add_row_forces(const std::vector<double>& forces, std::vector<double>& out) const {
  for (std::size_t i = 0; i < packed_.size(); ++i) {
    const PackedRow& p = packed_[i];
    const double force = p.root * forces[i];
    for (std::size_t n = 0; n < 2; ++n) {
      if (p.node[n] < 0) continue;
      double* to = out.data() + static_cast<std::ptrdiff_t>(6) * p.node[n];
      for (std::size_t c = 0; c < 6; ++c) to[c] += force * p.along[6 * n + c];
    }
  }
}

void Joints::add_row_force(std::size_t r, double force, std::vector<double>& out) const {
  const JointView& v = views_[rows_[r].joint];
  for (int n = 0; n < 2; ++n) {
    const int node = joint(rows_[r].joint).end[n].node;
    if (node < 0) continue;
    const auto& slope = from_[r].slope[n];
    const Vec3<double> f = force * slope.force,
                       t = force * v.torque(n, slope.torque, rows_[r].row.shape == RowShape::angle);
    const double all[] = {f.x, f.y, f.z, t.x, t.y, t.z};
    for (std::size_t c = 0; c < 6; ++c) out[6 * static_cast<std::size_t>(node) + c] += all[c];
  }
}

double Joints::error_by(std::size_t r, const std::vector<double>& move) const {
  return gone(from_[r], joint(rows_[r].joint), move);
}

void Joints::add_to_forces(const std::vector<double>& forces) {
  for (std::size_t i = 0; i < packed_.size(); ++i) from_[packed_[i].row].force += packed_[i].root * forces[i];
}

}  // namespace ls
