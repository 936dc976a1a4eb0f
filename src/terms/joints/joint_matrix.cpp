#include "math/block_matrix.h"
#include "physics/joint_stiffness.h"
#include "terms/joints/joint_term.h"
#include "terms/joints/row_slopes.h"

#include <cmath>

// What joints add to the matrix of a solve.
namespace ls {

namespace {

using V = Vec3<double>;

void add_to(const Joint& joint, const PairMatrix& h, BlockMatrix& out) {
  const int a = joint.end[0].node, b = joint.end[1].node;
  if (a >= 0 && b >= 0) return out.add_pair(a, b, h);
  const int first = a >= 0 ? 0 : pose_width;
  double* d = out.diagonal(a >= 0 ? a : b);
  for (int r = 0; r < pose_width; ++r)
    for (int c = 0; c < pose_width; ++c) d[pose_width * r + c] += h[first + r][first + c];
}

void add_outer(const JointRowEntry& row, const RowNow& now, double stiffness, const JointView& v, PairMatrix& h) {
  double slope[2 * pose_width];
  for (int n = 0; n < 2; ++n) {
    flatten(now.slope[n], slope + pose_width * n);
    for (int c = 0; c < pose_width; ++c) slope[pose_width * n + c] *= std::sqrt(matrix_gain(row, v, n));
  }
  for (int a = 0; a < 2 * pose_width; ++a) {
    const double pull = stiffness * slope[a];
    if (pull == 0) continue;  // half of them, of axes at right angles
    for (int b = 0; b < 2 * pose_width; ++b) h[a][b] += pull * slope[b];
  }
}

// Second derivatives of all rows of a joint, each with a weight: those of ways, and those of axes on the second node
// that stand across the same one of the first, go together, since they are linear in these.
class Curvature {
 public:
  explicit Curvature(const JointPlaces<double>& p) : p_(p) {}
  void add(const JointRow& row, double length, double weight, PairMatrix& h) {
    if (row.shape == RowShape::along)
      force_ += weight * p_.axis[0][row.i], any_way_ = true;
    else if (row.shape == RowShape::across)
      across_[row.i] += weight * p_.axis[1][row.j], any_across_[row.i] = true;
    else
      add_row_curvature(row, p_, length, weight, h);
  }
  void finish(PairMatrix& h) {
    for (int i = 0; i < 3; ++i)
      if (any_across_[i]) add_both_turned(1, p_.axis[0][i], across_[i], h);
    if (!any_way_) return;
    double m[3][3];
    add_both_turned(1, force_, p_.arm[1], h);
    add_turned(1, force_, p_.apart + p_.arm[0] - p_.arm[1], 3, h);
    set_cross(force_, m);
    add_mirrored(3, 6, m, 1, h);
    add_mirrored(3, 0, m, -1, h);
  }

 private:
  const JointPlaces<double>& p_;
  V force_{}, across_[3]{};
  bool any_way_ = false, any_across_[3] = {};
};

}  // namespace

void Joints::add_stiffness(const State& s, const Inputs& in, const StiffnessRequest& wanted, BlockMatrix& out) {
  look(s, in);
  for (std::size_t j = 0; j + 1 < first_row_.size(); ++j) {
    if (joint(static_cast<int>(j)).kind != JointKind::spring) continue;
    PairMatrix h = {};
    add_spring(joint(static_cast<int>(j)), views_[j], s, wanted, h);
    add_to(joint(static_cast<int>(j)), h, out);
  }
  choose_strength(out);
  chosen_.assign(rows_.size(), {});
  for (std::size_t r = 0; r < rows_.size(); ++r) is_given_[r] = is_torque(rows_[r]) || is_idle(rows_[r], in);
  for (std::size_t j = 0; j + 1 < first_row_.size(); ++j) add_rows(s, in, wanted, static_cast<int>(j), out);
}

void Joints::add_rows(const State& s, const Inputs& in, const StiffnessRequest& wanted, int number, BlockMatrix& out) {
  const Joint& joint = model_.joints.joints[number];
  const JointView& v = views_[number];
  PairMatrix h = {};
  Curvature curvature(v.mean);
  for (int r = first_row_[number]; r < first_row_[number + 1]; ++r) {
    RowNow& now = now_[r];
    const double before = multiplier(r, s.memory, in);
    settle(static_cast<std::size_t>(r), s, in);
    // By the multiplier of the last linear solution, not by what the error pulls with: that is far off between moves.
    if (before != 0 && !wanted.projected) curvature.add(rows_[r].row, joint.length, before, h);
    if (now.stiffness != 0) add_outer(rows_[r], now, now.stiffness, v, h);
  }
  curvature.finish(h);
  add_to(joint, h, out);
}

void Joints::add_row(std::size_t r, double stiffness, BlockMatrix& out) const {
  PairMatrix h = {};
  add_outer(rows_[r], now_[r], stiffness, views_[rows_[r].joint], h);
  add_to(joint(rows_[r].joint), h, out);
}

void Joints::add_spring(const Joint& joint, const JointView& v, const State& s, const StiffnessRequest& wanted,
                        PairMatrix& h) const {
  const SpringPull pull = spring_pull(joint, v, s);
  if (!(pull.length > 0)) return;
  const JointRow row{RowShape::distance, 0, 0};
  Wrench<double> w[2];
  row_slope(row, v.mean, pull.length, w);
  double slope[2 * pose_width];
  for (int n = 0; n < 2; ++n) flatten(w[n], slope + pose_width * n);
  double along = pull.stiffness;
  if (pull.stiffness > 0) along += joint.damping * wanted.rate;
  if (pull.force > 0 || !wanted.projected) {
    add_row_curvature(row, v.mean, pull.length, pull.force, h);
    along -= pull.force / pull.length;
  }
  for (int a = 0; a < 2 * pose_width; ++a)
    for (int b = 0; b < 2 * pose_width; ++b) h[a][b] += along * slope[a] * slope[b];
}

void Joints::add_product(const State& s, const Inputs& in, const std::vector<Twist<double>>& move,
                         std::vector<Wrench<double>>& product) {
  for (const Joint& joint : model_.joints.joints) {
    if (joint.kind != JointKind::spring) continue;
    PairMatrix h = {};
    add_spring(joint, view_of(joint, s, in, bonded_), s, {}, h);
    double u[2 * pose_width] = {};
    for (int n = 0; n < 2; ++n)
      if (joint.end[n].node >= 0) {
        const auto& t = move[joint.end[n].node];
        flatten({t.v, t.w}, u + pose_width * n);
      }
    for (int n = 0; n < 2; ++n) {
      if (joint.end[n].node < 0) continue;
      double f[pose_width] = {};
      for (int r = 0; r < pose_width; ++r)
        for (int c = 0; c < 2 * pose_width; ++c) f[r] += h[pose_width * n + r][c] * u[c];
      product[joint.end[n].node] += {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
    }
  }
}

}  // namespace ls
