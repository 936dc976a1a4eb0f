#include "step/newton/rest.h"

#include "math/rotation.h"
#include "step/explicit_step.h"
#include "step/model_size.h"
#include "step/move.h"
#include "step/newton/implicit_step.h"
#include "step/newton/vibrations.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

constexpr int most_iterations = 12;  // of states near equilibrium
constexpr double beside = 0.05;      // of the size

// Newton's method with a little mass added to the stiffness. That hardly changes how what is elastic settles, and keeps
// what floats from drifting away by rounding.
bool settle(const Model& m, const Inputs& in, State& s, Work& work, NewtonWork& newton,
            const NewtonSettings& settings) {
  if (!m.joints.empty()) return false;  // this has no forces of joints to find
  const double little = 1e-9 * vibration_scale(m, in, in.held, s, newton, 1);
  if (!(little > 0)) return false;
  std::vector<double> u(static_cast<std::size_t>(dofs) * m.nodes);
  for (int round = 0; round < most_iterations; ++round) {
    sum_wrenches(m, in, s, work);
    for (int i = 0; i < m.nodes; ++i) {
      const auto r = s.nodes.wrench(i);
      const double v[dofs] = {r.force.x, r.force.y, r.force.z, r.torque.x, r.torque.y, r.torque.z};
      std::copy(v, v + dofs, u.data() + static_cast<std::ptrdiff_t>(dofs) * i);
    }
    (void)factor_stiffness(m, in, in.held, s, newton);
    add_mass(m, s, little, newton.stiffness);
    if (!newton.ldlt.factor(newton.stiffness, newton.held, newton.pulse)) return false;
    newton.ldlt.solve(u.data());
    double move = 0, turned = 0;
    for (int i = 0; i < m.nodes; ++i) {
      const double* a = u.data() + static_cast<std::ptrdiff_t>(dofs) * i;
      const Vec3<double> dx{a[0], a[1], a[2]}, dw{a[3], a[4], a[5]};
      const auto f = s.nodes.frame(i);
      s.nodes.set(i, Frame<double>{f.x + dx, normalized(turn(dw) * f.q)});
      move = std::max(move, norm(dx)), turned = std::max(turned, norm(dw));
    }
    const double now = std::max(move / newton.size, turned);
    if (!(now < settings.longest_move)) return false;
    if (now <= settings.tolerance) return true;
  }
  return false;
}

}  // namespace

RestResult find_rest(const Model& m, const Inputs& in, State& s, Work& work, NewtonWork& newton,
                     const NewtonSettings& settings) {
  if (newton.size == 0) newton.size = model_size(m, s.nodes);
  stop_moving(s.nodes);
  const Nodes start = s.nodes;
  RestResult r;
  bool found = settle(m, in, s, work, newton, settings);
  if (!found) {
    s.nodes = start;
    const auto solved = solve_newton({m, in, in.held, start, {}}, s, work, newton, settings);
    r.stop = solved.stop, r.node = solved.node;
    found = solved.ok();
    const Nodes there = s.nodes;
    if (!found || farthest(start, there) > beside * newton.size) {  // from afar Newton's method may end anywhere
      s.nodes = start;
      if (relax(m, in, s, work, newton, settings))
        found = true, r.stop = NewtonStop::converged, r.node = -1;
      else
        s.nodes = there;
    }
  }
  r.moved = farthest(start, s.nodes);
  stop_moving(s.nodes);
  if (found) sum_wrenches(m, in, s, work);
  return r;
}

}  // namespace ls
