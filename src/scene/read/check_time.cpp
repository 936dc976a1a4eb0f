#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>

// Static stages without a duration: time stands still in them, and what goes by it does not act.
namespace ls {

namespace {

bool uses_t(const Expression& e) {
  return e.uses(variable_t);
}
bool uses_t(const std::optional<Expression>& e) {
  return e && uses_t(*e);
}
template <class E>
bool uses_t(const std::array<E, 3>& three) {
  return std::ranges::any_of(three, [](const E& e) { return uses_t(e); });
}

bool uses_t(const SceneField& field) {
  if (uses_t(field.factor)) return true;
  if (const auto* f = std::get_if<UniformField>(&field.kind)) return uses_t(f->b);
  if (const auto* f = std::get_if<GradientField>(&field.kind)) return uses_t(f->value) || uses_t(f->centre);
  if (const auto* f = std::get_if<RotatingField>(&field.kind))
    return f->rate != 0 || uses_t(f->amplitude) || uses_t(f->phase);
  if (const auto* f = std::get_if<ExpressionField>(&field.kind)) return uses_t(f->b);
  if (const auto* f = std::get_if<PotentialField>(&field.kind)) return uses_t(f->potential);
  const SceneMagnet* magnet = field.magnet();
  return magnet && (uses_t(magnet->position) || uses_t(magnet->orientation));
}

// What goes by t in a stage, in words; empty: nothing.
std::string what_uses_t(const Plan& plan, const Stage& stage) {
  const auto drive = [](const Drive& d) { return uses_t(d.angle) || uses_t(d.move); };
  const auto load = [](const Load& l) { return uses_t(l.force) || uses_t(l.torque); };
  const auto set = [](const auto& s) { return uses_t(s.second); };
  if (std::ranges::any_of(stage.set, set)) return "`set`";
  if (std::ranges::any_of(stage.drives, drive) || std::ranges::any_of(stage.magnet_drives, drive)) return "a drive";
  if (std::ranges::any_of(stage.loads, load)) return "a load";
  if (uses_t(stage.until)) return "`until`";
  if (plan.has_gravity && uses_t(plan.gravity)) return "gravity";
  const auto event = [&](const PlannedEvent& e) { return uses_t(e.when) || std::ranges::any_of(e.set, set); };
  if (std::ranges::any_of(plan.events, event)) return "an event";
  if (std::ranges::any_of(plan.motors, [](const Expression& e) { return uses_t(e); })) return "a motor or a `reel`";
  if (std::ranges::any_of(plan.moment_factors, set)) return "a `moment_factor`";
  for (const SceneField& field : plan.fields)
    if (uses_t(field)) return std::holds_alternative<RotatingField>(field.kind) ? "a `rotating` field" : "a field";
  return "";
}

}  // namespace

void check_time(Draft& draft) {
  Plan& plan = draft.plan;
  const auto stands = [&](std::size_t k) {
    return plan.kind(static_cast<int>(k)) == SolverKind::statics && plan.stages[k].duration == 0 &&
           !draft.fluid.present;
  };
  bool passes = false;  // time, in some stage
  for (std::size_t k = 0; k < plan.stages.size(); ++k) passes = passes || !stands(k);
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    const Stage& stage = plan.stages[k];
    const std::string what = stands(k) ? what_uses_t(plan, stage) : "";
    if (what.empty()) continue;
    const std::string message =
        fmt::format("stage {} is static and has no duration: t stands still in it, and {} goes by t", stage.name, what);
    // Before or after a stage in which time passes that may well be meant.
    if (passes) {
      plan.warnings.push_back(message);
      continue;
    }
    const bool unplaced = stage.length.line == 0 && stage.length.key.empty();
    fail(unplaced ? Place{plan.file, 0, 0, "solver.duration"} : stage.length,
         message + "; expected a `duration`, for example \"1 s\", or s in place of t");
  }
}

}  // namespace ls
