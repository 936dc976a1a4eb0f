#include "math/component.h"
#include "scene/read/reader.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

// [fluid]
namespace ls {

namespace {

constexpr const char* axes[3] = {"x", "y", "z"};
constexpr double most_cells_along = 1e6;

// Kinematic, or dynamic over density: its unit says which.
double read_viscosity(Table& fluid, double density) {
  const Value value = fluid.need("viscosity", "a kinematic viscosity, for example \"1 mm^2/s\", or \"1 mPa s\"");
  if (value.expression(value.context().constants).dimension() == dim::viscosity)
    return value.number(dim::viscosity, range::positive) / density;
  return value.number(dim::kinematic_viscosity, range::positive);
}

int whole_cells(const Value& value, double spacing) {
  const double size = value.number(dim::length, range::positive), cells = size / spacing, nearest = std::round(cells);
  if (!(cells <= most_cells_along))
    value.fail(fmt::format("found {}, which is {:.3g} spacings: too many", value.shown(), cells));
  if (nearest < 1 || std::abs(cells - nearest) > 1e-6 * nearest)
    value.fail(
        fmt::format("found {}, which is {:.6g} spacings of {:.6g} m; expected a whole number of them, such as {:.9g} m",
                    value.shown(), cells, spacing, std::max(1.0, nearest) * spacing));
  return static_cast<int>(nearest);
}

FaceKind read_face(const Value& value, FacePlan& face, const Draft& draft) {
  if (!value.is_table()) {
    const std::string word = value.choice({"periodic", "no-slip", "free-slip"});
    return word == "periodic" ? FaceKind::periodic : word == "no-slip" ? FaceKind::wall : FaceKind::free_slip;
  }
  Table table(value, "fluid.faces.AXIS");
  const std::string kind = table.one_of({"velocity", "pressure"});
  if (kind == "velocity") face.velocity = table.find("velocity")->expressions(draft.schedule, dim::velocity);
  if (kind == "pressure") face.pressure = table.find("pressure")->expression(draft.schedule, dim::pressure);
  table.finish();
  return kind == "velocity" ? FaceKind::wall : FaceKind::pressure;
}

void read_faces(Table& fluid, FluidSettings& settings, Draft& draft) {
  for (auto& pair : settings.faces) pair = {FaceKind::periodic, FaceKind::periodic};
  auto table = fluid.table("faces");
  if (!table) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto value = table->find(axes[axis]);
    if (!value) continue;
    const auto sides = value->list_or_one();
    if (value->is_list() && sides.size() != 2) value->fail_expected("two faces: [low, high]");
    auto& both = settings.faces[axis];
    for (std::size_t side = 0; side < 2; ++side)
      both[side] = read_face(sides[std::min(side, sides.size() - 1)], draft.plan.fluid.faces[axis][side], draft);
    if ((both[0] == FaceKind::periodic) != (both[1] == FaceKind::periodic))
      value->fail("a periodic face needs another one opposite: expected both or neither");
    if (both[0] != FaceKind::periodic && settings.cells[axis] < 2)
      value->fail(
          fmt::format("there is only one cell between these two faces, expected at least two: take a smaller "
                      "`spacing`, or a larger `size` along {}",
                      axes[axis]));
  }
  table->finish();
}

// Corners of a region of the box: the whole of it where none is given.
void read_region(Table& tracers, const FluidSettings& settings, TracerPlan& plan) {
  const Vec3<double> n{static_cast<double>(settings.cells[0]), static_cast<double>(settings.cells[1]),
                       static_cast<double>(settings.cells[2])};
  plan.low = settings.origin;
  plan.high = settings.origin + settings.spacing * n;
  const auto region = tracers.find("region");
  if (!region) return;
  const auto corners = region->list("two corners: [[x, y, z], [x, y, z]]");
  if (corners.size() != 2) region->fail_expected("two corners: [[x, y, z], [x, y, z]]");
  Vec3<double> low = corners[0].vector(dim::length), high = corners[1].vector(dim::length);
  for (int axis = 0; axis < 3; ++axis) {
    const double slack = 1e-9 * (component(plan.high, axis) - component(plan.low, axis));
    if (component(low, axis) > component(high, axis))
      region->fail(fmt::format("the second corner is lower along {} than the first", axes[axis]));
    if (component(low, axis) < component(plan.low, axis) - slack ||
        component(high, axis) > component(plan.high, axis) + slack)
      region->fail(fmt::format("the region reaches out of the box along {}", axes[axis]));
  }
  plan.low = low;
  plan.high = high;
}

void read_tracers(Table& fluid, const FluidSettings& settings, Draft& draft) {
  auto tracers = fluid.table("tracers");
  if (!tracers) return;
  TracerPlan& plan = draft.plan.fluid.tracers;
  plan.count = static_cast<int>(tracers->need("count", "how many").integer(1, 100'000'000));
  plan.seed = static_cast<std::uint64_t>(tracers->integer("seed", 0, std::numeric_limits<long long>::max(), 1));
  plan.cycle = tracers->number("cycle", dim::time, range::positive, 0);
  read_region(*tracers, settings, plan);
  tracers->finish();
}

FluidSettings read_settings(Table& fluid, Draft& draft) {
  FluidSettings s;
  s.spacing = fluid.number("spacing", dim::length, range::positive);
  const auto size = fluid.need("size", "three lengths, for example [\"10 mm\", \"5 mm\", \"5 mm\"]")
                        .three("three lengths, for example [\"10 mm\", \"5 mm\", \"5 mm\"]");
  for (std::size_t axis = 0; axis < 3; ++axis) s.cells[axis] = whole_cells(size[axis], s.spacing);
  if (const auto origin = fluid.find("origin")) s.origin = origin->vector(dim::length);
  s.density = fluid.number("density", dim::density, range::positive);
  s.viscosity = read_viscosity(fluid, s.density);
  read_faces(fluid, s, draft);
  s.trt = fluid.choice("collision", {"trt", "bgk"}) == "trt";
  s.is_double = fluid.choice("precision", {"single", "double"}) == "double";
  s.kernel = fluid.choice("kernel", {"roma", "peskin"}) == "roma" ? DeltaKernel::roma : DeltaKernel::peskin;
  const std::string coupling = fluid.choice("coupling", {"friction", "direct", "penalty"});
  s.coupling = coupling == "friction" ? Coupling::friction
               : coupling == "direct" ? Coupling::direct
                                      : Coupling::penalty;
  s.spin = fluid.boolean("spin", false);
  return s;
}

}  // namespace

void read_fluid(std::optional<Table> fluid, Draft& draft) {
  if (!fluid) return;
  Plan& plan = draft.plan;
  for (std::size_t k = 0; k < plan.stages.size(); ++k)
    if (plan.kind(static_cast<int>(k)) == SolverKind::statics)
      fluid->fail(
          fmt::format("a fluid flows in time, and stage {} has none: expected kind = \"explicit\" or "
                      "\"implicit\", not \"static\"",
                      plan.stages[k].name));
  if (plan.thermal.temperature > 0) fluid->fail("the fluid has no heat of its own: expected no [thermal] beside it");
  FluidSettings settings = read_settings(*fluid, draft);
  if (const auto force = fluid->find("body_force"))
    plan.fluid.body_force = force->expressions(draft.schedule, dim::force_per_volume);
  plan.fluid.speed = fluid->number("speed", dim::velocity, range::positive, 0);
  const double dt = read_step(*fluid);
  read_tracers(*fluid, settings, draft);
  fluid->finish();
  settle_fluid(*fluid, settings, dt, draft);
}

}  // namespace ls
