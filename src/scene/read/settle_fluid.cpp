#include "base/memory.h"
#include "fluid/immersed/delta.h"
#include "fluid/immersed/grid_radius.h"
#include "fluid/immersed/marker_layout.h"
#include "math/component.h"
#include "scene/read/reader.h"
#include "scene/schedule.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>

// How long a step of the fluid is, and whether its lattice, its box and what is in it will do.
namespace ls {

namespace {

constexpr double usual_tau = 1;      // where the errors of walls and markers are small
constexpr double usual_speed = 0.1;  // cells a step
constexpr double least_tau = 0.505;  // below, the fluid is hardly damped between two cells
constexpr double good_tau[2] = {0.52, 2};
constexpr double most_mach = 0.3, good_mach = 0.175;
constexpr double most_change = 0.1, good_change = 0.032;  // of the density, by pressure
constexpr double good_cell_reynolds = 10;
constexpr int most_trials = 1000;

double whole_steps(double duration, double dt) {
  return std::max(1.0, std::ceil(duration / dt * (1 - 1e-9)));
}
bool fits(double duration, double dt) {
  return std::abs(whole_steps(duration, dt) * dt / duration - 1) < 1e-6;
}

// What faces and the body force do, at some times of every stage.
struct FaceMotion {
  double speed = 0;     // m/s, the largest
  double flux = 0;      // m^3/s, the largest that flows in and does not flow out through other faces that move
  double pressure = 0;  // Pa, the largest on a face, or from one to the other by the body force
  std::string lost;     // when any of it is first not a number; empty: never
};
FaceMotion face_motion(const Plan& plan, const FluidSettings& s, double dt) {
  Schedule schedule(plan, dt);
  State state;
  state.nodes = plan.start.nodes;
  FaceMotion motion;
  constexpr int samples = 64;
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    state.clock.stage = static_cast<int>(k);
    schedule.begin_stage(state);
    const auto& span = schedule.spans()[k];
    for (int i = 0; i <= samples; ++i) {
      const Inputs& in = schedule.within(state.clock, static_cast<double>(span.steps) * i / samples);
      double net = 0, sum = norm(in.fluid.body_force);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto& [low, high] = in.fluid.velocity[axis];
        const auto& pressure = in.fluid.pressure[axis];
        const double column = s.faces[axis][0] == FaceKind::periodic
                                  ? 0.0
                                  : s.cells[axis] * s.spacing * component(in.fluid.body_force, static_cast<int>(axis));
        motion.pressure =
            std::max({motion.pressure, std::abs(pressure[0]), std::abs(pressure[1]), 0.5 * std::abs(column)});
        motion.speed = std::max({motion.speed, norm(low), norm(high)});
        sum += norm(low) + norm(high) + std::abs(pressure[0]) + std::abs(pressure[1]);
        const double area = static_cast<double>(s.cells[(axis + 1) % 3]) * s.cells[(axis + 2) % 3];
        net += area * (component(low, static_cast<int>(axis)) - component(high, static_cast<int>(axis)));
      }
      motion.flux = std::max(motion.flux, std::abs(net) * s.spacing * s.spacing);
      if (!std::isfinite(sum) && motion.lost.empty())
        motion.lost = fmt::format("t = {:.4g} s, s = {:.4g} of stage `{}`", in.t, in.s, plan.stages[k].name);
    }
    state.clock.time += span.duration;
  }
  return motion;
}

// A closed box can't take in more than it lets out.
void check_flux(const Table& table, const FluidSettings& s, const FaceMotion& motion) {
  for (const auto& pair : s.faces)
    if (pair[0] == FaceKind::pressure || pair[1] == FaceKind::pressure) return;
  const double most =
      motion.speed * s.spacing * s.spacing *
      std::max({static_cast<double>(s.cells[0]) * s.cells[1], static_cast<double>(s.cells[1]) * s.cells[2],
                static_cast<double>(s.cells[2]) * s.cells[0]});
  if (motion.flux > 1e-9 * most)
    table.fail(
        fmt::format("{:.3g} m^3/s flow in or out through faces with a velocity, and nothing lets as much pass "
                    "elsewhere: give another face a `pressure`",
                    motion.flux));
}

