#include "scene/read/reader.h"

#include <fmt/format.h>

// [material.NAME]
namespace ls {

namespace {

constexpr Range poisson_range{-1, 0.5, true, false, "a value above -1 and up to 0.5"};

// Rounded figures of an incompressible rubber (1.3 MPa, 433 kPa) give a little more than 1/2.
constexpr double largest_poisson = 0.52;

void read_elasticity(Table& table, Material& m) {
  m.young = table.maybe_number("young", dim::pressure, range::positive);
  const auto poisson = table.maybe_number("poisson", dim::number, poisson_range);
  const auto shear = table.maybe_number("shear", dim::pressure, range::positive);
  if (poisson && shear) table.find("shear")->fail("found both `poisson` and `shear`, expected one of them");
  if (!m.young) {
    if (poisson || shear) table.need("young", "a pressure (Pa), for example \"1.2 MPa\"");
    return;
  }
  if (!poisson && !shear) table.one_of({"poisson", "shear"});
  m.shear = shear ? *shear : *m.young / (2 * (1 + *poisson));
  const double implied = *m.young / (2 * *m.shear) - 1;
  if (implied > largest_poisson) {
    const double least = *m.young / (2 * 1.5);
    table.find("shear")->fail_expected(
        fmt::format("at least a third of `young` ({}): Poisson's ratio would be {:.3g}, above 0.5",
                    describe(Quantity{least, dim::pressure}), implied));
  }
}

}  // namespace

void read_materials(std::optional<Table> materials, Draft& draft) {
  if (!materials) return;
  for (const auto& [name, value] : materials->entries()) {
    Table table(value, "material.NAME");
    Material m;
    read_elasticity(table, m);
    m.density = table.maybe_number("density", dim::density, range::positive);
    m.magnetisation = table.number("magnetisation", dim::magnetisation, range::not_negative, 0);
    m.susceptibility = table.number("susceptibility", dim::number, {-1, range::huge, false, false, "-1 or more"}, 0);
    m.friction = table.number("friction", dim::number, range::not_negative, 0);
    m.restitution = table.number("restitution", dim::number, {0, 1, false, false, "a value from 0 to 1"}, 1);
    table.finish();
    draft.materials[name] = m;
  }
}

}  // namespace ls
