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
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double before = root(r) * from_[r].c;
    errors[r] += before;
    sum += before * before;
  }
  return std::sqrt(sum);
}

void Joints::errors_by(const std::vector<double>& move, std::vector<double>& errors) const {
  errors.resize(rows_.size());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double k = root(r);
    errors[r] = k > 0 ? k * gone(from_[r], joint(rows_[r].joint), move) : 0;
  }
}

void Joints::add_row_forces(const std::vector<double>& forces, std::vector<double>& out) const {
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (const double force = root(r) * forces[r]; force != 0) add_row_force(r, force, out);
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
  for (std::size_t r = 0; r < rows_.size(); ++r) from_[r].force += root(r) * forces[r];
}

}  // namespace ls
