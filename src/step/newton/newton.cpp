#include "step/newton/newton.h"

#include "math/rotation.h"
#include "model/inertia.h"
#include "step/explicit_step.h"
#include "step/model_size.h"
#include "step/move.h"
#include "step/newton/follower_loads.h"
#include "step/newton/node_rules.h"
#include "step/newton/spinners.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace ls {

namespace {

// The node whose residual is no number; -1: none.
int first_not_finite(const std::vector<double>& residual) {
  const auto bad = std::find_if(residual.begin(), residual.end(), [](double a) { return !std::isfinite(a); });
  return bad == residual.end() ? -1 : static_cast<int>(bad - residual.begin()) / dofs;
}

// One solve: the equations, their matrix and how a state moves.
class Newton {
 public:
  Newton(const NewtonProblem& p, State& s, Work& work, NewtonWork& newton)
      : m_(p.model),
        in_(p.inputs),
        scheme_(p.scheme),
        start_(p.start),
        s_(s),
        work_(work),
        newton_(newton),
        damping_(in_.temperature > 0 ? 0 : in_.damping_rate),
        spin_damping_(in_.temperature > 0 ? 0 : in_.spin_damping_rate) {
    // The greatest: a matrix that is too stiff takes more iterations, one that is too soft may lead astray.
    for (int i = 0; i < m_.nodes && scheme_; ++i) rate_ = std::max(rate_, 1 / scheme_->half(i));
    std::fill(newton_.held.begin(), newton_.held.end(), 0);
    std::fill(newton_.driven.begin(), newton_.driven.end(), 0.0);
    for (const auto& h : p.held) {
      newton_.held[h.node] = h.mask;
      const auto f = s_.nodes.frame(h.node);
      const Vec3<double> dx = h.pose.x - f.x, turn = rotation_vector(nearer(h.pose.q * conj(f.q), {1.0, {}}));
      const double go[dofs] = {dx.x, dx.y, dx.z, turn.x, turn.y, turn.z};
      const bool all_turns = (h.mask & hold_turn) == hold_turn;
      for (int c = 0; c < dofs; ++c)
        if ((h.mask >> c) & 1 && (c < 3 || all_turns)) newton_.driven[dofs * h.node + c] = go[c];
    }
  }

  // What is not in balance, into newton_.residual.
  void find_residual() {
    if (std::exchange(is_fresh_, false)) return;
    if (scheme_)
      for (int i = 0; i < m_.nodes; ++i) s_.nodes.set(i, twist_at(*scheme_, i, start_.frame(i), s_.nodes.frame(i)));
    sum_wrenches(m_, in_, s_, work_);
    for (int i = 0; i < m_.nodes; ++i) {
      Wrench<double> r = s_.nodes.wrench(i);
      if (scheme_) r = less_inertia(i, r);
      const double v[dofs] = {r.force.x, r.force.y, r.force.z, r.torque.x, r.torque.y, r.torque.z};
      std::copy(v, v + dofs, newton_.residual.data() + static_cast<std::ptrdiff_t>(dofs) * i);
    }
  }

  void forget_residual() { is_fresh_ = false; }

  [[nodiscard]] bool factor(bool mixed, bool projected) {
    fit_pattern(m_, in_, s_, newton_);
    StiffnessRequest wanted;
    const LinearStep last = newton_.last_step();
    if (scheme_) wanted.rate = rate_;
    if (mixed) wanted.last = &last;
    wanted.projected = projected;
    if (!projected && !bending_.empty()) wanted.projected_at = &bending_;
    assemble_without_joints(in_, s_, wanted, newton_);
    if (scheme_)
      for (int i = 0; i < m_.nodes; ++i) add_inertia(i);
    else
      add_spinners(s_, newton_);
    add_joints(in_, s_, wanted, newton_);
    return newton_.ldlt.factor(newton_.stiffness, newton_.held, newton_.pulse);
  }

  // Where the exact stiffness has negative pivots: projected at their nodes, or where that does not do at all. A few
  // contacts of a large pile then do not slow down the others.
  [[nodiscard]] bool factor_downhill() {
    if (newton_.ldlt.negative_pivots() == 0) return true;
    bending_.assign(static_cast<std::size_t>(m_.nodes), 0);
    for (const int i : newton_.ldlt.negative_rows()) bending_[i] = 1;
    const bool ok = factor(false, false);
    bending_.clear();
    return ok && (newton_.ldlt.negative_pivots() == 0 || factor(false, true));
  }

