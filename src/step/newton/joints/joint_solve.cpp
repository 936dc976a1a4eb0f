#include "step/newton/solve/asymmetry.h"

#include <algorithm>
#include <cmath>

namespace ls {

namespace {

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
  close_rows(newton);
}

}  // namespace ls
