#include "model/bond_models.h"
#include "scene/read/reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

// [[rod]]: from the table to a RodSpec, and on to the builder.
namespace ls {

namespace {

// What the rod needs of its material; a part that the rod itself gives may be missing there.
void set_material(Table& rod, const Material& material, const GivenStiffness& stiffness, RodSpec& spec) {
  if (!material.young && !stiffness.is_complete())
    rod.find("material")->fail("its material has no `young`; expected one, or all four of `stiffness`");
  if (!material.density && spec.node_mass == 0)
    rod.find("material")->fail("its material has no `density`; expected one, or a `node_mass`");
  // Any values will do where `stiffness` replaces what they give.
  const Elasticity e{material.young.value_or(1), material.shear.value_or(0.5)};
  spec.material = [e](double) { return e; };
  spec.density = [rho = material.density.value_or(0)](double) { return rho; };
  if (spec.calibration == Calibration::short_cylinder && e.poisson() > 0.4999)
    rod.find("calibration")->fail("\"short-cylinder\" needs a Poisson's ratio below 0.5: it divides by 1 - 2 nu");
}

void read_model(Table& rod, RodSpec& spec) {
  spec.model = rod.choice("model", bond_models());
  const std::string calibration = rod.choice("calibration", {"bernoulli-euler", "timoshenko", "short-cylinder"});
  spec.calibration = calibration == "timoshenko"       ? Calibration::timoshenko
                     : calibration == "short-cylinder" ? Calibration::short_cylinder
                                                       : Calibration::bernoulli_euler;
}

void read_lumping(Table& rod, const SectionReading& section, RodSpec& spec) {
  spec.weights = rod.choice("weights", {"trapezoidal", "full"}) == "full" ? Weights::full : Weights::trapezoidal;
  const std::string inertia = rod.choice("inertia", {"section", "segment", "sphere"});
  spec.inertia = inertia == "sphere"    ? NodeInertia::sphere
                 : inertia == "segment" ? NodeInertia::segment
                                        : NodeInertia::section;
  const auto diameter = rod.maybe_number("sphere_diameter", dim::length, range::positive);
  if (spec.inertia == NodeInertia::sphere) {
    if (!diameter && !section.diameter) rod.need("sphere_diameter", "a length (m), for example \"3 mm\"");
    spec.sphere_diameter = diameter ? *diameter : *section.diameter;
  } else if (diameter) {
    rod.find("sphere_diameter")->fail("it belongs to inertia = \"sphere\"");
  }
  spec.node_mass = rod.number("node_mass", dim::mass, range::positive, 0);
  spec.contact_radius = rod.number("contact_radius", dim::length, range::positive, 0);
}

void read_ends(Table& rod, RodSpec& spec, Draft& draft) {
  for (const char* kind : {"clamp", "pin"}) {
    const auto value = rod.find(kind);
    if (!value) continue;
    const std::uint8_t mask = kind[0] == 'c' ? hold_all : hold_position;
    for (const Value& item : value->list_or_one()) {
      std::uint8_t& held = item.choice({"start", "end"}) == "start" ? spec.hold_start : spec.hold_end;
      if (held) item.fail(fmt::format("found {} a second time", item.shown()));
      held = mask;
    }
  }
  const auto shared = [&](const char* key) {
    const auto value = rod.find(key);
    if (!value) return -1;
    const int node = read_node(*value, draft.builder.bodies(), "earlier rod").node;
    draft.shared_nodes.insert(node);
    return node;
  };
  spec.start_node = shared("start");
  spec.end_node = shared("end");
}

void read_rest(Table& rod, RodSpec& spec) {
  rod.one_of({"rest", "rest_curvature"}, false);
  rod.choice("rest", {"as drawn"});
  const auto curvature = rod.find("rest_curvature");
  if (!curvature) return;
  if (!rod.has("line")) curvature->fail("it is for a rod that is drawn straight, as a `line`");
  spec.rest_curvature = curvature->vector(dim::curvature);
  const double angle = norm(*spec.rest_curvature) * spec.line.arc.back();
  const auto bonds = static_cast<double>(spec.line.frames.size() - 1);
  if (angle < std::numbers::pi * bonds) return;
  curvature->fail(
      fmt::format("found a rest shape that turns by {:.4g} deg from one node to the next, and a bond can't tell half a "
                  "turn or more "
                  "from less the other way; expected at least {:.0f} `bonds`, or less curvature",
                  180 / std::numbers::pi * angle / bonds, std::floor(angle / std::numbers::pi) + 1));
}

// Bonds are chords: where they turn by more than about a radian each, the rod is not the one that was drawn.
void warn_if_coarse(const RodSpec& spec, Draft& draft) {
  if (spec.name.ends_with(']') && !spec.name.ends_with("[0]")) return;  // once for all rods of a grid
  double chords = 0;
  const auto& frames = spec.line.frames;
  for (std::size_t i = 1; i < frames.size(); ++i) chords += norm(frames[i].x - frames[i - 1].x);
  const double lost = 1 - chords / spec.line.arc.back();
  if (lost > 0.05)
    draft.plan.warnings.push_back(
        fmt::format("rod `{}` has bonds that are {:.0f} % shorter than the line they stand for: give it more",
                    spec.name, 100 * lost));
}

// Sizes that change along the rod must make sense wherever it asks for them: at its nodes and half-way between.
void check_section(const SectionReading& section, const CentreLine& line) {
  const std::size_t n = section.is_graded ? line.arc.size() : 1;
  for (std::size_t i = 0; i < 2 * n - 1; ++i) {
    const double u = 0.5 * (line.arc[i / 2] + line.arc[(i + 1) / 2]) / line.arc.back();
    const Section s = section.section(u);
    if (!(s.radius > 0) || !std::isfinite(s.area) || !std::isfinite(s.i1) || !std::isfinite(s.i2))
      fail(section.place, fmt::format("found a size of {} at u = {:.4g}, expected a value above 0",
                                      describe(Quantity{2 * s.radius, dim::length}), u));
  }
}

void add_to_builder(const Table& rod, const RodSpec& spec, Draft& draft) {
  try {
    draft.builder.add(spec);
  } catch (const Error& e) {
    // The builder says which rod; where it stands in the file says as much.
    const std::string said = e.what(), which = fmt::format("rod {}: ", spec.name);
    rod.fail(said.starts_with(which) ? said.substr(which.size()) : said);
  }
}

// One rod of a table, moved by `shift` from where the table draws it.
void read_one(Table& rod, const std::string& name, const Vec3<double>& shift, Draft& draft) {
  RodSpec spec;
  spec.name = name;
  const Material& material = read_material_of(rod, draft);
  const double poisson = material.young ? *material.young / (2 * *material.shear) - 1 : 0;
  const SectionReading section = read_section(rod, poisson, draft);
  spec.section = section.section;
  spec.is_uniform = !section.is_graded;
  spec.line = read_centre_line(rod, section);
  for (auto& frame : spec.line.frames) frame.x += shift;
  check_section(section, spec.line);
  warn_if_coarse(spec, draft);
  read_model(rod, spec);
  read_lumping(rod, section, spec);
  const GivenStiffness stiffness = read_stiffness(rod, spec.model);
  set_material(rod, material, stiffness, spec);
  spec.surface = surface_of(&material, draft);
  spec.adjust = adjusting(stiffness);
  spec.damping = damping_of_bonds(draft);
  spec.paper_rate = has_paper_rate("rod " + spec.name, spec.model, draft);
  spec.fracture = read_fracture(rod);
  read_ends(rod, spec, draft);
  read_rest(rod, spec);
  read_motion(rod, static_cast<int>(draft.builder.bodies().size()), spec, draft);
  read_magnetisation(rod, material, spec, draft);
  spec.soft = material.soft;
  add_to_builder(rod, spec, draft);
}

// Of all rods of a table, before the first is made.
void check_rods_fit(Table& rod, long long copies, const Draft& draft) {
  const auto bonds = rod.find("bonds"), points = rod.find("points");
  if (!bonds && !(points && points->is_list())) return;  // what is missing is told elsewhere
  const long long each = bonds ? bonds->integer(1, most_bonds) : static_cast<long long>(points->toml().list()->size());
  double all = static_cast<double>(each) * static_cast<double>(copies);
  for (const Body& b : draft.builder.bodies()) all += static_cast<double>(b.nodes.size()) - 1;
  if (all > static_cast<double>(most_bonds))
    rod.fail(fmt::format("with this rod there are {:.0f} bonds, expected at most {}", all, most_bonds));
  check_room(bonds ? *bonds : *points, static_cast<double>(each * copies), static_cast<double>(each * copies), draft);
}

}  // namespace

// With a `grid`, the table is read once for each of its rods: expressions may use their numbers i, j and k.
void read_rod(Table& rod, Draft& draft) {
  const std::string name = read_body_name(rod, "rod", draft);
  if (!rod.has("grid")) {
    check_rods_fit(rod, 1, draft);
    read_one(rod, name, {}, draft);
    rod.finish();
    return;
  }
  Table table = *rod.table("grid");
  const BodyGrid grid = read_grid(table);
  table.finish();
  check_rods_fit(rod, grid.n[0] * grid.n[1] * grid.n[2], draft);
  for (const char* key : {"start", "end"})
    if (const auto shared = rod.find(key)) shared->fail("rods of a `grid` share no nodes with others");
  const NameScope alone = draft.graded;
  long long number = 0;
  for (long long i = 0; i < grid.n[0]; ++i)
    for (long long j = 0; j < grid.n[1]; ++j)
      for (long long k = 0; k < grid.n[2]; ++k, ++number) {
        const double at[3] = {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
        draft.graded = alone;
        for (std::size_t a = 0; a < 3; ++a)
          draft.graded.constant(std::string(1, "ijk"[a]), Quantity{at[a], dim::number});
        read_one(rod, fmt::format("{}[{}]", name, number),
                 {at[0] * grid.spacing.x, at[1] * grid.spacing.y, at[2] * grid.spacing.z}, draft);
      }
  draft.graded = alone;
  rod.finish();
}

}  // namespace ls
