#include "scene/read/reader.h"

#include <fmt/format.h>

// [[event]]: what happens as soon as a condition holds; and `moment_factor`, which such events switch.
namespace ls {

namespace {

void read_hysteresis(const Value& value, const Value& when, PlannedEvent& event) {
  event.margin = event.when.margin();
  if (!event.margin)
    when.fail(
        "found more than one comparison of two values, beside `hysteresis`: expected one, as in "
        "\"ball.position.x > 0.4 m\"");
  event.hysteresis = value.number(event.margin->dimension(), range::not_negative);
}

void read_event(Table& table, Draft& draft) {
  PlannedEvent event;
  const auto name = table.find("name");
  event.name = name ? name->name() : fmt::format("event{}", draft.plan.events.size() + 1);
  for (const PlannedEvent& other : draft.plan.events)
    if (other.name == event.name)
      table.fail(fmt::format("there are two events `{}`; expected names of their own", event.name));
  for (const char* taken : {"fold", "jump"})
    if (event.name == taken) name->fail(fmt::format("`{}` is an event of static runs; expected another name", taken));
  const Value when = table.need("when", "a condition, for example \"ball.position.x > 0.4 m\"");
  if (!when.is_text()) when.fail_expected("a condition, for example \"ball.position.x > 0.4 m\"");
  event.when = when.expression(draft.schedule).expect_condition(when.place());
  if (event.when.is_constant()) when.fail(fmt::format("found {}, which is always the same", when.shown()));
  event.once = table.boolean("once", false);
  if (const auto hysteresis = table.find("hysteresis")) read_hysteresis(*hysteresis, when, event);
  if (auto set = table.table("set")) event.set = read_set(*set, draft, "event");
  event.ends_stage = table.boolean("end_stage", false);
  table.finish();
  draft.plan.events.push_back(std::move(event));
}

}  // namespace

void read_events(std::vector<Table> events, Draft& draft) {
  for (Table& event : events) read_event(event, draft);
}

void read_moment_factors(Draft& draft) {
  for (const MomentFactor& f : draft.moment_factors) {
    const Expression factor = f.value.expression(draft.schedule, dim::number);
    for (int b = f.first_body; b < f.last_body; ++b)
      draft.plan.moment_factors.emplace_back(draft.plan.model.bodies[b].nodes[0], factor);
  }
}

}  // namespace ls