  // The move that the linear model asks for, held degrees of freedom going all the way they have left.
  void solve() {
    newton_.solution = newton_.residual;
    find_pull();
    for (std::size_t i = 0; i < newton_.pull.size(); ++i) newton_.solution[i] += newton_.pull[i];
    if (std::any_of(newton_.driven.begin(), newton_.driven.end(), [](double a) { return a != 0; })) {
      std::vector<double> pulled(newton_.solution.size(), 0.0);
      newton_.stiffness.add_product(newton_.driven.data(), pulled.data());
      for (std::size_t i = 0; i < pulled.size(); ++i) newton_.solution[i] -= pulled[i];
    }
    solve_with_joints(newton_);
    correct_for_followers(in_, s_, newton_);
    for (std::size_t i = 0; i < newton_.solution.size(); ++i) newton_.solution[i] += newton_.driven[i];
  }

  // Goes a share of that way, or as far as nothing passes through anything; returns the share.
  double move(double share) {
    set_move(share);
    Contact* contact = newton_.terms.contact(in_);
    const double allowed = contact ? contact->allowed(s_, in_, newton_.move) : 1;
    if (allowed < 1) set_move(share *= allowed);
    make_move(s_, newton_);
    for (auto& d : newton_.driven) d *= 1 - share;
    return share;
  }
  // The same, cut shorter while the forces at the end push back harder along the way than they pulled at its start: a
  // barrier that was entered too deep. Forces need no energy to be compared so. Leaves the residual of the new state.
  double move_guarded(double share) {
    constexpr int most_cuts = 12;
    constexpr double push_back = 0.5;
    const bool is_driven = std::any_of(newton_.driven.begin(), newton_.driven.end(), [](double a) { return a != 0; });
    const double pull = along();
    share = move(share);
    const JointForces forces = take_joints_along(share);  // what they take up at the end is no push back
    if (is_driven) return share;                          // drives do work: there is no downhill
    const double whole = share;
    for (int cut = 0; cut < most_cuts && pull > 0; ++cut) {
      find_residual();
      find_pull();
      const double now = along();
      is_fresh_ = now >= -push_back * pull;  // the next iteration need not compute it again
      if (is_fresh_) break;
      share *= std::clamp(pull / (pull - now), 0.1, 0.7);
      copy_poses(newton_.before, s_.nodes);
      set_move(share);
      make_move(s_, newton_);
      for (std::size_t r = 0; r < forces.before.size(); ++r)
        s_.memory.joint_force[r] = forces.before[r] + share / whole * (forces.after[r] - forces.before[r]);
    }
    return share;
  }
  double move_free(double share) {
    share = move(share);
    take_joints_along(share);
    return share;
  }
  bool joints_are_closed() const { return newton_.pull.empty() || newton_.terms.joints->error(s_, in_).share <= 1; }

 private:
  // Of the rows of joints, at the start of a move and at its end.
  struct JointForces {
    std::vector<double> before, after;
  };
  // The forces of joints go along with a share of the solution. By the rows as they were where it set out: so before
  // anybody looks at joints where the move has come to.
  JointForces take_joints_along(double share) {
    if (newton_.pull.empty() || share == 0) return {};
    std::vector<double> before = s_.memory.joint_force;
    newton_.terms.joints->follow(newton_.solution, share, s_.memory);
    before.resize(s_.memory.joint_force.size(), 0.0);
    is_fresh_ = false;
    return {std::move(before), s_.memory.joint_force};
  }
  // How hard what is not in balance pulls along the solution.
  double along() const {
    double sum = 0;
    for (int i = 0; i < m_.nodes; ++i)
      for (int c = 0; c < dofs; ++c)
        if (!((newton_.held[i] >> c) & 1)) {
          const std::size_t k = static_cast<std::size_t>(dofs) * i + c;
          sum += (newton_.residual[k] + (newton_.pull.empty() ? 0 : newton_.pull[k])) * newton_.solution[k];
        }
    return sum;
  }
  void find_pull() {
    if (newton_.pull.empty()) return;
    std::fill(newton_.pull.begin(), newton_.pull.end(), 0.0);
    newton_.terms.joints->add_pull(s_, in_, newton_.pull);
  }
  void set_move(double share) {
    for (int i = 0; i < m_.nodes; ++i)
      for (int c = 0; c < 3; ++c) {
        newton_.move.v[c][i] = share * newton_.solution[dofs * i + c];
        newton_.move.w[c][i] = share * newton_.solution[dofs * i + 3 + c];
      }
  }

