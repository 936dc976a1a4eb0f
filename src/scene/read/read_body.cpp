#include "base/byte_hash.h"
#include "base/nearest.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

// What all sorts of bodies have in common: a name, a material, a surface; files that they are drawn in.
namespace ls {

namespace {

std::string name_of_all(const std::string& full) {
  return full.substr(0, full.find('['));  // "ball[3]" is one of `ball`
}

// "wall2": the second table of its sort. Those of a `grid` are one.
std::string usual_name(const std::string& sort, const std::vector<Body>& bodies) {
  static const std::map<std::string, BodyKind> kinds{{"rod", BodyKind::rod},
                                                     {"shell", BodyKind::shell},
                                                     {"network", BodyKind::network},
                                                     {"rigid", BodyKind::rigid},
                                                     {"wall", BodyKind::wall}};
  std::set<std::string> names;
  for (const Body& b : bodies)
    if (b.kind == kinds.at(sort)) names.insert(name_of_all(b.name));
  return fmt::format("{}{}", sort, names.size() + 1);
}

}  // namespace

void Draft::note_file(const std::string& name, const std::string& path) {
  plan.files.push_back({name, file_hash(path).value_or(0)});
}

std::string read_body_name(Table& body, const std::string& sort, const Draft& draft) {
  const auto value = body.find("name");
  std::string name = value ? value->name() : usual_name(sort, draft.builder.bodies());
  const auto of = name_of_all;
  const auto other = std::ranges::find_if(draft.builder.bodies(), [&](const Body& b) { return of(b.name) == name; });
  if (other != draft.builder.bodies().end()) {
    const bool both_rods = sort == "rod" && other->kind == BodyKind::rod;
    body.fail(fmt::format("there are two {} `{}`; expected names of their own", both_rods ? "rods" : "bodies", name));
  }
  if (name == "system" || name == "fluid" || name == "field")
    value->fail(fmt::format("found \"{}\", which is not a {}'s to take", name, sort));
  return name;
}

BodyGrid read_grid(Table& grid) {
  constexpr long long most = 1'000'000;
  BodyGrid g;
  const Value n = grid.need("n", "[nx, ny, nz], numbers of bodies");
  const auto three = n.three("[nx, ny, nz], numbers of bodies");
  for (std::size_t k = 0; k < 3; ++k) g.n[k] = three[k].integer(1, most);
  if (g.n[0] * g.n[1] > most || g.n[0] * g.n[1] * g.n[2] > most) n.fail(fmt::format("found more than {} bodies", most));
  const Value spacing = grid.need("spacing", "[x, y, z], from one body to the next");
  g.spacing = spacing.vector(dim::length);
  const double apart[3] = {g.spacing.x, g.spacing.y, g.spacing.z};
  for (std::size_t k = 0; k < 3; ++k)
    if (g.n[k] > 1 && apart[k] == 0)
      spacing.fail("bodies would lie in the same place; expected a length where there are several");
  return g;
}

const Material& read_material_of(Table& body, Draft& draft) {
  const Value value = body.need("material", "the name of a [material.NAME]");
  const std::string name = value.text("the name of a [material.NAME]");
  const auto found = draft.materials.find(name);
  if (found == draft.materials.end()) {
    std::vector<std::string> names;
    for (const auto& [key, m] : draft.materials) names.push_back(key);
    value.fail(fmt::format("there is no [material.{}]{}", name, did_you_mean(name, names)));
  }
  draft.used_materials.insert(name);
  return found->second;
}

// Of two bodies that touch the smaller friction holds: a body that says nothing of it leaves it to the other.
Surface surface_of(const Material* material, const Draft& draft) {
  Surface s;
  s.friction = std::numeric_limits<double>::infinity();
  if (material) {
    s.friction = material->friction;
    s.restitution = material->restitution;
    if (material->young) {
      s.young = *material->young;
      s.poisson = std::min(0.5, *material->young / (2 * *material->shear) - 1);
    }
  }
  s.friction = draft.contact.friction.value_or(s.friction);
  s.restitution = draft.contact.restitution.value_or(s.restitution);
  return s;
}

}  // namespace ls
