#include "run/safety/energy_watch.h"

#include "model/node_name.h"
#include "step/energy.h"
#include "step/model_size.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls {

namespace {

constexpr double most_gained = 0.5;       // of all that moves and strains: what a run may gain before it ends,
constexpr double most_unbalanced = 0.25;  // or, where it goes on in any case, before that is told
constexpr double most_drift = 1e-3;       // of midpoint steps, before that is told

// s, of the fastest damping by mass, whatever it damps; infinite: there is none.
double shortest_damping_time(const Plan& plan) {
  double rate = std::max(plan.damping.rate, plan.damping.spin_rate);
  for (const NodeDamping& d : plan.model.damping) rate = std::max({rate, d.rate, d.spin_rate});
  return 1 / rate;
}

class Clockwork {
 public:
  explicit Clockwork(const Plan& plan)
      : place_(plan.first_place()), last_(plan.first_watch() + static_cast<int>(plan.watches.size())) {}
  bool drives(const Expression& e) const {
    for (int slot = 0; slot < last_; ++slot)
      if ((slot < place_ || slot >= place_ + 3) && e.uses(slot)) return true;
    return false;
  }
  bool drives(const ThreeExpressions& e) const {
    return std::any_of(e.begin(), e.end(), [&](const Expression& a) { return drives(a); });
  }
  bool drives(const UniformField& f) const { return drives(f.b); }
  bool drives(const GradientField& f) const { return drives(f.value) || drives(f.centre); }
  bool drives(const RotatingField& f) const { return f.rate != 0 || drives(f.amplitude) || drives(f.phase); }
  bool drives(const ExpressionField& f) const { return drives(f.b); }
  bool drives(const PotentialField& f) const { return drives(f.potential); }
  bool drives(const SceneMagnet& f) const { return drives(f.position) || drives(f.orientation); }
  static bool drives(const FunctionField&) { return true; }
  bool drives(const SceneField& f) const {
    return (f.factor && drives(*f.factor)) || std::visit([&](const auto& kind) { return drives(kind); }, f.kind);
  }

 private:
  int place_;  // the slot of x, which no schedule changes; y and z follow
  int last_;
};

double inner_of(const std::vector<EnergyPart>& e) {
  const double dipoles = energy_of(e, "dipole") + energy_of(e, "induction");  // below zero where they attract
  return energy_of(e, "total") - energy_of(e, "gravity") - energy_of(e, "zeeman") - dipoles + std::abs(dipoles);
}

int liveliest(const Model& m, const Nodes& n) {
  int best = 0;
  double most = -1;
  for (int i = 0; i < m.nodes; ++i) {
    const auto t = n.twist(i);
    const double now = m.mass[i] * dot(t.v, t.v) + m.inertia[1][i] * dot(t.w, t.w);
    if (now > most) most = now, best = i;
  }
  return best;
}

}  // namespace

bool is_closed(const Plan& plan, int stage) {
  const Stage& st = plan.stages[static_cast<std::size_t>(stage)];
  const Clockwork clock(plan);
  return st.drives.empty() && st.loads.empty() && st.magnet_drives.empty() && plan.model.joints.motors.empty() &&
         !plan.stream && !plan.fluid && plan.thermal.temperature == 0 &&
         !(plan.has_gravity && clock.drives(plan.gravity)) &&
         std::ranges::none_of(plan.fields, [&](const SceneField& f) { return clock.drives(f); }) &&
         std::ranges::none_of(plan.moment_factors, [&](const auto& f) { return clock.drives(f.second); });
}

bool is_beyond_critical(const Plan& plan, const Schedule& schedule, const TimeScales& scales, int stage) {
  return !plan.fluid && plan.kind(stage) == SolverKind::explicit_dynamics && scales.critical > 0 &&
         schedule.spans()[static_cast<std::size_t>(stage)].dt > scales.critical;
}

std::string step_warning(const Plan& plan, const TimeScales& scales) {
  const Schedule schedule(plan, scales.dt);
  for (std::size_t k = 0; k < plan.stages.size(); ++k)
    if (is_beyond_critical(plan, schedule, scales, static_cast<int>(k)))
      return fmt::format(
          "the step of {:.4g} s is beyond the critical step of {:.4g} s: the run may gain energy from nothing and "
          "diverge. Use dt = \"auto\" or a smaller dt",
          schedule.spans()[k].dt, scales.critical);
  const double time = shortest_damping_time(plan);
  for (std::size_t k = 0; k < plan.stages.size(); ++k)
    if (!plan.fluid && plan.kind(static_cast<int>(k)) == SolverKind::explicit_dynamics && schedule.spans()[k].dt > time)
      return fmt::format(
          "the step of {:.4g} s is longer than the {:.4g} s that damping takes: what is pushed through it goes at a "
          "wrong "
          "speed. Take a dt of a fifth of that, or kind = \"implicit\"",
          schedule.spans()[k].dt, time);
  return "";
}

EnergyWatch::EnergyWatch(const Plan& plan, const Schedule& schedule, const TimeScales& scales, Work& work)
    : plan_(plan), schedule_(schedule), scales_(scales), work_(work) {}

// Heat comes and goes unseen, what a fluid gives is watched by its speed, and the work of carrying a rod along with its
// end is not in the ledger.
EnergyWatch::Books EnergyWatch::books_of(int stage) const {
  const Stage& st = plan_.stages[static_cast<std::size_t>(stage)];
  if (plan_.fluid || plan_.thermal.temperature > 0 || plan_.model.nodes == 0) return Books::none;
  if (plan_.kind(stage) != SolverKind::explicit_dynamics) return Books::ledger;
  if (is_closed(plan_, stage)) return Books::closed;
  const bool carries = std::any_of(st.drives.begin(), st.drives.end(), [](const Drive& d) { return d.affine; });
  const bool kept = plan_.keeps_ledger() || is_beyond_critical(plan_, schedule_, scales_, stage);
  return kept && !carries ? Books::ledger : Books::none;
}

