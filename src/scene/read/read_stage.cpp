#include "base/nearest.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>

// [[stage]]: the schedule.
namespace ls {

namespace {

int slot_of(const std::string& name, const Value& value, const Draft& draft, const std::string& who) {
  const auto& names = draft.plan.variables;
  const auto found = std::find(names.begin() + first_stage_variable, names.end(), name);
  if (found == names.end()) {
    const std::vector<std::string> known = draft.schedule.names();
    value.fail(fmt::format("there is no `{0}` in [define]; {1} {2} changes what is defined there{3}", name,
                           who == "event" ? "an" : "a", who, did_you_mean(name, known)));
  }
  return static_cast<int>(found - names.begin());
}

void read_stage(Table& table, const Actions& everywhere, Draft& draft) {
  Stage stage;
  const auto name = table.find("name");
  stage.name = name ? name->name(true) : fmt::format("stage {}", draft.plan.stages.size() + 1);
  for (const Stage& other : draft.plan.stages)
    if (other.name == stage.name)
      table.fail(fmt::format("there are two stages `{}`; expected names of their own", stage.name));
  stage.dt = read_step(table);
  if (auto solver = table.table("solver")) {
    const double dt = read_step(*solver);
    if (stage.dt > 0 && dt > 0) solver->find("dt")->fail("found `dt` twice in this stage");
    if (dt > 0) stage.dt = dt;
    stage.kind = read_kind(*solver);
    solver->finish();
  }
  if (const auto contact = table.find("contact")) {
    stage.touching = contact->boolean();
    if (stage.touching && !draft.contact.present) contact->fail("found true, but the scene has no [contact]");
  }
  const double dt = stage.dt > 0 ? stage.dt : draft.plan.solver.dt;
  read_length(table, draft.fluid.present ? 0 : dt, stage);  // a fluid has its own step
  if (auto set = table.table("set")) stage.set = read_set(*set, draft, "stage");
  if (const auto until = table.find("until"))
    stage.until = until->expression(draft.schedule).expect_condition(until->place());
  read_actions(everywhere, actions_of(table), stage, draft);
  table.finish();
  draft.plan.stages.push_back(std::move(stage));
}

}  // namespace

std::vector<std::pair<int, Expression>> read_set(Table set, const Draft& draft, const std::string& who) {
  std::vector<std::pair<int, Expression>> all;
  const auto entries = set.entries();
  for (const auto& [name, value] : entries) {
    const int slot = slot_of(name, value, draft, who);
    const Dimension dimension = draft.schedule.find(name)->value.dimension;
    const Expression raw = value.expression(draft.schedule);
    if (dimension.is_number() && !raw.dimension().is_number())
      value.fail(fmt::format("found {} in {}, but `{}` is a pure number in [define]; give it a unit there",
                             raw.dimension().name(), value.shown(), name));
    const Expression e = raw.expect(dimension, value.place());
    // Its own name is its value at the start of the stage; others would depend on which is worked out first.
    for (const auto& [other, its_value] : entries)
      if (other != name && e.uses(slot_of(other, its_value, draft, who)))
        value.fail(fmt::format("found `{}` in {}, which the same {} sets; expected t, s and what stays the same", other,
                               value.shown(), who));
    all.emplace_back(slot, e);
  }
  return all;
}

void read_stages(std::vector<Table> stages, const Actions& everywhere, const SolverExtras& solver, Draft& draft) {
  if (stages.empty()) {
    if (!solver.only_stage && draft.plan.solver.kind != SolverKind::statics)
      fail({draft.plan.file, 0, 0, "solver.duration"},
           "how long? Expected [solver] `duration` or `steps`, or a [[stage]]");
    Stage stage = solver.only_stage.value_or(Stage{});
    if (stage.name.empty()) stage.name = "stage 1";  // a static scene has a usual number of load steps
    read_actions(everywhere, {}, stage, draft);
    draft.plan.stages.push_back(std::move(stage));
    return;
  }
  if (solver.only_stage)
    stages.front().fail("the scene has stages: expected `duration` and `steps` there, not in [solver]");
  for (Table& stage : stages) read_stage(stage, everywhere, draft);
}

}  // namespace ls
