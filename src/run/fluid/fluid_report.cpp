#include "run/fluid/fluid_report.h"

#include "fluid/immersed/marker_layout.h"
#include "run/fluid/fluid_stepper.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ls {

namespace {

struct MarkerCount {
  std::size_t all = 0;
  int near_faces = 0;
};
MarkerCount count_markers(const Plan& plan) {
  const std::vector<Marker>& markers = plan.model.markers.markers;
  return {markers.size(), markers_near_faces(markers, plan.start.nodes, *plan.fluid.box)};
}

}  // namespace

std::string describe_fluid(const Plan& plan) {
  const FluidSettings& s = plan.fluid.box->settings();
  const FluidNumbers n = fluid_numbers(*plan.fluid.box, plan.fluid.speed);
  std::string text = fmt::format("{} x {} x {} cells, tau {:.4g}", s.cells[0], s.cells[1], s.cells[2], n.tau);
  if (plan.fluid.speed > 0)
    text += fmt::format(", Mach {:.3g} and cell Reynolds number {:.3g} at {:.3g} m/s", n.mach, n.cell_reynolds,
                        plan.fluid.speed);
  else
    text += ", Mach number not known: no `speed` is given";
  return text + fmt::format(", {:.3g} MB", static_cast<double>(n.bytes) * 1e-6);
}

std::string describe_markers(const Plan& plan) {
  const MarkerCount count = count_markers(plan);
  if (count.all == 0) return {};
  std::string text = fmt::format("{}", count.all);
  if (count.near_faces > 0)
    text += fmt::format(", {} of them so near a face that mirror images beyond it are used", count.near_faces);
  return text;
}

std::string warn_of_solid_steps(const Plan& plan, double dt) {
  constexpr double many = 2000;  // a small rod of some ten nodes takes some milliseconds for them
  if (!plan.fluid || !plan.uses(SolverKind::explicit_dynamics)) return {};
  const SolidSteps steps = solid_steps(plan, dt);
  return steps.count > many ? steps.why : std::string();
}

nlohmann::json fluid_json(const Plan& plan) {
  const FluidSettings& s = plan.fluid.box->settings();
  const FluidNumbers n = fluid_numbers(*plan.fluid.box, plan.fluid.speed);
  const MarkerCount count = count_markers(plan);
  return {{"cells", n.cells},
          {"size", {s.cells[0], s.cells[1], s.cells[2]}},
          {"dt", s.dt},
          {"tau", n.tau},
          {"mach", n.mach},
          {"cell_reynolds", n.cell_reynolds},
          {"bytes", n.bytes},
          {"markers", count.all},
          {"markers_near_faces", count.near_faces}};
}

}  // namespace ls