// A step that is no longer than this one and goes into every stage a whole number of times, where there is one.
double fitting_step(const Plan& plan, double longest) {
  double shortest = 0;
  for (const Stage& stage : plan.stages)
    if (stage.steps == 0 && (shortest == 0 || stage.duration < shortest)) shortest = stage.duration;
  if (shortest == 0) return longest;
  const double first = whole_steps(shortest, longest);
  for (int more = 0; more < most_trials; ++more) {
    const double dt = shortest / (first + more);
    if (std::all_of(plan.stages.begin(), plan.stages.end(),
                    [&](const Stage& s) { return s.steps > 0 || fits(s.duration, dt); }))
      return dt;
  }
  return shortest / first;
}

void check_stages(const Table& table, double dt, Plan& plan) {
  for (const Stage& stage : plan.stages) {
    if (stage.steps > 0 && stage.duration > 0)
      table.fail(
          fmt::format("stage {} has both a `duration` and `steps`; with a fluid, whose step is `fluid.dt`, "
                      "expected one of them",
                      stage.name));
    if (stage.steps == 0 && !fits(stage.duration, dt))
      plan.warnings.push_back(fmt::format("stage {}: {:.6g} s are {:.6g} steps of the fluid; it will last {:.6g} s",
                                          stage.name, stage.duration, stage.duration / dt,
                                          whole_steps(stage.duration, dt) * dt));
  }
}

// Three copies: the state, the last good one, and one on its way to a checkpoint.
void check_memory(const Table& table, const FluidSettings& s) {
  const double cells = static_cast<double>(s.cells[0]) * s.cells[1] * s.cells[2];
  const double bytes = 3 * cells * 19 * (s.is_double ? 8 : 4);
  const double there = memory_there();
  if (bytes > 0.9 * there)
    table.fail(
        fmt::format("a box of {} x {} x {} cells needs {:.3g} GB, and this machine has {:.3g} GB: take a larger "
                    "`spacing` or a smaller `size`{}",
                    s.cells[0], s.cells[1], s.cells[2], bytes * 1e-9, there * 1e-9,
                    s.is_double ? ", or precision = \"single\"" : ""));
}

// A lattice gives way under pressure, as a gas does: by three times it, in its own units.
void check_pressure(const Table& table, const Fluid& fluid, double pressure, Plan& plan) {
  const double change = 3 * pressure / fluid.pressure_unit(), dt = fluid.settings().dt;
  const std::string what =
      fmt::format("a pressure of {:.3g} Pa changes the density of this lattice by {:.3g} %", pressure, 100 * change);
  if (change > most_change)
    table.fail(fmt::format("{}, expected at most {:g} %: take a `dt` of at most {:.3g} s, or dt = \"auto\"", what,
                           100 * most_change, dt * std::sqrt(most_change / change)));
  if (change > good_change) plan.warnings.push_back(fmt::format("fluid: {}: take a shorter dt", what));
}

// speed: the largest expected, or that a pressure gives to fluid at rest.
void check_numbers(const Table& table, const FluidSettings& s, const FluidNumbers& n, bool is_auto, double speed,
                   bool is_by_pressure, Plan& plan) {
  const double tau_step = 3 * s.viscosity / (s.spacing * s.spacing);  // 1/s: tau = 1/2 + tau_step dt
  if (n.tau < least_tau) {
    std::string cure;
    if (is_auto && speed == 0)
      cure = fmt::format("a stage is shorter than a good step of {:.3g} s; take a smaller `spacing` or longer stages",
                         (usual_tau - 0.5) / tau_step);
    else if (is_auto)
      cure = fmt::format(
          "a speed{} of {:.3g} m/s asks for so short a step; take a `spacing` of at most {:.3g} m, a "
          "larger viscosity or a lower {}",
          is_by_pressure ? " that pressures give" : "", speed,
          3 * s.viscosity * usual_speed / (speed * (least_tau - 0.5)), is_by_pressure ? "pressure" : "speed");
    else
      cure = fmt::format("take a `dt` of at least {:.3g} s, a smaller `spacing`, or dt = \"auto\"",
                         (least_tau - 0.5) / tau_step);
    table.fail(fmt::format("the relaxation time of the lattice is {:.6g} steps, expected at least {}: {}", n.tau,
                           least_tau, cure));
  }
  if (n.mach > most_mach)
    table.fail(
        fmt::format("a speed of {:.3g} m/s is a Mach number of {:.3g} on this lattice, expected at most {}: "
                    "take a `dt` of at most {:.3g} s, or dt = \"auto\"",
                    speed, n.mach, most_mach, s.dt * most_mach / n.mach));
  const auto warn = [&](const std::string& text) { plan.warnings.push_back("fluid: " + text); };
  if (n.tau < good_tau[0])
    warn(fmt::format(
        "a relaxation time of {:.4g} steps is near 1/2: watch for checkerboards, or take a smaller spacing", n.tau));
  if (n.tau > good_tau[1] * (1 + 1e-9))
    warn(fmt::format("a relaxation time of {:.4g} steps is long: take a `dt` of {:.3g} s for tau = 1, or \"auto\"",
                     n.tau, 0.5 / tau_step));
  if (n.mach > good_mach)
    warn(
        fmt::format("a Mach number of {:.3g} makes the fluid compressible by some percent: take a shorter dt", n.mach));
  if (n.cell_reynolds > good_cell_reynolds)
    warn(fmt::format("a Reynolds number of {:.3g} per cell: the flow may have eddies smaller than a cell",
                     n.cell_reynolds));
}

