#pragma once
#include "language/quantity.h"

#include <optional>
#include <string_view>
#include <vector>

namespace ls {

// A unit is factor · 10^exponent in SI. The power of ten is kept apart so that "25.8 mm" can be read as 25.8e-3 and
// gives the very same double as 0.0258 does; a product with 1e-3 would not.
struct Unit {
  double factor = 1;
  int exponent = 0;
  Dimension dimension = {};

  Quantity quantity() const;
};

Unit operator*(const Unit& a, const Unit& b);
Unit operator/(const Unit& a, const Unit& b);
// Empty where the dimension has no such power.
std::optional<Unit> power(const Unit& unit, double exponent);

// "mm", "kA", "µT", "deg", "%"; empty where there is no such unit.
std::optional<Unit> find_unit(std::string_view name);

// For suggestions, likely ones first.
const std::vector<std::string>& unit_names();

}  // namespace ls
