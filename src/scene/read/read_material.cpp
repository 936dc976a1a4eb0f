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

// A number, or one along each axis of the body. The energy of what is weaker than a vacuum has no minimum but a saddle,
// so that one body is either wholly so or not at all.
Vec3<double> read_susceptibility(const Value& value) {
  constexpr Range above{-1, range::huge, true, false, "a value above -1, where no field enters any more"};
  if (!value.is_list()) {
    const double chi = value.number(dim::number, above);
    return {chi, chi, chi};
  }
  Vec3<double> chi;
  const auto parts = value.three("a number, or [x, y, z] along the axes of the body");
  chi = {parts[0].number(dim::number, above), parts[1].number(dim::number, above), parts[2].number(dim::number, above)};
  if (!(chi.x * chi.y > 0 && chi.x * chi.z > 0)) value.fail_expected("three numbers that are all above 0 or all below");
  return chi;
}

// `susceptibility`, and with it `saturation` and `curve`.
SoftMatter read_soft(Table& table) {
  SoftMatter soft;
  const auto susceptibility = table.find("susceptibility");
  if (susceptibility) soft.susceptibility = read_susceptibility(*susceptibility);
  const auto saturation = table.find("saturation"), curve = table.find("curve");
  if (saturation) {
    soft.saturation = saturation->number(dim::magnetisation, range::positive);
    if (!(soft.susceptibility.x > 0))
      saturation->fail("found a `saturation` without a `susceptibility` above 0: expected both");
    const Vec3<double>& chi = soft.susceptibility;
    if (chi.x != chi.y || chi.x != chi.z)
      saturation->fail("found a `saturation` beside three numbers as `susceptibility`: expected one number");
    soft.curve = SoftCurve::froehlich;
  }
  if (curve) {
    const bool is_langevin = curve->choice({"froehlich", "langevin"}) == "langevin";
    if (!saturation) curve->fail("found a `curve` without a `saturation`: expected both");
    if (is_langevin) soft.curve = SoftCurve::langevin;
  }
  return soft;
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
    m.soft = read_soft(table);
    m.friction = table.number("friction", dim::number, range::not_negative, 0);
    m.restitution = table.number("restitution", dim::number, {0, 1, false, false, "a value from 0 to 1"}, 1);
    table.finish();
    draft.materials[name] = m;
  }
}

}  // namespace ls
