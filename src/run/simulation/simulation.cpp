#include "run/simulation/simulation.h"

#include "base/error.h"
#include "base/isa.h"
#include "run/fluid/fluid_stepper.h"
#include "run/resume/resume.h"
#include "run/run.h"
#include "run/safety/cause.h"
#include "run/simulation/written_state.h"
#include "step/energy.h"
#include "step/explicit_step.h"
#include "step/ledger.h"
#include "step/model_size.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls {

namespace {

constexpr long long steps_a_check = 100;
constexpr double same_time = 1e-9;  // of a step

// All but a fluid, which may be large.
void copy_solids(const State& from, State& to) {
  to.nodes = from.nodes;
  to.memory = from.memory;
  to.clock = from.clock;
}

}  // namespace

Simulation::Simulation(const Plan& plan, int threads, std::function<bool()> may_go_on)
    : plan_(started(plan)),
      scales_(time_scales(plan_)),
      may_go_on_(std::move(may_go_on)),
      block_(node_columns, static_cast<std::size_t>(padded(plan_.model.nodes))),
      course_(plan_, scales_, threads),
      watchdog_(plan_, course_.schedule, scales_, course_.work),
      newton_(plan_.model, course_.work.terms) {
  course_.work.pulse = newton_.pulse = Pulse([this] { return !may_go_on_ || may_go_on_(); });
  newton_.size = model_size(plan_.model, plan_.start.nodes);
  state_.nodes.count = plan_.model.nodes;
  state_.nodes = plan_.start.nodes;
  keep_place();
  begin();
}

void Simulation::begin() {
  state_.memory = plan_.start.memory;
  state_.clock = plan_.start.clock;
  state_.fluid = first_fluid(plan_);
  note(course_.begin_stage(state_));
  check();
  state_.memory.ledger.start = total_energy(plan_.model, course_.schedule.now(state_.clock), state_, course_.work);
  keep_place();
  copy_solids(state_, good_);
}

// Runs what changes the state: from what the caller has made of it, and back to that where it fails.
template <class Action>
void Simulation::guarded(const Action& act) {
  if (is_lost_)
    throw Error(
        "an earlier call failed beside a fluid, whose state is lost with it: make a new simulation, or load one",
        Fault::numerics);
  take_over_changes();
  try {
    act();
  } catch (const Interrupted&) {
    keep_place();
    resume();
    copy_solids(state_, good_);
    throw;
  } catch (...) {
    copy_solids(good_, state_);
    keep_place();
    is_lost_ = static_cast<bool>(plan_.fluid);
    resume();
    throw;
  }
  keep_place();
  copy_solids(state_, good_);
}

void Simulation::take_over_changes() {
  if (!is_lent_ || same_motion(state_.nodes, good_.nodes)) return;
  try {
    accept_motion(plan_.model, good_.nodes, state_.nodes);
  } catch (const Error&) {
    copy_solids(good_, state_);
    throw;
  }
  const Inputs in = course_.schedule.now(state_.clock);
  Memory& m = state_.memory;
  m.angle_step = 0;  // damping by differences begins anew
  course_.work.sweep.followed = nullptr;
  sum_wrenches(plan_.model, in, state_, course_.work);
  if (course_.keeps_ledger())
    m.ledger.loads +=
        total_energy(plan_.model, in, state_, course_.work) - total_energy(plan_.model, in, good_, course_.work);
  resume();
  course_.observer.read(state_);
  copy_solids(state_, good_);
}

// As a run does that goes on after a checkpoint.
void Simulation::resume() {
  course_.schedule.resume_stage(state_);
  course_.resume_stage(state_);
  course_.work.sweep.followed = nullptr;
}

// No solver swaps the columns of the state that it is given; should one do so, whoever holds views would see another.
void Simulation::keep_place() {
  if (is_in_one_block(state_.nodes, block_)) return;
  const Nodes now = state_.nodes;
  {
    const ColumnBlock::Scope scope(block_);
    state_.nodes = Nodes(now.count);
  }
  state_.nodes = now;
}

void Simulation::note(const StepReport& r) {
  if (r.outcome == Outcome::diverged) {
    const std::string moments = course_.work.terms.induction ? course_.work.terms.induction->failure() : "";
    throw Error(!moments.empty()     ? moments
                : !r.message.empty() ? r.message
                                     : watchdog_.divergence(state_),
                Fault::numerics);
  }
  if (!r.event.empty()) happenings_.push_back({state_.clock.time, state_.clock.step, r.event, r.message});
  if (r.lost_stability) end_ = r.message;
}

void Simulation::check() const {
  if (!is_finite(state_.nodes)) throw Error(watchdog_.divergence(state_), Fault::numerics);
  if (const std::string why = watchdog_.overturned(state_); !why.empty()) throw Error(why, Fault::numerics);
}