  Wrench<double> less_inertia(int i, Wrench<double> r) const {
    const auto pose = s_.nodes.frame(i);
    const auto inertia = inertia_wrench(m_, i, *scheme_, start_, pose);
    const auto t = s_.nodes.twist(i);
    const Vec3<double> drag = angular_momentum(m_, i, pose.q, t.w);
    r.force = r.force - inertia.force - damping_ * m_.mass[i] * t.v;
    r.torque = r.torque - inertia.torque - spin_damping_ * drag;
    return r;
  }
  void add_inertia(int i) {
    const auto pose = s_.nodes.frame(i);
    const auto inertia = inertia_force(m_, i, *scheme_, start_, pose);
    const double rate = 1 / scheme_->half(i);
    double* d = newton_.stiffness.diagonal(i);
    for (int a = 0; a < 3; ++a) d[(dofs + 1) * a] += m_.mass[i] * rate * (rate + damping_);
    double turning[dofs * dofs] = {};
    ls::add_inertia(m_, i, pose.q, spin_damping_ * rate, turning);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) d[dofs * (3 + a) + 3 + b] += inertia.slope[a][b] + turning[dofs * (3 + a) + 3 + b];
    if (scheme_->kept(i)) add_kept_inertia(m_, i, *scheme_, start_.frame(i).q, d);
  }

  const Model& m_;
  const Inputs& in_;
  const std::optional<ImplicitScheme>& scheme_;
  const Nodes& start_;
  State& s_;
  Work& work_;
  NewtonWork& newton_;
  double damping_, spin_damping_;      // 1/s; heat brings its own
  double rate_ = 0;                    // 1/s, at which velocities follow displacements
  bool is_fresh_ = false;              // the residual is that of the state
  std::vector<std::uint8_t> bending_;  // [node] where contact counts projected; empty: nowhere
};

// Moves that are smaller than this, beside the size or in rad, go by the exact stiffness of contact.
// Projected, it leads downhill from anywhere but lacks what the turning of normals takes away, so that moves shrink
// only by half each. Where a pivot of the exact one is negative the matrix is factored once more, projected there; to
// wait after that until moves have shrunk saves factorings but takes more iterations than it saves.
constexpr double exact_below = 1e-2;

// Friction goes by normal forces that were noted; where they have changed since, the solve goes on with new ones. It is
// asked as soon as moves are this small beside the step's own: the tail of a round that is not the last is not needed.
constexpr int most_rounds = 2;
constexpr double round_tolerance = 1e-3;
struct Rounds {
  Contact* contact;
  const Inputs& in;
  int count = 0, began = 0;  // the latter in iterations
  bool has_asked = false;    // in this round

  bool needs_another(const State& s, int iterations) {
    has_asked = true;
    if (!contact || count == most_rounds || !contact->needs_again(s, in)) return false;
    ++count, began = iterations, has_asked = false;
    return true;
  }
};

// Of what may be left of a step whose own move is `first`.
double tolerance_in_time(const NewtonSettings& settings, bool guarded, double first) {
  const double tolerance = settings.tolerance * std::clamp(first, 1e-4, 1.0);
  return guarded ? std::max(tolerance, settings.touching_tolerance * std::clamp(first, 1e-3, 1.0)) : tolerance;
}

