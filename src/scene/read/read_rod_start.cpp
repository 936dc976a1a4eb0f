#include "scene/read/reader.h"

#include <algorithm>
#include <fmt/format.h>

// What a rod brings along: its first motion and its magnetisation.
namespace ls {

namespace {

using V = Vec3<double>;

std::array<Expression, 3> read_along(const Value& value, const Dimension& dimension, const Draft& draft) {
  for (const Value& item : value.three(fmt::format("[x, y, z], each {}", dimension.name())))
    graded(item, dimension, draft);
  return value.expressions(draft.graded, dimension);
}

}  // namespace

void read_motion(Table& rod, int body, RodSpec& spec, Draft& draft) {
  FirstMotion motion;
  motion.body = body;
  const auto velocity = rod.find("velocity"), spin = rod.find("angular_velocity");
  if (velocity) motion.velocity = read_along(*velocity, dim::velocity, draft);
  if (spin) motion.spin = read_along(*spin, dim::rate, draft);
  if (spin)
    for (const Value& item : spin->three("[x, y, z]")) (void)item.angular(draft.graded, dim::rate);
  if (velocity || spin) draft.first_motions.push_back(motion);
  spec.random = read_random_motion(rod, draft);
}

void read_magnetisation(Table& rod, const Material& material, RodSpec& spec, Draft& draft) {
  const std::string kind = rod.one_of({"magnetisation_direction", "magnetisation"}, false);
  spec.magnetised_as_drawn = true;
  const auto sampling = rod.find("sampling");
  if (sampling) spec.sampling = sampling->number(dim::length, range::positive);
  if (kind.empty()) {
    if (sampling) sampling->fail("found a rod that is no magnet, so that it has no dipoles to place");
    if (material.magnetisation > 0)
      draft.plan.warnings.push_back(
          fmt::format("rod `{}` is no magnet though its material is magnetised: it has no "
                      "`magnetisation_direction`",
                      spec.name));
    return;
  }
  if (kind == "magnetisation_direction") {
    const Value value = *rod.find(kind);
    if (!(material.magnetisation > 0)) value.fail("its material has no `magnetisation`; expected one above 0");
    const V m = material.magnetisation * value.direction();
    spec.magnetisation = [m](double) { return m; };
  } else {
    const auto [x, y, z] = rod.find(kind)->three("[Mx, My, Mz], each a magnetisation (A/m)");
    const auto mx = graded(x, dim::magnetisation, draft), my = graded(y, dim::magnetisation, draft),
               mz = graded(z, dim::magnetisation, draft);
    spec.magnetisation = [=](double u) { return V{mx(u), my(u), mz(u)}; };
    for (const Value& component : {x, y, z})
      if (!component.expression(draft.graded).is_constant()) spec.is_uniform = false;
  }
}

}  // namespace ls
