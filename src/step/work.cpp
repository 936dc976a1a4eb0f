#include "step/work.h"

#include <algorithm>
#include <chrono>

namespace ls {

namespace {
constexpr int trial_ns = 400000;      // a trial should last so long
constexpr int settled_windows = 128;  // and its verdict holds for so many trials,
constexpr int most_patience = 16;     // or so many times as long
constexpr double worth = 0.8;         // of the time alone: what all may take
}  // namespace

long long Pace::steady_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

void Pace::start_step(Team& team, int nodes) {
  if (team.size() == 1) return;
  if (window_ == 0) most_ = window_ = std::max(2, trial_ns / (40 * (nodes + 1)));
  team.set_active(active_);
  if (phase_ != Phase::settled || active_ > 1) started_ = clock_();
}

void Pace::settle(bool pays) {
  phase_ = Phase::settled;
  patience_ = pays ? 1 : std::min(2 * patience_, most_patience);
  active_ = pays ? active_ : 1;
  most_ = static_cast<long long>(settled_windows) * patience_ * window_;
}

void Pace::end_step(Team& team, int steps) {
  if (team.size() == 1) return;
  if (phase_ != Phase::settled || active_ > 1) spent_ += static_cast<double>(clock_() - started_);
  steps_ += steps;
  // By what the trial alone took. The first step of several is given time to wake the others.
  const bool lags = active_ > 1 && spent_ > worth * alone_ * static_cast<double>(std::max<long long>(steps_, window_));
  if (steps_ < most_ && !lags) return;
  if (phase_ == Phase::alone) {
    alone_ = spent_ / static_cast<double>(steps_);
    phase_ = Phase::together;
    active_ = team.size();
    most_ = window_;
  } else if (phase_ == Phase::together || lags) {
    settle(!lags);
  } else {
    phase_ = Phase::alone;
    active_ = 1;
    most_ = window_;
  }
  steps_ = 0, spent_ = 0;
  team.set_active(active_);
}

Work::Work(const Model& m, int threads) : team(threads), terms(make_terms(m)), wrenches(m.nodes) {
  const auto size = static_cast<std::size_t>(padded(m.nodes));
  inv_mass.assign(size, 0.0);
  inv_inertia.assign(size, 0.0);
  for (auto* c : {&excess1, &excess3, &inverse1, &inverse3}) c->assign(size, 0.0);
  for (int i = 0; i < m.nodes; ++i) {
    const double i1 = m.inertia[0][i], i2 = m.inertia[1][i], i3 = m.inertia[2][i];
    excess1[i] = i1 / i2 - 1, inverse1[i] = i2 / i1 - 1;
    excess3[i] = i3 / i2 - 1, inverse3[i] = i2 / i3 - 1;
    symmetric = symmetric && i1 == i2;
  }
  for (const auto& term : terms.all) dissipates = dissipates || term->limits(State(), Inputs()).dissipates;
}

std::size_t Work::bytes() const {
  const std::size_t node_columns = 6;  // of the wrenches, where anything but chains acts
  return sizeof(double) * ((6 + node_columns) * inv_mass.size() + 9 * wrenches.bond_force[0].size()) + terms.bytes();
}

void end_step(const Inputs& in, State& s, Work& work) {
  for (const auto& term : work.terms.all) term->advance(s, in, s.memory);
  ++s.clock.step;
  ++s.clock.step_in_stage;
  s.clock.time = in.t;
}

}  // namespace ls
