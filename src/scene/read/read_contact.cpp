#include "build/overlaps.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>

// [contact]
namespace ls {

namespace {

constexpr Range from_0_to_1{0, 1, false, false, "a value from 0 to 1"};
constexpr long long most_excluded = 1'000'000;

ContactLaw law_for(SolverKind kind) {
  return kind == SolverKind::explicit_dynamics ? ContactLaw::hertz_mindlin : ContactLaw::barrier;
}

}  // namespace

void read_contact(std::optional<Table> contact, Draft& draft) {
  if (!contact) return;
  ContactReading& reading = draft.contact;
  reading.present = true;
  reading.law = contact->find("law");
  if (reading.law) (void)reading.law->choice({"hertz-mindlin", "barrier"});
  const bool spheres = contact->choice("geometry", {"capsule", "sphere"}) == "sphere";
  reading.friction = contact->maybe_number("friction", dim::number, range::not_negative);
  reading.restitution = contact->maybe_number("restitution", dim::number, from_0_to_1);
  ContactSettings s;
  s.thickness = contact->number("thickness", dim::length, range::positive, s.thickness);
  s.stiffness = contact->number("stiffness", dim::stiffness, range::positive, s.stiffness);
  const auto slip = contact->maybe_number("slip_speed", dim::velocity, range::positive);
  s.slip_is_given = slip.has_value();
  s.slip_speed = slip.value_or(s.slip_speed);
  s.rolling = contact->number("rolling", dim::number, range::not_negative, s.rolling);
  contact->one_of({"exclude", "exclude_bonds"}, false);
  s.exclude = contact->number("exclude", dim::length, range::not_negative, s.exclude);
  s.exclude_bonds = static_cast<int>(contact->integer("exclude_bonds", 0, most_excluded, s.exclude_bonds));
  reading.resolve_overlaps = contact->boolean("resolve_overlaps", false);
  contact->finish();
  draft.builder.set_contact(s, spheres);
}

void settle_contact(const SolverExtras& solver, Draft& draft) {
  if (!draft.contact.present) return;
  Plan& plan = draft.plan;
  const auto& law = draft.contact.law;
  bool implicit = false;
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    Stage& stage = plan.stages[k];
    if (!stage.touching) continue;
    const SolverKind kind = plan.kind(static_cast<int>(k));
    stage.contact = law_for(kind);
    const char* fitting = kind == SolverKind::explicit_dynamics ? "hertz-mindlin" : "barrier";
    if (law && !law->is_text(fitting))
      law->fail(fmt::format("found {}, but {} is solved by kind = \"{}\", which needs \"{}\"", law->shown(), stage.name,
                            name(kind), fitting));
    implicit = implicit || kind == SolverKind::implicit_dynamics;
  }
  if (!implicit) return;
  // What the barrier takes up and gives back within a step would ring on for ever.
  if (solver.scheme && solver.scheme->is_text("midpoint"))
    solver.scheme->fail("found \"midpoint\", but bodies touch: expected \"backward-euler\"");
  if (!solver.scheme) plan.solver.scheme = ImplicitRule::touching;
}

// Surfaces that just touch are fine where their law pushes only what overlaps; the barrier has no force for them.
namespace {

// What the law of explicit stages can't hold apart.
void check_hertz_mindlin(const Draft& draft) {
  const Plan& plan = draft.plan;
  const bool used = std::any_of(plan.stages.begin(), plan.stages.end(),
                                [](const Stage& s) { return s.touching && s.contact == ContactLaw::hertz_mindlin; });
  if (!used) return;
  const auto place = [&](const std::pair<int, int>& pair) {
    return draft.body_places[static_cast<std::size_t>(std::max(pair.first, pair.second))];
  };
  const auto name = [&](int body) { return plan.model.bodies[body].name; };
  if (const auto pair = sharp_pair(*plan.model.shapes))
    fail(place(*pair),
         fmt::format("neither `{}` nor `{}` has rounded edges, and in explicit stages surfaces without thickness "
                     "pass through each other: give one of them a `rounding`, or use kind = \"implicit\"",
                     name(pair->first), name(pair->second)));
  if (const auto pair = rigid_pair(*plan.model.shapes))
    fail(place(*pair),
         fmt::format("neither `{}` nor `{}` has a material with `young`: Hertz-Mindlin contact of explicit stages "
                     "needs that of at least one of two bodies that touch",
                     name(pair->first), name(pair->second)));
}

// A wall holds what is inside it unless it says otherwise, which is easily forgotten of an obstacle.
std::string hint_of_walls(const std::vector<Overlap>& overlaps, const Draft& draft) {
  std::string text;
  for (const int wall : draft.walls_around) {
    const Model& m = draft.plan.model;
    const bool meets = std::ranges::any_of(
        overlaps, [&](const Overlap& o) { return m.body_of[o.node_a] == wall || m.body_of[o.node_b] == wall; });
    if (meets)
      text += fmt::format("\n`{}` holds bodies inside it; an obstacle that they stay outside of needs inside = false",
                          m.bodies[static_cast<std::size_t>(wall)].name);
  }
  return text;
}

}  // namespace

void check_overlaps(Draft& draft) {
  Plan& plan = draft.plan;
  if (draft.contact.present) check_hertz_mindlin(draft);
  if (!draft.contact.present || !plan.stages.front().touching || !plan.start_from.empty()) return;
  const double thickness = plan.model.shapes->settings.thickness;
  const bool barrier = plan.stages.front().contact == ContactLaw::barrier;
  const double gap = barrier ? 0 : -1e-5 * thickness;
  std::vector<Overlap> overlaps = find_overlaps(plan.model, plan.start.nodes, gap);
  if (overlaps.empty()) return;
  const auto place = [&] {
    const Overlap& deepest = overlaps.front();
    const int later = std::max(plan.model.body_of[deepest.node_a], plan.model.body_of[deepest.node_b]);
    return draft.body_places[static_cast<std::size_t>(later)];
  };
  if (!draft.contact.resolve_overlaps)
    fail(place(), fmt::format("overlapping at the start: {}{}\nMove them apart, or let [contact] do it with "
                              "resolve_overlaps = true",
                              describe(overlaps, plan.model), hint_of_walls(overlaps, draft)));
  const double enough = barrier ? 0.5 * thickness : 0;
  overlaps = resolve_overlaps(plan.model, enough, plan.start.nodes);
  if (!overlaps.empty())
    fail(place(), fmt::format("overlapping at the start, and resolve_overlaps can't move them {}apart: {}{}",
                              barrier ? fmt::format("{:.4g} mm ", 1e3 * enough) : "", describe(overlaps, plan.model),
                              hint_of_walls(overlaps, draft)));
}

}  // namespace ls
