#pragma once
#include "step/newton/inertia.h"
#include "step/newton/newton_work.h"
#include "step/work.h"

#include <optional>

namespace ls {

struct NewtonSettings {
  double tolerance = 1e-9;  // of the error that is left, beside the size of the model
  int most_iterations = 30;
  double longest_move = 0.25;        // of one iteration, beside the size
  double largest_turn = 1.0;         // rad
  double touching_tolerance = 1e-6;  // the same of guarded moves in time, beside the step's own: they converge slower
  int guarded_after = 12;            // iterations: where shapes touch, moves are from then on cut short of going uphill
  bool one_branch = false;           // give up once far off the branch that the first iteration foresaw
};

// How far from what its first iteration foresaw a load step may end: what lies farther is another branch, unless the
// move itself was long. Both in m.
inline double branch_width(double size, double first_move) {
  return 0.01 * size + 0.7 * first_move;
}

// blocked: what is driven can't get there, since something is in the way; apart: a joint can't be closed.
enum class NewtonStop { converged, too_slow, singular, not_finite, no_rest, blocked, apart };

struct NewtonResult {
  NewtonStop stop = NewtonStop::converged;
  int iterations = 0;
  int node = -1;             // where it went wrong
  int joint = -1;            // likewise, of one that is apart
  double first_move = 0;     // m, largest of the first iteration
  double from_foreseen = 0;  // m, how far the end is from what the first iteration foresaw
  bool ok() const { return stop == NewtonStop::converged; }
};

// What is to be solved: equilibrium, or with a scheme an implicit step from `start`.
struct NewtonProblem {
  const Model& model;
  const Inputs& inputs;
  const std::vector<HeldNode>& held;  // where held degrees of freedom go
  const Nodes& start;
  std::optional<ImplicitScheme> scheme;
  const Nodes* guess = nullptr;  // poses to begin at, which a solve from the same start came to; null: the start
};

// Finds the poses at which every free degree of freedom is in balance; held ones go to the poses in `held`. With a
// scheme the poses are those at which the scheme takes forces. Mixed Newton: from the second iteration on, the
// geometric part of the stiffness is that of the stress that the last linear solution foresaw, not of the present one,
// which for slender rods is far off between iterations.
NewtonResult solve_newton(const NewtonProblem& problem, State& s, Work& work, NewtonWork& newton,
                          const NewtonSettings& settings = {});

}  // namespace ls