void Simulation::one_step() {
  course_.work.pulse.beat();
  const bool is_long = course_.stepper().takes_long();
  if (is_long) copy_solids(state_, begun_);
  try {
    note(course_.stepper().step(state_));
  } catch (const Interrupted&) {
    if (is_long) copy_solids(begun_, state_);
    throw;
  }
  if (course_.observer.is_idle()) return;
  if (!is_finite(state_.nodes)) throw Error(watchdog_.divergence(state_), Fault::numerics);
  for (const int k : course_.observer.look(state_, course_.keeps_ledger()))
    happenings_.push_back({state_.clock.time, state_.clock.step, plan_.events[static_cast<std::size_t>(k)].name,
                           fmt::format("{} holds", plan_.events[static_cast<std::size_t>(k)].when.text())});
}

long long Simulation::steps_while(const std::function<bool(long long taken)>& wanted) {
  if (!end_.empty())
    throw Error(end_ + ": there are no steps beyond; write another state, or solve()", Fault::numerics);
  if (is_over())
    throw Error(fmt::format("the schedule is at its end (t = {:.6g} s): give the last stage a longer `duration`",
                            state_.clock.time));
  long long taken = 0;
  guarded([&] {
    while (wanted(taken) && !is_over()) {
      if (course_.schedule.stage_is_over(state_.clock)) {
        copy_solids(state_, begun_);
        try {
          note(course_.next_stage(state_));
        } catch (const Interrupted&) {
          copy_solids(begun_, state_);
          throw;
        }
        continue;
      }
      one_step();
      if (++taken % steps_a_check == 0) check();
    }
    check();
  });
  return taken;
}

long long Simulation::step(long long steps) {
  if (steps < 1) throw Error(fmt::format("found {} steps, expected at least 1", steps));
  return steps_while([&](long long taken) { return taken < steps; });
}

long long Simulation::advance_to(double time) {
  const double end = course_.schedule.total_time();
  if (!std::isfinite(time) || time > end * (1 + same_time))
    throw Error(
        fmt::format("found t = {:.6g} s, but the schedule ends at {:.6g} s: give the last stage a longer "
                    "`duration`",
                    time, end));
  if (time < state_.clock.time)
    throw Error(fmt::format("found t = {:.6g} s, but it is {:.6g} s already", time, state_.clock.time));
  const auto is_before = [&] {
    return state_.clock.time <
           time - same_time * course_.schedule.spans()[static_cast<std::size_t>(state_.clock.stage)].dt;
  };
  return is_before() ? steps_while([&](long long) { return is_before(); }) : 0;
}

// What acts on the state as it is. Heat is left out: it has no equilibrium.
Inputs Simulation::inputs_at_rest() const {
  Inputs in = course_.schedule.now(state_.clock);
  in.temperature = 0;
  return in;
}

void Simulation::refuse_unsuited_contact(const Inputs& in) const {
  if (plan_.fluid) throw Error("found a fluid: equilibria, stiffness and modes are those of solids alone");
  if (in.contact == ContactLaw::hertz_mindlin)
    throw Error(
        "bodies touch by Hertz and Mindlin's law, which Newton's method has no stiffness of: give the stage, or "
        "[solver], kind = \"static\" or \"implicit\"");
}

Simulation::Solved Simulation::solve() {
  refuse_unsuited_contact(course_.schedule.now(state_.clock));
  Solved solved;
  guarded([&] {
    copy_solids(state_, begun_);
    const long long before = state_.memory.iterations;
    const Inputs in = inputs_at_rest();
    StaticSettings settings{OnInstability::jump, {}};
    settings.newton.tolerance = plan_.solver.tolerance;
    StaticResult r;
    try {
      const InputsAt always = [&](double, Inputs& now) { now = in; };
      r = find_equilibrium(plan_.model, always, state_, course_.work, newton_, settings);
    } catch (const Interrupted&) {
      copy_solids(begun_, state_);
      throw;
    }
    if (r.outcome == Outcome::diverged)
      throw Error(
          "no equilibrium: " + why_no_equilibrium(plan_, course_.schedule, state_, r.reason, course_.work.lost_node),
          Fault::numerics);
    if (course_.work.terms.induction) course_.work.terms.induction->advance(state_, in, state_.memory);
    solved = {r.event == StaticEvent::jump, state_.memory.iterations - before};
    if (solved.jumped)
      happenings_.push_back({state_.clock.time, state_.clock.step, "jump", "solve() left what was unstable"});
    end_.clear();
    check();
    resume();
    state_.memory.ledger = {};
    state_.memory.ledger.start = total_energy(plan_.model, in, state_, course_.work);
    course_.observer.read(state_);
  });
  return solved;
}

std::vector<std::string> Simulation::names() const {
  return {plan_.variables.begin() + first_stage_variable, plan_.variables.end()};
}

