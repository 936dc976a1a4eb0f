#include "step/newton/newton.h"

#include "step/model_size.h"
#include "step/newton/node_rules.h"
#include "step/newton/solve/acceleration.h"
#include "step/newton/solve/equations.h"
#include "step/newton/solve/islands.h"
#include "step/newton/solve/judging.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ls {

namespace {

// Whether a load step has nothing to find, as beyond a fold. Mixed iterations may leave the branch and come back to it,
// and guarded ones are slow at first; but those that are so far off, or still so long, after so many have not been seen
// to end well.
bool is_hopeless(int iterations, int guarded, double off, double width, double now) {
  constexpr int tries_to_return = 4, tries_guarded = 6;
  constexpr double widths = 5;
  return (iterations > tries_to_return && off > widths * width) || (guarded > tries_guarded && now > exact_below);
}

// Why a solve did not come to its end.
void find_reason(const NewtonProblem& p, const State& s, const NewtonWork& newton, bool closed, NewtonResult& r) {
  r.stop = NewtonStop::too_slow, r.node = largest_move(newton.solution, p.model.nodes).node;
  if (!p.scheme && newton.ldlt.floating() >= 0) {  // what flies off takes joints apart, too
    r.stop = NewtonStop::singular, r.node = newton.ldlt.floating();
  } else if (!closed) {
    r.joint = newton.terms.joints->error(s, p.inputs).joint;
    const auto& end = p.model.joints.joints[r.joint].end;
    r.stop = NewtonStop::apart, r.node = std::max(end[0].node, end[1].node);
  }
}

// Where shapes touch, what is driven and has not got there is what stands in the way of the solve.
NewtonResult ended(NewtonStop stop, int node, bool touching, const NewtonWork& newton, NewtonResult r) {
  r.stop = stop, r.node = node;
  const auto left = std::find_if(newton.driven.begin(), newton.driven.end(), [](double a) { return a != 0; });
  if (touching && left != newton.driven.end())
    r.stop = NewtonStop::blocked, r.node = static_cast<int>(left - newton.driven.begin()) / dofs;
  return r;
}

// Of an equilibrium: a barrier pushes in inverse proportion to the gap, and that may be less than a tolerance of moves
// leaves. `moved`: m, in the last iteration.
bool is_settled(const NewtonProblem& p, const State& s, const NewtonWork& newton, double moved, bool rounding) {
  const double small = rounding ? 1e-2 : 1e-3;  // of the nearest gap, and so of what pushes there
  if (p.scheme || !p.model.shapes || p.inputs.contact != ContactLaw::barrier) return true;
  return moved <= small * contact_report(p.model, newton.terms, s, p.inputs).min_gap;
}

// Finds the residual; the node at which it is no number, -1: none.
int lost_in_residual(Equations& solve, const NewtonWork& newton) {
  solve.find_residual();
  return first_not_finite(newton.residual);
}

NewtonResult solve_once(const NewtonProblem& problem, State& s, Work& work, NewtonWork& newton,
                        const NewtonSettings& settings) {
  const Model& m = problem.model;
  const bool in_time = problem.scheme.has_value();
  Equations solve(problem, s, work, newton);
  NewtonResult r;
  Nodes foreseen;  // after the first iteration, to see at the end how good its forecast was
  // Sizes of the last move and of the first, or of what a guess has gone already.
  double before = 0, first = problem.guess ? way_gone(problem.start, s.nodes, newton.size) : 0;
  Rounds rounds{newton.terms.contact(problem.inputs), problem.inputs};
  const bool touching = m.shapes && problem.inputs.contact == ContactLaw::barrier;
  const auto stopped = [&](NewtonStop stop, int node) { return ended(stop, node, touching, newton, r); };
  const auto another_round = [&] {
    if (!rounds.needs_another(s, r.iterations)) return false;
    return solve.forget_residual(), true;
  };
  // Slender rods must be let uphill at first (mixed Newton); rigid bodies never.
  const int free_iterations = m.bonds() > 0 ? settings.guarded_after : 0;
  Acceleration acceleration(in_time && !touching && newton.pull.empty(), newton.size);
  while (r.iterations - rounds.began < settings.most_iterations) {
    newton.pulse.beat();
    if (const int bad = lost_in_residual(solve, newton); bad >= 0) return stopped(NewtonStop::not_finite, bad);
    const int in_round = r.iterations - rounds.began;
    const bool guarded = touching && in_round >= free_iterations;
    const bool exact = guarded && before > 0 && before <= exact_below;
    solve.fit();
    if (!acceleration.keeps_matrix(before) &&
        (!solve.factor(in_round > 0 && !guarded, guarded && !exact) || (exact && !solve.factor_downhill())))
      return stopped(NewtonStop::singular, newton.ldlt.lost());
    solve.solve();
    const LargestMove step = largest_move(newton.solution, m.nodes);
    if (!std::isfinite(step.length) || !std::isfinite(step.turn)) return stopped(NewtonStop::singular, step.node);
    const double now = std::max(step.length / newton.size, step.turn);
    acceleration.improve(now, before, newton.solution);
    const double most = most_share(largest_move(newton.solution, m.nodes), settings, newton.size);
    const double share = guarded ? solve.move_guarded(most) : solve.move_free(most);
    acceleration.made(newton.solution, share);
    ++r.iterations;
    if (r.iterations == 1) r.first_move = step.length, foreseen = s.nodes, first = std::max(first, now);
    // In a step in time it counts beside the step's own move, since velocities come of it. Rounding, which grows with
    // the cube of the number of bonds, may end the descent before that.
    const double left = error_left(now, before);
    const double tolerance = in_time ? tolerance_in_time(settings, guarded, first) : settings.tolerance;
    if (guarded && in_time && !rounds.has_asked && share == 1.0 && left <= round_tolerance * first && another_round())
      continue;
    const bool rounding = share == 1.0 && r.iterations > 2 && now > 0.5 * before && now < 1e-7;
    const bool small = rounding || now <= tolerance || (share == 1.0 && left <= tolerance);
    if (small && solve.joints_are_closed() && is_settled(problem, s, newton, share * now * newton.size, rounding)) {
      if (another_round()) continue;
      if (const int bad = lost_in_residual(solve, newton); bad >= 0) return stopped(NewtonStop::not_finite, bad);
      r.from_foreseen = farthest(foreseen, s.nodes);
      return r;
    }
    const int guards = guarded && free_iterations > 0 ? in_round + 1 - free_iterations : 0;
    if (settings.one_branch &&
        is_hopeless(in_round + 1, guards, farthest(foreseen, s.nodes), branch_width(newton.size, r.first_move), now))
      return stopped(NewtonStop::too_slow, step.node);
    before = share * now;
  }
  find_reason(problem, s, newton, solve.joints_are_closed(), r);
  return stopped(r.stop, r.node);
}

}  // namespace

NewtonResult solve_newton(const NewtonProblem& problem, State& s, Work& work, NewtonWork& newton,
                          const NewtonSettings& settings) {
  assert(s.nodes.count == problem.model.nodes && problem.start.count == problem.model.nodes);
  const Inputs& in = problem.inputs;
  if (newton.size == 0) newton.size = model_size(problem.model, s.nodes);
  Contact* contact = newton.terms.contact(in);
  if (contact) contact->begin(s, in, problem.scheme ? problem.scheme->dt : 0.0, s.memory);
  renew_pattern(problem.model, in, s, newton);
  if (problem.scheme && problem.scheme->rules)
    find_kept(problem.model, in, problem.held, problem.scheme->dt, s, newton);
  const bool by_islands = has_islands(problem, newton);
  if (problem.guess) {
    copy_poses(*problem.guess, s.nodes);
    // What presses there is nearer to the end than what did at the start.
    if (contact && !by_islands) contact->needs_again(s, in);
  }
  const NewtonResult r = by_islands ? solve_by_islands(problem, s, work, newton, settings)
                                    : solve_once(problem, s, work, newton, settings);
  if (contact && r.ok()) contact->end(s, in, s.memory);
  return r;
}

}  // namespace ls