// Bodies that reach across a periodic box meet themselves.
void warn_of_images(const std::vector<Marker>& markers, Draft& draft) {
  Plan& plan = draft.plan;
  const Fluid& fluid = *plan.fluid.box;
  const FluidSettings& set = fluid.settings();
  for (int axis = 0; axis < 3; ++axis) {
    if (set.faces[axis][0] != FaceKind::periodic) continue;
    std::map<int, std::pair<double, double>> extent;  // [body] in cells
    for (const Marker& m : markers) {
      const double x = component(fluid.to_cells(marker_place(m, plan.start.nodes)), axis);
      auto [at, is_new] = extent.try_emplace(m.body, x, x);
      at->second = {std::min(at->second.first, x), std::max(at->second.second, x)};
    }
    for (const auto& [body, range] : extent)
      if (range.second - range.first > set.cells[axis] - width(set.kernel))
        plan.warnings.push_back(
            fmt::format("fluid: `{}` reaches across the box along {}, where that is periodic: it meets its own image. "
                        "Enlarge `size`, unless an endless row of them is meant",
                        plan.model.bodies[body].name, "xyz"[axis]));
  }
}

// About how many markers a body would get, before any is made: one a cell and half along lines, and on surfaces.
double expected_markers(const Model& m, const Nodes& nodes, int body, double spacing) {
  const Body& b = m.bodies[static_cast<std::size_t>(body)];
  const double apart = 0.75 * spacing;
  double count = 0;
  if (b.kind == BodyKind::rod)
    for (std::size_t k = 0; k < b.weight.size(); ++k) {
      const double around = b.flow_radius[k] < spacing ? 1 : 2 * std::numbers::pi * b.flow_radius[k] / apart;
      count += std::max(1.0, b.weight[k] / apart) * around;
    }
  if (b.kind == BodyKind::rigid) {
    const double r = m.radius[b.nodes.front()] / apart;
    count += 4 * std::numbers::pi * r * r;
  }
  if (b.kind == BodyKind::shell)
    for (const auto& t : m.skin.triangles) {
      const SkinPoint* p[3] = {&m.skin.points[t[0]], &m.skin.points[t[1]], &m.skin.points[t[2]]};
      if (m.body_of[p[0]->node] != body) continue;
      const Vec3<double> x = nodes.frame(p[0]->node).x, u = nodes.frame(p[1]->node).x - x,
                         v = nodes.frame(p[2]->node).x - x;
      const double longest = std::max({norm(u), norm(v), norm(u - v)}) / apart;
      count += std::max(1.0, longest * longest);
    }
  return count;
}

// A slip of the unit, 1 km for 1 mm, is told before it takes all memory there is.
void check_markers(const Draft& draft, const Fluid& fluid) {
  const Plan& plan = draft.plan;
  const double spacing = fluid.settings().spacing;
  const Vec3<double> size = fluid.size();
  constexpr double bytes = 2500;  // a marker, its stencil, and what it weighs beside others
  const double most = 0.5 * memory_there() / bytes;
  double all = 0;
  for (std::size_t k = 0; k < plan.model.bodies.size(); ++k) {
    if (draft.fluid.without[k]) continue;
    const Body& b = plan.model.bodies[k];
    const double thick = b.flow_radius.empty() ? 0 : 2 * *std::max_element(b.flow_radius.begin(), b.flow_radius.end());
    if (thick > std::max({size.x, size.y, size.z}))
      fail(draft.body_places[k],
           fmt::format("`{}` is {:.3g} m thick, more than the box of the fluid, which is {:.3g} x "
                       "{:.3g} x {:.3g} m: are its units right?",
                       b.name, thick, size.x, size.y, size.z));
    const double count = expected_markers(plan.model, plan.start.nodes, static_cast<int>(k), spacing);
    all += count;
    if (all <= most) continue;
    fail(
        draft.body_places[k],
        fmt::format("`{}` would have some {:.2g} markers in this fluid, whose cells are {:.3g} m wide: it is too large "
                    "for it by far. Are its units right? Else take a larger fluid.spacing",
                    b.name, count, spacing));
  }
}

