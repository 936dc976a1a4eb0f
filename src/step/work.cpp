#include "step/work.h"

#include <algorithm>
#include <chrono>

namespace ls {

namespace {
constexpr int trial_ns = 400000;      // a trial should last so long
constexpr int settled_windows = 128;  // and its verdict holds for so many trials

long long now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}
}  // namespace

void Pace::start_step(Team& team, int nodes) {
  if (team.size() == 1) return;
  if (window_ == 0) {
    window_ = std::max(2, trial_ns / (40 * (nodes + 1)));
    left_ = window_;
    team.set_active(team.size());
  }
  timing_ = phase_ != Phase::settled;
  if (timing_) started_ = now_ns();
}

void Pace::end_step(Team& team) {
  if (team.size() == 1) return;
  if (timing_) spent_ += static_cast<double>(now_ns() - started_);
  if (--left_ > 0) return;
  if (phase_ == Phase::together) {
    together_ = spent_;
    phase_ = Phase::alone;
    team.set_active(1);
  } else if (phase_ == Phase::alone) {
    alone_ = spent_;
    phase_ = Phase::settled;
    team.set_active(together_ < alone_ ? team.size() : 1);
  } else {
    phase_ = Phase::together;
    team.set_active(team.size());
  }
  spent_ = 0;
  left_ = phase_ == Phase::settled ? static_cast<long long>(settled_windows) * window_ : window_;
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