// The farthest that a node has gone, beside the size or in rad.
double way_gone(const Nodes& from, const Nodes& to, double size) {
  double most = farthest(from, to) / size;
  for (int i = 0; i < from.count; ++i) {
    const auto turned = nearer(to.frame(i).q * conj(from.frame(i).q), {1.0, {}});
    most = std::max(most, norm(rotation_vector(turned)));
  }
  return most;
}

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
  if (!closed) {
    r.joint = newton.terms.joints->error(s, p.inputs).joint;
    const auto& end = p.model.joints.joints[r.joint].end;
    r.stop = NewtonStop::apart, r.node = std::max(end[0].node, end[1].node);
  } else if (!p.scheme && newton.ldlt.floating() >= 0) {
    r.stop = NewtonStop::singular, r.node = newton.ldlt.floating();
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

// Newton's error goes down at least as fast as its last two moves did: what is left is now * (now/before).
double error_left(double now, double before) {
  return before > 0 ? now * std::min(1.0, now / before) : now;
}

// How much of a move one iteration may make.
double most_share(const LargestMove& move, const NewtonSettings& settings, double size) {
  if (!(move.length > 0 || move.turn > 0)) return 1;
  return std::min({1.0, settings.longest_move * size / move.length, settings.largest_turn / move.turn});
}

NewtonResult solve_once(const NewtonProblem& problem, State& s, Work& work, NewtonWork& newton,
                        const NewtonSettings& settings) {
  const Model& m = problem.model;
  const bool in_time = problem.scheme.has_value();
  Newton solve(problem, s, work, newton);
  NewtonResult r;
  Nodes foreseen;                // after the first iteration, to see at the end how good its forecast was
  double before = 0, first = 0;  // sizes of the last move and of the first, or of what a guess has gone already
  if (problem.guess) first = way_gone(problem.start, s.nodes, newton.size);
  Rounds rounds{newton.terms.contact(problem.inputs), problem.inputs};
  const bool touching = m.shapes && problem.inputs.contact == ContactLaw::barrier;
  const auto stopped = [&](NewtonStop stop, int node) { return ended(stop, node, touching, newton, r); };
  // Slender rods must be let uphill at first (mixed Newton); rigid bodies never.
  const int free_iterations = m.bonds() > 0 ? settings.guarded_after : 0;
  while (r.iterations - rounds.began < settings.most_iterations) {
    newton.pulse.beat();
    solve.find_residual();
    if (const int bad = first_not_finite(newton.residual); bad >= 0) return stopped(NewtonStop::not_finite, bad);
    const int in_round = r.iterations - rounds.began;
    const bool guarded = touching && in_round >= free_iterations;
    const bool exact = guarded && before > 0 && before <= exact_below;
    if (!solve.factor(in_round > 0 && !guarded, guarded && !exact) || (exact && !solve.factor_downhill()))
      return stopped(NewtonStop::singular, newton.ldlt.lost());
    solve.solve();
    const LargestMove step = largest_move(newton.solution, m.nodes);
    if (!std::isfinite(step.length) || !std::isfinite(step.turn)) return stopped(NewtonStop::singular, step.node);
    const double most = most_share(step, settings, newton.size);
    const double share = guarded ? solve.move_guarded(most) : solve.move_free(most);
    ++r.iterations;
    const double now = std::max(step.length / newton.size, step.turn);
    if (r.iterations == 1) r.first_move = step.length, foreseen = s.nodes, first = std::max(first, now);
    // In a step in time it counts beside the step's own move, since velocities come of it. Rounding, which grows with
    // the cube of the number of bonds, may end the descent before that.
    const double left = error_left(now, before);
    const double tolerance = in_time ? tolerance_in_time(settings, guarded, first) : settings.tolerance;
    if (guarded && in_time && !rounds.has_asked && share == 1.0 && left <= round_tolerance * first &&
        rounds.needs_another(s, r.iterations)) {
      solve.forget_residual();
      continue;
    }
    const bool rounding = r.iterations > 2 && now > 0.5 * before && now < 1e-7;
    if (((share == 1.0 && (left <= tolerance || rounding)) || now <= tolerance) && solve.joints_are_closed()) {
      if (rounds.needs_another(s, r.iterations)) {
        solve.forget_residual();
        continue;
      }
      solve.find_residual();
      if (const int bad = first_not_finite(newton.residual); bad >= 0) return stopped(NewtonStop::not_finite, bad);
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
  if (problem.guess) {
    copy_poses(*problem.guess, s.nodes);
    if (contact) contact->needs_again(s, in);  // what presses there is nearer to the end than what did at the start
  }
  const NewtonResult r = solve_once(problem, s, work, newton, settings);
  if (contact && r.ok()) contact->end(s, in, s.memory);
  return r;
}

}  // namespace ls
