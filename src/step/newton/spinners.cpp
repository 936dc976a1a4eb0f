#include "step/newton/spinners.h"

#include "step/model_size.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {}

void add_spinners(const State& s, NewtonWork& newton) {
  for (const int i : newton.spinners) {
    double* d = newton.stiffness.diagonal(i);
    const Vec3<double> axis = axis_z(s.nodes.frame(i).q);
    const double z[3] = {axis.x, axis.y, axis.z};
    const double size = d[(dofs + 1) * 3] + d[(dofs + 1) * 4] + d[(dofs + 1) * 5];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) d[dofs * (3 + a) + 3 + b] += size * z[a] * z[b];
  }
}

void find_spinners(const Model& m, const State& rest, const std::vector<std::uint8_t>& held, NewtonWork& newton) {
  newton.spinners.clear();
  std::vector<HeldNode> holds;
  for (int i = 0; i < m.nodes; ++i)
    if (held[i]) holds.push_back({i, held[i], rest.nodes.frame(i), {}});
  if (newton.size == 0) newton.size = model_size(m, rest.nodes);
  while (factor_stiffness(m, Inputs{}, holds, rest, newton) && newton.ldlt.floating() >= 0) {
    // The motion that nothing resists: what a torque about the axis of the floating node does.
    const int node = newton.ldlt.floating();
    const Vec3<double> axis = axis_z(rest.nodes.frame(node).q);
    std::fill(newton.solution.begin(), newton.solution.end(), 0.0);
    double* torque = newton.solution.data() + static_cast<std::ptrdiff_t>(dofs) * node + 3;
    torque[0] = axis.x, torque[1] = axis.y, torque[2] = axis.z;
    newton.ldlt.solve(newton.solution.data());
    const LargestMove motion = largest_move(newton.solution, m.nodes);
    const Vec3<double> turned{torque[0], torque[1], torque[2]};
    const bool spins = motion.length < 1e-6 * newton.size * motion.turn &&
                       std::abs(dot(turned, axis)) > 0.99 * norm(turned) && norm(turned) > 0.1 * motion.turn;
    if (!spins || std::find(newton.spinners.begin(), newton.spinners.end(), node) != newton.spinners.end()) return;
    newton.spinners.push_back(node);
  }
}

}  // namespace ls
