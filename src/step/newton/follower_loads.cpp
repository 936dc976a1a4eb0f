#include "step/newton/follower_loads.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <map>

namespace ls {

namespace {

using FollowerBlock = std::array<std::array<double, 3>, dofs>;  // [row][turn]

void add_follower(const Inputs& in, const State& s, const LoadGroup& load, std::size_t i, FollowerBlock& block) {
  const auto q = s.nodes.frame(load.node[i]).q;
  const double factor = in.load_factor * load.weight[i];
  const auto turned = [&](const Vec3<double>& a) { return factor * (load.in_body_axes ? rotate(q, a) : a); };
  const auto add = [&](int first_row, double scale, const Vec3<double>& a) {
    const double cross[3][3] = {{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) block[first_row + r][c] += scale * cross[r][c];
  };
  add(3, load.in_body_axes ? 0.5 : -0.5, turned(load.torque));
  if (load.in_body_axes) add(0, 1.0, turned(load.force));
}

}  // namespace

bool is_conservative(const Inputs& in) {
  return std::all_of(in.loads.begin(), in.loads.end(), [](const LoadGroup& load) {
    return dot(load.torque, load.torque) == 0 && !(load.in_body_axes && dot(load.force, load.force) > 0);
  });
}

void correct_for_followers(const Inputs& in, const State& s, NewtonWork& newton) {
  if (is_conservative(in)) return;
  std::map<int, FollowerBlock> blocks;
  for (const auto& load : in.loads)
    for (std::size_t i = 0; i < load.node.size(); ++i) add_follower(in, s, load, i, blocks[load.node[i]]);
  constexpr std::size_t most = 16;  // nodes; with more, Newton's method does without, and takes longer
  if (blocks.size() > most) return;
  const auto size = newton.solution.size();
  const auto columns = static_cast<Eigen::Index>(3 * blocks.size());
  newton.follower.assign(size * static_cast<std::size_t>(columns), 0.0);
  Eigen::MatrixXd small = Eigen::MatrixXd::Identity(columns, columns);
  Eigen::VectorXd turns(columns);
  Eigen::Index column = 0;
  for (const auto& [node, a] : blocks)
    for (int c = 0; c < 3; ++c, ++column) {
      double* z = newton.follower.data() + size * static_cast<std::size_t>(column);
      for (int r = 0; r < dofs; ++r) z[dofs * node + r] = a[r][c];
      newton.ldlt.solve(z);
      turns[column] = newton.solution[dofs * node + 3 + c];
      Eigen::Index row = 0;
      for (const auto& other : blocks)
        for (int r = 0; r < 3; ++r, ++row) small(row, column) += z[dofs * other.first + 3 + r];
    }
  const Eigen::VectorXd share = small.partialPivLu().solve(turns);
  for (Eigen::Index k = 0; k < columns; ++k)
    for (std::size_t i = 0; i < size; ++i)
      newton.solution[i] -= share[k] * newton.follower[size * static_cast<std::size_t>(k) + i];
}

}  // namespace ls
