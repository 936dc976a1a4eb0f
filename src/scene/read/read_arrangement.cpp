#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>

// What shells and networks have in common: where they stand, which of their parts are held, what they are made of.
namespace ls {

Placing read_placing(Table& body) {
  Placing p;
  if (const auto turn = body.find("turn")) p.turn = turn->vector(dim::angle);
  if (const auto origin = body.find("origin")) p.origin = origin->vector(dim::length);
  return p;
}

std::vector<std::pair<std::string, std::uint8_t>> read_held_parts(Table& body, const std::vector<BodyPart>& parts) {
  std::vector<std::string> names(parts.size());
  std::ranges::transform(parts, names.begin(), &BodyPart::name);
  std::vector<std::pair<std::string, std::uint8_t>> held;
  for (const char* kind : {"clamp", "pin"}) {
    const auto value = body.find(kind);
    if (!value) continue;
    for (const Value& item : value->list_or_one()) {
      (void)item.text("the name of a part");  // which there are depends on the shape
      const std::string name = item.choice(names);
      if (std::ranges::any_of(held, [&](const auto& h) { return h.first == name; }))
        item.fail(fmt::format("found {} a second time", item.shown()));
      held.emplace_back(name, kind[0] == 'c' ? hold_all : hold_position);
    }
  }
  return held;
}

Vec3<double> read_constant_magnetisation(Table& body, const Material& material, const std::string& name, Draft& draft) {
  const std::string kind = body.one_of({"magnetisation_direction", "magnetisation"}, false);
  if (kind == "magnetisation") return body.find(kind)->vector(dim::magnetisation);
  if (kind.empty()) {
    if (material.magnetisation > 0)
      draft.plan.warnings.push_back(fmt::format(
          "`{}` is no magnet though its material is magnetised: it has no `magnetisation_direction`", name));
    return {};
  }
  const Value value = *body.find(kind);
  if (!(material.magnetisation > 0)) value.fail("its material has no `magnetisation`; expected one above 0");
  return material.magnetisation * value.direction();
}

Elasticity elasticity_for(Table& body, const Material& material, const GivenStiffness& stiffness) {
  if (!material.young && !stiffness.is_complete())
    body.find("material")->fail("its material has no `young`; expected one, or all four of `stiffness`");
  // Any values will do where `stiffness` replaces what they give.
  return {material.young.value_or(1), material.shear.value_or(0.5)};
}

double density_for(Table& body, const Material& material, bool has_node_mass) {
  if (!material.density && !has_node_mass)
    body.find("material")
        ->fail(fmt::format("its material has no `density`; expected one{}",
                           body.has("node_mass") ? ", or a `node_mass`" : ""));
  return material.density.value_or(0);
}

GivenStiffness read_bonded(Table& body, const std::string& sort, const Material& material, bool has_node_mass,
                           Draft& draft, BondedSpec& spec) {
  const GivenStiffness stiffness = read_stiffness(body, spec.model);
  spec.material = elasticity_for(body, material, stiffness);
  spec.density = density_for(body, material, has_node_mass);
  spec.adjust = adjusting(stiffness);
  spec.damping = damping_of_bonds(draft);
  spec.paper_rate = has_paper_rate(sort + " " + spec.name, spec.model, draft);
  spec.fracture = read_fracture(body);
  if (const auto velocity = body.find("velocity")) spec.velocity = velocity->vector(dim::velocity);
  if (const auto spin = body.find("angular_velocity")) spec.spin = spin->angular_rates();
  spec.random = read_random_motion(body, draft);
  spec.magnetisation = read_constant_magnetisation(body, material, spec.name, draft);
  spec.soft = material.soft;
  spec.contact_radius = body.number("contact_radius", dim::length, range::positive, 0);
  spec.contact = surface_of(&material, draft);
  return stiffness;
}

}  // namespace ls
