#include "run/watchdog.h"

#include "model/node_name.h"
#include "output/fluid_field.h"
#include "run/fluid_stepper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls {

namespace {
constexpr long long check_steps = 1000, fluid_check_steps = 100, fluid_probe_steps = 10;
constexpr double most_mach = 1;  // of a fluid that has not blown up
}  // namespace

// What moves faster than light has diverged as well, though it still is a number.
bool is_finite(const Nodes& n) {
  constexpr double light = 3e8;  // m/s
  double sum = 0;
  bool slow = true;
  for (const auto* triple : {n.x, n.v, n.w})
    for (int k = 0; k < 3; ++k)
      for (const double a : triple[k]) sum += a * 0.0;
  for (const Column& column : n.v)
    for (const double v : column) slow = slow && !(std::abs(v) > light);
  return sum == 0 && slow;  // 0 times anything that is not finite is not a number
}

bool Watchdog::approves(const State& s, bool surely, const Recorder& recorder) {
  if (plan_.fluid && (surely || is_time_to_look_at_fluid(s.clock, recorder)) && !approves_fluid(s)) return false;
  if (surely || s.clock.step % (plan_.fluid ? fluid_check_steps : check_steps) == 0) {
    if (!is_finite(s.nodes)) return false;
    good_ = s;
  }
  return true;
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

// The stepper names a block of nodes; the one in it (or, after a check of all, the first) that went astray.
int Watchdog::lost_node(const State& s) const {
  const Nodes& n = s.nodes;
  const double dt = schedule_.spans()[s.clock.stage].dt;
  const auto astray = [&](int i) {
    const auto x = n.frame(i).x;
    const auto t = n.twist(i);
    return !(norm(t.w) * dt < 3.14) || !std::isfinite(norm(x) + norm(t.v));
  };
  for (int i = std::max(0, work_.lost_node); i < plan_.model.nodes; ++i)
    if (astray(i)) return i;
  return std::clamp(work_.lost_node, 0, std::max(0, plan_.model.nodes - 1));
}

std::string Watchdog::divergence(const State& s) const {
  if (!message_.empty()) return message_ + fmt::format("; the state of step {} is kept", good_.clock.step);
  const std::string node = node_name(plan_.model, lost_node(s));
  const Schedule::Span& span = schedule_.spans()[s.clock.stage];
  const double dt = span.dt / span.substeps;  // of the solids
  std::string text = fmt::format(
      "diverged at step {} (t = {:.6g} s, stage {}): {} turned by more than half a turn in one step "
      "or is no longer a number; the state of step {} is kept",
      s.clock.step + 1, s.clock.time, plan_.stages[s.clock.stage].name, node, good_.clock.step);
  if (dt > 0.9 * scales_.critical)
    text +=
        fmt::format(". The step of {:.3g} s is beyond the critical one of {:.3g} s: use dt = \"auto\" or a smaller dt",
                    dt, scales_.critical);
  else
    text += ". Try a smaller dt, or more bond damping";
  return text;
}

}  // namespace ls
