#include "math/box_problem.h"
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
  // What the matrix leaves out goes by how far nodes turn: of what is little to begin with it does not count. In steps
  // of large turns it would lead to other solutions.
  const bool is_little = joints.largest_turn() < 0.05;
  const auto reply = [&](const Numbers& forces) {
    Numbers u(newton.solution.size(), 0.0);
    joints.add_row_forces(forces, u);
    is_little ? newton.ldlt.solve(u.data()) : solve_whole(newton, u);
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

// Of rows whose forces have bounds, which are at theirs, by the linear model: found one after the other, by the signs
// of their errors, a chain of hinges with friction would take an iteration for each link. The matrix of closed rows
// alone says how the others answer each other. They pull harder in it, since what a long chain of them gives way by
// would be taken for an answer.
bool choose_sides(NewtonWork& newton) {
  constexpr std::size_t most = 400;
  constexpr double harder = 1e4, ridge = 1e-6;
  Joints& joints = *newton.terms.joints;
  Numbers way = newton.solution;
  add(1, newton.driven, way);
  std::vector<BoundedRow> rows = joints.bounded(way);
  const std::size_t n = rows.size();
  const auto agrees = [&](const BoundedRow& row) { return joints.agrees(row); };
  if (n > most || std::all_of(rows.begin(), rows.end(), agrees)) return false;
  const BlockMatrix whole = newton.stiffness;
  joints.leave_closed_alone(rows, harder, newton.stiffness);
  BoxProblem problem;
  if (newton.ldlt.factor(newton.stiffness, newton.held, newton.pulse)) {
    problem.g.resize(n * n);
    for (std::size_t j = 0; j < n; ++j) {
      Numbers u(newton.solution.size(), 0.0);
      joints.add_row_force(rows[j].row, 1, u);
      newton.ldlt.solve(u.data());
      for (std::size_t i = 0; i < n; ++i) {
        const double half = 0.5 * joints.error_by(rows[i].row, u);
        problem.g[n * i + j] += half, problem.g[n * j + i] += half;
      }
      problem.g[n * j + j] += ridge / rows[j].k;
    }
  }
  newton.stiffness = whole;
  std::vector<Side> side(n);
  Numbers x;
  for (std::size_t i = 0; i < n; ++i) {
    side[i] = rows[i].side;
    problem.low.push_back(joints.least_of(rows[i])), problem.high.push_back(joints.most_of(rows[i]));
    double right = rows[i].error;
    for (std::size_t j = 0; j < n && !problem.g.empty(); ++j) right += problem.g[n * i + j] * rows[j].force;
    problem.right.push_back(right);
  }
  if (!problem.g.empty() && solve_box_problem(problem, side, x)) {
    for (std::size_t i = 0; i < n; ++i) rows[i].side = side[i];
    joints.choose(rows, newton.stiffness);
  }
  return newton.ldlt.factor(newton.stiffness, newton.held, newton.pulse);
}

void solve_with_joints(NewtonWork& newton) {
  solve_whole(newton, newton.solution);
  close_rows(newton);
}

}  // namespace ls
