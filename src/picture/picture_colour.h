#pragma once
// What picture.cpp paints with: colours, the quantity that chooses them, and numbers with readable units.
#include "output/snapshot.h"

#include <span>
#include <string>
#include <vector>

namespace ls::drawing {

using Colour = std::array<double, 3>;  // red, green, blue (sRGB) from 0 to 1

constexpr Colour black{0, 0, 0}, white{1, 1, 1};

Colour mix(const Colour& a, const Colour& b, double share_of_b);
std::string hex(const Colour& colour);
Colour body_colour(int body);

// Colours for the bonds of a snapshot. Without anything to show (all values zero, or colour_by = "body") each body has
// a colour of its own and there is no scale.
class Colouring {
 public:
  Colouring(const Snapshot& snapshot, const std::string& colour_by);  // unknown colour_by: Error

  double value(std::size_t bond) const { return values_[bond]; }
  Colour colour(double value, int body) const;

  bool has_scale() const { return high_ > low_; }
  double low() const { return low_; }
  double high() const { return high_; }
  Colour on_scale(double share) const;  // 0 at low, 1 at high
  const std::string& label() const { return label_; }
  const std::string& unit() const { return unit_; }  // values() and low(), high() are in it

 private:
  void set_range(double smallest, double largest);
  void choose_unit();

  std::vector<double> values_;  // [bond]
  double low_ = 0, high_ = 0;
  bool both_signs_ = false;
  std::string label_, unit_;
};

// The unit with the prefix that suits a value, and what it is of the unit without.
struct PrefixedUnit {
  double factor;
  std::string name;
};
PrefixedUnit prefixed(double value, const std::string& unit);

// "12.5 ms": a prefix that leaves one to three digits before the point.
std::string with_prefix(double value, const std::string& unit);

// The largest of 1, 2, 5 times a power of ten that is not above value.
double round_below(double value);

}  // namespace ls::drawing
