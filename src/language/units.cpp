#include "language/units.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <numbers>

namespace ls {

namespace {

struct Prefix {
  char letter;
  int exponent;
};
// No da, h, d, c in general: they make more confusion ("cd", "dT") than units. Where one is in use the table says so.
constexpr Prefix prefixes[] = {{'f', -15}, {'p', -12}, {'n', -9}, {'u', -6}, {'m', -3}, {'c', -2},
                               {'d', -1},  {'h', 2},   {'k', 3},  {'M', 6},  {'G', 9},  {'T', 12}};

struct Base {
  std::string_view name;
  std::string_view prefixes;  // the letters it may take; u stands for µ too
  double factor;
  int exponent;
  Dimension dimension;
};

constexpr double pi = std::numbers::pi;
constexpr std::string_view usual = "fpnumkMGT";
constexpr Dimension voltage = dim::power / dim::current;

// Left out, because "3 mm/L" should mean a name: the litre, the day, the poise, and units of electricity without use
// here.
constexpr Base bases[] = {
    {"m", "fpnumcdkMG", 1, 0, dim::length},
    {"g", "fpnumkM", 1, -3, dim::mass},
    {"t", "", 1, 3, dim::mass},
    {"s", "fpnum", 1, 0, dim::time},
    {"min", "", 60, 0, dim::time},
    {"h", "", 3600, 0, dim::time},
    {"A", usual, 1, 0, dim::current},
    {"K", "num", 1, 0, dim::temperature},
    {"N", usual, 1, 0, dim::force},
    {"Nm", "pnumkM", 1, 0, dim::torque},
    {"dyn", "", 1, -5, dim::force},
    {"Pa", "fpnumhkMGT", 1, 0, dim::pressure},
    {"bar", "mk", 1, 5, dim::pressure},
    {"cP", "", 1, -3, dim::viscosity},
    {"mL", "", 1, -6, dim::volume},
    {"uL", "", 1, -9, dim::volume},
    {"µL", "", 1, -9, dim::volume},
    {"J", usual, 1, 0, dim::energy},
    {"erg", "", 1, -7, dim::energy},
    {"eV", "mkMG", 1.602176634, -19, dim::energy},
    {"W", usual, 1, 0, dim::power},
    {"Hz", "mkMGT", 1, 0, dim::rate},
    {"rpm", "", pi / 30, 0, dim::rate},
    {"T", "fpnum", 1, 0, dim::field},
    {"G", "umk", 1, -4, dim::field},
    {"Oe", "mk", 1 / (4 * pi), 3, dim::magnetisation},
    {"emu", "num", 1, -3, dim::moment},
    {"V", usual, 1, 0, voltage},
    {"ohm", "mkMG", 1, 0, voltage / dim::current},
    {"Wb", "num", 1, 0, dim::field* dim::area},
    {"rad", "num", 1, 0, dim::angle},
    {"deg", "", pi / 180, 0, dim::angle},
    {"°", "", pi / 180, 0, dim::angle},
    {"turn", "", 2 * pi, 0, dim::angle},
    {"%", "", 1, -2, dim::number},
};

const Base* find_base(std::string_view name) {
  const auto* found = std::ranges::find(bases, name, &Base::name);
  return found == std::end(bases) ? nullptr : found;
}

// Takes the prefix letter off the front of name; 0 where nothing follows it. Both signs in use for micro become u.
char take_prefix(std::string_view& name) {
  for (std::string_view micro : {"µ", "μ"}) {
    if (name.starts_with(micro)) {
      name.remove_prefix(micro.size());
      return 'u';
    }
  }
  if (name.size() < 2) return 0;
  const char letter = name.front();
  name.remove_prefix(1);
  return letter;
}

}  // namespace

Quantity Unit::quantity() const {
  // A negative power of ten is no double, its inverse is (up to 10^22).
  const double ten = std::pow(10.0, std::abs(exponent));
  return {exponent < 0 ? factor / ten : factor * ten, dimension};
}

Unit operator*(const Unit& a, const Unit& b) {
  return {a.factor * b.factor, a.exponent + b.exponent, a.dimension * b.dimension};
}

Unit operator/(const Unit& a, const Unit& b) {
  return {a.factor / b.factor, a.exponent - b.exponent, a.dimension / b.dimension};
}

std::optional<Unit> power(const Unit& unit, double exponent) {
  const std::optional<Dimension> dimension = unit.dimension.pow(exponent);
  if (!dimension || !(std::abs(exponent) <= 50)) return std::nullopt;
  const double ten = unit.exponent * exponent;
  const double whole = std::trunc(ten);
  const double rest = ten == whole ? 1 : std::pow(10.0, ten - whole);
  return Unit{std::pow(unit.factor, exponent) * rest, static_cast<int>(whole), *dimension};
}

std::optional<Unit> find_unit(std::string_view name) {
  if (const Base* base = find_base(name)) return Unit{base->factor, base->exponent, base->dimension};
  const char letter = take_prefix(name);
  const Base* base = letter ? find_base(name) : nullptr;
  if (!base || base->prefixes.find(letter) == std::string_view::npos) return std::nullopt;
  const auto* prefix = std::ranges::find(prefixes, letter, &Prefix::letter);
  return Unit{base->factor, base->exponent + prefix->exponent, base->dimension};
}

const std::vector<std::string>& unit_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"mm", "MPa", "kPa", "GPa", "kg", "ms", "mT", "um", "kA", "mN", "kHz", "µm", "µT"};
    for (const Base& base : bases) all.emplace_back(base.name);
    for (const Base& base : bases) {
      for (char letter : base.prefixes) all.push_back(letter + std::string(base.name));
    }
    return all;
  }();
  return names;
}

}  // namespace ls