void EnergyWatch::begin(const State& s) {
  const int stage = s.clock.stage;
  if (now_.share() > worst_.share()) worst_ = now_;
  now_ = {0, 0, plan_.stages[stage].name};
  books_ = books_of(stage);
  if (books_ == Books::none) return;
  judges_ = plan_.kind(stage) == SolverKind::explicit_dynamics ||
            (plan_.kind(stage) == SolverKind::implicit_dynamics && s.memory.near_bodies.empty() &&
             plan_.stages[static_cast<std::size_t>(stage)].contact == ContactLaw::none);
  keeps_ = judges_ && plan_.kind(stage) == SolverKind::implicit_dynamics &&
           plan_.solver.scheme == ImplicitRule::midpoint && is_closed(plan_, stage);
  const auto parts = energies(plan_.model, schedule_.now(s.clock), s, work_);
  // By what comes from now on: a resumed run knows neither how large its energies were before, nor how far off.
  reference_ = balance(s, energy_of(parts, "total"));
  most_ = std::max(most_, inner_of(parts));
  double mass = 0;
  for (int i = 0; i < plan_.model.nodes; ++i) mass += plan_.model.mass[i];
  const double dt = schedule_.spans()[static_cast<std::size_t>(stage)].dt;
  const double speed = dt > 0 ? model_size(plan_.model, plan_.start.nodes) / dt : 0;
  rounding_ = 1e-16 * mass * speed * speed;
}

// What damping takes is left out for explicit steps, whose ledger knows it to first order only: without it the balance
// is lower. What a stream gives is in there, with a minus.
double EnergyWatch::balance(const State& s, double total) const {
  if (books_ == Books::closed) return total;
  const Ledger& l = s.memory.ledger;
  const bool is_explicit = plan_.kind(s.clock.stage) == SolverKind::explicit_dynamics;
  return total - l.supplied() - (is_explicit ? std::max(0.0, l.dissipated) : 0.0);
}

bool EnergyWatch::approves(const State& s) {
  if (books_ == Books::none) return true;
  const auto parts = energies(plan_.model, schedule_.now(s.clock), s, work_);
  double all = 0;  // of its parts, whatever their signs: what the total may be off by rounding
  for (const EnergyPart& p : parts) all += std::abs(p.value);
  most_ = std::max(most_, inner_of(parts));
  gain_ = balance(s, energy_of(parts, "total")) - reference_;
  const Ledger& l = s.memory.ledger;
  double through = 0;
  for (const double work : {l.drives, l.loads, l.motors, l.fields, l.dissipated, l.friction}) through += std::abs(work);
  const double scale = books_ == Books::ledger ? std::max(most_, through) : most_;
  const double floor = rounding_ + 1e-9 * all;
  if (keeps_ && std::abs(gain_) > floor && scale > 0) drift_ = std::max(drift_, std::abs(gain_) / scale);
  if (!judges_) {
    if (gain_ > floor) now_.gain = std::max(now_.gain, gain_);  // friction and backward Euler take some
    now_.scale = std::max(now_.scale, scale);
    return true;
  }
  const bool was_suspicious = is_suspicious_;
  is_suspicious_ = gain_ > most_explained(s.clock.stage) * scale + floor;
  // Once may be chance: a pendulum that was only seen where it turns round.
  return !is_suspicious_ || !(was_suspicious || is_beyond_critical(plan_, schedule_, scales_, s.clock.stage));
}

// The energy of a stable mode, as nodes have it at the ends of steps, swings by the square of dt over the critical
// step.
double EnergyWatch::most_explained(int stage) const {
  if (plan_.kind(stage) != SolverKind::explicit_dynamics || !(scales_.critical > 0)) return most_gained;
  const double beside = schedule_.spans()[static_cast<std::size_t>(stage)].dt / scales_.critical;
  return beside < 1 ? std::max(most_gained, beside * beside) : most_gained;
}

std::string EnergyWatch::complaint(const State& s) const {
  const double dt = schedule_.spans()[s.clock.stage].dt;
  std::string text = fmt::format(
      "energy came from nothing by step {} (t = {:.6g} s, stage {}): {:.3g} J more than {}, beside {:.3g} J in all "
      "that "
      "moves and strains; {} moves most",
      s.clock.step, s.clock.time, plan_.stages[s.clock.stage].name, gain_,
      books_ == Books::closed ? "there was" : "drives, loads and fields brought in", most_,
      node_name(plan_.model, liveliest(plan_.model, s.nodes)));
  if (is_beyond_critical(plan_, schedule_, scales_, s.clock.stage))
    return text +
           fmt::format(
               ". The step of {:.4g} s is beyond the critical one of {:.4g} s: use dt = \"auto\" or a smaller dt", dt,
               scales_.critical);
  return text + ". The steps are too long for these motions: take a smaller dt";
}

std::string EnergyWatch::warning() const {
  if (drift_ > most_drift)
    return fmt::format(
        "midpoint steps did not keep energy: they were off by up to {:.2g} of all that moved and "
        "strained. Nodes turn too far in a step: take a smaller dt",
        drift_);
  const Told& told = now_.share() > worst_.share() ? now_ : worst_;
  if (told.share() <= most_unbalanced) return "";
  return fmt::format(
      "energy came from nothing in stage {}: up to {:.2g} of all that moved and strained, by its ledger. Take more "
      "steps, or look at what happened between them",
      told.stage, told.share());
}

}  // namespace ls
