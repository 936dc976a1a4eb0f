#include "language/quantity.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace ls {

namespace {

constexpr int largest_doubled = 100;

struct Known {
  Dimension dimension;
  const char* what;
  const char* symbol;
  const char* example;
};

// Where two things share a dimension the text names both.
constexpr Known known[] = {
    {dim::number, "a pure number", "", "0.3"},
    {dim::mass, "a mass", "kg", "2 g"},
    {dim::length, "a length", "m", "25 mm"},
    {dim::time, "a time", "s", "10 ms"},
    {dim::current, "a current", "A", "2 A"},
    {dim::temperature, "a temperature", "K", "300 K"},
    {dim::area, "an area", "m^2", "2 mm^2"},
    {dim::volume, "a volume", "m^3", "2 mm^3"},
    {dim::area_moment, "a second moment of area", "m^4", "2 mm^4"},
    {dim::curvature, "a curvature", "1/m", "20/m"},
    {dim::rate, "an angular rate", "1/s", "30 deg/s"},
    {dim::velocity, "a velocity", "m/s", "20 mm/s"},
    {dim::acceleration, "an acceleration", "m/s^2", "9.81 m/s^2"},
    {dim::angular_acceleration, "an angular acceleration", "1/s^2", "2 rad/s^2"},
    {dim::force, "a force", "N", "5 mN"},
    {dim::energy, "a torque or energy", "N m", "5 mN m"},
    {dim::power, "a power", "W", "5 mW"},
    {dim::momentum, "a momentum", "kg m/s", "2 kg m/s"},
    {dim::inertia, "a moment of inertia", "kg m^2", "2 g mm^2"},
    {dim::pressure, "a pressure", "Pa", "1.2 MPa"},
    {dim::density, "a density", "kg/m^3", "1.2 g/cm^3"},
    {dim::mass_per_length, "a mass per length", "kg/m", "2 g/m"},
    {dim::stiffness, "a stiffness or force per length", "N/m", "3 N/m"},
    {dim::force_per_volume, "a force per volume", "N/m^3", "10 N/m^3"},
    {dim::bending_stiffness, "a bending stiffness", "N m^2", "2 N mm^2"},
    {dim::damping, "a damping coefficient", "kg/s", "2 g/s"},
    {dim::rotational_damping, "a rotational damping coefficient", "N m s", "2 mN m s"},
    {dim::viscosity, "a viscosity", "Pa s", "1 mPa s"},
    {dim::kinematic_viscosity, "a kinematic viscosity", "m^2/s", "1 mm^2/s"},
    {dim::moment, "a magnetic moment", "A m^2", "0.2 A m^2"},
    {dim::magnetisation, "a magnetisation", "A/m", "94 kA/m"},
    {dim::field, "a magnetic field", "T", "80 mT"},
    {dim::field_gradient, "a field gradient", "T/m", "2 T/m"},
    {dim::field_potential, "a field potential", "T m", "2 T m"},
    {dim::permeability, "a permeability", "T m/A", "1.2566e-6 T m/A"},
};

const Known* lookup(const Dimension& dimension) {
  const auto* found = std::ranges::find(known, dimension, &Known::dimension);
  return found == std::end(known) ? nullptr : found;
}

}  // namespace

std::optional<Dimension> Dimension::pow(double exponent) const {
  Dimension r;
  for (std::size_t i = 0; i < doubled_.size(); ++i) {
    const double e = doubled_[i] * exponent;
    // Written so that a NaN is refused as well.
    if (!(std::abs(e) <= largest_doubled) || e != std::round(e)) return std::nullopt;
    r.doubled_[i] = static_cast<std::int16_t>(e);
  }
  return r;
}

bool Dimension::is_plausible() const {
  return std::ranges::all_of(doubled_, [](int e) { return std::abs(e) <= largest_doubled; });
}

std::string Dimension::composed() const {
  constexpr const char* units[] = {"kg", "m", "s", "A", "K"};
  std::string above, below;
  int factors_below = 0;
  for (std::size_t i = 0; i < doubled_.size(); ++i) {
    if (doubled_[i] == 0) continue;
    std::string& side = doubled_[i] > 0 ? above : below;
    if (!side.empty()) side += ' ';
    side += units[i];
    if (const int e = std::abs(doubled_[i]); e != 2) side += fmt::format("^{}", e / 2.0);
    if (doubled_[i] < 0) ++factors_below;
  }
  if (below.empty()) return above;
  if (above.empty()) above += '1';
  return factors_below > 1 ? fmt::format("{}/({})", above, below) : fmt::format("{}/{}", above, below);
}

std::string Dimension::name() const {
  const Known* k = lookup(*this);
  if (!k) return composed();
  return is_number() ? k->what : fmt::format("{} ({})", k->what, k->symbol);
}

std::string Dimension::symbol() const {
  const Known* k = lookup(*this);
  return k ? k->symbol : composed();
}

std::string Dimension::example() const {
  const Known* k = lookup(*this);
  if (k) return k->example;
  const std::string units = composed();
  return units.starts_with("1/") ? units : fmt::format("1 {}", units);
}

std::string describe(const Quantity& quantity) {
  const std::string symbol = quantity.dimension.symbol();
  if (symbol.empty()) return fmt::format("{:.6g}", quantity.value);
  // "20/m" rather than "20/m": what we print must be what we read.
  if (symbol.starts_with("1/")) return fmt::format("{:.6g}{}", quantity.value, symbol.substr(1));
  return fmt::format("{:.6g} {}", quantity.value, symbol);
}

}  // namespace ls
