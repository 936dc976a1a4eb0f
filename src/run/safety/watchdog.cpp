#include "run/safety/watchdog.h"

#include "model/bond_turn.h"
#include "model/node_name.h"
#include "output/fluid_field.h"
#include "run/fluid/fluid_stepper.h"

#include <algorithm>
#include <fmt/format.h>

namespace ls {

namespace {
constexpr long long check_steps = 1000, risky_check_steps = 50, newton_check_steps = 10;
constexpr long long fluid_check_steps = 100, fluid_probe_steps = 10;
constexpr double most_mach = 1;  // of a fluid that has not blown up
}  // namespace

bool Watchdog::begin_stage(const State& s) {
  if (plan_.fluid) message_ = bad_fluid(schedule_.now(s.clock).fluid);
  if (!message_.empty()) return false;
  if (!is_finite(s.nodes)) {
    message_ = bad_input(plan_, schedule_, s, {s.clock.share});
    if (message_.empty()) message_ = bad_contact(plan_, schedule_.now(s.clock), s, work_);
    if (message_.empty()) message_ = astray_node(plan_, s, 0, 0, scales_.critical);
    return false;
  }
  energy_.begin(s);
  good_ = s;
  return true;
}

// Where an energy costs little beside a step, or is likely to go wrong, it is looked at more often.
long long Watchdog::steps_a_look(int stage) const {
  if (plan_.fluid) return fluid_check_steps;
  if (plan_.kind(stage) != SolverKind::explicit_dynamics) return newton_check_steps;
  const bool is_risky = energy_.is_suspicious() || is_beyond_critical(plan_, schedule_, scales_, stage);
  return is_risky ? risky_check_steps : check_steps;
}

bool Watchdog::approves(const State& s, bool surely, const Recorder& recorder) {
  if (plan_.fluid && (surely || is_time_to_look_at_fluid(s.clock, recorder)) && !approves_fluid(s)) return false;
  if (surely || is_time_to_look(s.clock)) {
    if (!is_finite(s.nodes)) return false;
    if (message_ = overturned(s); !message_.empty()) return false;
    if (!energy_.approves(s)) {
      message_ = energy_.complaint(s);
      return false;
    }
    if (!energy_.is_suspicious()) good_ = s;
  } else if (recorder.is_frame_due(s.clock)) {
    return is_finite(s.nodes);
  }
  return true;
}

std::string Watchdog::overturned(const State& s) const {
  const auto bond = overturned_bond(plan_.model, s.nodes, s.memory.broken);
  if (!bond) return "";
  // Beyond the critical step bonds go astray for another reason, which is told when the run has diverged.
  const bool is_explicit = plan_.kind(s.clock.stage) == SolverKind::explicit_dynamics;
  if (is_explicit && schedule_.spans()[s.clock.stage].dt > 0.9 * scales_.critical) return "";
  const Body& body = plan_.model.bodies[plan_.model.body_of[bond->node2]];
  return fmt::format(
      "{} by step {} (t = {:.6g} s, stage {}): more than a bond can tell from a turn the other way. Give "
      "`{}` more bonds, or turn it less",
      describe(*bond, plan_.model), s.clock.step, s.clock.time, plan_.stages[s.clock.stage].name, body.name);
}

// A look costs about as much as a step.
bool Watchdog::is_time_to_look_at_fluid(const Clock& clock, const Recorder& recorder) const {
  const long long step = clock.step;
  return step % fluid_check_steps == 0 || recorder.is_frame_due(clock) ||
         (step % fluid_probe_steps == 0 && recorder.is_probe_due(clock));
}

// A lattice that blows up goes through speeds beyond that of sound before it stops being numbers.
bool Watchdog::approves_fluid(const State& s) {
  const Fluid& fluid = *plan_.fluid.box;
  const FluidScan scan = scan_fluid(fluid, s.fluid, schedule_.now(s.clock), work_.team);
  const double mach = fluid_numbers(fluid, scan.speed).mach;
  if (scan.finite && mach < most_mach) return approves_markers(s);
  message_ = fmt::format(
      "the fluid diverged at step {} (t = {:.6g} s, stage {}): {} in cell ({}, {}, {}). {}", s.clock.step, s.clock.time,
      plan_.stages[s.clock.stage].name,
      scan.finite ? fmt::format("a speed of {:.3g} m/s, Mach {:.2g} on this lattice,", scan.speed, mach)
                  : std::string("no number"),
      scan.cell[0], scan.cell[1], scan.cell[2],
      fluid.settings().coupling == Coupling::friction
          ? "Give `fluid.speed`, the largest speed that you expect, so that dt = \"auto\" takes a shorter step, or a "
            "smaller spacing"
          : "Take coupling = \"friction\": \"penalty\" pushes too hard on what is heavy, and \"direct\" has nothing "
            "that gives way; or a shorter dt");
  return false;
}

// Beyond a face there is no fluid that they could feel.
bool Watchdog::approves_markers(const State& s) {
  const int astray = marker_astray(plan_, s.nodes);
  if (astray < 0 || !is_finite(s.nodes)) return true;
  const Marker& m = plan_.model.markers.markers[astray];
  message_ = fmt::format(
      "`{}` has left the box of the fluid by step {} (t = {:.6g} s, stage {}). Enlarge the box, end the run earlier, "
      "or "
      "hold it back: [[wall]] and [contact] where the fluid has a wall",
      plan_.model.bodies[m.body].name, s.clock.step, s.clock.time, plan_.stages[s.clock.stage].name);
  good_ = s;
  return false;
}

void Watchdog::look_at_failure(const State& before, const State& after) {
  const Inputs in = schedule_.next(before.clock);
  std::string why = bad_input(plan_, schedule_, before, {1.0, 0.0});
  if (why.empty()) why = bad_contact(plan_, in, after, work_);
  if (why.empty()) why = astray_node(plan_, after, work_.lost_node, in.dt, scales_.critical);
  message_ = fmt::format("diverged at step {} (t = {:.6g} s, stage {}): {}", before.clock.step + 1, before.clock.time,
                         plan_.stages[before.clock.stage].name, why);
}

std::string Watchdog::divergence(const State& s) const {
  if (!message_.empty()) return message_;
  const Schedule::Span& span = schedule_.spans()[s.clock.stage];
  const double dt = span.dt / static_cast<double>(span.substeps);  // of the solids
  return fmt::format("diverged at step {} (t = {:.6g} s, stage {}): {}", s.clock.step + 1, s.clock.time,
                     plan_.stages[s.clock.stage].name, astray_node(plan_, s, work_.lost_node, dt, scales_.critical));
}

}  // namespace ls
