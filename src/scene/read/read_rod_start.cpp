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

// Which way the rod's own axes point at u, by its nearest node: the builder asks at nodes only.
Quat<double> axes_at(const CentreLine& line, double u) {
  const double s = u * line.arc.back();
  auto right = std::ranges::lower_bound(line.arc, s);
  if (right == line.arc.end() || (right != line.arc.begin() && s - *(right - 1) < *right - s)) --right;
  return line.frames[right - line.arc.begin()].q;
}

}  // namespace

void read_motion(Table& rod, int body, RodSpec& spec, Draft& draft) {
  FirstMotion motion;
  motion.body = body;
  const auto velocity = rod.find("velocity"), spin = rod.find("angular_velocity");
  if (velocity) motion.velocity = read_along(*velocity, dim::velocity, draft);
  if (spin) motion.spin = read_along(*spin, dim::rate, draft);
  if (velocity || spin) draft.first_motions.push_back(motion);
  spec.random = read_random_motion(rod, draft);
}

void read_magnetisation(Table& rod, const Material& material, RodSpec& spec, Draft& draft) {
  const std::string kind = rod.one_of({"magnetisation_direction", "magnetisation"}, false);
  std::function<V(double)> world;  // as drawn, A/m
  if (kind.empty()) {
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
    world = [m](double) { return m; };
  } else {
    const auto [x, y, z] = rod.find(kind)->three("[Mx, My, Mz], each a magnetisation (A/m)");
    const auto mx = graded(x, dim::magnetisation, draft), my = graded(y, dim::magnetisation, draft),
               mz = graded(z, dim::magnetisation, draft);
    world = [=](double u) { return V{mx(u), my(u), mz(u)}; };
  }
  spec.magnetisation = [world, line = spec.line](double u) { return rotate(conj(axes_at(line, u)), world(u)); };
}

}  // namespace ls
