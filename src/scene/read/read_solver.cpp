#include "scene/read/reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

// [solver], [gravity], [damping], [thermal], [start]
namespace ls {

namespace {

constexpr long long many = std::numeric_limits<long long>::max();
constexpr double most_steps = 1e15;

// Which of some words a value is.
template <class Enum, std::size_t N>
Enum choose(const Value& value, const std::array<const char*, N>& words) {
  const std::string found = value.choice({words.begin(), words.end()});
  return static_cast<Enum>(std::find(words.begin(), words.end(), found) - words.begin());
}

// What belongs to Newton's method.
void read_newton(Table& solver, bool fluid, Solver& s, SolverExtras& extras) {
  s.tolerance = solver.number("tolerance", dim::number, range::share, s.tolerance);
  extras.scheme = solver.find("scheme");
  if (extras.scheme) s.scheme = choose<ImplicitRule>(*extras.scheme, implicit_rules);
  if (const auto jump = solver.find("on_instability")) s.jump = jump->choice({"stop", "jump"}) == "jump";
  if (const auto arc = solver.find("arc_length")) s.arc_length = arc->boolean();
  const auto accuracy = solver.maybe_number("accuracy", dim::number, range::share);
  if (accuracy)
    s.accuracy = *accuracy;
  else if (s.dt == 0 && !fluid)
    s.accuracy = 1e-3;  // the step is ours to choose
}

// A time or, where it carries that unit, a coefficient.
BondViscosity read_viscosity(Table& bond, const std::string& key, const Dimension& coefficient) {
  const auto value = bond.find(key);
  if (!value) return {};
  const Expression e = value->expression(value->context().constants);
  const bool is_time = e.dimension() != coefficient;
  if (is_time && e.dimension() != dim::time && !e.dimension().is_number())
    value->fail_expected(fmt::format("{} or {}", dim::time.name(), coefficient.name()));
  return {value->number(is_time ? dim::time : coefficient, range::not_negative), is_time};
}

void read_bond_damping(Table& damping, Draft& draft) {
  auto bond = damping.table("bond");
  if (const auto rate = damping.find("rate")) {
    if (rate->choice({"analytic", "paper"}) == "paper") draft.paper_rate = rate->place();
  }
  if (!bond) return;
  draft.bond_damping = {read_viscosity(*bond, "stretch", dim::damping), read_viscosity(*bond, "shear", dim::damping),
                        read_viscosity(*bond, "bend", dim::rotational_damping),
                        read_viscosity(*bond, "twist", dim::rotational_damping)};
  bond->finish();
}

// Spins may have a time or a rate of their own; a bare number would not say which.
double read_spin_rate(const Value& value) {
  const Expression e = value.expression(value.context().constants);
  if (e.dimension() == dim::time) return 1 / value.number(dim::time, range::positive);
  if (e.dimension() == dim::rate) return value.number(dim::rate, range::not_negative);
  if (e.is_constant() && e.dimension().is_number() && e.quantity().value == 0) return 0;
  value.fail_expected("a time (\"2 s\") or a rate (\"0.5/s\"), with its unit");
}

}  // namespace

std::optional<SolverKind> read_kind(Table& table) {
  const auto kind = table.find("kind");
  if (!kind) return std::nullopt;
  return choose<SolverKind>(*kind, solver_kinds);
}

double read_step(Table& table) {
  const auto dt = table.find("dt");
  if (!dt || dt->is_text("auto")) return 0;
  return dt->number(dim::time, range::positive);
}

void read_length(Table& table, double dt, Stage& stage) {
  const auto duration = table.find("duration"), steps = table.find("steps");
  stage.length = duration ? duration->place() : steps ? steps->place() : table.place();
  if (!duration && !steps) table.need("duration", "a time (s), for example \"2 s\", or a number of `steps`");
  if (duration) stage.duration = duration->number(dim::time, range::positive);
  if (steps) stage.steps = steps->integer(1, static_cast<long long>(most_steps));
  if (!duration || dt <= 0) return;
  const double count = stage.duration / dt;
  if (steps && std::abs(static_cast<double>(stage.steps) / count - 1) > 1e-9)
    steps->fail(fmt::format("found {} steps, but {} s at dt = {} s are {:.10g}; leave out `duration`, `dt` or `steps`",
                            stage.steps, stage.duration, dt, count));
  if (count < 1 - 1e-9) duration->fail_expected(fmt::format("at least one step of {} s", dt));
  if (count > most_steps)
    duration->fail(fmt::format("{} s at dt = {} s are {:.3g} steps: too many", stage.duration, dt, count));
}

SolverExtras read_solver(std::optional<Table> solver, Draft& draft) {
  SolverExtras extras;
  if (!solver) return extras;
  Solver& s = draft.plan.solver;
  if (const auto kind = solver->find("kind")) s.kind = choose<SolverKind>(*kind, solver_kinds);
  s.dt = read_step(*solver);
  s.safety = solver->number("safety", dim::number, range::share, s.safety);
  s.threads = static_cast<int>(solver->integer("threads", 1, 1024, s.threads));
  s.seed = static_cast<std::uint64_t>(solver->integer("seed", 0, many, static_cast<long long>(s.seed)));
  if (const auto rotation = solver->find("rotation")) {
    s.richardson = rotation->choice({"exact", "richardson"}) == "richardson";
    extras.rotation = rotation->place();
  }
  read_newton(*solver, draft.fluid.present, s, extras);
  const bool has_length = solver->has("duration") || solver->has("steps");
  if (has_length) {
    extras.only_stage.emplace();
    extras.only_stage->name = "stage 1";
    read_length(*solver, draft.fluid.present ? 0 : s.dt, *extras.only_stage);  // a fluid has its own step
  }
  solver->finish();
  return extras;
}

void read_gravity(std::optional<Table> gravity, Draft& draft) {
  if (!gravity) return;
  draft.plan.gravity = gravity->need("g", "[x, y, z], each an acceleration, for example [0, \"-9.81 m/s^2\", 0]")
                           .expressions(draft.schedule, dim::acceleration);
  draft.plan.has_gravity = true;
  gravity->finish();
}

Damping read_mass_damping(Table& table) {
  Damping d;
  table.one_of({"time", "per_mass"}, false);
  if (const auto time = table.maybe_number("time", dim::time, range::positive)) d.rate = 1 / *time;
  if (const auto rate = table.maybe_number("per_mass", dim::rate, range::not_negative)) d.rate = *rate;
  const auto rotational = table.find("rotational");
  d.spin_rate = rotational ? read_spin_rate(*rotational) : d.rate;
  return d;
}

void read_damping(std::optional<Table> damping, Draft& draft) {
  if (!damping) return;
  draft.plan.damping = read_mass_damping(*damping);
  read_bond_damping(*damping, draft);
  damping->finish();
}

void read_thermal(std::optional<Table> thermal, Draft& draft) {
  if (!thermal) return;
  if (draft.plan.solver.kind == SolverKind::statics)
    thermal->fail("heat is motion, and kind = \"static\" has none; expected no [thermal], or another kind of solver");
  draft.plan.thermal.temperature = thermal->number("temperature", dim::temperature, range::not_negative);
  // Heat without friction would not come to a temperature.
  const bool damped = draft.plan.damping.rate > 0 && draft.plan.damping.spin_rate > 0;
  draft.plan.thermal.time = damped ? thermal->number("time", dim::time, range::positive, 0)
                                   : thermal->number("time", dim::time, range::positive);
  thermal->finish();
}

void read_start(std::optional<Table> start, Draft& draft) {
  if (!start) return;
  const Value from = start->need("from", "the folder of a run, for example \"out/sagging\"");
  draft.plan.start_from = from.text("the folder of a run");
  if (draft.plan.start_from.empty()) from.fail_expected("the folder of a run, for example \"out/sagging\"");
  start->finish();
}

}  // namespace ls
