#include "picture/picture_colour.h"

#include "base/error.h"
#include "picture/picture.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ls {
namespace {

constexpr const char* colour_names[] = {"energy", "curvature", "twist", "stretch", "shear", "speed", "body"};

}  // namespace

std::span<const char* const> picture_colours() {
  return colour_names;
}

namespace drawing {
namespace {

// Lightness rises steadily from indigo to amber; the bright end stops short of the white of the paper.
constexpr Colour rising[] = {{0.20, 0.12, 0.40}, {0.19, 0.31, 0.61}, {0.12, 0.49, 0.62},
                             {0.18, 0.65, 0.52}, {0.53, 0.76, 0.33}, {0.96, 0.77, 0.20}};
// Blue below zero, red above, grey between.
constexpr Colour diverging[] = {
    {0.13, 0.29, 0.62}, {0.42, 0.60, 0.82}, {0.80, 0.80, 0.80}, {0.90, 0.55, 0.42}, {0.68, 0.14, 0.18}};
constexpr Colour palette[] = {{0.22, 0.42, 0.63}, {0.84, 0.49, 0.18}, {0.27, 0.58, 0.40}, {0.69, 0.27, 0.33},
                              {0.50, 0.41, 0.66}, {0.49, 0.37, 0.31}, {0.20, 0.60, 0.66}, {0.62, 0.60, 0.22}};
constexpr Colour not_a_number{0.68, 0.71, 0.74};

Colour from_ramp(std::span<const Colour> ramp, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
  return mix(ramp[i], ramp[i + 1], place - static_cast<double>(i));
}

double speed(const Snapshot& s, int node) {
  if (s.velocity.size() != s.position.size()) return 0;
  const auto& v = s.velocity[node];
  return std::hypot(v[0], v[1], v[2]);
}

double length(const Snapshot& s, const std::array<int, 2>& bond) {
  const auto &a = s.position[bond[0]], &b = s.position[bond[1]];
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// SI value of what is asked for on one bond; NaN where there is none.
double bond_value(const Snapshot& s, const std::string& what, std::size_t i) {
  const auto nodes = static_cast<int>(s.position.size());
  const auto [a, b] = s.bond[i];
  if (a < 0 || b < 0 || a >= nodes || b >= nodes) return std::nan("");
  if (what == "speed") return 0.5 * (speed(s, a) + speed(s, b));
  if (what == "energy") {
    if (s.energy.size() != s.bond.size()) return 0;
    return (s.energy[i][0] + s.energy[i][1] + s.energy[i][2] + s.energy[i][3]) / length(s, s.bond[i]);
  }
  if (s.strain.size() != s.bond.size()) return 0;
  if (what == "stretch") return s.strain[i][0];
  if (what == "shear") return s.strain[i][1];
  return s.strain[i][what == "curvature" ? 2 : 3] / length(s, s.bond[i]);
}

// What rounding leaves in a rod at rest is no strain worth a colour.
bool at_rest(const Snapshot& s) {
  double largest = s.strain.empty() ? 1 : 0;
  for (const auto& four : s.strain)
    for (const double e : four)
      if (std::isfinite(e)) largest = std::max(largest, std::abs(e));
  return largest < 1e-9;
}

struct Prefix {
  double factor;
  const char* symbol;
};

Prefix prefix_for(double magnitude) {
  constexpr Prefix prefixes[] = {{1e-12, "p"}, {1e-9, "n"}, {1e-6, "µ"}, {1e-3, "m"},
                                 {1, ""},      {1e3, "k"},  {1e6, "M"},  {1e9, "G"}};
  Prefix best{1, ""};
  if (!(magnitude >= 1e-12 && magnitude < 1e12)) return best;  // beyond these, powers of ten read better
  for (const Prefix& prefix : prefixes)
    if (magnitude >= 0.9999999 * prefix.factor) best = prefix;
  return best;
}

}  // namespace

Colour mix(const Colour& a, const Colour& b, double share_of_b) {
  Colour c;
  for (std::size_t k = 0; k < 3; ++k) c[k] = (1 - share_of_b) * a[k] + share_of_b * b[k];
  return c;
}

std::string hex(const Colour& colour) {
  const auto byte = [](double x) { return static_cast<int>(std::lround(255 * std::clamp(x, 0.0, 1.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour[0]), byte(colour[1]), byte(colour[2]));
}

Colour body_colour(int body) {
  return palette[static_cast<std::size_t>(std::max(body, 0)) % std::size(palette)];
}

Colouring::Colouring(const Snapshot& snapshot, const std::string& colour_by) : values_(snapshot.bond.size(), 0.0) {
  const std::string what = colour_by.empty() ? "energy" : colour_by;
  if (std::find(std::begin(colour_names), std::end(colour_names), what) == std::end(colour_names))
    throw Error(fmt::format("cannot colour by \"{}\"; known: {}", what, fmt::join(colour_names, ", ")));
  if (what == "body" || (what != "speed" && at_rest(snapshot))) return;

  double smallest = 0, largest = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i] = bond_value(snapshot, what, i);
    if (!std::isfinite(values_[i])) continue;
    smallest = std::min(smallest, values_[i]);
    largest = std::max(largest, values_[i]);
  }
  label_ = what == "energy" ? "energy per length" : what == "twist" ? "twist rate" : what;
  unit_ = what == "energy"      ? "J/m"
          : what == "curvature" ? "1/m"
          : what == "twist"     ? "rad/m"
          : what == "shear"     ? "rad"
          : what == "speed"     ? "m/s"
                                : "%";
  set_range(smallest, largest);
  choose_unit();
}

void Colouring::set_range(double smallest, double largest) {
  both_signs_ = smallest < -1e-3 * largest;
  low_ = both_signs_ ? -std::max(-smallest, largest) : 0;
  high_ = std::max(-smallest, largest);
  // Numbers below the normal ones have no readable scale, and dividing by them overflows.
  if (!(high_ > 1e-100 && high_ < 1e100)) low_ = high_ = 0;
}

void Colouring::choose_unit() {
  if (!has_scale()) return;
  double factor = 1;
  if (unit_ == "%")
    factor = 0.01;
  else if (unit_ == "1/m") {
    if (high_ >= 1000) factor = 1000, unit_ = "1/mm";
  } else {
    const Prefix prefix = prefix_for(high_);
    factor = prefix.factor;
    unit_ = prefix.symbol + unit_;
  }
  for (double& value : values_) value /= factor;
  low_ /= factor;
  high_ /= factor;
}

Colour Colouring::on_scale(double share) const {
  return both_signs_ ? from_ramp(diverging, share) : from_ramp(rising, share);
}

Colour Colouring::colour(double value, int body) const {
  if (!has_scale()) return body_colour(body);
  if (!std::isfinite(value)) return not_a_number;
  return on_scale((value - low_) / (high_ - low_));
}

PrefixedUnit prefixed(double value, const std::string& unit) {
  const Prefix prefix = prefix_for(std::abs(value));
  return {prefix.factor, prefix.symbol + unit};
}

std::string with_prefix(double value, const std::string& unit) {
  const Prefix prefix = prefix_for(std::abs(value));
  return fmt::format("{:.4g} {}{}", value / prefix.factor, prefix.symbol, unit);
}

double round_below(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  const double digits = value / power * (1 + 1e-12);
  return power * (digits >= 5 ? 5 : digits >= 2 ? 2 : 1);
}

}  // namespace drawing
}  // namespace ls