std::size_t Simulation::slot(const std::string& name) const {
  const auto found = std::find(plan_.variables.begin(), plan_.variables.end(), name);
  if (found != plan_.variables.end()) return static_cast<std::size_t>(found - plan_.variables.begin());
  const auto all = names();
  throw Error(
      fmt::format("there is no `{}` that a stage or an event sets{}; a name of [define] becomes one by `set = {{ {} = "
                  "… }}` of a stage",
                  name, all.empty() ? "" : fmt::format("; there are {}", fmt::join(all, ", ")), name));
}

void Simulation::set(const std::string& name, double value) {
  const std::size_t at = slot(name);
  if (at < first_stage_variable) throw Error(fmt::format("`{}` is the clock's: it can't be set", name));
  if (!std::isfinite(value)) throw Error(fmt::format("found {} for `{}`, expected a finite number", value, name));
  take_over_changes();
  Memory& m = state_.memory;
  const Inputs was = course_.schedule.now(state_.clock);
  m.set_by_event.resize(m.variables.size(), 0);
  m.set_by_event[at] = 1;
  m.variables[at] = value;
  course_.schedule.take_note(m);
  if (course_.keeps_ledger())
    m.ledger.fields += work_of_switching(plan_.model, was, course_.schedule.now(state_.clock), state_, course_.work);
  copy_solids(state_, good_);
}

double Simulation::value(const std::string& name) const {
  return course_.schedule.values(state_.clock)[slot(name)];
}

void Simulation::apply(int node, const Wrench<double>& wrench) {
  if (node < 0 || node >= plan_.model.nodes)
    throw Error(fmt::format("there is no node {}: they go from 0 to {}", node, plan_.model.nodes - 1));
  if (!std::isfinite(norm(wrench.force) + norm(wrench.torque)))
    throw Error(fmt::format("what acts on node {} is not finite", node));
  take_over_changes();
  // The next explicit step begins with what acts now.
  const Wrench<double> before = applied_.contains(node) ? applied_[node] : Wrench<double>{};
  const Vec3<double> force = wrench.force - before.force, torque = wrench.torque - before.torque;
  Nodes& n = state_.nodes;
  n.f[0][node] += force.x, n.f[1][node] += force.y, n.f[2][node] += force.z;
  n.t[0][node] += torque.x, n.t[1][node] += torque.y, n.t[2][node] += torque.z;
  copy_solids(state_, good_);
  applied_[node] = wrench;
  if (norm(wrench.force) == 0 && norm(wrench.torque) == 0) applied_.erase(node);
  std::vector<LoadGroup> loads;
  for (const auto& [at, w] : applied_) loads.push_back({{at}, {1.0}, w.force, w.torque, false});
  course_.schedule.set_more_loads(std::move(loads));
}

std::vector<EnergyPart> Simulation::energy() {
  take_over_changes();
  return energies(plan_.model, course_.schedule.now(state_.clock), state_, course_.work);
}

const BlockMatrix& Simulation::stiffness() {
  take_over_changes();
  const Inputs in = inputs_at_rest();
  refuse_unsuited_contact(in);
  renew_pattern(plan_.model, in, state_, newton_);
  fit_pattern(plan_.model, in, state_, newton_);
  std::ranges::fill(newton_.held, std::uint8_t{0});
  assemble_stiffness(in, state_, {}, newton_);
  return newton_.stiffness;
}

std::vector<Vibration> Simulation::modes(int count) {
  if (count < 1) throw Error(fmt::format("found {} modes, expected at least 1", count));
  take_over_changes();
  Inputs in = inputs_at_rest();
  refuse_unsuited_contact(in);
  in.of_vibrations = true;
  auto modes = natural_vibrations(plan_.model, in, in.held, state_, newton_, count);
  if (modes.empty())
    throw Error("the stiffness of the state can't be factored: is any degree of freedom free to move?",
                Fault::numerics);
  return modes;
}

void Simulation::save(const std::filesystem::path& path) {
  take_over_changes();
  Checkpoint c;
  c.state = state_;
  c.scene = plan_.text, c.sets = plan_.sets, c.files = plan_.files;
  c.isa = name(chosen_isa());
  c.first_energy = state_.memory.ledger.start;
  for (const auto& p : course_.schedule.spans())
    c.spans.insert(c.spans.end(), {p.duration, p.dt, static_cast<double>(p.steps)});
  if (plan_.fluid) {
    c.fluid_spacing = plan_.fluid.box->settings().spacing;
    c.fluid_dt = plan_.fluid.box->settings().dt;
  }
  write_checkpoint(path, c);
}

void Simulation::load(const std::filesystem::path& path) {
  Checkpoint c = read_checkpoint(path);
  const Resumption how = resumption(c, plan_, path);
  is_lost_ = false;
  state_ = c.state;
  keep_place();
  course_.schedule.keep_spans(how.spans);
  resume();
  end_.clear();
  happenings_.clear();
  copy_solids(state_, good_);
}

}  // namespace ls