void add_markers(const Table& table, Draft& draft) {
  Plan& plan = draft.plan;
  if (plan.model.nodes == 0) return;
  const Fluid& fluid = *plan.fluid.box;
  check_markers(draft, fluid);
  std::vector<Marker> markers;
  try {
    markers = lay_markers(plan.model, plan.start.nodes, fluid.settings(), draft.fluid.without);
  } catch (const Error& e) {
    table.fail(e.what());
  }
  if (markers.empty()) return;
  if (const int i = first_marker_outside(markers, plan.start.nodes, fluid); i >= 0) {
    const Marker& m = markers[i];
    const Vec3<double> x = marker_place(m, plan.start.nodes), low = fluid.settings().origin, high = low + fluid.size();
    fail(
        draft.body_places[m.body],
        fmt::format("`{}` is outside the fluid: at ({:.4g}, {:.4g}, {:.4g}) m, beyond a face that is not periodic. The "
                    "box goes from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) m: move it, enlarge the box, "
                    "or say fluid = false",
                    plan.model.bodies[m.body].name, x.x, x.y, x.z, low.x, low.y, low.z, high.x, high.y, high.z));
  }
  warn_of_images(markers, draft);
  const bool has_lines =
      std::any_of(markers.begin(), markers.end(), [](const Marker& m) { return m.kind == MarkerKind::line; });
  if (has_lines && fluid.settings().coupling == Coupling::direct)
    plan.warnings.push_back(
        fmt::format("fluid: with coupling = \"direct\" rods drag as if they were {:.3g} m thick, "
                    "whatever their section: \"friction\" has their own thickness",
                    2 * grid_radius(fluid.settings().kernel).across * fluid.settings().spacing));
  if (!fluid.settings().trt)
    plan.warnings.emplace_back(
        "fluid: with collision = \"bgk\" the drag of bodies depends on the relaxation time: take \"trt\"");
  plan.model.markers = {std::move(markers),
                        lay_floating(plan.model, plan.start.nodes, fluid.settings(), draft.fluid.without)};
}

}  // namespace

FluidNumbers fluid_numbers(const Fluid& fluid, double speed) {
  const FluidSettings& s = fluid.settings();
  FluidNumbers n;
  n.tau = fluid.relaxation_time();
  n.mach = std::sqrt(3.0) * speed / fluid.speed_unit();
  n.cell_reynolds = speed * s.spacing / s.viscosity;
  n.cells = fluid.lattice().cells();
  n.bytes = fluid.lattice().bytes();
  return n;
}

void settle_fluid(const Table& table, const FluidSettings& given, double dt, Draft& draft) {
  Plan& plan = draft.plan;
  FluidSettings s = given;
  check_memory(table, s);
  const double diffusive = (usual_tau - 0.5) * s.spacing * s.spacing / (3 * s.viscosity);
  const FaceMotion faces = face_motion(plan, s, dt > 0 ? dt : diffusive);
  if (!faces.lost.empty())
    table.fail(
        fmt::format("its body_force, or the velocity or pressure of a face, is not a number at {}: expected "
                    "formulas that have a value at all times",
                    faces.lost));
  check_flux(table, s, faces);
  plan.fluid.speed = std::max(plan.fluid.speed, faces.speed);
  const double by_pressure = std::sqrt(faces.pressure / s.density), fastest = std::max(plan.fluid.speed, by_pressure);
  s.dt = dt;
  if (dt == 0) {
    s.dt = diffusive;
    if (fastest > 0) s.dt = std::min(s.dt, usual_speed * s.spacing / fastest);
    s.dt = fitting_step(plan, s.dt);
  }
  check_stages(table, s.dt, plan);
  plan.fluid.box = std::make_shared<const Fluid>(s);
  check_numbers(table, s, fluid_numbers(*plan.fluid.box, plan.fluid.speed), dt == 0, fastest,
                by_pressure > plan.fluid.speed, plan);
  check_pressure(table, *plan.fluid.box, faces.pressure, plan);
  add_markers(table, draft);
}

}  // namespace ls
