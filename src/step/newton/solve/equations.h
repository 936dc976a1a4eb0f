#pragma once
#include "math/rotation.h"
#include "model/inertia.h"
#include "step/explicit_step.h"
#include "step/move.h"
#include "step/newton/follower_loads.h"
#include "step/newton/newton.h"
#include "step/newton/solve/asymmetry.h"
#include "step/newton/spinners.h"

#include <algorithm>
#include <utility>

namespace ls {

// One solve: the equations, their matrix and how a state moves.
class Equations {
 public:
  Equations(const NewtonProblem& p, State& s, Work& work, NewtonWork& newton)
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
      for (int i = 0; i < m_.nodes; ++i)
        if (!is_left_out(i)) s_.nodes.set(i, twist_at(*scheme_, i, start_.frame(i), s_.nodes.frame(i)));
    sum_wrenches(m_, in_, s_, work_);
    for (int i = 0; i < m_.nodes; ++i) {
      if (is_left_out(i)) continue;
      Wrench<double> r = s_.nodes.wrench(i);
      if (scheme_) r = less_inertia(i, r);
      const double v[dofs] = {r.force.x, r.force.y, r.force.z, r.torque.x, r.torque.y, r.torque.z};
      std::copy(v, v + dofs, newton_.residual.data() + static_cast<std::ptrdiff_t>(dofs) * i);
    }
  }

  // Nodes, [node], that stay where they are, and whose balance nobody asks about, until the next call. Null: none.
  void leave_out(const std::vector<std::uint8_t>* nodes) { left_out_ = nodes; }

  void forget_residual() { is_fresh_ = false; }
  void keep_residual() { is_fresh_ = true; }  // the next iteration need not compute it again

  // Room in the matrix for all that is coupled by now.
  void fit() { fit_pattern(m_, in_, s_, newton_); }

  // projected_at: [node] where contact counts projected; null: nowhere, or everywhere.
  [[nodiscard]] bool factor(bool mixed, bool projected, const std::vector<std::uint8_t>* projected_at = nullptr) {
    StiffnessRequest wanted;
    const LinearStep last = newton_.last_step();
    if (scheme_) wanted.rate = rate_;
    if (mixed) wanted.last = &last;
    wanted.projected = projected;
    if (!projected) wanted.projected_at = projected_at;
    assemble_without_joints(in_, s_, wanted, newton_);
    newton_.gyroscopes.clear();
    if (scheme_)
      for (int i = 0; i < m_.nodes; ++i) {
        if (!is_left_out(i)) add_inertia(i);
      }
    else
      add_spinners(s_, newton_);
    add_joints(in_, s_, wanted, newton_);
    return newton_.ldlt.factor(newton_.stiffness, newton_.held, newton_.pulse);
  }

  // Where the exact stiffness has negative pivots: projected at their nodes, or where that does not do at all. A few
  // contacts of a large pile then do not slow down the others.
  [[nodiscard]] bool factor_downhill() {
    if (newton_.ldlt.negative_pivots() == 0) return true;
    std::vector<std::uint8_t> bending(static_cast<std::size_t>(m_.nodes), 0);
    for (const int i : newton_.ldlt.negative_rows()) bending[i] = 1;
    const bool ok = factor(false, false, &bending);
    return ok && (newton_.ldlt.negative_pivots() == 0 || factor(false, true));
  }

  // The move that the linear model asks for, held degrees of freedom going all the way they have left.
  void solve() {
    solve_linear();
    if (!newton_.pull.empty() && choose_sides(newton_)) solve_linear();
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
  // The same of what is free alone.
  void solve_linear() {
    newton_.solution = newton_.residual;
    find_pull();
    if (!newton_.pull.empty()) newton_.terms.joints->set_out();
    for (std::size_t i = 0; i < newton_.pull.size(); ++i) newton_.solution[i] += newton_.pull[i];
    if (std::any_of(newton_.driven.begin(), newton_.driven.end(), [](double a) { return a != 0; })) {
      std::vector<double> pulled(newton_.solution.size(), 0.0);
      newton_.stiffness.add_product(newton_.driven.data(), pulled.data());
      for (std::size_t i = 0; i < pulled.size(); ++i) newton_.solution[i] -= pulled[i];
    }
    if (!newton_.pull.empty())
      solve_with_joints(newton_);
    else
      newton_.gyroscopes.empty() ? solve_refined(newton_) : solve_whole(newton_, newton_.solution);
  }

  bool is_left_out(int i) const { return left_out_ && (*left_out_)[i] != 0; }

  // Of the rows of joints, at the start of a move and at its end.
  struct JointForces {
    std::vector<double> before, after;
  };
  // The forces of joints go along with a share of the solution, by the rows as they were where it set out.
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
    note_gyroscope(i, inertia.gyro, d);
  }

  // Rigid bodies alone go island by island, each by itself, and what is light about one axis and heavy about another,
  // as a thin sheet's node, is none of them.
  void note_gyroscope(int i, const Vec3<double>& moment, double* block) {
    const bool turns = (newton_.held[i] & hold_turn) == 0;
    if (m_.bonds() == 0 || !turns || !is_gyroscope(moment, block)) return;
    newton_.gyroscopes.push_back({i, moment});
    stiffen(newton_.gyroscopes.back(), block);
  }

  const Model& m_;
  const Inputs& in_;
  const std::optional<ImplicitScheme>& scheme_;
  const Nodes& start_;
  State& s_;
  Work& work_;
  NewtonWork& newton_;
  double damping_, spin_damping_;                        // 1/s; heat brings its own
  double rate_ = 0;                                      // 1/s, at which velocities follow displacements
  bool is_fresh_ = false;                                // the residual is that of the state
  const std::vector<std::uint8_t>* left_out_ = nullptr;  // [node]; null: none
};

}  // namespace ls
