#include "terms/induction/soft_grids.h"

#include "physics/cuboid_tensor.h"

#include <cstdlib>
#include <map>

namespace ls {

namespace {

using V = Vec3<double>;

Eigen::Matrix3d dense(const Sym3& m) {
  Eigen::Matrix3d d;
  d << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
  return d;
}
Eigen::Matrix3d dense(const Quat<double>& q) {
  const V x = axis_x(q), y = axis_y(q), z = axis_z(q);
  Eigen::Matrix3d d;
  d << x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z;
  return d;
}

// Tensors by the distance in cells: a mirror changes the signs of what lies across it, and nothing else.
class Tensors {
 public:
  explicit Tensors(const V& cell) : cell_(cell) {}
  Sym3 of(const std::array<int, 3>& a, const std::array<int, 3>& b) {
    const int d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    const std::array<int, 3> key{std::abs(d[0]), std::abs(d[1]), std::abs(d[2])};
    auto found = known_.find(key);
    if (found == known_.end())
      found = known_.emplace(key, cuboid_tensor(cell_, {key[0] * cell_.x, key[1] * cell_.y, key[2] * cell_.z})).first;
    Sym3 n = found->second;
    if ((d[0] < 0) != (d[1] < 0)) n.xy = -n.xy;
    if ((d[0] < 0) != (d[2] < 0)) n.xz = -n.xz;
    if ((d[1] < 0) != (d[2] < 0)) n.yz = -n.yz;
    return n;
  }

 private:
  V cell_;
  std::map<std::array<int, 3>, Sym3> known_;
};

}  // namespace

Eigen::MatrixXd cuboid_couplings(const SoftGrid& grid) {
  const auto n = static_cast<Eigen::Index>(grid.at.size());
  const double volume = grid.cell.x * grid.cell.y * grid.cell.z;
  const Eigen::Matrix3d axes = dense(grid.axes);
  Tensors tensors(grid.cell);
  Eigen::MatrixXd q(3 * n, 3 * n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      Eigen::Matrix3d own = dense(tensors.of(grid.at[i], grid.at[j]));
      if (i == j) own += (1 / grid.share[i] - 1) / 3 * Eigen::Matrix3d::Identity();
      own = axes * (own / volume) * axes.transpose();
      q.block<3, 3>(3 * i, 3 * j) = own;
      q.block<3, 3>(3 * j, 3 * i) = own.transpose();
    }
  return 0.5 * (q + q.transpose());
}

GridMatrix make_grid_matrix(const SoftTable& soft, const SoftGrid& grid) {
  GridMatrix m;
  m.coupling = cuboid_couplings(grid);
  const SoftCell& first = soft.cells[grid.first];
  if (first.curve != SoftCurve::linear) return m;
  const double sign = first.inverse.xx < 0 ? -1 : 1;
  Eigen::MatrixXd all = sign * m.coupling;
  for (int i = grid.first; i < grid.last; ++i) {
    const Eigen::Index at = 3 * (i - grid.first);
    all.block<3, 3>(at, at) += sign / soft.cells[i].volume * dense(soft.cells[i].inverse);
  }
  m.response.compute(all);
  m.is_factored = m.response.info() == Eigen::Success;
  return m;
}

bool are_alike(const SoftTable& soft, const SoftGrid& a, const SoftGrid& b) {
  const auto same = [](const V& u, const V& v) { return u.x == v.x && u.y == v.y && u.z == v.z; };
  if (!same(a.cell, b.cell) || a.axes.w != b.axes.w || !same(a.axes.v, b.axes.v) || a.at != b.at || a.share != b.share)
    return false;
  const SoftCell &p = soft.cells[a.first], &q = soft.cells[b.first];
  const auto numbers = [](const Sym3& m) { return std::array{m.xx, m.yy, m.zz, m.yz, m.xz, m.xy}; };
  return p.curve == q.curve && p.volume == q.volume && numbers(p.inverse) == numbers(q.inverse);
}

}  // namespace ls
