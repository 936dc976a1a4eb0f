#include "terms/induction/induction_stiffness.h"

#include "math/dense_response.h"
#include "physics/dipole_pair.h"
#include "physics/magnets.h"

#include <Eigen/Dense>
#include <algorithm>

namespace ls {

namespace {

using V = Vec3<double>;
using M = Eigen::Matrix3d;

M dense_of(const double (&m)[3][3]) {
  M d;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) d(r, c) = m[r][c];
  return d;
}
M dense_of(const Mat3<double>& m) {
  M d;
  d << m.c1.x, m.c2.x, m.c3.x, m.c1.y, m.c2.y, m.c3.y, m.c1.z, m.c2.z, m.c3.z;
  return d;
}
// a x ...
M cross_with(const V& a) {
  M d;
  d << 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0;
  return d;
}

class ResponseAssembly {
 public:
  explicit ResponseAssembly(const Response& r) : r_(r), s_(r.all), cells_(static_cast<int>(r.cell.size())) {
    owner_.resize(static_cast<std::size_t>(s_.at.count));
    column_.assign(s_.nodes.size(), -1);
    for (std::size_t a = 0; a < s_.nodes.size(); ++a) {
      for (int k = s_.nodes[a].first; k < s_.nodes[a].last; ++k) owner_[k] = static_cast<int>(a);
      if (!s_.stands[a]) column_[a] = columns_++;
    }
    cell_of_.assign(owner_.size(), -1);
    for (int i = 0; i < cells_; ++i) cell_of_[r.cell[i]] = i;
  }

  void add_to(double scale, BlockMatrix& out) {
    set_curvature();
    mixed_ = Eigen::MatrixXd::Zero(3 * cells_, 6 * columns_);
    for (int i = 0; i < cells_; ++i) add_cell(i);
    DenseResponse response(3 * cells_, 6 * columns_);
    for (int i = 0; i < 3 * cells_; ++i) {
      for (int j = i; j < 3 * cells_; ++j) response.a(i, j) = curvature_(i, j);
      for (int c = 0; c < 6 * columns_; ++c) response.g(i, c) = mixed_(i, c);
    }
    if (!response.solve()) return;  // as if the moments were fixed
    for (std::size_t a = 0; a < s_.nodes.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b) add_block(a, b, response, scale, out);
  }

 private:
  V place(int k) const { return {s_.at.x[0][k], s_.at.x[1][k], s_.at.x[2][k]}; }
  V apart(int k, int j) const {
    const V r = place(k) - place(j);
    if (!s_.box) return r;
    const auto d = s_.box->nearest({r.x, r.y, r.z});
    return {d[0], d[1], d[2]};
  }
  V moment(int k) const { return {s_.at.m[0][k], s_.at.m[1][k], s_.at.m[2][k]}; }
  bool act(int a, int b) const {
    const int p = s_.nodes[a].node, q = s_.nodes[b].node;
    return r_.interact && a != b &&
           !std::binary_search(s_.apart.begin(), s_.apart.end(), std::pair{std::min(p, q), std::max(p, q)});
  }

  void set_curvature() {
    curvature_ = mu0 * r_.curvature;
    for (int i = 0; i < cells_; ++i) {
      const M turn = dense_of(matrix(r_.turned[i]));
      curvature_.middleRows<3>(3 * i) = (turn * curvature_.middleRows<3>(3 * i)).eval();
      curvature_.middleCols<3>(3 * i) = (curvature_.middleCols<3>(3 * i) * turn.transpose()).eval();
    }
  }
  // How the field at a cell, in its node's axes, changes with the poses; and what it has of other cells.
  void add_cell(int i) {
    const int k = r_.cell[i], a = owner_[k];
    M slope = dense_of(r_.slope[i]);
    for (int j = 0; j < s_.at.count; ++j) {
      const int b = owner_[j];
      if (!act(a, b)) continue;
      const auto d = dipole_pair_slopes(apart(k, j), moment(k), moment(j), mu0_over_4pi);
      const M of_other = dense_of(d.slope1), coupling = dense_of(d.coupling);
      slope += of_other;
      if (cell_of_[j] >= 0) curvature_.block<3, 3>(3 * i, 3 * cell_of_[j]) -= coupling;
      if (column_[b] < 0) continue;
      mixed_.block<3, 3>(3 * i, 6 * column_[b]) -= of_other;
      mixed_.block<3, 3>(3 * i, 6 * column_[b] + 3) +=
          of_other * cross_with(s_.lever[j]) - coupling * cross_with(moment(j));
    }
    if (column_[a] < 0) return;
    mixed_.block<3, 3>(3 * i, 6 * column_[a]) += slope;
    mixed_.block<3, 3>(3 * i, 6 * column_[a] + 3) += cross_with(r_.field[i]) - slope * cross_with(s_.lever[k]);
  }
  void add_block(std::size_t a, std::size_t b, const DenseResponse& response, double scale, BlockMatrix& out) const {
    if (column_[a] < 0 || column_[b] < 0) return;
    const int p = s_.nodes[a].node, q = s_.nodes[b].node;
    if (a != b && out.pattern().find(p, q) < 0) return;
    double* to = a == b ? out.diagonal(p) : out.block(p, q);
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) {
        const int row = 6 * column_[a] + r, column = 6 * column_[b] + c;
        to[6 * r + c] -= scale * response.taken(std::max(row, column), std::min(row, column));
      }
  }

  const Response& r_;
  const DipoleSystem& s_;
  int cells_, columns_ = 0;
  std::vector<int> owner_;    // [dipole] of s_.nodes
  std::vector<int> column_;   // [of s_.nodes] among those that move; -1: it stands
  std::vector<int> cell_of_;  // [dipole] -1: permanent
  Eigen::MatrixXd curvature_, mixed_;
};

}  // namespace

void add_response(const Response& response, double scale, BlockMatrix& out) {
  ResponseAssembly(response).add_to(scale, out);
}

}  // namespace ls
