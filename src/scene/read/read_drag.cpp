#include "build/drag_layout.h"
#include "scene/read/reader.h"

#include <fmt/format.h>

// [drag]: a fluid that is not simulated.
namespace ls {

namespace {

const char* sort_of(const Body& body) {
  return body.kind == BodyKind::shell ? "shell" : body.kind == BodyKind::network ? "network" : "rigid body";
}

// Only for rods and balls is there a law that asks for nothing but the motion of a node.
void check_bodies(const Table& drag, const Draft& draft) {
  const Model& m = draft.plan.model;
  for (const Body& body : m.bodies) {
    const bool moves = m.held[body.nodes[0]] != hold_all || !is_single(body);
    if (!moves || body.kind == BodyKind::wall) continue;
    if (!has_known_drag(body))
      drag.fail(
          fmt::format("{} `{}` is neither a rod nor a ball: its drag depends on its whole shape, which [drag] does "
                      "not know; expected [fluid] in place of [drag]",
                      sort_of(body), body.name));
    if (body.kind == BodyKind::rod && slenderness(body) < least_slenderness)
      drag.fail(
          fmt::format("rod `{}` is {:.3g} times as long as its radius, expected at least {:g}: law = \"slender\" is "
                      "for slender rods",
                      body.name, slenderness(body), least_slenderness));
  }
}

}  // namespace

void read_drag(std::optional<Table> drag, Draft& draft) {
  if (!drag) return;
  Plan& plan = draft.plan;
  const double viscosity = drag->number("viscosity", dim::viscosity, range::positive);
  (void)drag->choice("law", {"slender"});
  if (const auto flow = drag->find("flow"))
    plan.stream = SceneField{.kind = ExpressionField{flow->expressions(space(draft), dim::velocity),
                                                     draft.schedule.variable_count()}},
    plan.stream->place = flow->place();
  drag->finish();
  check_bodies(*drag, draft);
  plan.model.drag = lay_drag(plan.model, plan.start.nodes, viscosity);
  if (plan.thermal.temperature > 0)
    plan.warnings.emplace_back(
        "[drag] takes heat out that [thermal] does not know of: the bodies stay colder than its temperature");
}

}  // namespace ls
