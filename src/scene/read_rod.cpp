#include "scene/reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

// [[rod]]: from the table to a RodSpec, and on to the builder.
namespace ls {

namespace {

// Stiffnesses of the bonds instead of those that section and material give.
struct Stiffness {
  std::optional<double> stretch, shear, bend, twist;  // N/m, N/m, N m, N m
  std::optional<double> b1, b2, b3, b4;               // N/m, N m, N m, N m: constants of the vector bond

  bool is_complete() const { return b1 || (stretch && shear && bend && twist); }

  // The constants stand for stiffnesses by eqs. 19 of the V-model paper.
  void apply(ElasticBond& b) const {
    if (b1) {
      b.kr = *b1;
      b.ks1 = b.ks2 = 2 * *b3 / (b.l * b.l);
      b.kb1 = b.kb2 = *b2 + 0.5 * *b3;
      b.kt = *b4;
    }
    if (stretch) b.kr = *stretch;
    if (shear) b.ks1 = b.ks2 = *shear;
    if (bend) b.kb1 = b.kb2 = *bend;
    if (twist) b.kt = *twist;
  }
};

Stiffness read_stiffness(Table& rod, const std::string& model) {
  Stiffness s;
  auto table = rod.table("stiffness");
  if (!table) return s;
  const auto get = [&](const char* key, const Dimension& d) {
    return table->maybe_number(key, d, range::not_negative);
  };
  s.stretch = get("stretch", dim::stiffness);
  s.shear = get("shear", dim::stiffness);
  s.bend = get("bend", dim::torque);
  s.twist = get("twist", dim::torque);
  const bool modes = s.stretch || s.shear || s.bend || s.twist;
  if (table->has("b1") || table->has("b2") || table->has("b3") || table->has("b4")) {
    if (modes) table->fail("found stiffnesses of modes and constants b1 to b4, expected one or the other");
    if (model != "vector")
      table->fail(fmt::format("b1 to b4 belong to model = \"vector\", this rod has \"{}\"", model));
    s.b1 = table->number("b1", dim::stiffness, range::not_negative);
    s.b2 = table->number("b2", dim::torque, range::any);
    s.b3 = table->number("b3", dim::torque, range::not_negative);
    s.b4 = table->number("b4", dim::torque, range::not_negative);
    if (*s.b2 + 0.5 * *s.b3 < 0) table->fail("b2 + b3/2 is the bending stiffness; expected 0 or more");
  } else if (!modes) {
    table->one_of({"stretch", "shear", "bend", "twist", "b1"});
  }
  table->finish();
  return s;
}

// What the rod needs of its material; a part that the rod itself gives may be missing there.
void set_material(Table& rod, const Material& material, const Stiffness& stiffness, RodSpec& spec) {
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

void read_fracture(Table& rod, RodSpec& spec) {
  auto table = rod.table("fracture");
  if (!table) return;
  spec.fracture.stretch = table->number("stretch", dim::force, range::positive, 0);
  spec.fracture.shear = table->number("shear", dim::force, range::positive, 0);
  spec.fracture.bend = table->number("bend", dim::torque, range::positive, 0);
  spec.fracture.twist = table->number("twist", dim::torque, range::positive, 0);
  if (!spec.fracture.any()) table->one_of({"stretch", "shear", "bend", "twist"});
  table->finish();
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

void set_bonds(const Stiffness& stiffness, const Draft& draft, RodSpec& spec) {
  spec.adjust = [stiffness](ElasticBond& b) {
    stiffness.apply(b);
    for (const double k : {b.kr, b.ks1, b.ks2, b.kb1, b.kb2, b.kt})
      if (!std::isfinite(k)) throw Error("a bond of this length has a stiffness that is no finite number");
  };
  const Modes<BondViscosity> d = draft.bond_damping;
  if (d.stretch.value == 0 && d.shear.value == 0 && d.bend.value == 0 && d.twist.value == 0) return;
  spec.damping = [d](const ElasticBond& b) {
    return BondDamping::Params<double>{d.stretch.coefficient(b.kr),
                                       d.shear.coefficient(b.ks1),
                                       d.shear.coefficient(b.ks2),
                                       d.bend.coefficient(b.kb1),
                                       d.bend.coefficient(b.kb2),
                                       d.twist.coefficient(b.kt),
                                       b.l};
  };
  if (!draft.paper_rate) return;
  if (spec.model != "corotational")
    fail(*draft.paper_rate, fmt::format("found \"paper\", but rod {} has model = \"{}\"; expected \"analytic\", or "
                                        "\"corotational\" as the model of every rod",
                                        spec.name, spec.model));
  spec.paper_rate = true;
}

void add_to_builder(const Table& rod, const RodSpec& spec, Draft& draft) {
  long long bonds = static_cast<long long>(spec.line.frames.size()) - 1;
  for (const Body& b : draft.builder.bodies()) bonds += static_cast<long long>(b.nodes.size()) - 1;
  if (bonds > most_bonds)
    rod.fail(fmt::format("with this rod there are {} bonds, expected at most {}", bonds, most_bonds));
  try {
    draft.builder.add(spec);
  } catch (const Error& e) {
    // The builder says which rod; where it stands in the file says as much.
    const std::string said = e.what(), which = fmt::format("rod {}: ", spec.name);
    rod.fail(said.starts_with(which) ? said.substr(which.size()) : said);
  }
}

}  // namespace

void read_rod(Table& rod, Draft& draft) {
  RodSpec spec;
  spec.name = read_body_name(rod, "rod", draft);
  const Material& material = read_material_of(rod, draft);
  const double poisson = material.young ? *material.young / (2 * *material.shear) - 1 : 0;
  const SectionReading section = read_section(rod, poisson, draft);
  spec.section = section.section;
  spec.line = read_centre_line(rod, section);
  check_section(section, spec.line);
  read_model(rod, spec);
  read_lumping(rod, section, spec);
  const Stiffness stiffness = read_stiffness(rod, spec.model);
  set_material(rod, material, stiffness, spec);
  spec.surface = surface_of(&material, draft);
  set_bonds(stiffness, draft, spec);
  read_fracture(rod, spec);
  read_ends(rod, spec, draft);
  read_rest(rod, spec);
  read_motion(rod, static_cast<int>(draft.builder.bodies().size()), spec, draft);
  read_magnetisation(rod, material, spec, draft);
  rod.finish();
  add_to_builder(rod, spec, draft);
}

}  // namespace ls
