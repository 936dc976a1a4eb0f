#include "scene/read/reader.h"

#include <fmt/format.h>

// [material.NAME]
namespace ls {

namespace {

constexpr Range poisson_range{-1, 0.5, true, false, "a value above -1 and up to 0.5"};

// Rounded figures of an incompressible rubber (1.3 MPa, 433 kPa) give a little more than 1/2.
constexpr double largest_poisson = 0.52;

// A thousandth of a pascal where a million was meant: no solid is as soft. Who means it can write it in Pa.
void check_not_milli(Table& table, const char* key, const std::optional<double>& modulus) {
  if (!modulus || *modulus > 10) return;
  const Value value = *table.find(key);
  if (value.is_text() && value.toml().text()->find("mPa") != std::string::npos)
    value.fail(fmt::format("found {}, which is {:.3g} Pa and softer than any solid; did you mean MPa?", value.shown(),
                           *modulus));
}

void read_elasticity(Table& table, Material& m) {
  m.young = table.maybe_number("young", dim::pressure, range::positive);
  const auto poisson = table.maybe_number("poisson", dim::number, poisson_range);
  const auto shear = table.maybe_number("shear", dim::pressure, range::positive);
  check_not_milli(table, "young", m.young);
  check_not_milli(table, "shear", shear);
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
    const double susceptibility =
        table.number("susceptibility", dim::number, {-1, range::huge, false, false, "-1 or more"}, 0);
    m.friction = table.number("friction", dim::number, range::not_negative, 0);
    m.restitution = table.number("restitution", dim::number, {0, 1, false, false, "a value from 0 to 1"}, 1);
    if (susceptibility != 0)
      draft.plan.warnings.push_back(fmt::format(
          "material.{}.susceptibility has no effect: induced moments are not available in this version", name));
    table.finish();
    draft.materials[name] = m;
  }
}

}  // namespace ls
